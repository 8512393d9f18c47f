/** git itself judges the packs: what it can't read it says. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Files } from "./archive.ts";
import { createPackRecord } from "./build/git-pack-record.ts";
import { savePackRecord, writePack } from "./git-pack.ts";

const test = suite<{ folder: string }>("git-pack");

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), "git-pack-"));
  mkdirSync(join(context.folder, "template"));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

/** Lengths at which the format changes: of a size in 4, 11 and 18 bits, and of one, two and three blocks. */
const LENGTHS = [0, 1, 15, 16, 2047, 2048, 65_535, 65_536, 131_070, 131_071, 262_143, 262_144];

const FILES: Files = new Map([
  ...LENGTHS.map((length) => [`${length}.js`, Buffer.alloc(length, `${length} `)] as const),
  ["again/16.js", Buffer.alloc(16, "16 ")],
]);

function git(folder: string, ...words: string[]): string {
  return execFileSync("git", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A repository with the files in it, and the pack, if there is one. */
function lay(folder: string, files: Files, ...options: string[]): void {
  git(folder, "init", "--quiet", ...options);
  for (const [file, bytes] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), bytes);
  }
  savePackRecord(folder, createPackRecord(FILES));
  writePack(join(folder, ".git"), FILES, folder);
}

function countLoose(folder: string): number {
  return Number(/^count: (\d+)$/m.exec(git(folder, "count-objects", "-v"))?.[1]);
}

test("git finds every file of any length in the pack, and has none to make", ({ folder }) => {
  lay(folder, FILES);
  git(folder, "add", ...FILES.keys());
  assert.is(countLoose(folder), 0);
  assert.is(git(folder, "status", "--porcelain", ...FILES.keys()).split("\n").length - 1, FILES.size);
  for (const [file, bytes] of FILES) {
    const read = execFileSync("git", ["cat-file", "blob", `:${file}`], { cwd: folder });
    assert.ok(read.equals(bytes), file);
  }
});

test("git finds the pack in order, each object once", ({ folder }) => {
  lay(folder, FILES);
  git(folder, "fsck", "--full", "--strict");
  const [pack = ""] = readdirSync(join(folder, ".git/objects/pack")).filter((file) => file.endsWith(".idx"));
  assert.match(
    git(folder, "verify-pack", "-v", `.git/objects/pack/${pack}`),
    `non delta: ${LENGTHS.length} objects`,
  );
});

test("of a file that was edited git makes an object itself", ({ folder }) => {
  lay(folder, new Map([...FILES, ["16.js", Buffer.from("mine")]]));
  git(folder, "add", ...FILES.keys());
  assert.is(countLoose(folder), 1);
  assert.is(git(folder, "cat-file", "blob", ":16.js"), "mine");
});

test("a pack that can't be written whole is taken away again, and git makes all objects itself", ({
  folder,
}) => {
  lay(folder, FILES);
  const packs = join(folder, ".git/objects/pack");
  const index = readdirSync(packs).find((file) => file.endsWith(".idx")) ?? "";
  for (const file of readdirSync(packs)) rmSync(join(packs, file));
  mkdirSync(join(packs, index));
  writePack(join(folder, ".git"), FILES, folder);
  assert.equal(readdirSync(packs), []);
  git(folder, "add", ...FILES.keys());
  assert.is(countLoose(folder), LENGTHS.length);
});

test("a repository that names its objects by SHA-256 gets no pack", ({ folder }) => {
  lay(folder, FILES, "--object-format=sha256");
  assert.equal(readdirSync(join(folder, ".git/objects/pack")), []);
  git(folder, "add", ...FILES.keys());
  git(folder, "fsck", "--full", "--strict");
});

test.run();
