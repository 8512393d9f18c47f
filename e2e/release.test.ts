/** A release, in a copy of the repository: the same sources give the same bytes, and `npm version` is all that a version needs. */

import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Outcome, run, runWell } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { type Package, packFolder, packOnce } from "./harness/package.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

const COPIED = [
  ".ci",
  "CHANGELOG.md",
  "LICENSE",
  "biome.json",
  "README.md",
  "generators",
  "create",
  "package-lock.json",
  "package.json",
  "runtime",
  "convention",
  "toolchain",
  "template",
  "tsconfig.json",
];

const NEXT = "9.8.7";
const CHANGELOG = "CHANGELOG.md";
const WORKFLOWS = join(REPOSITORY, ".github/workflows");

const env = isolatedEnvironment();

/** What the build and the release need of the repository, committed, with the same packages at hand. */
async function copyRepository(): Promise<string> {
  const copy = createFolder("repository");
  for (const entry of COPIED) cpSync(join(REPOSITORY, entry), join(copy, entry), { recursive: true });
  writeFileSync(join(copy, ".gitignore"), "node_modules/\ndist/\n");
  // A folder of links and no link to a folder: the build writes into it.
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(REPOSITORY, "node_modules")).filter(
    (entry) => !entry.startsWith("."),
  )) {
    symlinkSync(join(REPOSITORY, "node_modules", name), join(copy, "node_modules", name), "junction");
  }
  await inCopy(copy, "git", "init", "--quiet");
  await commitAll(copy, "As it is");
  return copy;
}

async function inCopy(copy: string, ...words: string[]): Promise<string> {
  return (await runWell(words, { cwd: copy, env })).stdout;
}

async function commitAll(copy: string, message: string): Promise<void> {
  await inCopy(copy, "git", "add", "--all");
  await inCopy(copy, "git", "commit", "--quiet", "--message", message);
}

async function buildAndPack(copy: string): Promise<Package> {
  await inCopy(copy, "npm", "run", "build");
  return packFolder(copy, createFolder("packed"));
}

/** As the release workflow does. */
function check(copy: string, tag: string): Promise<Outcome> {
  return run([process.execPath, "--import", "tsx", ".ci/release.ts", "check", tag], { cwd: copy, env });
}

/** A copy in which `npm version` has been run. */
const released = once("released copy", async () => {
  const copy = await copyRepository();
  const log = readFileSync(join(copy, CHANGELOG), "utf8");
  writeFileSync(join(copy, CHANGELOG), log.replace("## [Unreleased]\n", "## [Unreleased]\n\n- A test.\n"));
  await commitAll(copy, "Something new");
  await inCopy(copy, "npm", "version", NEXT);
  return copy;
});

test("a build in another folder and under another umask gives the same tarball, byte for byte", async () => {
  const copy = await copyRepository();
  const habit = process.umask(0o077);
  const { tarball } = await buildAndPack(copy).finally(() => process.umask(habit));
  assert.ok(readFileSync(tarball).equals(readFileSync((await packOnce()).tarball)));
});

test("npm version makes one commit and one tag, and leaves nothing behind", async () => {
  const copy = await released();
  assert.is((await inCopy(copy, "git", "tag")).trim(), `v${NEXT}`);
  assert.is(await inCopy(copy, "git", "status", "--porcelain"), "");
  const changed = await inCopy(copy, "git", "diff", "--name-only", "HEAD~1");
  assert.equal(changed.trim().split("\n"), [CHANGELOG, "package-lock.json", "package.json"]);
});

test("npm version gives what is unreleased the version and a date, and nothing else of the changelog changes", async () => {
  const copy = await released();
  const before = await inCopy(copy, "git", "show", `HEAD~1:${CHANGELOG}`);
  const after = readFileSync(join(copy, CHANGELOG), "utf8");
  const heading = new RegExp(`\n## \\[${NEXT}\\] - \\d{4}-\\d{2}-\\d{2}\n`);
  assert.match(after, new RegExp(`^## \\[Unreleased\\]\n${heading.source}\n- A test\\.$`, "m"));
  assert.is(after.replace(heading, ""), before);
});

test("npm version changes nothing where the changelog has nothing new", async () => {
  const copy = await copyRepository();
  const log = readFileSync(join(copy, CHANGELOG), "utf8");
  writeFileSync(join(copy, CHANGELOG), log.replace(/(## \[Unreleased\]\n)[\s\S]*?(?=\n## \[|$)/, "$1"));
  await commitAll(copy, "Nothing new");
  const { status, stderr } = await run(["npm", "version", NEXT], { cwd: copy, env });
  assert.is(status, 1);
  assert.match(stderr, "nothing under [Unreleased]");
  assert.is(await inCopy(copy, "git", "status", "--porcelain"), "");
  assert.is(await inCopy(copy, "git", "tag"), "");
});

test("a tag is released only where package.json and the changelog say the same", async () => {
  const copy = await released();
  assert.is((await check(copy, `v${NEXT}`)).status, 0);
  const other = await check(copy, "v9.9.9");
  assert.is(other.status, 1);
  assert.match(other.stderr, `The tag is v9.9.9, and package.json says ${NEXT}.`);
  await inCopy(copy, "npm", "version", "10.0.0", "--ignore-scripts", "--no-git-tag-version");
  const untold = await check(copy, "v10.0.0");
  await inCopy(copy, "git", "checkout", "--quiet", ".");
  assert.is(untold.status, 1);
  assert.match(untold.stderr, `the newest entry of CHANGELOG.md is ${NEXT}`);
});

test("the version of package.json is the version everywhere", async () => {
  const copy = await released();
  const { tarball, version } = await buildAndPack(copy);
  assert.is(version, NEXT);
  const folder = createFolder("version");
  const inFolder = async (...words: string[]): Promise<string> =>
    (await runWell(words, { cwd: folder, env })).stdout.trim();
  await inFolder("tar", "-xzf", tarball);
  assert.is(await inFolder(process.execPath, "package/dist/create.cjs", "--version"), NEXT);
  await inFolder(process.execPath, "package/dist/create.cjs", "my-app", "--yes", "--no-git");
  assert.match(await inFolder(process.execPath, "my-app/vendor/framework", "--version"), NEXT);
  for (const file of ["manifest.json", "package.json"]) {
    assert.is(JSON.parse(readFileSync(join(folder, "my-app/vendor/framework", file), "utf8")).version, NEXT);
  }
});

test("the changelog's newest entry is the version of package.json, once there has been a release", () => {
  const read = (file: string): string => readFileSync(join(REPOSITORY, file), "utf8");
  const newest = /^## \[(\d[^\]]*)\]/m.exec(read(CHANGELOG))?.[1];
  assert.is(newest ?? JSON.parse(read("package.json")).version, JSON.parse(read("package.json")).version);
});

for (const file of readdirSync(WORKFLOWS)) {
  test(`${file} takes the actions of others by their full commit, and names the version beside it`, () => {
    const text = readFileSync(join(WORKFLOWS, file), "utf8");
    const used = text.split("\n").filter((line) => /\buses:/.test(line));
    const loose = used.filter((line) => !/uses: (?:\.\/|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/.test(line));
    assert.ok(used.length > 0);
    assert.equal(loose, []);
  });
}

test.run();
