import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, readFiles, writeFiles } from "#convention/folder.fixture";
import { readProject } from "#convention/project";
import { applyChanges, inOrder } from "./changes/changes.ts";
import { accept, files, plan, refusal, routes } from "./planned.fixture.ts";
import { Refused } from "./refused.ts";

const SAMPLE: Record<string, string> = {
  "framework.toml": '# The apps.\napps = ["products", "users"]\n\n[server]\nport = 8000\n',
  "app.ts": 'import { createApp } from "framework";\n\nexport const app = await createApp();\n',
  "apps/products/app.toml": '[app]\nprefix = "/products"\n',
  "apps/products/views.ts": `import type { Request } from "framework";

// GET /products/
export function get_index() {
  return { count: 0 };
}

// GET /products/all
export function get_all() {
  return { products: [] };
}

// DELETE /products/item
export function delete_item(request: Request) {
  return { deleted: request.path };
}
`,
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": `import type { int, Request } from "framework";

export function get_by_id(request: Request, user_id: int) {
  return { user: { id: user_id, path: request.path } };
}

function get_hidden() {}
`,
  "routes/index.ts": 'export function get() {\n  return { message: "Hello" };\n}\n',
  "routes/caf\u00e9.ts": "export function get() {}\n",
  "routes/items.ts": "export function get(item_id: string) {\n  return { id: item_id };\n}\n",
  "routes/teams/[team_id].ts":
    'import type { int } from "framework";\n\nexport function get(team_id: int) {\n  return { team_id };\n}\n',
  "routes/admin/index.ts": "export function get() {\n  return {};\n}\n",
  "tests/products.test.ts": `import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "../app.ts";

const { url } = await app.listen();

test("GET /products/all answers 200", async () => {
  const response = await request(\`\${url}/products/all\`);
  assert.is(response.statusCode, 200);
});

// the end
test.run();
`,
};

interface Context {
  root: string;
}

const test = suite<Context>("generators");

test.before.each((context) => {
  context.root = createFolder(SAMPLE);
});

test.after.each(({ root }) => rmSync(root, { recursive: true }));

function read(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** Handlers of an app, whose name begins the path, with the route that each makes. */
const HANDLERS: [line: string, made: string][] = [
  ["post_index --app products", "POST /products/"],
  ["get_by_name name:str --app users", "GET /users/by/name/<name>"],
  ["get_index --app users", "GET /users/"],
  ["get_index id:int --app users", "GET /users/<id>"],
  ["get_by request user_id:number --app products", "GET /products/by/<user_id>"],
  ["GET /products/featured/items", "GET /products/featured/items"],
  ["POST /products/", "POST /products/"],
  ["PUT /users/by/id/<user_id:int>", "PUT /users/by/id/<user_id>"],
  ["PUT /users/by/id/[user_id] user_id:int", "PUT /users/by/id/<user_id>"],
  ["get_$slug slug --app products", "GET /products/<slug>"],
  ["delete_$slug_comments_$id slug id:int --app products", "DELETE /products/<slug>/comments/<id>"],
  ["delete_$slug_comments_$id id:int slug --app products", "DELETE /products/<slug>/comments/<id>"],
  ["DELETE /products/<slug>/comments/<id:int>", "DELETE /products/<slug>/comments/<id>"],
  ["POST /products/<slug>/comments request", "POST /products/<slug>/comments"],
  ["GET /products/<product_id:int>", "GET /products/<product_id>"],
  ["GET /products/all/<page:int>", "GET /products/all/<page>"],
  ["GET /products/page/<page:int>", "GET /products/page/<page>"],
  ["GET /products/<a_b>/<a:int>/a", "GET /products/<a_b>/<a>/a"],
  ["GET /products id:int", "GET /products/<id>"],
  ["GET /products/*path", "GET /products/*path"],
  ["PUT /products/<id:int>/files/[...path] request", "PUT /products/<id>/files/*path"],
];

const ROUTES: [line: string, made: string[], file: string, test: string][] = [
  ["reviews GET POST", ["GET /reviews", "POST /reviews"], "reviews", "reviews"],
  ["/reviews GET review_id:int", ["GET /reviews/<review_id>"], "reviews", "reviews"],
  ["items DELETE item_id", ["DELETE /items/<item_id>"], "items", "items"],
  ["/ POST", ["POST /"], "index", "index"],
  ["index POST", ["POST /"], "index", "index"],
  ["admin PUT", ["PUT /admin"], "admin/index", "admin"],
  ["routes/my-page.ts GET", ["GET /my-page"], "my-page", "my-page"],
  ["users/[id]/posts GET id:int", ["GET /users/<id>/posts"], "users/[id]/posts", "users-posts"],
  ["products/[id] GET", ["GET /products/<id>"], "products/[id]", "products"],
  ["teams/[team_id] PATCH", ["PATCH /teams/<team_id>"], "teams/[team_id]", "teams"],
  ["a.test GET", ["GET /a.test"], "a.test/index", "a.test"],
  ["products/index/index GET", ["GET /products/index"], "products/index/index", "products-index"],
];

const APP_FILES = ["apps/orders/app.toml", "apps/orders/views.ts", "tests/orders.test.ts", "framework.toml"];

const MADE: [line: string, made: string[], written: string[]][] = [
  ...HANDLERS.map(([line, made]): [string, string[], string[]] => {
    const app = made.split("/")[1];
    return [`handler ${line}`, [made], [`apps/${app}/views.ts`, `tests/${app}.test.ts`]];
  }),
  ...ROUTES.map(([line, made, file, name]): [string, string[], string[]] => {
    return [`route ${line}`, made, [`routes/${file}.ts`, `tests/${name}.test.ts`]];
  }),
  ["app orders", ["GET /orders/"], APP_FILES],
  ["app orders --prefix /api/v1/orders", ["GET /api/v1/orders/"], APP_FILES],
];

for (const [line, made, written] of MADE) {
  test(`${line}: makes ${made.join(", ")}, and nothing when asked again`, ({ root }) => {
    const planned = accept(plan(root, line));
    assert.equal([files(planned), routes(planned.made), planned.notes], [written, made, []]);
    const before = readProject(root);
    assert.is(applyChanges(root, planned.changes), undefined);
    const after = readProject(root);
    assert.is(after.routes.length, before.routes.length + made.length);
    const codes = ({ diagnostics }: typeof before): string[] => diagnostics.map(({ code }) => code);
    assert.equal(codes(after), codes(before));
    for (const { route, location } of planned.made) {
      const name = read(root, location.file)
        .split("\n")
        [location.line - 1]?.slice(location.column - 1);
      assert.match(
        name ?? "",
        after.routes.find(({ method, pattern }) => `${method} ${pattern}` === route)?.handler ?? "none",
      );
    }
    const again = accept(plan(root, line));
    assert.equal(again.changes, []);
    assert.equal(again.made, []);
    assert.ok(again.present.length > 0);
  });
}

for (const line of ["handler post_index --app products", "route reviews GET POST", "app orders"]) {
  test(`${line}: killed after any of its files, and complete when asked again`, ({ root }) => {
    const before = readFiles(root);
    const changes = inOrder(accept(plan(root, line)).changes);
    assert.is(applyChanges(root, changes), undefined);
    const after = readFiles(root);
    for (const [index] of changes.entries()) {
      rmSync(root, { recursive: true });
      writeFiles(root, before);
      writeFiles(root, Object.fromEntries(changes.slice(0, index).map((one) => [one.file, one.after])));
      assert.is(applyChanges(root, accept(plan(root, line)).changes), undefined);
      assert.equal(readFiles(root), after, `${index} of ${changes.length}`);
    }
  });
}

const NAMED: [path: string, name: string][] = [
  ["GET /products/<id:int>", "get_$id"],
  ["GET /products/by/sku/<sku>", "get_by_sku"],
  ["GET /products/by/<sku>", "get_by"],
  ["GET /products/all/<page:int>", "get_all_$page"],
  ["GET /products/page/<page:int>", "get_page_$page"],
  ["GET /products/<slug>/comments", "get_$slug_comments"],
  ["GET /products/<slug>/comments/<id>", "get_$slug_comments_$id"],
  ["GET /users/<user_id:int>/id/<user>", "get_$user_id_id_$user"],
];

for (const [path, name] of NAMED) {
  test(`the handler of ${path} is called ${name}`, ({ root }) => {
    applyChanges(root, accept(plan(root, `handler ${path}`)).changes);
    const { handler } =
      readProject(root).routes.find(
        ({ method, pattern }) => `${method} ${pattern}` === path.replace(/:int/g, ""),
      ) ?? {};
    assert.is(handler, name);
  });
}

test("a name that reads as another path is made, and what may be meant is said", ({ root }) => {
  const { notes } = accept(plan(root, "handler get_slug_comments slug --app users"));
  assert.is(notes.length, 1);
  assert.match(notes[0] ?? "", "Did you mean `get_$slug_comments`?");
  const beside = accept(plan(root, "route articles/[slug]/history GET slug id:int"));
  assert.equal(beside.notes, []);
});

test("a handler whose name can be misread is found by its path", ({ root }) => {
  applyChanges(root, accept(plan(root, "handler get_page page:int --app users")).changes);
  const again = accept(plan(root, "handler GET /users/page/<page:int>"));
  assert.equal(routes(again.present), ["GET /users/page/<page>"]);
});

test("a handler that places params is found by its name alone", ({ root }) => {
  applyChanges(root, accept(plan(root, "handler get_$id_parts id:int --app users")).changes);
  const again = accept(plan(root, "handler get_$id_parts --app users"));
  assert.equal(routes(again.present), ["GET /users/<id>/parts"]);
});

test("a route goes into the group that is named, and else to the file that serves its path", ({ root }) => {
  writeFiles(root, {
    "routes/(internal)/_hooks.ts": "export function guard() {}\n",
    "routes/(internal)/jobs.ts": "export function get() {}\n",
    "routes/(public)/jobs.ts": "export function put() {}\n",
    "routes/(public)/terms.ts": "export function get() {}\n",
  });
  const filesOf = (line: string): readonly string[] => files(accept(plan(root, line)));
  assert.equal(filesOf("route (internal)/reports GET"), [
    "routes/(internal)/reports.ts",
    "tests/reports.test.ts",
  ]);
  assert.equal(filesOf("route /teams/(internal)/[id] GET"), [
    "routes/teams/(internal)/[id].ts",
    "tests/teams.test.ts",
  ]);
  assert.equal(filesOf("route routes/(internal)/jobs.ts POST")[0], "routes/(internal)/jobs.ts");
  assert.equal(filesOf("route terms POST")[0], "routes/(public)/terms.ts");
  assert.match(refusal(plan(root, "route jobs POST")), "fits several files");
});

const REFUSED: [line: string, code: string, words: string][] = [
  ["handler get__all --app products", "FW601", "get_all"],
  ["handler getAll --app products", "FW601", "get_all"],
  ["handler fetch_all --app products", "FW601", "get_all"],
  ["handler get_ --app products", "FW601", "get_index"],
  ["handler get_café-x --app products", "FW601", "café-x"],
  ["route q/[...p] GET p:int", "FW601", "Leave out `:int`, or write `[p]`"],
  ["route q/[...p] GET p:string", "FW601", "Leave out `:string`"],
  ["handler GET /products/q/*p p:int", "FW601", "Leave out `:int`"],
  ["handler get_x --app product", "FW602", "products"],
  ["handler get_x --app zzz", "FW602", "framework generate app zzz"],
  ["handler get_x", "FW604", "products, users"],
  ["handler GET /nowhere/x", "FW603", "framework generate route nowhere/x get"],
  ["handler GET /users/x --app products", "FW603", "/products"],
  ["handler GET /users/<id:int>/a-b", "FW601", 'framework generate route "users/[id]/a-b" get id:int'],
  ["handler get_$slug --app users", "FW601", "Add the param to the command: slug:string"],
  [
    "handler get_$user_id_posts id:int --app users",
    "FW601",
    "places a param, but no parameter has that name",
  ],
  ["handler get_$user_id_posts userId:int --app users", "FW601", "Did you mean `$userId`?"],
  ["handler get_$id_and_$id id:int --app users", "FW601", "`id` appears twice"],
  ["handler get_ --app users", "FW601", "In a shell, put a name with a `$` in single quotes"],
  ["handler GET /users/$x/a", "FW601", "Serve it from a file instead: routes/…/$x.ts."],
  ["handler GET /users/<user>/id/<user_id>", "FW601", 'generate route "users/[user]/id/[user_id]" get'],
  ["handler GET /products/a-b", "FW601", "framework generate route products/a-b get"],
  ["handler GET /products/index", "FW601", "framework generate route products/index/index get"],
  ["handler GET /products/:id", "FW601", "<id>"],
  ["handler GET /products//x", "FW601", "empty segment"],
  ["handler get_x id:integer --app products", "FW601", "int"],
  ["handler get_x id:integer --app users", "FW601", "Did you mean `id:int`?"],
  ["handler get_x id:Float --app users", "FW601", "Did you mean `id:int`?"],
  ["handler get_x id:req --app users", "FW601", "int and number for digits"],
  ["handler get_x id:date --app products", "FW601", "int and number for digits"],
  [
    "handler get_x class:int --app products",
    "FW601",
    "is a reserved word, so no parameter can have that name. Choose another name, such as `class_id`.",
  ],
  ["route x/[default] GET", "FW601", "`default_id`"],
  ["handler get_x 1a:int --app products", "FW601", "begin with a letter"],
  ["handler get_x id id:int --app products", "FW601", "twice"],
  [
    "handler get_hidden --app users",
    "FW608",
    "has an unexported function named `get_hidden`. Write `export` before it",
  ],
  ["handler get_all id:int --app products", "FW608", "(id: int)"],
  ["handler get_by_id user_id:str --app users", "FW608", "user_id: int"],
  ["handler GET /products/<id>", "none", ""],
  [
    "handler get_index id:int --app products",
    "FW608",
    "(). Edit it there if it should be (id: int), or choose another name.",
  ],
  ["handler GET /users/by/id/<id:str>", "FW608", "or choose another name."],
  ["handler get_by_id id:int --app users", "FW608", "or choose another name."],
  ["handler get_all request --app products", "FW608", "(request)"],
  ["handler get_by id_x --app users", "none", ""],
  ["app products --prefix /shop", "FW608", "/products"],
  ["app Products", "FW608", "`Products` differs from it only by case"],
  ["app ünï", "FW601", "Use letters"],
  ["app node_modules", "FW601", "does not erase types"],
  ["app dist", "FW601", ".gitignore"],
  ["app Dist", "FW601", ".gitignore"],
  ["app .hidden", "FW601", "Use letters"],
  ["app .dist", "FW601", "letter"],
  ["app orders --prefix orders", "FW601", "/orders"],
  ["app orders --prefix /orders/", "FW601", "/orders"],
  ["app orders --prefix /a//b", "FW601", "/a/b"],
  ["app orders --prefix /products", "FW610", "get_index"],
  ["app main --prefix /", "FW610", "routes/index.ts"],
  ["route products GET", "FW610", "get_index"],
  ["route products/all GET", "FW610", "get_all"],
  ["route items GET", "FW608", "item_id"],
  ["route users/by/id/[x] GET x:int", "FW610", "get_by_id"],
  ["route _hidden GET", "FW601", "_hidden"],
  ["route dist/x GET", "FW601", ".gitignore"],
  ["route a/node_modules/b GET", "FW601", "does not erase types"],
  ["route dist GET", "none", ""],
  ["route teams/[id] POST team_id:int", "FW601", "routes/teams/[team_id].ts"],
  ["route a/../b GET", "FW601", ".."],
  ["route .. GET", "FW601", "`..` is a dot segment, which no request can reach. Leave it out of the path."],
  ["route _é GET", "FW601", "so no file can serve `_é`. Choose another name."],
  ["route a/[b GET", "FW601", "Write it as `[id]`"],
  ["route a/[b]/[b] GET", "FW601", "twice"],
  ["route a/[request] GET", "FW601", "request"],
  [
    "route Items PUT",
    "FW601",
    "routes/items.ts only by case, and not every system can tell the two apart. Did you mean `items`?",
  ],
  [
    "route cafe\u0301 PUT",
    "FW601",
    "routes/caf\u00e9.ts only by case or by how accents are written, and not every system can tell the two apart. Did you mean `caf\u00e9`?",
  ],
  ["route Admin PUT", "none", ""],
  ["route Admin/index PUT", "none", ""],
  ["route Admin/users PUT", "FW601", "Did you mean `admin/users`?"],
  ["route Index/x PUT", "none", ""],
  ["route Teams/[team_id]/posts PUT", "FW601", "Did you mean `teams/[team_id]/posts`?"],
  ["route teams/[TEAM_ID] PATCH", "FW601", "teams/[team_id]"],
];

for (const [line, code, words] of REFUSED) {
  test(`${line.slice(0, 80)}: ${code === "none" ? "is no mistake" : `is refused with ${code}`}`, ({
    root,
  }) => {
    const before = readFiles(root);
    const told = refusal(plan(root, line)) || "none";
    assert.ok(told.startsWith(code) && told.includes(words), told);
    assert.equal(readFiles(root), before);
  });
}

for (const line of ["handler post_index --app products", "handler GET /products/<id:int>"]) {
  test(`${line}: is there already with a mark that the command does not ask about`, ({ root }) => {
    const file = "apps/products/views.ts";
    assert.is(applyChanges(root, accept(plan(root, line)).changes), undefined);
    const text = read(root, file);
    const at = text.indexOf(")", text.search(/ (?:post_index|get_\$id)\(/));
    const marked = `${text.slice(0, at)}, page?: import("framework").Query<string>${text.slice(at)}`;
    writeFiles(root, { [file]: marked });
    const again = accept(plan(root, line));
    assert.equal([again.changes, again.present.length], [[], 1]);
  });
}

test("a test takes on the line ends, quotes, indentation and missing semicolons of its file, whose rest stays", ({
  root,
}) => {
  const text = String(SAMPLE["tests/products.test.ts"])
    .replace(/^ {2}/gm, "\t")
    .replaceAll('"', "'")
    .replace(/;$/gm, "")
    .replaceAll("\n", "\r\n");
  writeFiles(root, { "tests/products.test.ts": text });
  assert.is(applyChanges(root, accept(plan(root, "handler delete_all --app products")).changes), undefined);
  const added =
    /test\('DELETE \/products\/all answers', async \(\) => \{\r\n(?:\t[^;\n]*\r\n)+\}\)\r\n\r\n(?=\/\/ the end)/;
  assert.is(read(root, "tests/products.test.ts").replace(added, ""), text);
});

test("a test is added before the last line, below the comment's blank line", ({ root }) => {
  const planned = accept(plan(root, "handler delete_all --app products"));
  const change = planned.changes.find(({ file }) => file.startsWith("tests/"));
  assert.is(
    change?.after,
    SAMPLE["tests/products.test.ts"]?.replace(
      "// the end",
      `test("DELETE /products/all answers", async () => {
  const response = await request(\`\${url}/products/all\`, { method: "DELETE" });
  assert.ok(response.statusCode < 400, await response.body.text());
});

// the end`,
    ),
  );
});

for (const line of ["handler options_all --app products", "route items OPTIONS"]) {
  test(`${line}: claims no methods, which may change, and tells that Allow was answered without it`, ({
    root,
  }) => {
    const planned = accept(plan(root, line));
    assert.not.match(planned.changes[0]?.after ?? "", /allow/i);
    assert.match(planned.notes.join(), /Allow/);
  });
}

const OTHER_TESTS: [title: string, text: string, words: string][] = [
  [
    "with a run that does not begin a line",
    'import { request, test, assert, url } from "./all.ts"; test.run();\n',
    "test.run();",
  ],
  ["without test.run()", SAMPLE["tests/products.test.ts"]?.replace("test.run();", "") ?? "", "test.run();"],
  ["without the url", 'import { test } from "uvu";\ntest.run();\n', "`request`"],
  ["with a syntax error", "test(\n", "line 2"],
];

for (const [title, text, words] of OTHER_TESTS) {
  test(`a test file ${title} is left alone, and that is told`, ({ root }) => {
    writeFiles(root, { "tests/products.test.ts": text });
    const planned = accept(plan(root, "handler delete_all --app products"));
    assert.equal(files(planned), ["apps/products/views.ts"]);
    assert.match(planned.notes.join(), words);
  });
}

test("methods that a route file has are left, the others are added", ({ root }) => {
  const planned = accept(plan(root, "route items GET POST item_id"));
  assert.equal(routes(planned.made), ["POST /items/<item_id>"]);
  assert.equal(routes(planned.present), ["GET /items/<item_id>"]);
});

test("a bracket's param has the type that the file gives it already", ({ root }) => {
  const planned = accept(plan(root, "route teams/[team_id] DELETE"));
  assert.match(planned.changes[0]?.after ?? "", "export function del(team_id: int) {");
});

test("a route for every method has a test of its own, which asks with a method that no other handler has", ({
  root,
}) => {
  const { changes } = accept(plan(root, "route docs/[...path] GET ALL"));
  const tests = changes.find(({ file }) => file === "tests/docs.test.ts")?.after ?? "";
  assert.equal(
    [...tests.matchAll(/test\("(.*)"/g)].map(([, title]) => title),
    ["GET /docs/*path answers", "ALL /docs/*path answers"],
  );
  assert.match(tests, 'method: "POST"');
});

const SAME_SHAPE: [line: string, file: string, made: string[], present: string[], notes: string[]][] = [
  ["route teams/[team_id] POST", "routes/teams/[team_id].ts", ["POST /teams/<team_id>"], [], []],
  ["route teams/[name] GET name:str", "routes/teams/[name].ts", ["GET /teams/<name>"], [], []],
  [
    "route teams/[id]/members/[name] GET",
    "routes/teams/[id]/members/[name].ts",
    ["GET /teams/<id>/members/<name>"],
    [],
    [],
  ],
];

for (const [line, file, made, present, notes] of SAME_SHAPE) {
  test(`${line}: goes into ${file}`, ({ root }) => {
    const planned = accept(plan(root, line));
    assert.is(planned.changes[0]?.file, file);
    assert.equal(routes(planned.made), made);
    assert.equal(routes(planned.present), present);
    assert.equal(planned.notes, notes);
    assert.is(applyChanges(root, planned.changes), undefined);
    const again = accept(plan(root, line));
    assert.equal(again.changes, []);
    assert.equal(again.notes, notes);
  });
}

test("a file that serves paths of the same shape with other names of params is named", ({ root }) => {
  assert.match(
    refusal(plan(root, "route teams/[id] PUT")),
    /^FW601 routes\/teams\/\[team_id\]\.ts .*"teams\/\[team_id\]"/s,
  );
  const handler = (name: string, type: string) => `export function get(${name}: ${type}) {}\n`;
  writeFiles(root, { "routes/x/[a]/index.ts": handler("a", "string") });
  assert.match(refusal(plan(root, "route x/[b] DELETE")), "FW601 routes/x/[a]/index.ts");
  writeFiles(root, { "routes/x/[c].ts": handler("c", "number") });
  assert.match(
    refusal(plan(root, "route x/[b] DELETE")),
    /^FW604 .*routes\/x\/\[a\]\/index\.ts and routes\/x\/\[c\]\.ts/,
  );
});

test("new files are laid out like the project's first handlers", ({ root }) => {
  writeFiles(root, {
    "apps/products/views.ts": "export function get_index() {\r\n\treturn { a: 'b' }\r\n}\r\n",
  });
  const planned = accept(plan(root, "route reviews POST"));
  assert.is(
    planned.changes[0]?.after,
    "import type { Request } from 'framework'\r\n\r\n// POST /reviews\r\nexport async function post(request: Request) {\r\n\tconst item = await request.json()\r\n\treturn [{ item }, 201]\r\n}\r\n",
  );
});

for (const app of ["products", "users"]) {
  test(`the sample app ${app} has the app.toml that a generated app has`, ({ root }) => {
    const file = new URL(`../template/apps/${app}/app.toml`, import.meta.url);
    writeFiles(root, { "framework.toml": "apps = []\n" });
    rmSync(join(root, "apps"), { recursive: true });
    const [change] = accept(plan(root, `app ${app}`)).changes;
    assert.is(change?.after, readFileSync(file, "utf8"));
  });
}

test("an app folder that stands unlisted with a setting outside of [app] is not listed", ({ root }) => {
  writeFiles(root, {
    "apps/old/views.ts": "export function get_x() {}\n",
    "apps/old/app.toml": 'prefix = "/older"\n',
  });
  assert.match(
    refusal(plan(root, "app old")),
    /^FW611 .*There is no setting `prefix`\..*Write it below `\[app\]`\./,
  );
});

test("an app folder that stands unlisted is listed, and keeps what it has", ({ root }) => {
  writeFiles(root, {
    "apps/old/views.ts": "export function get_x() {}\n",
    "apps/old/app.toml": '[app]\nprefix = "/old"\n',
  });
  const planned = accept(plan(root, "app old"));
  assert.equal(files(planned), ["framework.toml"]);
  assert.equal(routes(planned.made), ["GET /old/x"]);
  assert.match(refusal(plan(root, "app old --prefix /new")), "FW608");
});

test("errors that the project has already do not stand in the way", ({ root }) => {
  writeFiles(root, {
    "apps/users/views.ts": "export function get_x(y: Date) {}\n",
    "routes/broken.ts": "export function get( {\n",
  });
  assert.is(accept(plan(root, "handler post_index --app products")).made.length, 1);
  assert.is(accept(plan(root, "handler get_y --app users")).made.length, 1);
});

for (const [what, text] of [
  ["that can't be read as TypeScript", "export function get_x( {\n"],
  ["that is not UTF-8", Buffer.from("// caf\xe9\nexport function get_x() {}\n", "latin1")],
  ["with the line ends of an old Mac", "export function get_x() {}\r"],
] as const)
  test(`a file ${what} is not edited`, ({ root }) => {
    writeFileSync(join(root, "apps/users/views.ts"), text);
    assert.match(refusal(plan(root, "handler get_y --app users")), "FW612");
  });

test("a pipe that has a route file's name is told, and not read", ({ root }) => {
  if (process.platform === "win32") return;
  execFileSync("mkfifo", [join(root, "routes/reviews.ts")]);
  assert.match(refusal(plan(root, "route reviews GET")), "FW612");
});

test("a file that has the name of a new file's folder is told", ({ root }) => {
  writeFiles(root, { "routes/reviews": "" });
  const why = "routes/reviews/new.ts can't be written: a file is where a folder should be.";
  assert.match(refusal(plan(root, "route reviews/new GET")), why);
});

test("where framework.toml is broken, that is the reason and not the app", ({ root }) => {
  writeFiles(root, { "framework.toml": "apps = [\n" });
  const refused = plan(root, "handler get_y --app users");
  assert.ok(refused instanceof Refused && refused.diagnostics.some(({ code }) => code === "FW102"));
});

for (const [title, toml, code] of [
  ["without app.toml", null, "FW109"],
  ["with a malformed app.toml", "prefix =\n", "FW102"],
  ["with a bad prefix", '[app]\nprefix = "shop"\n', "FW104"],
  ["with a bad label", '[app]\nname = " "\n', "FW104"],
  ["with a prefix outside of [app]", 'prefix = "/products"\n', "FW103"],
] as const) {
  test(`an app ${title} gets no handler: where it would be served is not known`, ({ root }) => {
    rmSync(join(root, "apps/products/app.toml"));
    if (toml !== null) writeFiles(root, { "apps/products/app.toml": toml });
    for (const line of [
      "handler get_q --app products",
      "handler GET /products/q",
      "handler get_all --app products",
    ]) {
      const refused = plan(root, line);
      assert.equal(refused instanceof Refused && refused.diagnostics.map((one) => one.code), [code], line);
    }
    assert.is(accept(plan(root, "handler get_q --app users")).made[0]?.route, "GET /users/q");
    if (toml === null) return;
    const refused = plan(root, "app products");
    assert.equal(refused instanceof Refused && refused.diagnostics.map((one) => one.code), [code]);
  });
}

test("an app without views.ts gets them with its first handler", ({ root }) => {
  rmSync(join(root, "apps/users/views.ts"));
  assert.is(accept(plan(root, "handler get_all --app users")).made[0]?.route, "GET /users/all");
});

for (const name of ["日本", "x日", "løn"]) {
  test(`for an app called ${name} no name is made up that is another word`, ({ root }) => {
    assert.match(refusal(plan(root, `app ${name}`)), /^FW601 (?!.*Did you mean)/);
  });
}

test("an app whose folder lacks a file is finished", ({ root }) => {
  rmSync(join(root, "apps/users/views.ts"));
  const planned = accept(plan(root, "app users"));
  assert.equal(files(planned), ["apps/users/views.ts"]);
});

test("a project with one app needs not be told which", ({ root }) => {
  writeFiles(root, { "framework.toml": 'apps = ["users"]\n' });
  assert.is(accept(plan(root, "handler get_all")).made[0]?.route, "GET /users/all");
});

test("a list of apps that can't be edited is refused with the line to add", ({ root }) => {
  writeFiles(root, { "framework.toml": 'apps = "products"\n' });
  assert.match(refusal(plan(root, "app orders")), "FW612");
  assert.match(refusal(plan(root, "app orders")), 'apps = ["orders"]');
});

test.run();
