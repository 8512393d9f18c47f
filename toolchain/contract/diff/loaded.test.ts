/** What `routes diff` reads: of a workspace the types as the commit has them, and of two sides what differs. */

import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Contract } from "#convention/contract/contract";
import { readContract, readIds } from "#convention/contract/read";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { readSources } from "#convention/project";
import { createFiles, type Files } from "#convention/source/files";
import { formatShape } from "#convention/wire/reading.fixture";
import { compareContracts } from "./compare.ts";
import { loadBoth } from "./loaded.ts";
import type { Difference } from "./rules.ts";

const HANDLER = `import type { Body } from "framework";
import type { User } from "@acme/types";
import type { Level } from "levels";

export function post(body: Body<{ user: User; level: Level }>) {
  return [body, 201];
}
`;

function commit(folder: string): void {
  const git = (...words: string[]): void => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    assert.is(spawnSync("git", [...identity, ...words], { cwd: folder }).status, 0, words.join(" "));
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "Start");
}

function changesIn(folder: string): string[] {
  const { before, after } = loadBoth(folder, ["HEAD"]);
  return compareContracts(before.contract, after.contract).map(({ id, pattern }) => `${id} ${pattern}`);
}

test("a package of the workspace is read from the commit, and an installed one as it is", () => {
  const folder = createFolder({
    ".gitignore": "node_modules\n",
    "app/framework.toml": "",
    "app/routes/users.ts": HANDLER,
    "packages/types/package.json": '{ "types": "index.ts" }',
    "packages/types/index.ts": "export interface User { name: string }\n",
    "node_modules/levels/package.json": '{ "types": "index.d.ts" }',
    "node_modules/levels/index.d.ts": 'export type Level = "low" | "high";\n',
  });
  mkdirSync(join(folder, "node_modules/@acme"));
  symlinkSync(join(folder, "packages/types"), join(folder, "node_modules/@acme/types"), "junction");
  commit(folder);
  writeFiles(folder, { "packages/types/index.ts": "export interface User { name: string; age: number }\n" });
  const { before, after } = loadBoth(join(folder, "app"), ["HEAD"]);
  const users = [before, after].map(({ sources }) => {
    const { definitions, routes } = sources.project;
    const shapes = [...routes.flatMap(({ takes }) => takes.map(({ shape }) => shape)), definitions.User];
    return shapes.map((shape) => shape && formatShape(shape)).join("; ");
  });
  const changes = changesIn(join(folder, "app"));
  rmSync(folder, { recursive: true });
  assert.ok(changes.includes("new-required-request-property /users"), "a route whose own texts are the same");
  const body = '{ user: #User, level: "low" | "high" }';
  assert.equal(users, [`${body}; { name: string }`, `${body}; { name: string, age: number }`]);
});

const USER = "export interface User { id: number }\n";
const userRoute = (from: string): string =>
  `import type { User } from "../lib/${from}.ts";\nexport function get(): User { return null as never; }\n`;

test("a route that is the same is not read again, unless a new type takes the name of its type", () => {
  const folder = createFolder({
    "framework.toml": "",
    "lib/a.ts": USER,
    "routes/a.ts": userRoute("a"),
    "routes/c.ts": "export function get() {}\n",
  });
  commit(folder);
  writeFiles(folder, {
    "lib/other.ts": USER.replace("User", "Other"),
    "routes/b.ts": "export const get = () => 1;\n",
  });
  const { operations } = loadBoth(folder, ["HEAD"]).after.contract;
  assert.equal(
    operations.map(({ pattern }) => pattern),
    ["/b"],
  );
  assert.equal(changesIn(folder), ["endpoint-added /b"]);
  writeFiles(folder, { "lib/b.ts": USER, "routes/b.ts": userRoute("b") });
  assert.equal(changesIn(folder), ["component-renamed /a", "endpoint-added /b"]);
  rmSync(folder, { recursive: true });
});

test("a route differs where an alias leads to another of the same files", () => {
  const aliases = (current: string): string =>
    JSON.stringify({
      imports: { "#v1": "./lib/v1.ts", "#v2": "./lib/v2.ts", "#now": `./lib/${current}.ts` },
    });
  const folder = createFolder({
    "framework.toml": "",
    "package.json": aliases("v1"),
    "lib/v1.ts": USER,
    "lib/v2.ts": USER.replace("number", "string"),
    "routes/a.ts":
      'import "#v1";\nimport "#v2";\nimport type { User } from "#now";\nexport function get(): User { return null as never; }\n',
  });
  commit(folder);
  writeFiles(folder, { "package.json": aliases("v2") });
  assert.equal(changesIn(folder), ["response-property-type-changed /a"]);
  rmSync(folder, { recursive: true });
});

