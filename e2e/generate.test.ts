/** What the generators write, listed and answering at once; and what they refuse, leaving every file as it was. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask } from "./harness/client.ts";
import { run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkModules } from "./harness/modules.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { RUNNER } from "./harness/project-tests.ts";
import { serve } from "./harness/server.ts";

/** As a shell splits a line, with single quotes around words. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

async function generate(project: Project, line: string): Promise<string> {
  const { status, stdout, stderr } = await project.framework(["generate", ...wordsOf(line)]);
  assert.is(status, 0, `generate ${line}: ${stdout}${stderr}`);
  return stdout;
}

async function isListed(project: Project, route: string): Promise<boolean> {
  const { stdout } = await project.framework(["routes", "list", "--json"]);
  return JSON.parse(stdout).some(
    (row: { method: string; pattern: string }) => `${row.method} ${row.pattern}` === route,
  );
}

interface Case {
  /** Run one after another. */
  readonly commands: readonly string[];
  readonly routes: readonly string[];
  readonly requests: readonly [line: string, status: number][];
  readonly files: readonly string[];
}

const CASES: readonly Case[] = [
  {
    commands: ["app orders --prefix /orders"],
    routes: ["GET /orders/"],
    requests: [
      ["GET /orders/", 200],
      ["GET /orders", 200],
    ],
    files: ["apps/orders/app.toml", "apps/orders/views.ts"],
  },
  {
    commands: ["app orders"],
    routes: ["GET /orders/"],
    requests: [["GET /orders/", 200]],
    files: ["apps/orders/app.toml", "apps/orders/views.ts"],
  },
  {
    commands: ["app orders --prefix /api/v1/orders", "handler get_by_id order_id:int --app orders"],
    routes: ["GET /api/v1/orders/by/id/<order_id>"],
    requests: [
      ["GET /api/v1/orders/by/id/7", 200],
      ["GET /api/v1/orders/by/id/seven", 404],
    ],
    files: ["apps/orders/views.ts"],
  },
  {
    commands: ["handler put_index --app products"],
    routes: ["PUT /products/"],
    requests: [["PUT /products/", 200]],
    files: ["apps/products/views.ts"],
  },
  {
    commands: ["handler patch_stock_level request product_id:int --app products"],
    routes: ["PATCH /products/stock/level/<product_id>"],
    requests: [["PATCH /products/stock/level/3", 200]],
    files: ["apps/products/views.ts"],
  },
  {
    commands: ["handler GET /products/on/sale"],
    routes: ["GET /products/on/sale"],
    requests: [["GET /products/on/sale", 200]],
    files: ["apps/products/views.ts"],
  },
  {
    commands: ["handler DELETE /products/<slug>/reviews/<id:int>", "handler get_$slug slug --app products"],
    routes: ["DELETE /products/<slug>/reviews/<id>", "GET /products/<slug>"],
    requests: [
      ["DELETE /products/pen/reviews/7", 200],
      ["DELETE /products/pen/reviews/seven", 404],
      ["GET /products/pen", 200],
      ["GET /products/all", 200],
      ["GET /products/", 200],
    ],
    files: ["apps/products/views.ts"],
  },
  {
    commands: ["handler delete_by_id user_id:int --app users"],
    routes: ["DELETE /users/by/id/<user_id>"],
    requests: [
      ["DELETE /users/by/id/4", 200],
      ["GET /users/by/id/4", 200],
    ],
    files: ["apps/users/views.ts"],
  },
  {
    commands: ["route reviews get post"],
    routes: ["GET /reviews", "POST /reviews"],
    requests: [
      ["GET /reviews", 200],
      ["POST /reviews", 200],
    ],
    files: ["routes/reviews.ts"],
  },
  {
    commands: ["route reviews get", "route reviews delete"],
    routes: ["GET /reviews", "DELETE /reviews"],
    requests: [
      ["GET /reviews", 200],
      ["DELETE /reviews", 200],
    ],
    files: ["routes/reviews.ts"],
  },
  {
    commands: ["route users/[user_id]/posts get user_id:int"],
    routes: ["GET /users/<user_id>/posts"],
    requests: [
      ["GET /users/3/posts", 200],
      ["GET /users/x/posts", 404],
    ],
    files: ["routes/users/[user_id]/posts.ts"],
  },
  {
    commands: ["route reviews get review_id:int"],
    routes: ["GET /reviews/<review_id>"],
    requests: [["GET /reviews/9", 200]],
    files: ["routes/reviews.ts"],
  },
  {
    commands: ["provider current_user", "app orders --guard current_user"],
    routes: ["GET /orders/"],
    requests: [
      ["GET /orders/", 401],
      ["GET /products/all", 200],
    ],
    files: ["apps/orders/_hooks.ts", "apps/orders/views.ts"],
  },
];

