import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatDiagnostic } from "#convention/diagnostics/format";
import { fc } from "#runtime/fast-check.fixture";
import { runs } from "#runtime/random.fixture";
import { METHODS, type Method, type Route, type RouteMethod, type Segment } from "#runtime/routing/route";
import { createRouter } from "#runtime/routing/router";
import { type Project, readProject } from "../project.ts";

const IMPORTS = 'import type { Request, int } from "framework";\n';

/** Apps `a` and `b` of the given prefixes, and files under `routes/`; nothing is on disk. */
function read(files: Readonly<Record<string, string>>): Project {
  const base = {
    "framework.toml": 'apps = ["a", "b"]',
    "apps/a/app.toml": "",
    "apps/b/app.toml": "",
    "apps/a/views.ts": "",
    "apps/b/views.ts": "",
  };
  const sources = Object.entries(files).map(
    ([file, text]) => [file, file.endsWith(".ts") ? IMPORTS + text : text] as const,
  );
  return readProject("/nowhere", new Map([...Object.entries(base), ...sources]));
}

function patterns({ routes }: Project): string[] {
  return routes.map(({ method, pattern }) => `${method} ${pattern}`);
}

function codes({ diagnostics }: Project): string[] {
  return diagnostics.filter(({ code }) => code !== "FW207").map(({ code }) => code);
}

test("an app's routes are its prefix, the endpoint and a segment for each param", () => {
  const cases: [prefix: string, handler: string, pattern: string][] = [
    ["/products", "get_index()", "/products/"],
    ["/products", "get_index(request: Request)", "/products/"],
    ["/products", "get_index(request: Request, id: int)", "/products/<id>"],
    ["/products", "get_all()", "/products/all"],
    ["/products", "get_featured_items()", "/products/featured/items"],
    ["/api/v1/products", "get_all()", "/api/v1/products/all"],
    ["/api/v1/products", "get_index()", "/api/v1/products/"],
    ["/users", "get_by_id(request: Request, user_id: int)", "/users/by/id/<user_id>"],
    ["/users", "get_x(a: int, request: Request, b: string)", "/users/x/<a>/<b>"],
    ["/users", "get_index_foo()", "/users/index/foo"],
    ["/users", "get_foo_index()", "/users/foo/index"],
    ["/users", "get_INDEX()", "/users/INDEX"],
    ["/users", "get_get()", "/users/get"],
    ["/", "get_index()", "/"],
    ["", "get_index()", "/"],
    ["", "get_all()", "/all"],
    ["", "get_index(id: int)", "/<id>"],
  ];
  for (const [prefix, handler, pattern] of cases) {
    const project = read({
      "apps/a/app.toml": `[app]\nprefix = "${prefix}"`,
      "apps/a/views.ts": `export function ${handler} {}`,
    });
    assert.equal(patterns(project), [`GET ${pattern}`]);
    assert.equal(codes(project), []);
  }
});

test("a route file's path is the URL path; brackets are bound by name and other params appended", () => {
  const cases: [file: string, handler: string, pattern: string, passed: (string | number)[]][] = [
    ["index.ts", "get()", "/", []],
    ["items.ts", "get(item_id: string)", "/items/<item_id>", [0]],
    ["admin/index.ts", "get()", "/admin", []],
    ["admin/users.ts", "get(request: Request)", "/admin/users", ["request"]],
    ["[item_id].ts", "get(item_id: int)", "/<item_id>", [0]],
    ["[item_id]/edit.ts", "get(item_id: int)", "/<item_id>/edit", [0]],
    ["a/[x]/b/[y].ts", "get(y: int, request: Request, x: string)", "/a/<x>/b/<y>", [1, "request", 0]],
    ["a/[x].ts", "get(z: int, x: string, w: int)", "/a/<x>/<z>/<w>", [1, 0, 2]],
    ["a/[x].ts", "get(request: Request)", "/a/<x>", ["request"]],
    ["my-page.ts", "get()", "/my-page", []],
    ["a_b.ts", "get()", "/a_b", []],
    ["index/index.ts", "get()", "/index", []],
    ["(internal)/reports.ts", "get()", "/reports", []],
    ["(internal)/index.ts", "get(id: int)", "/<id>", [0]],
    ["a/(b)/(c)/[x]/d.ts", "get(x: int)", "/a/<x>/d", [0]],
  ];
  for (const [file, handler, pattern, passed] of cases) {
    const project = read({ [`routes/${file}`]: `export function ${handler} {}` });
    assert.equal(patterns(project), [`GET ${pattern}`], file);
    assert.equal(project.routes[0]?.arguments, passed);
    assert.equal(codes(project), []);
  }
});

