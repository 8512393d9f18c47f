/** What the generators write: it is listed and answers at once, and its tests pass. What is refused changes no file. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask } from "./harness/client.ts";
import { run } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkModules } from "./harness/modules.ts";
import { once } from "./harness/once.ts";
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

async function listRoutes(project: Project): Promise<string[]> {
  const { stdout } = await project.framework(["routes", "list", "--json"]);
  return (JSON.parse(stdout) as { method: string; pattern: string }[]).map(
    ({ method, pattern }) => `${method} ${pattern}`,
  );
}

interface Made {
  readonly command: string;
  readonly routes?: readonly string[];
  readonly requests?: readonly (readonly [line: string, status: number])[];
}

/** Run one after another in one project. */
const MADE: readonly Made[] = [
  {
    command: "app orders --prefix /api/v1/orders",
    routes: ["GET /api/v1/orders/"],
    requests: [
      ["GET /api/v1/orders/", 200],
      ["GET /api/v1/orders", 200],
    ],
  },
  { command: "app carts", routes: ["GET /carts/"], requests: [["GET /carts/", 200]] },
  {
    command: "handler get_by_id cart_id:int --app carts",
    routes: ["GET /carts/by/id/<cart_id>"],
    requests: [
      ["GET /carts/by/id/7", 200],
      ["GET /carts/by/id/seven", 404],
    ],
  },
  {
    command: "handler patch_stock_level request product_id:int --app products",
    routes: ["PATCH /products/stock/level/<product_id>"],
    requests: [["PATCH /products/stock/level/3", 200]],
  },
  {
    command: "handler DELETE /products/<slug>/reviews/<id:int>",
    routes: ["DELETE /products/<slug>/reviews/<id>"],
    requests: [
      ["DELETE /products/pen/reviews/7", 200],
      ["DELETE /products/pen/reviews/seven", 404],
    ],
  },
  {
    command: "handler get_$slug slug --app products",
    routes: ["GET /products/<slug>"],
    requests: [
      ["GET /products/pen", 200],
      ["GET /products/all", 200],
      ["GET /products/", 200],
    ],
  },
  { command: "route reviews get post", routes: ["GET /reviews"], requests: [["POST /reviews", 201]] },
  { command: "route reviews delete", routes: ["DELETE /reviews"], requests: [["DELETE /reviews", 200]] },
  {
    command: "route users/[user_id]/posts get user_id:int",
    routes: ["GET /users/<user_id>/posts"],
    requests: [
      ["GET /users/3/posts", 200],
      ["GET /users/x/posts", 404],
    ],
  },
  { command: "provider current_user" },
  {
    command: "app vault --guard current_user",
    routes: ["GET /vault/"],
    requests: [
      ["GET /vault/", 401],
      ["GET /products/all", 200],
    ],
  },
  { command: "hooks apps/vault --middleware --error" },
  {
    command:
      "handler POST /products/new --body 'name:string price:number tags:string[]?' --query 'page:int?'",
    routes: ["POST /products/new"],
  },
];

/** Grows from test to test. */
const grown = once("project", copyProject);

test("a dry run writes nothing; what is generated is listed and has a test; asked twice, it is there already", async () => {
  const project = await grown();
  for (const { command, routes = [] } of MADE) {
    const before = project.tree();
    assert.match(await generate(project, `${command} --dry-run`), /^\+\+\+ .*\n@@ /m);
    assert.equal(project.tree(), before, command);
    const printed = await generate(project, command);
    const after = project.tree();
    const written = Object.keys(after).filter((file) => after[file] !== before[file]);
    if (!command.startsWith("hooks"))
      assert.ok(
        written.some((file) => /^tests\/.*\.test\.ts$/.test(file)),
        `${command}: a test is written beside it`,
      );
    for (const file of written)
      assert.not.match(after[file] ?? "", /TODO|\t|\r|[^\S\n]\n|\n\n\n|[^\n]$/, file);
    const listed = await listRoutes(project);
    for (const route of routes) {
      assert.ok(listed.includes(route), `${route} is not listed`);
      assert.ok(printed.includes(route.split(" ")[1] ?? ""), printed);
    }
    assert.match(await generate(project, command), /there already/);
    assert.equal(project.tree(), after, command);
  }
});

