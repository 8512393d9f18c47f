/** Types of workspace packages, through the links of npm and pnpm, and of installed packages. */

import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "../folder.fixture.ts";
import { type Project, readProject } from "../project.ts";
import { formatShape } from "../wire/reading.fixture.ts";

const IMPORT = 'import type { NewUser } from "@acme/types";';

/** A project with a `Body<NewUser>` parameter, in a folder of a workspace. */
function readIn(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
  text: string = IMPORT,
): Project {
  const folder = createFolder();
  const handler = `import type { Body } from "framework";\n${text}\nexport function post(body: Body<NewUser>) { return [body, 201]; }\n`;
  writeFiles(folder, { "app/framework.toml": "", "app/routes/users.ts": handler, ...files });
  for (const [link, target] of Object.entries(links)) {
    mkdirSync(join(folder, link, ".."), { recursive: true });
    symlinkSync(join(folder, target), join(folder, link), "junction");
  }
  const project = readProject(join(folder, "app"));
  rmSync(folder, { recursive: true });
  return project;
}

/** @example "#NewUser; NewUser = { name: string }", or "FW328 routes/users.ts:3:33" */
function summarize({ routes, definitions, diagnostics }: Project): string {
  const errors = diagnostics.map(
    ({ code, locations: [place] }) => `${code} ${place?.file}:${place?.line}:${place?.column}`,
  );
  const shapes = routes.flatMap(({ takes }) => takes.map(({ shape }) => formatShape(shape)));
  const named = Object.entries(definitions).map(([name, shape]) => `${name} = ${formatShape(shape)}`);
  return (errors.length > 0 ? errors : [...shapes, ...named]).join("; ");
}

const USER = "export interface NewUser { name: string; tags?: Tag[] }\n";
const SOURCE = `import type { Tag } from "./tag.js";\n${USER}`;
const TAG = 'export type Tag = "new" | "old";\n';
const READ = '#NewUser; NewUser = { name: string, tags?: ("new" | "old")[] }';

const WORKSPACE = { "packages/types/src/index.ts": SOURCE, "packages/types/src/tag.ts": TAG };

const ENTRIES: readonly (readonly [title: string, entry: object])[] = [
  ["a file of TypeScript", { exports: "./src/index.ts" }],
  ["a condition", { exports: { ".": { types: "./src/index.ts", default: "./dist/index.js" } } }],
  ["a condition in a condition", { exports: { import: { types: "./src/index.ts" } } }],
  ["`types`", { types: "src/index.ts", main: "dist/index.js" }],
  ["`main`", { main: "./src/index.ts" }],
];

for (const [title, entry] of ENTRIES) {
  test(`a package of the workspace is read like the project, by ${title} in its package.json`, () => {
    const files = { ...WORKSPACE, "packages/types/package.json": JSON.stringify(entry) };
    for (const place of ["app/node_modules", "node_modules"])
      assert.is(summarize(readIn(files, { [`${place}/@acme/types`]: "packages/types" })), READ);
  });
}

test("the files of a package of the workspace are among those that the project depends on, by their own paths", () => {
  const files = { ...WORKSPACE, "packages/types/package.json": '{ "types": "src/index.ts" }' };
  const { files: read } = readIn(files, { "node_modules/@acme/types": "packages/types" });
  assert.ok(read.includes("../packages/types/src/index.ts"));
  assert.ok(read.includes("../packages/types/src/tag.ts"));
  assert.not(read.some((file) => file.includes("node_modules")));
});

test("what can't be read of a package of the workspace is reported there", () => {
  const files = {
    "packages/types/package.json": '{ "types": "index.ts" }',
    "packages/types/index.ts": "export interface NewUser {\n  greet(): void;\n}\n",
  };
  const project = readIn(files, { "node_modules/@acme/types": "packages/types" });
  assert.is(summarize(project), "FW323 ../packages/types/index.ts:2:3");
});

test("declarations of CommonJS are read, by themselves and beside their code", () => {
  for (const types of ["index.d.cts", "index.cjs"]) {
    const files = {
      "packages/types/package.json": JSON.stringify({ exports: { ".": { types: `./${types}` } } }),
      "packages/types/index.d.cts": `${TAG}${USER}`,
    };
    assert.is(summarize(readIn(files, { "node_modules/@acme/types": "packages/types" })), READ);
  }
});