test("the type of a bracket is its parameter's, and text where no parameter takes it", () => {
  const typed = read({ "routes/[id].ts": "export function get(id: int) {}" });
  assert.equal(typed.routes[0]?.segments, [{ name: "id", type: "int" }]);
  const free = read({ "routes/[id].ts": "export function get() {}" });
  assert.equal(free.routes[0]?.segments, [{ name: "id", type: "str" }]);
});

test("a parameter that nearly is the bracket's, or is the request, is told", () => {
  assert.equal(codes(read({ "routes/[item_id].ts": "export function get(itemId: int) {}" })), ["FW212"]);
  assert.equal(codes(read({ "routes/[item_id].ts": "export function get(item_ids: int) {}" })), ["FW212"]);
  assert.equal(codes(read({ "routes/[item_id].ts": "export function get() {}" })), []);
  assert.equal(codes(read({ "routes/[item_id].ts": "export function get(item_id: int, page: int) {}" })), []);
  const request = read({ "routes/[id].ts": "export function get(id: Request) {}" });
  assert.equal(codes(request), ["FW351"]);
  assert.equal(request.routes, []);
});

test("a bracket that no parameter takes, beside a param that is appended, is a warning", () => {
  const history = read({ "routes/[slug]/history.ts": "export function get(request: Request, id: int) {}" });
  assert.equal(codes(history), ["FW212"]);
  assert.equal(patterns(history), ["GET /<slug>/history/<id>"]);
  const [warning] = history.diagnostics;
  assert.is(
    warning?.message,
    "The param `id` is at the end of /<slug>/history/<id>, because no parameter is `[slug]`.",
  );
  assert.is(warning?.hint, "Rename `id` to `slug` if you mean the bracket, or add `slug` before `id`.");
  assert.equal(codes(read({ "routes/[item_id].ts": "export function get(page: int) {}" })), ["FW212"]);
});

const WHOLE: readonly [file: string, handler: string, route: string, types: readonly string[]][] = [
  ["routes/files/[...path].ts", "get(path: string[])", "GET /files/*path", ["str[]"]],
  ["routes/files/[...path].ts", "get()", "GET /files/*path", ["str[]"]],
  ["routes/[...path].ts", "all(request: Request)", "ALL /*path", ["str[]"]],
  ["routes/[id]/[...path].ts", "put(path: readonly string[], id: int)", "PUT /<id>/*path", ["int", "str[]"]],
  ["apps/a/views.ts", "get_files_$$path(path: Array<string>)", "GET /a/files/*path", ["str[]"]],
  [
    "apps/a/views.ts",
    "get_$id_$$path(path: ReadonlyArray<string>, id: string)",
    "GET /a/<id>/*path",
    ["str", "str[]"],
  ],
  ["apps/a/views.ts", "all_index(request: Request)", "ALL /a/", []],
];

for (const [file, handler, route, types] of WHOLE) {
  test(`${handler} in ${file} serves ${route}`, () => {
    const project = read({ [file]: `export function ${handler} {}` });
    assert.equal(codes(project), []);
    assert.equal(patterns(project), [route]);
    const params = project.routes[0]?.segments.filter((segment) => typeof segment !== "string");
    assert.equal(
      params?.map(({ type }) => type),
      types,
    );
  });
}

