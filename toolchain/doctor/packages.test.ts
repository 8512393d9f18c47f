import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { createFiles } from "#convention/source/files";
import { isJsonFile } from "../load/json.ts";
import { readPackageFile } from "../load/package-file.ts";
import { checkInstalled } from "./packages.ts";

const test = suite<{ root: string }>("installed");

test.before.each((context) => {
  context.root = realpathSync(mkdtempSync(join(tmpdir(), "installed-")));
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

const PROJECT = "packages/api";
const MANIFEST = { version: "1.0.0", files: { "index.js": "0", "core.js": "0" } };
const FRAMEWORK = { "manifest.json": MANIFEST, "index.js": "new", "core.js": "core", "package.json": {} };

function lay(root: string, folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [file, value] of Object.entries(files)) {
    const path = join(root, folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value, null, 2));
  }
}

/** In the folder {@link PROJECT}, with a framework. */
function findIn(root: string, packageJson: Readonly<Record<string, unknown>>): readonly Diagnostic[] {
  lay(root, PROJECT, { "package.json": packageJson });
  lay(root, `${PROJECT}/vendor/framework`, FRAMEWORK);
  const project = join(root, PROJECT);
  const read = readPackageFile(createFiles(project));
  return isJsonFile(read) ? checkInstalled(project, read) : read;
}

const FRAMEWORK_ALONE = { framework: "file:vendor/framework" };
const TOOLS = { uvu: "^0.5.6", "socket.io": "^4" };

test("with nothing installed there is nothing to say", ({ root }) => {
  assert.equal(findIn(root, { dependencies: FRAMEWORK_ALONE, devDependencies: TOOLS }), []);
});

test("what the project's own code imports has to be installed, also where nothing is", ({ root }) => {
  const [found, ...others] = findIn(root, { dependencies: { ...FRAMEWORK_ALONE, pino: "^9" } });
  assert.equal(others, []);
  assert.is(found?.code, "FW833");
  assert.match(found?.message ?? "", "lists `framework` and `pino`");
  assert.is(found?.hint, "Install: npm install");
});

test("each package that is missing is told at its own line", ({ root }) => {
  lay(root, PROJECT, { "node_modules/uvu/package.json": {}, "node_modules/framework/package.json": {} });
  rmSync(join(root, PROJECT, "node_modules/framework"), { recursive: true });
  symlinkSync("../vendor/framework", join(root, PROJECT, "node_modules/framework"));
  const dependencies = { ...FRAMEWORK_ALONE, pino: "^9" };
  const [found] = findIn(root, { dependencies, devDependencies: TOOLS });
  assert.equal(
    found?.locations.map(({ file, line, column }) => `${file}:${line}:${column}`),
    ["package.json:4:5", "package.json:8:5"],
  );
});

for (const [lockfile, command] of [
  ["pnpm-lock.yaml", "pnpm install"],
  ["yarn.lock", "yarn install"],
  ["bun.lock", "bun install"],
  ["package-lock.json", "npm install"],
]) {
  test(`in a workspace it is the lockfile above that tells what installs: ${lockfile}`, ({ root }) => {
    lay(root, "", { [lockfile ?? ""]: "" });
    const [found] = findIn(root, { dependencies: { pino: "^9" } });
    assert.is(found?.hint, `Install: ${command}`);
  });
}

test("the nearest lockfile counts", ({ root }) => {
  lay(root, "", { "yarn.lock": "" });
  lay(root, PROJECT, { "package-lock.json": "{}" });
  assert.is(findIn(root, { dependencies: { pino: "^9" } })[0]?.hint, "Install: npm install");
});

test("with Plug'n'Play, of the project or of its workspace, there is no folder to look in", ({ root }) => {
  lay(root, "", { ".pnp.cjs": "" });
  assert.equal(findIn(root, { dependencies: { pino: "^9" } }), []);
});

for (const [where, folder] of [
  [`${PROJECT}/node_modules`, "node_modules/framework"],
  ["node_modules", "../../node_modules/framework"],
]) {
  test(`a copy of the framework from before is told at its place: ${folder}`, ({ root }) => {
    lay(root, `${where}/framework`, { ...FRAMEWORK, "index.js": "old" });
    const [found, ...others] = findIn(root, { dependencies: FRAMEWORK_ALONE });
    assert.equal(others, []);
    assert.is(found?.code, "FW834");
    assert.is(found?.locations[0]?.file, `${folder}/index.js`);
    assert.is(found?.hint, `Remove the folder ${folder}, then: npm install`);
  });
}

/** From a folder with `node_modules` to the folder that `framework` is linked to. */
const LINKS: readonly (readonly [what: string, where: string, target: string, codes: readonly string[]])[] = [
  ["the project's own vendored folder", PROJECT, `${PROJECT}/vendor/framework`, []],
  ["its own, by a link of the workspace", "", `${PROJECT}/vendor/framework`, []],
  ["that of another project of the workspace", "", "packages/other/vendor/framework", ["FW845"]],
  ["that of a project above", "", "vendor/framework", ["FW845"]],
  ["that of a project that it was copied from", PROJECT, "packages/other/vendor/framework", ["FW845"]],
  ["the same copy elsewhere", "", "store/framework", []],
];
for (const [what, where, target, codes] of LINKS) {
  test(`a link to ${what} is ${codes.length === 0 ? "fine" : "an error"}`, ({ root }) => {
    lay(root, target, FRAMEWORK);
    mkdirSync(join(root, where, "node_modules"), { recursive: true });
    symlinkSync(join(root, target), join(root, where, "node_modules/framework"), "junction");
    const found = findIn(root, { dependencies: FRAMEWORK_ALONE });
    assert.equal(
      found.map(({ code }) => code),
      codes,
    );
    if (found[0]) assert.is(found[0].locations[0]?.line, 3, "it is the dependency in package.json");
  });
}

test("another package of that name is reported", ({ root }) => {
  lay(root, `${PROJECT}/node_modules/framework`, { "package.json": { name: "framework" } });
  assert.is(findIn(root, { dependencies: FRAMEWORK_ALONE })[0]?.code, "FW834");
});

test.run();