test("a part of a package is found by its path in `exports`", () => {
  const files = {
    ...WORKSPACE,
    "packages/types/package.json": '{ "exports": { "./*": "./src/*.ts" } }',
  };
  const links = { "node_modules/@acme/types": "packages/types" };
  const text = 'import type { Tag as NewUser } from "@acme/types/tag";';
  assert.is(summarize(readIn(files, links, text)), '"new" | "old"');
  assert.is(summarize(readIn(files, links)), "FW328 routes/users.ts:3:33");
});

test("marks and the types of params may be aliases in a package of the workspace", () => {
  const files = {
    "packages/types/package.json": '{ "types": "index.ts" }',
    "packages/types/index.ts":
      'import type { Body, int, Min } from "framework";\nexport type Json<T> = Body<T>;\nexport type Id = int;\nexport type Price = number & Min<0>;\n',
    "app/routes/users.ts":
      'import type { Id, Json, Price } from "@acme/types";\nexport function post(id: Id, body: Json<{ price: Price }>) { return [body, 201]; }\n',
  };
  const project = readIn(files, { "node_modules/@acme/types": "packages/types" });
  assert.is(project.routes[0]?.pattern, "/users/<id>");
  assert.is(summarize(project), "{ price: number{min: 0} }");
});

test("an installed package is read from its declarations, also through another package", () => {
  const inner = "app/node_modules/.store/inner/node_modules/inner";
  const outer = "app/node_modules/.store/outer/node_modules/outer";
  const files = {
    [`${inner}/package.json`]: '{ "main": "dist/main.js" }',
    [`${inner}/dist/main.js`]: "",
    [`${inner}/dist/main.d.ts`]: `${TAG}export declare const LEVELS: readonly ["low", "high"];\n`,
    [`${outer}/package.json`]: '{ "exports": { "import": "./index.mjs" } }',
    [`${outer}/index.mjs`]: "",
    [`${outer}/index.d.mts`]: `export type { Tag } from "inner";\nimport { Tag } from "inner";\n${USER}`,
  };
  const links = {
    "app/node_modules/@acme/types": outer,
    "app/node_modules/.store/outer/node_modules/inner": inner,
    "app/node_modules/inner": inner,
  };
  assert.is(summarize(readIn(files, links)), READ);
  const level = 'import { LEVELS } from "inner";\ntype NewUser = (typeof LEVELS)[number];';
  assert.is(summarize(readIn(files, links, level)), '"low" | "high"');
});

test("types for a package without its own are found in @types", () => {
  const files = {
    "app/node_modules/@acme/types/package.json": '{ "main": "index.js" }',
    "app/node_modules/@acme/types/index.js": "",
    "app/node_modules/@types/acme__types/package.json": "{}",
    "app/node_modules/@types/acme__types/index.d.ts": `${TAG}${USER}`,
  };
  assert.is(summarize(readIn(files)), READ);
});

test("what can't be read of an installed package is reported where the project uses it, with the reason", () => {
  const files = {
    "app/node_modules/@acme/types/package.json": '{ "types": "index.d.ts" }',
    "app/node_modules/@acme/types/index.d.ts":
      "export interface NewUser { inner: Inner }\ninterface Inner { a: keyof any extends string ? 1 : 2 }\n",
  };
  const project = readIn(files);
  assert.is(summarize(project), "FW328 routes/users.ts:3:33");
  assert.match(
    project.diagnostics[0]?.message ?? "",
    /in "@acme\/types", the framework does not evaluate a conditional type/,
  );
  const text = `${IMPORT.replace("NewUser", "NewUser as Other")}\ninterface NewUser { a: Other }`;
  assert.is(summarize(readIn(files, {}, text)), "FW328 routes/users.ts:3:24");
});

test("a package that is not installed is reported, and so is one whose package.json is broken", () => {
  assert.is(summarize(readIn({})), "FW328 routes/users.ts:3:33");
  const broken = { "app/node_modules/@acme/types/package.json": "{" };
  assert.is(summarize(readIn(broken)), "FW328 routes/users.ts:3:33");
});

test("a re-export of a handler from a package is not followed: only its types are", () => {
  const files = {
    ...WORKSPACE,
    "packages/types/package.json": '{ "types": "src/index.ts" }',
    "app/routes/more.ts": 'export { get } from "@acme/types";\n',
  };
  const project = readIn(files, { "node_modules/@acme/types": "packages/types" });
  assert.match(summarize(project), /^FW3\d\d routes\/more\.ts/);
});

test.run();