const NOT_WHOLE: readonly [file: string, text: string, code: string, words: string][] = [
  ["routes/[...path].ts", "export function get(path: string) {}", "FW364", "list of segments"],
  ["routes/[...path].ts", "export function get(path) {}", "FW364", "list of segments"],
  ["routes/[...path].ts", "export function get(path: int[]) {}", "FW364", "list of segments"],
  ["routes/[...path].ts", "export function get(path: string[], id: int) {}", "FW364", "`id` would follow"],
  [
    "apps/a/views.ts",
    "export function get_v_$$path_more(path: string[]) {}",
    "FW364",
    "nothing can follow `path`",
  ],
  ["routes/[id].ts", "export function get(id: string[]) {}", "FW306", "`id`"],
  ["routes/[...path]/x.ts", "export function get() {}", "FW201", "nothing can follow it"],
  ["apps/a/views.ts", "export function get_$$path(id: string) {}", "FW201", "no parameter is called `path`"],
  [
    "apps/a/views.ts",
    "export function get_$$path($path: string) {}",
    "FW201",
    "no parameter is called `path`",
  ],
  ["apps/a/views.ts", "export function get_$$($: string) {}", "FW201", "needs the name of the whole path"],
  ["apps/a/views.ts", "export function get_$$p_x(p: string) {}", "FW201", "no parameter is called `p_x`"],
];

for (const [file, text, code, words] of NOT_WHOLE) {
  test(`${text} in ${file} is refused`, () => {
    const { diagnostics, routes } = read({ [file]: text });
    const [found] = diagnostics.filter(({ severity }) => severity === "error");
    assert.is(found?.code, code);
    assert.match(found?.message ?? "", words);
    assert.equal(routes, []);
  });
}

test("two whole paths of one method are a conflict, and a method beside `all` is none", () => {
  const same = read({
    "routes/files/[...path].ts": "export function get() {}",
    "apps/a/app.toml": '[app]\nprefix = "/files"',
    "apps/a/views.ts": "export function get_$$rest(rest: string[]) {}",
  });
  assert.equal(codes(same), ["FW401"]);
  assert.match(same.diagnostics[0]?.message ?? "", "such as GET /files/x/x.");
  const all = read({ "routes/x.ts": "export function get() {}\nconst f = () => 1;\nexport { f as all };" });
  assert.equal(codes(all), []);
  assert.equal(patterns(all), ["GET /x", "ALL /x"]);
});

test("`$name` places a param in the path, and the handler is called in the order it declares", () => {
  const cases: [handler: string, pattern: string, passed: (string | number)[]][] = [
    ["get_$slug(slug: string)", "/a/<slug>", [0]],
    ["get_$slug_comments_$id(slug: string, id: int)", "/a/<slug>/comments/<id>", [0, 1]],
    [
      "get_$slug_comments_$id(id: int, request: Request, slug: string)",
      "/a/<slug>/comments/<id>",
      [1, "request", 0],
    ],
    ["get_$slug_comments(slug: string, id: int)", "/a/<slug>/comments/<id>", [0, 1]],
    ["get_$slug_comments(id: int, slug: string)", "/a/<slug>/comments/<id>", [1, 0]],
    ["get_$user_id_posts(user_id: int)", "/a/<user_id>/posts", [0]],
    ["get_$id($id)", "", []],
  ];
  for (const [handler, pattern, passed] of cases) {
    const project = read({ "apps/a/views.ts": `export function ${handler} {}` });
    assert.equal(patterns(project), pattern === "" ? [] : [`GET ${pattern}`], handler);
    if (pattern === "") assert.equal(codes(project), ["FW201"]);
    else assert.equal(project.routes[0]?.arguments, passed, handler);
  }
});

test("a list and an item share a file; two items whose params have other names are a conflict", () => {
  const shared = read({
    "apps/a/views.ts": "export function get_index() {}\nexport function get_$id(id: int) {}",
  });
  assert.equal(codes(shared), []);
  assert.equal(patterns(shared), ["GET /a/", "GET /a/<id>"]);
  const twice = "export function get_$a_x(a: string) {}\nexport function get_$b_x(b: string) {}";
  assert.equal(codes(read({ "apps/a/views.ts": twice })), ["FW401"]);
  const mixed = "export function get_x_$a(a: string) {}\nexport function get_x(a: string) {}";
  assert.equal(codes(read({ "apps/a/views.ts": mixed })), ["FW401"]);
});

