/** A release, in a copy of the repository: the same sources give the same bytes, and `npm version` is all that a version needs. */

import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
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
  await shell(copy, "git init --quiet", "git add --all", "git commit --quiet --message 'As it is'");
  return copy;
}

async function inCopy(copy: string, ...words: string[]): Promise<string> {
  return (await runWell(words, { cwd: copy, env })).stdout;
}

/** @param lines of a shell. */
function shell(copy: string, ...lines: string[]): Promise<string> {
  return inCopy(copy, "sh", "-ec", lines.join("\n"));
}

async function buildAndPack(copy: string): Promise<Package> {
  await inCopy(copy, process.execPath, "--import", "tsx", "create/build/build.ts");
  return packFolder(copy, createFolder("packed"));
}

/** As the release workflow does. */
function check(copy: string, tag: string): Promise<Outcome> {
  return run([process.execPath, "--import", "tsx", ".ci/release.ts", "check", tag], { cwd: copy, env });
}

/** One for all tests, which come after one another. */
const copied = once("copied repository", copyRepository);

/** The copy after `npm version`. */
const released = once("released copy", async () => {
  const copy = await copied();
  const log = readFileSync(join(copy, CHANGELOG), "utf8");
  writeFileSync(join(copy, CHANGELOG), log.replace("## [Unreleased]\n", "## [Unreleased]\n\n- A test.\n"));
  await shell(copy, "git commit --quiet --all --message 'Something new'", `npm version ${NEXT}`);
  return copy;
});

/** A build takes long, and so does npm. */
const [SAME, VERSION, COMMIT] = ["the same bytes", "the version everywhere", "the commit"];
const parts = sample("parts of a release", [SAME, VERSION, COMMIT], 1);
const testCommit = parts.includes(COMMIT) ? test : test.skip;

if (parts.includes(SAME)) {
  test("a build in another folder and under another umask gives the same tarball, byte for byte", async () => {
    const copy = await copied();
    const habit = process.umask(0o077);
    const { tarball } = await buildAndPack(copy).finally(() => process.umask(habit));
    assert.ok(readFileSync(tarball).equals(readFileSync((await packOnce()).tarball)));
  });
}

testCommit("npm version changes nothing where the changelog has nothing new", async () => {
  const copy = await copied();
  const log = readFileSync(join(copy, CHANGELOG), "utf8");
  writeFileSync(join(copy, CHANGELOG), log.replace(/(## \[Unreleased\]\n)[\s\S]*?(?=\n## \[|$)/, "$1"));
  await shell(copy, "git commit --quiet --all --message 'Nothing new'");
  const { status, stderr } = await run(["npm", "version", NEXT], { cwd: copy, env });
  assert.is(status, 1);
  assert.match(stderr, "nothing under [Unreleased]");
  assert.is(await shell(copy, "git status --porcelain", "git tag", "git reset --quiet --hard HEAD~1"), "");
});

testCommit("npm version makes one commit and one tag, and leaves nothing behind", async () => {
  const printed = await shell(
    await released(),
    "git tag",
    "git status --porcelain",
    "git diff --name-only HEAD~1",
  );
  assert.equal(printed.trim().split("\n"), [`v${NEXT}`, CHANGELOG, "package-lock.json", "package.json"]);
});

testCommit(
  "npm version gives what is unreleased the version and a date, and nothing else of the changelog changes",
  async () => {
    const copy = await released();
    const before = await inCopy(copy, "git", "show", `HEAD~1:${CHANGELOG}`);
    const after = readFileSync(join(copy, CHANGELOG), "utf8");
    const heading = new RegExp(`\n## \\[${NEXT}\\] - \\d{4}-\\d{2}-\\d{2}\n`);
    assert.match(after, new RegExp(`^## \\[Unreleased\\]\n${heading.source}\n- A test\\.$`, "m"));
    assert.is(after.replace(heading, ""), before);
  },
);

testCommit("a tag is released only where package.json and the changelog say the same", async () => {
  const copy = await released();
  assert.is((await check(copy, `v${NEXT}`)).status, 0);
  const other = await check(copy, "v9.9.9");
  assert.is(other.status, 1);
  assert.match(other.stderr, `The tag is v9.9.9, and package.json says ${NEXT}.`);
  const manifest = readFileSync(join(copy, "package.json"), "utf8");
  writeFileSync(join(copy, "package.json"), manifest.replace(NEXT, "10.0.0"));
  const untold = await check(copy, "v10.0.0");
  writeFileSync(join(copy, "package.json"), manifest);
  assert.is(untold.status, 1);
  assert.match(untold.stderr, `the newest entry of CHANGELOG.md is ${NEXT}`);
});

if (parts.includes(VERSION)) {
  test("the version of package.json is the version everywhere", async () => {
    const { tarball, version } = await buildAndPack(await released());
    assert.is(version, NEXT);
    const folder = createFolder("version");
    const printed = await shell(
      folder,
      `tar -xzf ${tarball}`,
      "node package/dist/create.cjs --version",
      "node package/dist/create.cjs my-app --yes --no-git > created",
      "node my-app/vendor/framework --version",
    );
    assert.is(printed, `${NEXT}\nframework ${NEXT}\n`);
    for (const file of ["manifest.json", "package.json"]) {
      const text = readFileSync(join(folder, "my-app/vendor/framework", file), "utf8");
      assert.is(JSON.parse(text).version, NEXT);
    }
  });
}

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