test("what is generated answers at once", async () => {
  const server = await serve((await grown()).folder);
  for (const [line, status] of MADE.flatMap(({ requests = [] }) => requests)) {
    const body = /^(POST|PUT|PATCH)/.test(line) ? { body: '{"name":"a"}' } : {};
    const answer = await ask(server.url, line, body);
    assert.is(answer.status, status, `${line}: ${answer.text}`);
  }
  const refused = await ask(server.url, "GET /vault/", { headers: { authorization: "Bearer x" } });
  assert.equal(refused.json, { error: "The token is not valid", status: 401, path: "/vault/" });
  const send = (path: string, body: object): ReturnType<typeof ask> =>
    ask(server.url, `POST ${path}`, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const fits = await send("/products/new?page=2", { name: "Ruler", price: 2, color: "red" });
  assert.equal([fits.status, fits.json], [201, { page: 2, name: "Ruler", price: 2 }]);
  const unfit = await send("/products/new?page=two", { price: "2", tags: [7] });
  const { issues } = unfit.json as { issues: { in: string; pointer: string }[] };
  assert.is(unfit.status, 422);
  assert.equal(issues.map((issue) => `${issue.in} ${issue.pointer}`).sort(), [
    "body /name",
    "body /price",
    "body /tags/0",
    "query /page",
  ]);
  assert.is((await server.stop()).status, 0);
});

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];

const FIELDS = `name:string price:number? on:boolean ids:int[] since:Date days:Date[]? role:"admin"|"user" stars:1|2|3?`;
const QUERY = `page:int? q:string on:boolean since:Date tags:string[] sort:"up & down"|"much more"`;

/** A handler of every method with every kind of params, in an app and in route files, short and so long that lines break. */
const SHAPES: readonly string[] = [
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
  "provider articleBySlug slug --app users",
  "provider order customer_id:int number:int line:str --app users",
  "provider item id:number",
  "hooks . --middleware --error",
  ...METHODS.map((method) => `handler ${method}_secret_$id id:int --app vault`),
  "handler POST /vault/secrets --body 'name'",
];

test("whatever shape is generated passes its own test, compiles strictly, lints clean, and is as Biome leaves it", async () => {
  const project = await grown();
  const before = Object.keys((await copyProject()).tree());
  for (const line of SHAPES) await generate(project, line);
  const made = Object.keys(project.tree()).filter((file) => file.endsWith(".ts") && !before.includes(file));
  linkModules(project);
  assert.match(await runIn(project, RUNNER), /Passed: +\d\d/);
  await runIn(project, ["node_modules/typescript/bin/tsc", "-p", "."]);
  project.write("biome.json", '{ "formatter": { "indentStyle": "space", "lineWidth": 80 } }\n');
  const biome = "node_modules/@biomejs/biome/bin/biome";
  await runIn(project, [biome, "check", "--error-on-warnings", ...made]);
});

async function runIn({ folder }: Project, words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run([process.execPath, ...words], {
    cwd: folder,
    env: isolatedEnvironment(),
  });
  assert.is(status, 0, stdout + stderr);
  return stdout;
}

const REFUSED: readonly (readonly [line: string, status: number, says: RegExp])[] = [
  ["handler gte_all --app products", 1, /get_all/],
  [
    "handler post_x --app users --body 'role:admin|user'",
    1,
    /'role:"one"\|"two"', with both kinds of quotes/,
  ],
  ["route products/all get", 1, /apps\/products\/views\.ts:\d+/],
  ["hooks users --guard nobody", 2, /npx framework generate provider nobody/],
];

test("a mistake is refused with a reason, also one in a file that would be changed, and no file changes", async () => {
  const project = await copyProject();
  const refuse = async (line: string, status: number, says: RegExp): Promise<void> => {
    const before = project.tree();
    const refused = await project.framework(["generate", ...wordsOf(line)]);
    assert.is(refused.status, status, `${line}: ${refused.stdout}${refused.stderr}`);
    assert.match(refused.stderr, says);
    assert.equal(project.tree(), before, line);
  };
  for (const [line, status, says] of REFUSED) await refuse(line, status, says);
  project.write("apps/users/views.ts", "export function get_all( {\n");
  await refuse("handler get_x --app users", 1, /apps\/users\/views\.ts:\d+/);
});

test("commands that change a project at once wait for each other: nothing of one is lost by another", async () => {
  const project = await copyProject();
  const apps = Array.from({ length: 4 }, (_, index) => `app app${index}`);
  const handlers = ["put_first", "put_second", "put_once", "put_once", "put_once"];
  await Promise.all(
    [...apps, ...handlers.map((name) => `handler ${name} --app products`)].map((line) =>
      generate(project, line),
    ),
  );
  const toml = project.read("framework.toml");
  assert.equal(
    apps.filter((app) => !toml.includes(app.replace("app ", '"').concat('"'))),
    [],
  );
  const made = (await listRoutes(project)).filter((route) => /^PUT |^GET \/app\d\/$/.test(route));
  assert.is(made.length, apps.length + new Set(handlers).size);
  for (const name of ["first", "second"])
    assert.match(project.read("tests/products.test.ts"), `PUT /products/${name}`);
  assert.not(project.has(".framework"));
});

test.run();