test("a `$name` that no parameter has, or that appears twice, is an error at the handler", () => {
  const cases: [handler: string, code: string, words: string][] = [
    ["get_$slug()", "FW201", "Add the parameter `slug: string`"],
    ["get_$slug(request: Request)", "FW201", "Add the parameter `slug: string`"],
    ["get_$request(request: Request)", "FW201", "A param can't be named `request`"],
    ["get_$slug(slgu: string)", "FW201", "Did you mean `$slgu`?"],
    ["get_$id_$id(id: int)", "FW201", "appears twice"],
    ["get_$slug_x(slgu: string)", "FW201", "`$slug_x` places a param, but no parameter has that name"],
    ["get_$user_id_x(userId: string)", "FW201", "Did you mean `$userId`?"],
    ["get_$a_$b(a: string)", "FW201", "Add the parameter `b: string`"],
    ["get_$slugs(slug: string)", "FW201", "Did you mean `$slug`?"],
    ["get_$()", "FW201", "A `$` needs the name of a param"],
    ["get_$1(id: string)", "FW201", "`1` can't be the name of a parameter"],
  ];
  for (const [handler, code, words] of cases) {
    const project = read({ "apps/a/views.ts": `export function ${handler} {}` });
    const [diagnostic] = project.diagnostics;
    assert.equal([codes(project), project.routes], [[code], []], handler);
    assert.ok(`${diagnostic?.message} ${diagnostic?.hint}`.includes(words), diagnostic?.hint ?? "");
    assert.equal(diagnostic?.locations[0], { file: "apps/a/views.ts", line: 2, column: 17 });
  }
});

test("a word that is the name of an appended param is a warning, but not where the path reads as it is served", () => {
  const cases: [handler: string, meant: string | undefined][] = [
    ["get_slug_comments_id(slug: string, id: int)", "get_$slug_comments_$id"],
    ["get_slug(slug: string)", "get_$slug"],
    ["get_user_id_posts(user_id: int)", "get_$user_id_posts"],
    ["get_by_slug_comments(slug: string)", "get_by_$slug_comments"],
    ["get_id_by_name(id: int, name: string)", "get_$id_by_$name"],
    ["get_$slug_comments_id(slug: string, id: int)", "get_$slug_comments_$id"],
    ["get_orders$id(id: int)", "get_orders_$id"],
    ["get_orders$user_id(user_id: int)", "get_orders_$user_id"],
    ["get_by$id(id: int)", "get_by_$id"],
    ["get_price$(price: int)", undefined],
    ["get_by_username(username: string)", undefined],
    ["get_by_id(request: Request, id: int)", undefined],
    ["get_by_user_id(user_id: int, page: int)", undefined],
    ["get_comments(comment: string)", undefined],
    ["get_users_id(user_id: int)", undefined],
  ];
  for (const [handler, meant] of cases) {
    const project = read({ "apps/a/views.ts": `export function ${handler} {}` });
    assert.equal(codes(project), meant === undefined ? [] : ["FW212"], handler);
    if (meant !== undefined) assert.match(project.diagnostics[0]?.hint ?? "", `\`${meant}\``);
  }
});

test("a param that follows those that the name places is a warning: who calls may be a number, too", () => {
  const cases: [handler: string, found: string | undefined][] = [
    ["get_$slug(slug: string, me: UserId)", "me get_$slug_$me /a/<slug>/<me>"],
    ["get_$slug_votes(me: UserId, slug: string)", "me get_$slug_votes_$me /a/<slug>/votes/<me>"],
    ["get_$slug(slug: string, me, page: int)", "me get_$slug_$me_$page /a/<slug>/<me>/<page>"],
    ["get_$slug(slug: string, w: From<typeof window>)", "size get_$slug_$size /a/<slug>/<size>"],
    ["get_$slug_$size(slug: string, w: From<typeof window>)", undefined],
    ["get_$slug(slug: string, me: From<typeof user>, request: Request)", undefined],
    ["get_$slug_$me(slug: string, me: UserId)", undefined],
    ["get_index(slug: string, me: UserId)", undefined],
    ["get_page(year: int, month: int)", undefined],
  ];
  for (const [handler, found] of cases) {
    const project = read({
      "apps/a/views.ts": `import type { Bearer, From } from "framework";
type UserId = number;
export function user(token: Bearer) {}
export function window(size: int) {}
export function ${handler} {}`,
    });
    assert.equal(codes(project), found === undefined ? [] : ["FW212"], handler);
    if (found === undefined) continue;
    const [name, suggestion, pattern] = found.split(" ");
    const [{ message, hint } = { message: "", hint: "" }] = project.diagnostics;
    assert.match(message, `\`${name}\``);
    assert.ok(message.includes(` of ${pattern},`), message);
    assert.match(hint ?? "", `\`${suggestion}\``);
    assert.match(hint ?? "", `\`${name}: From<typeof …>\``);
  }
});

