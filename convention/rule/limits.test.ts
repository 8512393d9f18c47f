/** The limits of folders: which holds for a route, and what is reported about those that can't be read. */

import { rmSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "../folder.fixture.ts";
import { type Project, readProject } from "../project.ts";

const test = suite<{ root: string }>("limits");

test.before.each((context) => {
  context.root = createFolder();
});

test.after.each(({ root }) => {
  rmSync(root, { recursive: true, force: true });
});

const BASE: Readonly<Record<string, string>> = {
  "framework.toml": 'apps = ["shop"]\n',
  "apps/shop/app.toml": "",
  "apps/shop/views.ts": "export function get_index() {}\n",
  "routes/index.ts": "export function get() {}\n",
  "routes/files/index.ts": "export function post() {}\nexport { post as all };\n",
};

function read(root: string, files: Readonly<Record<string, string>>): Project {
  writeFiles(root, { ...BASE, ...files });
  return readProject(root);
}

function limitsOf({ routes }: Project): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    routes.flatMap(({ method, pattern, limits }) => (limits ? [[`${method} ${pattern}`, limits]] : [])),
  );
}

test("of each limit, the nearest folder's counts: for whole paths, groups and routes of every method, too", ({
  root,
}) => {
  const project = read(root, {
    "routes/files/(large)/[...path].ts": "export function put(path: string[]) {}\n",
    "_hooks.ts": "export const limits = { timeout: 5 };\n",
    "routes/files/_hooks.ts": 'export const limits = { body: "20MB", timeout: 30 } as const;\n',
    "routes/files/(large)/_hooks.ts": 'export { limits } from "../../../limits.ts";\n',
    "limits.ts":
      'import type { Limits } from "framework";\nexport const limits: Limits = { body: `1 GB` } satisfies Limits;\n',
  });
  assert.equal(project.diagnostics, []);
  assert.equal(limitsOf(project), {
    "GET /": { handlerTimeout: 5 },
    "GET /shop/": { handlerTimeout: 5 },
    "POST /files": { handlerTimeout: 30, bodyLimit: 20_000_000 },
    "ALL /files": { handlerTimeout: 30, bodyLimit: 20_000_000 },
    "PUT /files/*path": { handlerTimeout: 30, bodyLimit: 1_000_000_000 },
  });
  assert.ok(project.files.includes("limits.ts"));
});

const EXPORTED = 'Write it like this: export const limits = { body: "20 MB", timeout: 30 };';

const WRONG: readonly [title: string, file: string, text: string, found: string][] = [
  ["a size without a unit", "_hooks.ts", '{ body: "20 M" }', 'FW104 1:25 Write it like this: body: "1 MiB"'],
  ["a fraction of a byte", "_hooks.ts", "{ body: 1.5 }", 'FW104 1:25 Write it like this: body: "1 MiB"'],
  ["a flag", "_hooks.ts", "{ timeout: true }", "FW104 1:25 Write it like this: timeout: 120"],
  ["a time below 0", "_hooks.ts", "{ timeout: -1 }", "FW104 1:25 Write it like this: timeout: 120"],
  ["what is computed", "_hooks.ts", "{ body: 20 * 1024 }", 'FW104 1:25 Write it like this: body: "1 MiB"'],
  ["a misspelt key", "_hooks.ts", "{ body: 1, timout: 3 }", "FW103 1:34 Did you mean `timeout`?"],
  ["another key", "_hooks.ts", "{ headers: 3 }", "FW103 1:25 The settings here are body and timeout."],
  ["a spread", "_hooks.ts", "{ ...other }", "FW103 1:25 The settings here are body and timeout."],
  ["a method", "_hooks.ts", "{ body() {} }", "FW103 1:25 The settings here are body and timeout."],
  ["a call", "_hooks.ts", "Object.freeze({ body: 1 })", `FW104 1:14 ${EXPORTED}`],
  ["a number", "_hooks.ts", "5", `FW104 1:14 ${EXPORTED}`],
  ["a function", "_hooks.ts", "() => ({ body: 1 })", `FW104 1:14 ${EXPORTED}`],
  ["another file", "apps/shop/views.ts", "{ body: 1 }", "FW225 1:14 Move it to apps/shop/_hooks.ts,"],
  ["a file of nearly that name", "routes/_hook.ts", "{ body: 1 }", "FW225 1:14 Move it to routes/_hooks.ts,"],
];

for (const [title, file, text, expected] of WRONG)
  test(`limits with ${title} are an error with its place: ${text} in ${file}`, ({ root }) => {
    const project = read(root, { [file]: `export const limits = ${text};\n` });
    const [found, ...others] = project.diagnostics;
    const place = found?.locations[0];
    assert.is(found?.severity, "error");
    const shown = `${found?.code} ${place?.line}:${place?.column} ${found?.hint}`;
    assert.is(shown.slice(0, expected.length), expected);
    assert.equal([place?.file, others], [file, []]);
  });

const NAMES: readonly [text: string, codes: readonly string[]][] = [
  ['export const limit = { body: "1 MB" };', ["FW225"]],
  ["export const uploads = { timeout: 3 };", ["FW225"]],
  ["const limits = { body: 1 };\nexport function guard() {}", ["FW225"]],
  ["const limits = new Map();\nexport function guard() { limits.clear(); }", []],
  ["export const limits = {};", []],
];

for (const [text, codes] of NAMES)
  test(`in _hooks.ts, what has a limit is exported as \`limits\`: ${text}`, ({ root }) => {
    const { diagnostics } = read(root, { "routes/_hooks.ts": `${text}\n` });
    assert.equal(
      diagnostics.map(({ code }) => code),
      codes,
    );
  });

test("an object about something else may be called limits in a file of handlers", ({ root }) => {
  const project = read(root, {
    "apps/shop/views.ts": "export const limits = { perPage: 20 };\nexport function get_index() {}\n",
  });
  assert.equal(project.diagnostics, []);
});

test.run();
