import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, writeFiles } from "#convention/folder.fixture";
import { BUILT_SERVER, newerThanBuild, writeBuildRecord } from "./record.ts";

/** Of types alone: the build has them in its checks. */
const TYPES = "node_modules/levels/index.d.ts";

const INPUTS = {
  "framework.toml": 'apps = ["users"]\n',
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": "export function get_all() {}\n",
  "lib/words.json": "{}\n",
  [TYPES]: "export type Level = 1;\n",
};

/** What decides which packages the sources import. No module of the build. */
const PACKAGES = { "package.json": '{ "type": "module" }', "package-lock.json": "{}" };

const test = suite<{ root: string }>("build record");

test.before.each((context) => {
  context.root = createFolder({ ...INPUTS, ...PACKAGES, [BUILT_SERVER]: "" });
  writeBuildRecord(context.root, Object.keys(INPUTS), [BUILT_SERVER]);
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

test("a build is current as long as what it was made from is", ({ root }) => {
  assert.is(newerThanBuild(root), undefined);
});

for (const file of [
  "apps/users/views.ts",
  "lib/words.json",
  TYPES,
  "routes/new.ts",
  "apps/new/app.toml",
  "_hooks.ts",
  "database/migrate.ts",
  "package.json",
  "package-lock.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
]) {
  test(`a new or changed ${file} makes it out of date`, ({ root }) => {
    writeFiles(root, { [file]: "\n" });
    assert.is(newerThanBuild(root), file);
  });
}

test("a removed file makes it out of date", ({ root }) => {
  rmSync(join(root, "apps/users/views.ts"));
  assert.is(newerThanBuild(root), "apps/users/views.ts");
});

for (const file of ["package.json", "package-lock.json", TYPES]) {
  test(`a copy without ${file} is current`, ({ root }) => {
    rmSync(join(root, file));
    assert.is(newerThanBuild(root), undefined);
  });
}

test("in a workspace the lock file above the project counts", ({ root }) => {
  const project = join(root, "packages/shop");
  writeFiles(project, { ...INPUTS, "package.json": "{}", [BUILT_SERVER]: "" });
  writeBuildRecord(project, Object.keys(INPUTS), [BUILT_SERVER]);
  assert.is(newerThanBuild(project), undefined);
  writeFiles(root, { "package-lock.json": "\n" });
  assert.is(newerThanBuild(project), "../../package-lock.json");
});

for (const file of ["apps/.DS_Store", "apps/users/visits.json", "routes/.index.ts.swp"]) {
  test(`${file}, which adds no route and was imported by none, does not`, ({ root }) => {
    writeFiles(root, { [file]: "\n" });
    assert.is(newerThanBuild(root), undefined);
  });
}

test.run();