test("a route file's params after its brackets are segments by rule", () => {
  const files = { "routes/[slug].ts": "export function get(slug: string, page: number) {}" };
  assert.equal(codes(read(files)), []);
});

test("a file of handlers that imports the main file is an error: each would wait for the other", () => {
  const cases: [file: string, text: string, expected: string[]][] = [
    ["routes/a.ts", 'import { app } from "../app.ts";', ["FW320"]],
    ["routes/a.ts", 'import type { app } from "../app.ts";', []],
    ["routes/a.ts", 'import { app } from "./app.ts";', []],
    ["apps/a/views.ts", 'import "../../app.ts";', ["FW320"]],
    ["routes/a.ts", 'export { app } from "../app.ts";', ["FW320"]],
  ];
  for (const [file, text, expected] of cases) {
    const name = file.startsWith("routes/") ? "get" : "get_index";
    const project = read({ [file]: `${text}\nexport function ${name}() {}` });
    assert.equal(codes(project), expected, text);
  }
});

test("a name declared twice is told, with the way out", () => {
  const cases: [file: string, text: string, hint: string][] = [
    [
      "apps/a/views.ts",
      "export function get_index() {}\nexport function get_index(id: int) {}",
      "A list and one item need two handlers: move the item's to `get_$id`.",
    ],
    [
      "apps/a/views.ts",
      "export function get_all() {}\nexport function get_all(id: int) {}",
      "A list and one item need two handlers: move the item's to `get_all_$id`.",
    ],
    ["apps/a/views.ts", "const rows = 1;\nconst rows = 2;", "Rename or remove one of the two."],
    [
      "apps/a/views.ts",
      "export function get_$id(id: int) {}\nexport function get_$id(id: string) {}",
      "Rename or remove one of the two.",
    ],
    [
      "routes/items/[id].ts",
      "export function get(id: int) {}\nexport function get(id: string) {}",
      "Rename or remove one of the two.",
    ],
    [
      "routes/items.ts",
      "export function get() {}\nexport function get(id: int) {}",
      "A list and one item need two handlers: move the item's to routes/items/[id].ts.",
    ],
    [
      "routes/index.ts",
      "export function get() {}\nexport function get(id: int) {}",
      "A list and one item need two handlers: move the item's to routes/[id].ts.",
    ],
  ];
  for (const [file, text, hint] of cases) {
    const [diagnostic, ...others] = read({ [file]: text }).diagnostics.filter(
      ({ severity }) => severity === "error",
    );
    assert.equal(others, []);
    assert.is(diagnostic?.code, "FW319");
    assert.is(diagnostic?.hint, hint);
  }
});

test("a handler for the health path is told, since the server answers there itself", () => {
  const health = { "framework.toml": 'apps = ["a", "b"]\n[server]\nhealth = "/up/now"' };
  const cases: [file: string, text: string, codes: string[]][] = [
    ["routes/up/now.ts", "export function get() {}", ["FW401"]],
    ["routes/up/now.ts", "export function head() {}", ["FW401"]],
    ["routes/up/now.ts", "export function post() {}", []],
    ["routes/up/[when].ts", "export function get(when: string) {}", []],
    ["routes/up.ts", "export function get() {}", []],
    ["apps/a/views.ts", "export function get_up_now() {}", []],
  ];
  for (const [file, text, expected] of cases) {
    assert.equal(codes(read({ ...health, [file]: text })), expected, `${file}: ${text}`);
  }
  assert.equal(
    codes(
      read({
        ...health,
        "apps/a/app.toml": '[app]\nprefix = "/up"',
        "apps/a/views.ts": "export function get_now() {}",
      }),
    ),
    ["FW401"],
  );
  assert.equal(codes(read({ "routes/up/now.ts": "export function get() {}" })), []);
});

