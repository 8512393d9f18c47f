/** `framework dev` and what lies outside of the project: what a module of it imports is watched, wherever that is. */

import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { askUntil } from "./harness/client.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { DEV, serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";
import { writeWhole } from "./harness/write.ts";

interface Served {
  readonly project: Project;
  /** Resolves once GET /outside gives the number. */
  until(number: number): Promise<void>;
  end(): Promise<void>;
}

async function serveOutside(prepare: (project: Project) => void): Promise<Served> {
  const project = await copyProject();
  prepare(project);
  const server = await serve(project.folder, DEV);
  return {
    project,
    async until(number) {
      await askUntil(server.url, "GET /outside", ({ text }) => text === String(number));
    },
    async end() {
      assert.is((await server.stop()).status, 0);
    },
  };
}

const handler = (number: number): string => `export const get = () => ${number};\n`;
const value = (number: number): string => `export const number: number = ${number};\n`;
const importing = (from: string): string =>
  `import { number } from ${JSON.stringify(from)};\nexport const get = () => number;\n`;

test("a linked folder is followed when what it leads to is removed, made again, swapped, and linked again", async () => {
  const outside = createFolder("outside");
  const at = (name: string): string => join(outside, name);
  writeWhole(at("one/outside.ts"), handler(1));
  writeWhole(at("two/outside.ts"), handler(2));
  symlinkSync(at("one"), at("current"));
  const { until, end } = await serveOutside(({ folder }) => {
    rmSync(join(folder, "routes"), { recursive: true });
    symlinkSync(at("current"), join(folder, "routes"));
  });
  await until(1);
  renameSync(at("one"), at("away"));
  renameSync(at("two"), at("one"));
  await until(2);
  writeWhole(at("one/outside.ts"), handler(3));
  await until(3);
  rmSync(at("one"), { recursive: true });
  mkdirSync(at("one"));
  writeWhole(at("one/outside.ts"), handler(4));
  await until(4);
  writeWhole(at("one/outside.ts"), handler(5));
  await until(5);
  unlinkSync(at("current"));
  symlinkSync(at("away"), at("current"));
  await until(1);
  writeWhole(at("away/outside.ts"), handler(6));
  await until(6);
  await end();
});

test("a file outside of the project that a module imports is followed, when it was missing and when its folder is swapped, too", async () => {
  const { project, until, end } = await serveOutside((project) => {
    writeWhole(join(project.folder, "../shared/number.ts"), value(1));
    project.write("routes/outside.ts", importing("../../shared/number.ts"));
  });
  const shared = join(project.folder, "../shared");
  const write = (number: number): void => writeWhole(join(shared, "number.ts"), value(number));
  await until(1);
  write(2);
  await until(2);
  rmSync(join(shared, "number.ts"));
  write(3);
  await until(3);
  renameSync(shared, `${shared}-away`);
  writeWhole(join(`${shared}-new`, "number.ts"), value(4));
  renameSync(`${shared}-new`, shared);
  await until(4);
  write(5);
  await until(5);
  project.write("routes/outside.ts", importing("../../later/number.ts"));
  writeWhole(join(project.folder, "../later/number.ts"), value(6));
  await until(6);
  await end();
});

test("a linked package of a workspace is followed, and what it imports and requires", async () => {
  const workspace = createFolder("workspace");
  const file = (name: string): string => join(workspace, "packages/numbers", name);
  writeWhole(file("package.json"), '{ "name": "numbers", "type": "module", "exports": "./src/index.ts" }\n');
  writeWhole(file("src/index.ts"), 'export { number } from "./number.ts";\n');
  writeWhole(file("src/number.ts"), 'import number from "./old.cjs";\nexport { number };\n');
  writeWhole(file("src/old.cjs"), 'module.exports = require("./number.json");\n');
  writeWhole(file("src/number.json"), "1");
  const { until, end } = await serveOutside((project) => {
    mkdirSync(join(project.folder, "node_modules"));
    symlinkSync(join(workspace, "packages/numbers"), join(project.folder, "node_modules/numbers"));
    project.write("routes/outside.ts", importing("numbers"));
  });
  await until(1);
  writeWhole(file("src/number.json"), "2");
  await until(2);
  writeWhole(file("src/old.cjs"), "module.exports = 3;\n");
  await until(3);
  writeWhole(file("src/number.ts"), value(4));
  await until(4);
  writeWhole(file("src/index.ts"), value(5));
  await until(5);
  await end();
});

test("a source in a folder that is not watched is followed once a module imports it", async () => {
  const { project, until, end } = await serveOutside((project) => {
    project.write(".generated/number.ts", value(1));
    project.write("routes/outside.ts", importing("../.generated/number.ts"));
  });
  await until(1);
  project.write(".generated/number.ts", value(2));
  await until(2);
  await end();
});

test.run();