for (const { commands, routes, requests, files } of CASES) {
  test(`generate ${commands.join(", then ")}: is listed and answers at once`, async () => {
    const project = await copyProject();
    const before = project.tree();
    let printed = "";
    for (const command of commands) printed += await generate(project, command);
    for (const route of routes) {
      assert.ok(await isListed(project, route), `${route} is not listed`);
      assert.ok(printed.includes(route.split(" ")[1] ?? ""), printed);
    }
    for (const file of files) {
      assert.ok(project.has(file), file);
      assert.not.match(project.read(file), /TODO|undefined|\t|\r|[^\S\n]\n|\n\n\n|[^\n]$/);
    }
    const made = Object.keys(project.tree()).filter((file) => !(file in before));
    const changed = Object.keys(before).filter((file) => before[file] !== project.tree()[file]);
    assert.ok(
      [...made, ...changed].some((file) => /^tests\/.*\.test\.ts$/.test(file)),
      "a test is written beside it",
    );
    const server = await serve(project.folder);
    for (const [line, status] of requests) {
      const body = /^(POST|PUT|PATCH)/.test(line) ? { body: '{"name":"a"}' } : {};
      const answer = await ask(server.url, line, body);
      const isRight = status === 200 ? answer.status >= 200 && answer.status < 300 : answer.status === status;
      assert.ok(isRight, `${line}: ${answer.status} ${answer.text}`);
    }
    assert.is((await server.stop()).status, 0);
  });

  test(`generate ${commands.join(", then ")}: asked twice says that it is there, and changes nothing`, async () => {
    const project = await copyProject();
    for (const command of commands) await generate(project, command);
    const once = project.tree();
    for (const command of commands) assert.match(await generate(project, command), /there already/);
    assert.equal(project.tree(), once);
  });

  test(`generate ${commands[0]} --dry-run shows a diff and writes nothing`, async () => {
    const project = await copyProject();
    const before = project.tree();
    assert.match(await generate(project, `${commands[0]} --dry-run`), /^\+\+\+ .*\n@@ /m);
    assert.equal(project.tree(), before);
  });
}

test("npx framework generate works before installing", async () => {
  const project = await copyProject();
  const words = ["npx", "framework", "generate", "handler", "post_index_foo", "--app", "users"];
  const { status, stderr } = await run(words, {
    cwd: `${project.folder}/apps/users`,
    env: isolatedEnvironment(),
  });
  assert.is(status, 0, stderr);
  assert.ok(await isListed(project, "POST /users/index/foo"));
});

test("generate handler post_index --app products is refused no more once the handler is not there", async () => {
  const project = await copyProject();
  const text = project.read("apps/products/views.ts");
  const start = text.indexOf("// POST /products/");
  project.write(
    "apps/products/views.ts",
    text.slice(0, start) + text.slice(text.indexOf("// GET /products/all")),
  );
  await generate(project, "handler post_index --app products");
  assert.ok(await isListed(project, "POST /products/"));
  const server = await serve(project.folder);
  const { status } = await ask(server.url, "POST /products/", { body: '{"name":"a"}' });
  assert.ok(status >= 200 && status < 300, String(status));
  await server.stop();
});