test("DELETE is the handler `del`, or an export named `delete`, but not both", () => {
  assert.equal(patterns(read({ "routes/x.ts": "export function del() {}" })), ["DELETE /x"]);
  assert.equal(patterns(read({ "routes/x.ts": "function remove() {}\nexport { remove as delete };" })), [
    "DELETE /x",
  ]);
  const both = read({
    "routes/x.ts": "export function del() {}\nfunction remove() {}\nexport { remove as delete };",
  });
  const twice = both.diagnostics.find(({ code }) => code === "FW319");
  assert.match(twice?.message ?? "", /^`delete` is declared twice: `del` is another name for it\.$/);
});

test("two handlers that serve the same requests are a conflict, whichever convention they are of", () => {
  const cases: [title: string, files: Record<string, string>, url: string][] = [
    [
      "same name in two apps of one prefix",
      {
        "apps/b/app.toml": '[app]\nprefix = "/a"',
        "apps/a/views.ts": "export function get_x() {}",
        "apps/b/views.ts": "export function get_x() {}",
      },
      "GET /a/x",
    ],
    [
      "an app and a route file",
      { "apps/a/views.ts": "export function get_x() {}", "routes/a/x.ts": "export function get() {}" },
      "GET /a/x",
    ],
    [
      "an app's root and a route file",
      { "apps/a/views.ts": "export function get_index() {}", "routes/a.ts": "export function get() {}" },
      "GET /a",
    ],
    [
      "a folder's file and a file",
      { "routes/a.ts": "export function get() {}", "routes/a/index.ts": "export function get() {}" },
      "GET /a",
    ],
    [
      "int and number",
      {
        "apps/a/views.ts": "export function get_x(id: int) {}",
        "routes/a/x.ts": "export function get(other: number) {}",
      },
      "GET /a/x/1",
    ],
    [
      "string and untyped",
      {
        "apps/a/views.ts": "export function get_x(id) {}",
        "routes/a/x/[name].ts": "export function get(name: string) {}",
      },
      "GET /a/x/xx",
    ],
    [
      "two aliases",
      {
        "apps/a/views.ts": "function f() {}\nexport { f as get_x };",
        "routes/a/x.ts": "export const get = () => 1",
      },
      "GET /a/x",
    ],
    [
      "the bracket's text is elsewhere static",
      {
        "apps/a/views.ts": "export function get_y(id: int) {}",
        "routes/a/y/[n].ts": "export function get(n: int) {}",
        "routes/a/y/1.ts": "export function get() {}",
      },
      "GET /a/y/2",
    ],
    [
      "two for every method",
      { "apps/a/views.ts": "export function all_x() {}", "routes/a/x.ts": "export function all() {}" },
      "any other method of /a/x",
    ],
    [
      "literals that are the same",
      {
        "apps/a/views.ts": "export function get_y(kind: 'b' | 'c') {}",
        "routes/a/y/[k].ts": "export function get(k: 'b' | 'c') {}",
      },
      "GET /a/y/b",
    ],
  ];
  for (const [title, files, url] of cases) {
    const project = read(files);
    assert.equal(codes(project), ["FW401"], title);
    const [conflict] = project.diagnostics.filter(({ code }) => code === "FW401");
    assert.is(conflict?.locations.length, 2, title);
    assert.match(conflict?.message ?? "", `such as ${url}.`, title);
    assert.is(new Set(patterns(project)).size, patterns(project).length);
  }
});

test("a conflict of three is one diagnostic with three places", () => {
  const project = read({
    "apps/b/app.toml": '[app]\nprefix = "/a"',
    "apps/a/views.ts": "export function get_x() {}",
    "apps/b/views.ts": "export function get_x() {}",
    "routes/a/x.ts": "export function get() {}",
  });
  const [conflict] = project.diagnostics;
  assert.is(conflict?.locations.length, 3);
  const text = conflict ? formatDiagnostic(conflict, () => undefined) : "";
  assert.match(
    text,
    "`get_x` in apps/a/views.ts, `get_x` in apps/b/views.ts and `get` in routes/a/x.ts serve the same requests",
  );
});

