/** What we write for git is read by git itself. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Files, writeFiles } from "./archive.ts";
import { formatObjects, putObjects, recordObjects } from "./git-objects.ts";

const FOLDER = "vendor/framework";
const TIME = Math.floor(Date.now() / 1000) - 60;

/** As long as a length, a block or a byte of a length can be, one less and one more. */
const LENGTHS = [0, 1, 15, 16, 17, 2047, 2048, 65_534, 65_535, 65_536, 131_070, 131_071, 300_000];

const FILES: Files = new Map([
  ...LENGTHS.map((length): [string, Buffer] => [`of-${length}.js`, Buffer.alloc(length, "0123456789 \n")]),
  ["same.js", Buffer.alloc(16, "0123456789 \n")],
  ["below/Upper.js", Buffer.from("export {};\n")],
  ["below.js", Buffer.from("\r\n")],
  ["below/deeper/same.js", Buffer.alloc(16, "0123456789 \n")],
  [`${"long-".repeat(40)}.js`, Buffer.from("long\n")],
]);

const test = suite<{ cwd: string }>("git objects");

test.before.each((context) => {
  context.cwd = realpathSync(mkdtempSync(join(tmpdir(), "git-objects-")));
  writeFiles(FILES, join(context.cwd, FOLDER));
  for (const file of FILES.keys()) utimesSync(join(context.cwd, FOLDER, file), TIME, TIME);
});
test.after.each(({ cwd }) => rmSync(cwd, { recursive: true, force: true }));

function git(cwd: string, ...words: string[]): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", words, { cwd, encoding: "utf8", env, stdio: "pipe" });
}

function start(cwd: string, ...options: string[]): void {
  git(cwd, "init", "--quiet", ...options);
  const written = { folder: FOLDER, files: FILES, record: recordObjects(FILES, []), time: TIME };
  putObjects(join(cwd, ".git"), formatObjects(cwd, written));
}

/** @returns the tree that git makes of the folder when it reads every file. */
function readTree(cwd: string): string {
  rmSync(join(cwd, ".git"), { recursive: true, force: true });
  git(cwd, "init", "--quiet");
  git(cwd, "add", "--all");
  return git(cwd, "write-tree");
}

test("git finds every object sound, and every file in the index", ({ cwd }) => {
  start(cwd);
  assert.is(git(cwd, "ls-files", "--others", "--modified"), "");
  writeFileSync(join(cwd, "app.ts"), "");
  git(cwd, "add", "--all");
  assert.is(git(cwd, "fsck", "--full", "--strict", "--no-dangling"), "");
});

test("git has nothing left to add, and makes the tree that it makes by itself", ({ cwd }) => {
  start(cwd);
  git(cwd, "add", "--all");
  assert.match(git(cwd, "count-objects", "-v"), /^count: 0\n[\s\S]*^in-pack: 21\npacks: 1$/m);
  const tree = git(cwd, "write-tree");
  assert.match(git(cwd, "count-objects"), /^2 objects/, "the root, and vendor");
  assert.is(tree, readTree(cwd));
});

test("a file that somebody has changed, removed or added meanwhile is committed as it is", ({ cwd }) => {
  writeFileSync(join(cwd, FOLDER, "of-16.js"), "of another text\n");
  rmSync(join(cwd, FOLDER, "of-17.js"));
  writeFileSync(join(cwd, FOLDER, "other.js"), "");
  start(cwd);
  git(cwd, "add", "--all");
  assert.is(git(cwd, "write-tree"), readTree(cwd));
});

test("a repository of SHA-256 is left to git", ({ cwd }) => {
  start(cwd, "--object-format=sha256");
  assert.is(git(cwd, "ls-files"), "");
  git(cwd, "add", "--all");
  assert.is(git(cwd, "fsck", "--full", "--strict"), "");
});

test.run();