test("a handler is written as its file is: tabs, CRLF, single quotes, no semicolons", async () => {
  const project = await copyProject();
  const text =
    "import { type Request } from 'framework'\r\n\r\nexport function get_all(request: Request) {\r\n\treturn { path: request.path, word: 'a' }\r\n}\r\n";
  project.write("apps/users/views.ts", text);
  await generate(project, "handler post_by_id user_id:int --app users");
  const after = project.read("apps/users/views.ts");
  assert.ok(
    after.includes("get_all(request: Request) {\r\n\treturn { path: request.path, word: 'a' }\r\n}\r\n"),
    after,
  );
  assert.not.match(after, /[^\r]\n|;|"|\n +\S/);
  assert.match(after, /int/);
  assert.ok(await isListed(project, "POST /users/by/id/<user_id>"));
});

test("a comment, a shebang and odd spacing of the user's are kept to the byte", async () => {
  const project = await copyProject();
  const own =
    "/* mine */\n\n\n\nexport   function get_x( ){ return {  a:1 } } // keep\n// last words, no newline";
  project.write("apps/users/views.ts", own);
  await generate(project, "handler get_y --app users");
  const after = project.read("apps/users/views.ts");
  assert.ok(after.includes(own), after);
  assert.ok(await isListed(project, "GET /users/y"));
});

test("the apps of framework.toml keep their comments and layout when an app is added", async () => {
  const project = await copyProject();
  project.edit(
    "framework.toml",
    'apps = ["products", "users"]',
    'apps = [\n  "products", # sold\n  "users",\n]',
  );
  await generate(project, "app orders");
  assert.match(
    project.read("framework.toml"),
    /apps = \[\n {2}"products", # sold\n {2}"users",\n {2}"orders",\n\]/,
  );
});

test("generated hooks run around the routes of their folder, and around no other", async () => {
  const project = await copyProject();
  await generate(project, "provider currentUser --app users");
  await generate(project, "hooks users --guard currentUser --error");
  await generate(project, "hooks routes --middleware");
  const server = await serve(project.folder);
  const refused = await ask(server.url, "GET /users/by/id/7", { headers: { authorization: "Bearer x" } });
  assert.is(refused.status, 401);
  assert.equal(JSON.parse(refused.text), {
    error: "The token is not valid",
    status: 401,
    path: "/users/by/id/7",
  });
  assert.is((await ask(server.url, "GET /products/all")).status, 200);
  await server.stop();
});

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];

const FIELDS = `name:string price:number? on:boolean ids:int[] since:Date days:Date[]? role:"admin"|"user" stars:1|2|3?`;
const QUERY = `page:int? q:string on:boolean since:Date tags:string[] sort:"up & down"|"${"x".repeat(100)}"`;

/** A handler of every method with every kind of params, in an app and in route files, short and so long that lines break. */
const SHAPES: readonly string[] = [
  "app orders --prefix /api/v1/orders",
  ...METHODS.map((method) => `handler ${method}_index --app orders`).filter((line) => !line.includes("get_")),
  ...METHODS.map((method, index) => {
    const params = [
      "id:int",
      "name",
      "a:number b:string",
      "request",
      "id:int request name:str",
      "request id:int",
    ];
    return `handler ${method}_by_${index} ${params[index % params.length]} --app orders`;
  }),
  `handler get_long ${["one", "two", "three", "four"].map((word) => `a_param_with_a_long_name_${word}:int`).join(" ")} --app orders`,
  "handler GET /api/v1/orders/featured/items",
  "handler PUT /api/v1/orders/by/<order_id:int>/<line>",
  "handler DELETE /api/v1/orders/<id:int>/lines/<line>",
  "handler get_$line_at_$page page:int line --app orders",
  `route shapes ${METHODS.join(" ")}`,
  `route shapes/[shape_id] ${METHODS.join(" ")} shape_id:int`,
  `route shapes/[shape_id]/sides/[side] ${METHODS.join(" ")} shape_id:int side:str`,
  "route PATCH /shapes/of/<kind>",
  ...["POST", "PUT", "PATCH", "DELETE"].map(
    (method) => `handler ${method} /api/v1/orders/of/<customer:int> --body '${FIELDS}' --query '${QUERY}'`,
  ),
  `handler get_found --app orders --query '${QUERY}'`,
  `route taken ${METHODS.join(" ")} --body 'name' --query 'page:int?'`,
  "route taken/index/index post --body 'customer:int' --query 'customer'",
  "provider current_user",
  "provider articleBySlug slug --app users",
  "provider order customer_id:int number:int line:str --app users",
  "provider item id:number",
  "app vault --guard current_user",
  "hooks apps/vault --middleware --error",
  "hooks . --middleware --error",
  ...METHODS.map((method) => `handler ${method}_secret_$id id:int --app vault`),
  "handler POST /vault/secrets --body 'name'",
];

test("whatever shape is generated passes its own test, compiles strictly, and is as Biome leaves it", async () => {
  const project = await copyProject();
  const before = project.tree();
  for (const line of SHAPES) await generate(project, line);
  const made = Object.keys(project.tree()).filter((file) => file.endsWith(".ts") && !(file in before));
  linkModules(project);
  assert.match(await runIn(project, RUNNER), /Passed: +\d\d/);
  await runIn(project, ["node_modules/typescript/bin/tsc", "-p", "."]);
  // The width is that of the project's own files.
  project.write("biome.json", '{ "formatter": { "indentStyle": "space", "lineWidth": 100 } }\n');
  await runIn(project, ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", ...made]);
});

test("a handler that was generated with a body answers what fits it, and refuses the rest with every issue", async () => {
  const project = await copyProject();
  const line = "POST /products/new --body 'name:string price:number tags:string[]?' --query 'page:int?'";
  assert.match(await generate(project, `handler ${line}`), /POST http:\S+\/products\/new /);
  const server = await serve(project.folder);
  const headers = { "content-type": "application/json" };
  const send = (path: string, body: object): ReturnType<typeof ask> =>
    ask(server.url, `POST ${path}`, { headers, body: JSON.stringify(body) });
  const fits = await send("/products/new?page=2", { name: "Ruler", price: 2, color: "red" });
  assert.is(fits.status, 201);
  assert.equal(JSON.parse(fits.text), { page: 2, name: "Ruler", price: 2 });
  const refused = await send("/products/new?page=two", { price: "2", tags: [7] });
  assert.is(refused.status, 422);
  const { issues } = JSON.parse(refused.text);
  assert.equal(
    issues.map((issue: { in: string; pointer: string }) => `${issue.in} ${issue.pointer}`).sort(),
    ["body /name", "body /price", "body /tags/0", "query /page"],
  );
  await server.stop();
  const { stdout } = await project.framework(["routes", "match", "POST", "/products/new"]);
  assert.match(stdout, /^body +NewProduct \{ name: string; price: number; tags\?: string\[\] \} +required$/m);
});

async function runIn({ folder }: Project, words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run([process.execPath, ...words], {
    cwd: folder,
    env: isolatedEnvironment(),
  });
  assert.is(status, 0, stdout + stderr);
  return stdout;
}

const REFUSED: readonly [line: string, says: RegExp][] = [
  ["handler get_a__b --app products", /segment|underscore/],
  ["handler get_ --app products", /get_/],
  ["handler gte_all --app products", /get_all/],
  ["handler getAll --app products", /get_/],
  ["handler get-all --app products", /get_all|-/],
  ["handler get_x --app prodcts", /products/],
  ["handler get_x --app ../users", /\.\.\/users/],
  ["handler get_x id:date --app products", /int/],
  ["handler get_x 1d:int --app products", /1d/],
  ["handler get_x class:int --app products", /class/],
  ["handler get_x id:int id:str --app products", /id/],
  ["handler get_by_id --app nobody", /nobody/],
  ["handler get_by_id other:int --app users", /user_id|by\/id|get_by_id/],
  ["handler GET /nowhere/at/all", /nowhere/],
  ["handler post_x --app users --body 'role:admin|user'", /in other quotes: 'role:"admin"\|"user"'/],
  ["handler post_x --app users --body 'price:float'", /price:number/],
  ["handler get_x --app users --body 'name'", /POST, PUT, PATCH, DELETE/],
  ["handler get_x id:int --app users --query 'id'", /param of the path/],
  ["handler GET /products/a-b", /-/],
  ["handler get_$slug --app products", /slug:string/],
  ["handler get_$slug name --app products", /\$slug/],
  ["handler GET /products/<id>/<id>/x", /twice/],
  ["app products --prefix /shop", /products/],
  ["app Pro/ducts", /Pro\/ducts/],
  ["app ..", /\.\./],
  // Node erases no types below a folder of that name, and git is told to leave both out.
  ["app node_modules", /node_modules/],
  ["app dist", /dist/],
  ["app orders --prefix orders", /\/orders/],
  ["app orders --prefix /or ders", /ders/],
  ["app orders --prefix /users/../x", /\.\./],
  ["app orders --prefix /products", /\/products/],
  ["route reviews gte", /get/],
  ["route ../outside get", /\.\./],
  ["route /etc//x get", /empty|segment|\/\//],
  ["route items get item_id:str", /items/],
  ["route [item_id get", /\[/],
  ["route _hidden get", /_/],
  ["route products/all get", /apps\/products\/views\.ts/],
  ["route users/by/username/[other] get", /apps\/users\/views\.ts/],
  ["route con get", /Windows/],
  ["route $(id) get", /Did you mean `id`/],
  ["provider current-user", /Did you mean `current_user`/],
  ["provider current_user --app user", /Did you mean `users`/],
  ["hooks user --middleware", /Did you mean `users`/],
  ["hooks users", /--guard <provider>, --middleware or --error/],
  ["hooks users --guard current_user", /npx framework generate provider current_user/],
  ["app orders --guard current_user", /npx framework generate provider current_user/],
];
for (const [line, says] of REFUSED) {
  test(`generate ${line} is refused with a reason, and no file changes`, async () => {
    const project = await copyProject();
    const before = project.tree();
    const { status, stdout, stderr } = await project.framework(["generate", ...wordsOf(line)]);
    const isThereAlready =
      status === 0 && /there already/.test(stdout) && line === "route items get item_id:str";
    if (!isThereAlready) {
      assert.ok(status === 1 || status === 2, `status ${status}: ${stdout}${stderr}`);
      assert.match(stderr, says);
      assert.not.match(stderr, /\n\s+at /);
    }
    assert.equal(project.tree(), before);
  });
}

test("a generator refuses while a file that it would change can't be read, and changes nothing", async () => {
  const project = await copyProject();
  project.write("apps/users/views.ts", "export function get_all( {\n");
  const before = project.tree();
  const { status, stderr } = await project.framework(["generate", "handler", "get_x", "--app", "users"]);
  assert.is(status, 1);
  assert.match(stderr, /apps\/users\/views\.ts:\d+/);
  assert.equal(project.tree(), before);
});

test("--json tells a program what was made", async () => {
  const project = await copyProject();
  const made = JSON.parse(await generate(project, "handler put_all --app products --json"));
  assert.is(made.made[0].route, "PUT /products/all");
  assert.is(made.made[0].file, "apps/products/views.ts");
});

test.run();