test("other methods, other types and more specific segments are no conflict", () => {
  const project = read({
    "apps/a/views.ts":
      "export function get_x(id: int) {}\nexport function post_x(id: int) {}\nexport function get_x_all() {}",
    "apps/b/app.toml": '[app]\nprefix = "/a"',
    "apps/b/views.ts": "export function get_x(name: string) {}\nexport function get_X() {}",
  });
  assert.equal(codes(project), []);
  assert.is(project.routes.length, 5);
});

test("the table is in the order of the paths: static before int before str, then by method", () => {
  const project = read({
    "apps/a/views.ts":
      "export function get_x(name: string) {}\nexport function get_x_all() {}\nexport function delete_x(id: int) {}\n" +
      "export function get_x_zoo(id: int) {}\nexport function post_index() {}\nexport function get_index() {}",
    "apps/b/app.toml": '[app]\nprefix = "/a"',
    "apps/b/views.ts": "export function get_x(id: int) {}",
    "routes/index.ts": "export function get() {}",
  });
  assert.equal(patterns(project), [
    "GET /",
    "GET /a/",
    "POST /a/",
    "GET /a/x/all",
    "GET /a/x/zoo/<id>",
    "GET /a/x/<id>",
    "DELETE /a/x/<id>",
    "GET /a/x/<name>",
  ]);
});

/** A handler to be written somewhere, with the route that the rule makes of it. */
interface Planned {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  readonly method: Method;
  readonly segments: readonly Segment[];
}

const PARAMS = fc.uniqueArray(
  fc.record({ name: fc.constantFrom("page", "filter"), type: fc.constantFrom("int", "str") }),
  { maxLength: 2, selector: ({ name }) => name },
);

const PREFIXES = { a: ["a"], b: [], c: ["a", "7"] } as const;
const ENDPOINTS = [
  "index",
  "a",
  "a_b",
  "7",
  "7_a",
  "index_a",
  "größe",
  "a$",
  "$page",
  "$filter_a",
  "a_$page_b",
];

const view: fc.Arbitrary<Planned> = fc
  .tuple(
    fc.constantFrom("a", "b", "c"),
    fc.constantFrom(...METHODS),
    fc.constantFrom(...ENDPOINTS),
    PARAMS,
    fc.boolean(),
  )
  .map(([app, method, endpoint, params, takesRequest]) => {
    const name = `${method.toLowerCase()}_${endpoint}`;
    const words = endpoint === "index" ? [] : endpoint.split("_");
    const placed = words.flatMap((word) => (word.startsWith("$") ? [word.slice(1)] : []));
    const missing = placed.filter((word) => !params.some((param) => param.name === word));
    const all = [...params, ...missing.map((word) => ({ name: word, type: "str" }))];
    const list = [...(takesRequest ? ["request: Request"] : []), ...all.map(declare)].join(", ");
    const path = words.map(
      (word) => all.filter((param) => `$${param.name}` === word).map(toParam)[0] ?? word,
    );
    const further = all.filter((param) => !placed.includes(param.name));
    const segments = [...PREFIXES[app], ...path, ...further.map(toParam)];
    const text = `export function ${name}(${list}) {}`;
    return { file: `apps/${app}/views.ts`, name, text, method, segments };
  });

const PATHS = [
  "index",
  "a",
  "a/index",
  "[id]",
  "[id]/index",
  "a/[id]",
  "[id]/a",
  "[id]/[word]",
  "7",
  "a-b",
  "größe",
];

const routeFile: fc.Arbitrary<Planned> = fc
  .tuple(
    fc.constantFrom(...PATHS),
    fc.constantFrom(...METHODS),
    fc.constantFrom("int", "str"),
    fc.boolean(),
    PARAMS,
  )
  .map(([path, method, type, isBound, further]) => {
    const names = path.replace(/(?:^|\/)index$/, "").split("/");
    const bracket = (name: string): string | undefined => /^\[(.*)\]$/.exec(name)?.[1];
    const inPath = names.filter(Boolean).map((name): Segment => {
      const param = bracket(name);
      return param === undefined ? name : { name: param, type: isBound && type === "int" ? "int" : "str" };
    });
    const bound = inPath.flatMap((segment) => (isBound && typeof segment === "object" ? [segment] : []));
    // A handler may take what stands in the path in any order, before or after what is added to it.
    const list = [...further, ...bound.toReversed()].map(declare).join(", ");
    const name = method === "DELETE" ? "del" : method.toLowerCase();
    const text = `export const ${name} = (${list}) => 1;`;
    return {
      file: `routes/${path}.ts`,
      name,
      text,
      method,
      segments: [...inPath, ...further.map(toParam)],
    };
  });

