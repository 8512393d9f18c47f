import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatDiagnostics } from "#convention/diagnostics/format";
import { escapeControl } from "#runtime/escape";
import { createFolder, writeFiles } from "./folder.fixture.ts";
import { type Project, readProject, readSources } from "./project.ts";
import { NOTHING_TYPED } from "./wire/typed-route.ts";

const test = suite<{ root: string }>("project");

test.before.each((context) => {
  context.root = createFolder();
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

const SAMPLES = {
  "framework.toml": 'apps = ["products", "users"]\n\n[server]\nport = 8000\n',
  "apps/products/app.toml": '[app]\nprefix = "/products"\n',
  "apps/products/views.ts": `import type { Request } from "framework";

throw new Error("loaded");

export function get_index() {}
export async function post_index(request: Request) {}
export function get_all() {}
export function get_featured_items() {}
export function delete_item() {}
`,
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": `import { type Request, type int } from "framework";
export function get_by_id(request: Request, user_id: int) {}
export function get_by_username(request: Request, username: string) {}
`,
  "routes/index.ts": "process.exit(1);\nexport const get = () => ({ message: 'x' });\n",
  "routes/items.ts":
    "while (true);\nexport async function post(request: Request) {}\nexport function get(item_id: string) {}\n",
};

function summarize({ routes, diagnostics }: Project): string[] {
  const found = diagnostics.map(
    ({ code, locations: [place] }) =>
      `${code} ${escapeControl(place?.file ?? "")}:${place?.line}:${place?.column}`,
  );
  return [...routes.map(({ method, pattern }) => `${method} ${pattern}`), ...found];
}

test("the sample apps have the routes of the specification, though loading them would throw, exit or hang", ({
  root,
}) => {
  writeFiles(root, SAMPLES);
  const project = readProject(root);
  assert.equal(summarize(project), [
    "GET /",
    "POST /items",
    "GET /items/<item_id>",
    "GET /products/",
    "POST /products/",
    "GET /products/all",
    "GET /products/featured/items",
    "DELETE /products/item",
    "GET /users/by/id/<user_id>",
    "GET /users/by/username/<username>",
  ]);
  assert.equal(
    project.files,
    Object.keys(SAMPLES).toSorted((one, other) => rank(one) - rank(other)),
  );
  assert.equal(project.routes[8], {
    method: "GET",
    pattern: "/users/by/id/<user_id>",
    segments: ["users", "by", "id", { name: "user_id", type: "int" }],
    arguments: ["request", 0],
    handler: "get_by_id",
    module: "apps/users/views.ts",
    app: "users",
    convention: "views",
    location: { file: "apps/users/views.ts", line: 2, column: 17 },
    ...NOTHING_TYPED,
  });
});

/** Configuration is read first, then apps, then routes. */
function rank(file: string): number {
  return file.endsWith(".toml") ? 0 : file.startsWith("apps") ? 1 : 2;
}

test("an overlay stands for, adds to and takes away what is on disk, and changes nothing there", ({
  root,
}) => {
  writeFiles(root, SAMPLES);
  const overlay = new Map<string, string | null>([
    ["framework.toml", 'apps = ["users", "orders"]'],
    ["apps/orders/app.toml", '[app]\nprefix = "/orders"'],
    ["apps/orders/views.ts", "export function get_index() {}"],
    ["apps/products/views.ts", null],
    ["apps/products/app.toml", null],
    ["routes/index.ts", "export function put() {}"],
    ["routes/deep/er/[id].ts", "export function get(id: number) {}"],
    ["routes/items.ts", null],
  ]);
  assert.equal(summarize(readProject(root, overlay)), [
    "PUT /",
    "GET /deep/er/<id>",
    "GET /orders/",
    "GET /users/by/id/<user_id>",
    "GET /users/by/username/<username>",
  ]);
  assert.is(readProject(root).routes.length, 10);
});

test("a project that is read again shows what has changed in it, in a file and in one that it takes from", ({
  root,
}) => {
  const files = {
    "framework.toml": 'apps = ["a"]',
    "apps/a/app.toml": "",
    "apps/a/views.ts": 'import type { Id } from "./types.ts";\nexport function get_x(id: Id) {}\n',
    "apps/a/types.ts": "export type Id = number;\n",
  };
  writeFiles(root, files);
  assert.equal(summarize(readProject(root)), ["GET /a/x/<id>"]);
  assert.equal(readProject(root).routes[0]?.segments.at(-1), { name: "id", type: "int" });
  writeFiles(root, { "apps/a/types.ts": "export type Id = string;\n" });
  assert.equal(readProject(root).routes[0]?.segments.at(-1), { name: "id", type: "str" });
  writeFiles(root, { "apps/a/views.ts": "export function get_y() {}\n" });
  assert.equal(summarize(readProject(root)), ["GET /a/y"]);
  writeFiles(root, files);
  assert.equal(readProject(root).routes[0]?.segments.at(-1), { name: "id", type: "int" });
});

test("a save of the same size in the same instant is seen, in sources and in configuration", ({ root }) => {
  for (const name of ["aa", "bb", "cc"]) {
    writeFiles(root, {
      "framework.toml": 'apps = ["shop"]\n',
      "apps/shop/app.toml": `[app]\nprefix = "/${name}"\n`,
      "apps/shop/views.ts": `export function get_${name}() {}\n`,
    });
    assert.equal(
      readProject(root).routes.map(({ pattern }) => pattern),
      [`/${name}/${name}`],
    );
  }
});

test("a file whose text is the same is not parsed again", ({ root }) => {
  writeFiles(root, { ...SAMPLES, "routes/index.ts": "export const get = () => ({});\n" });
  const read = (): readonly unknown[] =>
    readSources(root).types.modules.parsed.filter(({ file }) => file.startsWith("routes/"));
  const [index, items] = read();
  writeFiles(root, { "routes/items.ts": "export function get() {}\n" });
  const [same, other] = read();
  assert.is(same, index);
  assert.is.not(other, items);
});

test("one broken file does not hide the routes of the others", ({ root }) => {
  writeFiles(root, {
    ...SAMPLES,
    "apps/users/views.ts": "export function get_by_id( {",
    "routes/items.ts": "export const get = wrap(f)",
  });
  const project = readProject(root);
  assert.is(project.routes.length, 6);
  assert.equal(
    project.diagnostics.map(({ code }) => code),
    ["FW301", "FW311"],
  );
});

test("a missing views.ts, and a folder in its place, are told", ({ root }) => {
  writeFiles(root, {
    "framework.toml": 'apps = ["a", "b"]',
    "apps/a/app.toml": "",
    "apps/b/app.toml": "",
    "apps/b/views.ts/x": "",
  });
  assert.equal(summarize(readProject(root)), ["FW113 apps/b/views.ts:1:1", "FW109 framework.toml:1:9"]);
});

test("a file that is nearly called views.ts is told as what may be meant", ({ root }) => {
  writeFiles(root, { "framework.toml": 'apps = ["a"]', "apps/a/app.toml": "", "apps/a/view.ts": "" });
  const [found] = readProject(root).diagnostics;
  assert.is(found?.hint, "Did you mean apps/a/view.ts? Rename it to views.ts.");
});

test("bytes that are not UTF-8 are told with their place, and the file is left out", ({ root }) => {
  const bytes = new Uint8Array([...new TextEncoder().encode("// é\nexport const a = '"), 0xff, 0xfe, 0x27]);
  writeFiles(root, { ...SAMPLES, "apps/users/views.ts": bytes });
  assert.equal(summarize(readProject(root)).slice(-1), ["FW113 apps/users/views.ts:2:19"]);
  writeFiles(root, { "framework.toml": new Uint8Array([0x61, 0xc3]) });
  assert.equal(summarize(readProject(root)).slice(-1), ["FW113 framework.toml:1:2"]);
});

test("a byte order mark and CRLF line ends change nothing but the lines", ({ root }) => {
  const windows = Object.entries(SAMPLES).map(([file, text]) => [
    file,
    `\ufeff${text.replaceAll("\n", "\r\n")}`,
  ]);
  writeFiles(root, Object.fromEntries(windows));
  const project = readProject(root);
  writeFiles(root, SAMPLES);
  assert.equal(project.routes, readProject(root).routes);
  assert.equal(project.diagnostics, []);
});

test("links are followed, but not in a circle, and not to nowhere", ({ root }) => {
  writeFiles(root, {
    ...SAMPLES,
    "shared/views.ts": "export function get_x() {}",
    "shared/app.toml": "",
    "elsewhere/page.ts": "export function get() {}",
  });
  writeFiles(root, { "framework.toml": 'apps = ["products", "users", "linked"]' });
  symlinkSync("../shared", join(root, "apps/linked"));
  symlinkSync("../elsewhere", join(root, "routes/more"));
  symlinkSync("..", join(root, "routes/more/back"));
  symlinkSync(".", join(root, "routes/self"));
  symlinkSync("nowhere.ts", join(root, "routes/broken.ts"));
  symlinkSync("loop.ts", join(root, "routes/loop.ts"));
  const summary = summarize(readProject(root));
  assert.ok(summary.includes("GET /linked/x"));
  assert.ok(summary.includes("GET /more/page"));
  assert.ok(summary.includes("FW115 routes/self:1:1"));
  assert.ok(summary.includes("FW113 routes/broken.ts:1:1"));
  assert.ok(summary.includes("FW113 routes/loop.ts:1:1"));
  assert.ok(summary.length < 30, summary.join("\n"));
});

test("files beside the routes are passed over, and those that look like routes are told", ({ root }) => {
  writeFiles(root, {
    "framework.toml": "",
    "routes/_shared.ts": "export function get() {}",
    "routes/_lib/x.ts": "export function get() {}",
    "routes/.x.ts": "export function get() {}",
    "routes/.well-known/x.ts": "export function get() {}",
    "routes/.internal/x.ts": "export function get() {}",
    "routes/.internal/old.ts": "export function get() {\n<<<<<<< HEAD\n",
    "routes/x.test.ts": "export function get() {}",
    "routes/x.d.ts": "",
    "routes/README.md": "",
    "routes/old.js": "",
    "routes/[[...all]].ts": "export function get() {}",
    "routes/next.ts": "export async function GET() {}\nexport default function () {}",
    "routes/empty.ts": "",
  });
  assert.equal(summarize(readProject(root)), [
    "GET /.well-known/x",
    "FW201 routes/[[...all]].ts:1:1",
    "FW207 routes/empty.ts:1:1",
    "FW202 routes/next.ts:1:23",
    "FW203 routes/next.ts:2:1",
    "FW208 routes/old.js:1:1",
  ]);
});

test("a route file whose handler needs a broken provider is not said to have none", ({ root }) => {
  const get = 'import type { day } from "../day.ts";\nimport type { From } from "framework";\n';
  writeFiles(root, {
    "framework.toml": "",
    "day.ts": "export function day(date: Date) {}\n",
    "routes/a.ts": `${get}export function get(today: From<typeof day>) {}\n`,
    "routes/b.ts": `${get}export function get(today: From<typeof day>) {}\n`,
  });
  assert.equal(summarize(readProject(root)), ["FW306 day.ts:1:27"]);
});

test("two names for DELETE in one file are told once, by the rule that is about them", ({ root }) => {
  const twice = "export function del() {}\nfunction x() {}\nexport { x as delete };\n";
  writeFiles(root, { "framework.toml": "", "routes/a.ts": twice });
  assert.equal(summarize(readProject(root)), ["DELETE /a", "FW319 routes/a.ts:3:15"]);
  writeFiles(root, { "routes/a/index.ts": "export function del() {}\n" });
  const codes = readProject(root).diagnostics.map(({ code }) => code);
  assert.equal(codes.sort(), ["FW319", "FW401"]);
});

test("control characters in file names are never shown raw", ({ root }) => {
  writeFiles(root, {
    "framework.toml": "",
    "routes/a\x1b[31mb.ts": "export function get() {}",
    "routes/\u202e.ts": "",
  });
  const { diagnostics } = readProject(root);
  assert.is(diagnostics.length, 2);
  assert.not.match(
    formatDiagnostics(diagnostics, () => undefined),
    /[\x1b\u202e]/,
  );
});

test("a folder that is no project is told, not thrown", ({ root }) => {
  assert.equal(summarize(readProject(root)), ["FW101 framework.toml:1:1"]);
  assert.equal(summarize(readProject(join(root, "missing"))), ["FW101 framework.toml:1:1"]);
});

test("a project of only one convention is a project", ({ root }) => {
  writeFiles(root, { "framework.toml": "", "routes/index.ts": "export function get() {}" });
  assert.equal(summarize(readProject(root)), ["GET /"]);
  writeFiles(root, {
    "framework.toml": 'apps = ["a"]',
    "apps/a/app.toml": '[app]\nprefix = ""',
    "apps/a/views.ts": "export function get_x() {}",
  });
  rmSync(join(root, "routes"), { recursive: true });
  assert.equal(summarize(readProject(root)), ["GET /x"]);
});

test("names that objects have by birth are names like any other", ({ root }) => {
  writeFiles(root, {
    "framework.toml": 'apps = ["constructor"]',
    "apps/constructor/app.toml": "",
    "apps/constructor/views.ts": "export function get_constructor(toString: string, valueOf: number) {}",
    "routes/constructor.ts": "export function get() {}",
  });
  assert.equal(summarize(readProject(root)), [
    "GET /constructor",
    "GET /constructor/constructor/<toString>/<valueOf>",
  ]);
});

test("a file in the place of apps/ or routes/ is told", ({ root }) => {
  writeFiles(root, { "framework.toml": "apps = []", apps: "", routes: "" });
  assert.equal(summarize(readProject(root)), ["FW113 apps:1:1", "FW113 routes:1:1"]);
});

test.run();