test("a type whose file has another name is renamed where its name has that of the file", () => {
  const aliases = (file: string): string => JSON.stringify({ imports: { "#user": `./lib/${file}.ts` } });
  const route = 'import type { User } from "#user";\nexport function get(): User { return null as never; }\n';
  const folder = createFolder({
    "framework.toml": "",
    "package.json": aliases("b"),
    "lib/a.ts": USER,
    "lib/b.ts": USER,
    "routes/a.ts": userRoute("a"),
    "routes/b.ts": route,
  });
  commit(folder);
  writeFiles(folder, { "package.json": aliases("c"), "lib/c.ts": USER });
  assert.equal(changesIn(folder), ["component-renamed /b"]);
  rmSync(folder, { recursive: true });
});

const ITEM = "export interface Item { id: number }\n";
const handlers = (name: string, lines = ""): string =>
  `import type { Body, From, Query } from "framework";
import type { User } from "../../lib/user.ts";
import { page } from "../../lib/page.ts";
${ITEM}export function post_item(body: Body<Item>): Item { return body; }
export function get_user(at: From<typeof page>): User { return null as never; }
export const get_${name} = (): string => "${name}";
${lines}`;

const SHOP: Readonly<Record<string, string>> = {
  "framework.toml": 'apps = ["one", "two"]\n',
  "apps/one/app.toml": '[app]\nprefix = "/one"\n',
  "apps/one/views.ts": handlers("a"),
  "apps/two/app.toml": '[app]\nprefix = "/two"\n',
  "apps/two/views.ts": handlers("b"),
  "routes/a/_hooks.ts": "export function guard() {}\n",
  "routes/a/by-id.ts": 'export const get = (): string => "";\n',
  "routes/one/a.ts": "export const all = (): string => '';\n",
  "lib/user.ts": USER,
  "lib/page.ts":
    'import type { Query } from "framework";\nexport function page(page: Query<string>): string { return page; }\n',
};

const EDITS: readonly (readonly [title: string, edit: Readonly<Record<string, string>>, changes: number])[] =
  [
    ["a handler", { "apps/one/views.ts": handlers("a").replace("string", "number") }, 2],
    ["a handler in a new file", { "routes/c.ts": "export const get = (): string => '';\n" }, 1],
    [
      "a type that another file declares, too",
      { "apps/one/views.ts": handlers("a").replaceAll("Item", "Thing") },
      2,
    ],
    [
      "a type that takes the name of another",
      {
        "apps/one/views.ts": handlers(
          "a",
          "export interface User { id: 1 }\nexport const get_me = (): User => ({ id: 1 });\n",
        ),
      },
      3,
    ],
    ["a handler whose path has another for all methods", { "apps/one/views.ts": handlers("c") }, 3],
    ["a shared type", { "lib/user.ts": USER.replace("id", "key") }, 4],
    ["a provider", { "lib/page.ts": "export function page(): string { return ''; }\n" }, 6],
    [
      "a guard",
      {
        "routes/a/_hooks.ts":
          'import type { Bearer } from "framework";\nexport function guard(token: Bearer) {}\n',
      },
      2,
    ],
    ["a prefix", { "apps/two/app.toml": '[app]\nprefix = "/three"\n' }, 6],
    ["a setting", { "framework.toml": 'apps = ["one", "two"]\n[server]\nbody_limit = 10\n' }, 0],
    [
      "the id of a route that is the same",
      { "routes/a/by/id.ts": "export const get = (): string => '';\n" },
      2,
    ],
  ];

function readWhole(folder: string, files: Files): Contract {
  const sources = readSources(folder, files);
  return readContract(sources, { ids: readIds(sources, sources.project.routes, true) });
}

/** Committed once: each test takes back its edit. */
const shop = createFolder(SHOP);
test.before(() => commit(shop));
test.after(() => rmSync(shop, { recursive: true }));

for (const [title, edit, changes] of EDITS)
  test(`${title}: what is left out changes nothing`, () => {
    writeFiles(shop, edit);
    const { before, after, ...sides } = loadBoth(shop, ["HEAD"]);
    const found = compareContracts(before.contract, after.contract, sides);
    const original = new Map(Object.keys(edit).map((file) => [file, SHOP[file] ?? null]));
    const whole = [createFiles(shop, original), createFiles(shop)].map((files) => readWhole(shop, files));
    const [wholeBefore = before.contract, wholeAfter = after.contract] = whole;
    for (const file of Object.keys(edit)) rmSync(join(shop, file));
    writeFiles(shop, SHOP);
    const tell = (differences: readonly Difference[]): string[] =>
      differences.map(({ id, method, pattern, message }) => `${id} ${method} ${pattern} ${message}`).sort();
    assert.equal(tell(found), tell(compareContracts(wholeBefore, wholeAfter)));
    assert.is(found.length, changes);
  });

test.run();