function declare({ name, type }: { readonly name: string; readonly type: string }): string {
  return `${name}: ${type === "int" ? "int" : "string"}`;
}

function toParam({ name, type }: { readonly name: string; readonly type: string }): Segment {
  return { name, type: type === "int" ? "int" : "str" };
}

const planned = fc.uniqueArray(fc.oneof(view, routeFile), {
  maxLength: 25,
  selector: ({ file, name }) => `${file} ${name}`,
});

function readPlanned(handlers: readonly Planned[]): Project {
  const files: Record<string, string> = {
    "framework.toml": 'apps = ["a", "b", "c"]',
    "apps/b/app.toml": '[app]\nprefix = "/"',
    "apps/c/app.toml": '[app]\nprefix = "/a/7"',
    "apps/c/views.ts": "",
  };
  for (const { file, text } of handlers) files[file] = `${files[file] ?? ""}${text}\n`;
  return read(files);
}

function shapeOf(method: RouteMethod, segments: readonly Segment[]): string {
  return JSON.stringify([method, segments.map((each) => (typeof each === "string" ? each : [each.type]))]);
}

test("any project has exactly the routes that were meant; a conflict is told where two are the same, and nothing else is", () => {
  fc.assert(
    fc.property(planned, (handlers) => {
      const project = readPlanned(handlers);
      const meant = new Map<string, number>();
      for (const { method, segments } of handlers) {
        const shape = shapeOf(method, segments);
        meant.set(shape, (meant.get(shape) ?? 0) + 1);
      }
      const shapes = project.routes.map(({ method, segments }) => shapeOf(method, segments));
      assert.equal(shapes.toSorted(), [...meant.keys()].toSorted());
      const conflicts = [...meant.values()].filter((count) => count > 1);
      assert.equal(
        codes(project).filter((code) => code !== "FW212" && code !== "FW212"),
        conflicts.map(() => "FW401"),
      );
    }),
    { numRuns: runs(40, 2_000) },
  );
});

test("no route of a table can be unreachable: with values that are no static text, the router finds just that route", () => {
  fc.assert(
    fc.property(planned, (handlers) => {
      const { routes } = readPlanned(handlers);
      const router = createRouter(routes.map((route) => ({ route })));
      for (const route of routes) {
        const found = router.find(route.method, samplePath(route, routes));
        assert.is(found.kind === "match" && found.item.route, route, `${route.method} ${route.pattern}`);
      }
    }),
    { numRuns: runs(40, 2_000) },
  );
});

test("the sample URL of a conflict is served by one of the two", () => {
  fc.assert(
    fc.property(planned, (handlers) => {
      const { routes, diagnostics } = readPlanned(handlers);
      const router = createRouter(routes.map((route) => ({ route })));
      for (const { code, message, locations } of diagnostics) {
        if (code !== "FW401") continue;
        const [, method = "", url = ""] = / such as (\w+) (\S+)\.$/.exec(message) ?? [];
        const found = router.find(method, encodeURI(url));
        assert.ok(found.kind === "match" && locations.includes(found.item.route.location), message);
      }
    }),
    { numRuns: runs(40, 2_000) },
  );
});

function samplePath({ segments }: Route, routes: readonly Route[]): string {
  const texts = new Set(routes.flatMap((each) => each.segments));
  const free = (candidates: readonly string[]): string => candidates.find((text) => !texts.has(text)) ?? "";
  const digits = free(Array.from({ length: 100 }, (_, index) => String(index)));
  const letters = free(Array.from({ length: 100 }, (_, index) => `x${index}`));
  const values = segments.map((each) =>
    typeof each === "string" ? each : each.type === "int" ? digits : letters,
  );
  return `/${values.map(encodeURIComponent).join("/")}`;
}

test.run();
