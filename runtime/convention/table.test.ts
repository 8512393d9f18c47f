import { test } from "uvu";
import * as assert from "uvu/assert";

import { formatDiagnostic } from "./diagnostics.ts";
import { type Project, readProject } from "./project.ts";

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
    ["/", "get_index()", "/"],
    ["", "get_index()", "/"],
    ["", "get_all()", "/all"],
    ["", "get_index(id: int)", "/<id>"],
  ];
  for (const [prefix, handler, pattern] of cases) {
    const project = read({
      "apps/a/app.toml": `prefix = "${prefix}"`,
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
  assert.equal(codes(read({ "routes/[item_id].ts": "export function get(itemId: int) {}" })), ["FW402"]);
  assert.equal(codes(read({ "routes/[item_id].ts": "export function get(item_ids: int) {}" })), ["FW402"]);
  assert.equal(codes(read({ "routes/[item_id].ts": "export function get(page: int) {}" })), []);
  const request = read({ "routes/[id].ts": "export function get(id: Request) {}" });
  assert.equal(codes(request), ["FW403"]);
  assert.equal(request.routes, []);
});

test("DELETE is the handler `del`, or an export named `delete`, but not both", () => {
  assert.equal(patterns(read({ "routes/x.ts": "export function del() {}" })), ["DELETE /x"]);
  assert.equal(patterns(read({ "routes/x.ts": "function remove() {}\nexport { remove as delete };" })), [
    "DELETE /x",
  ]);
  const both = read({
    "routes/x.ts": "export function del() {}\nfunction remove() {}\nexport { remove as delete };",
  });
  assert.ok(codes(both).includes("FW209"));
});

test("two handlers that serve the same requests are a conflict, whichever convention they are of", () => {
  const cases: [title: string, files: Record<string, string>, url: string][] = [
    [
      "same name in two apps of one prefix",
      {
        "apps/b/app.toml": 'prefix = "/a"',
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

test("a conflict of three is one finding with three places", () => {
  const project = read({
    "apps/b/app.toml": 'prefix = "/a"',
    "apps/a/views.ts": "export function get_x() {}",
    "apps/b/views.ts": "export function get_x() {}",
    "routes/a/x.ts": "export function get() {}",
  });
  const [conflict] = project.diagnostics;
  assert.is(conflict?.locations.length, 3);
  const text = conflict ? formatDiagnostic(conflict, () => undefined) : "";
  assert.match(
    text,
    "`get_x` in apps/a/views.ts and `get_x` in apps/b/views.ts and `get` in routes/a/x.ts serve the same requests",
  );
});

test("other methods, other types and more specific segments are no conflict", () => {
  const project = read({
    "apps/a/views.ts":
      "export function get_x(id: int) {}\nexport function post_x(id: int) {}\nexport function get_x_all() {}",
    "apps/b/app.toml": 'prefix = "/a"',
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
    "apps/b/app.toml": 'prefix = "/a"',
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

test.run();
