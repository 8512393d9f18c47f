/**
 * That an upgrade loses no edit: the framework's files edited at random, through three versions that are made of this one, and with
 * a long run from three real ones, built from the repository's history, to this one.
 */

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, runs, SEED } from "../runtime/random.fixture.ts";
import { type Outcome, run, runWell } from "./harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { packOnce, unpackOnce } from "./harness/package.ts";
import { createOnce } from "./harness/project.ts";
import { createFolder, limitRun, REPOSITORY } from "./harness/workspace.ts";
import { type Edit, edits, editText, findLost, keepBoth } from "./upgrade/edits.ts";
import { createVariant, type Draft, packVariant, readTree, type Variant } from "./upgrade/variants.ts";

const USERS = runs(1, 10);
if (IS_LONG) limitRun(60);

/** Commits whose frameworks differ much, from the oldest. */
const COMMITS = ["62f9257", "081adb4", "4494884", "e8436e7"];

const VENDORED = "vendor/framework";
const WAITING = "vendor/framework.new";

/** Each changes the third of all files, at several places. */
const createVersions = once("versions to upgrade through", async () => {
  await packOnce();
  const versions = ["90.2.0", "90.3.0", "90.4.0"];
  return Promise.all(
    versions.map((version, index) => createVariant(version, (draft) => rework(draft, index))),
  );
});

function rework(draft: Draft, which: number): void {
  const files = Object.keys(readTree(draft.folder)).filter(isEditable);
  for (const file of files.filter((_, index) => index % 3 === which)) {
    const lines = draft.read(file).split("\n");
    // Between the parts of a file, so that it still runs.
    const reworked = lines.flatMap((line, at) =>
      /^(?:\/\*\*|import |export )/.test(line) ? [`// ${which} ${at}`, line] : [line],
    );
    draft.write(file, reworked.join("\n"));
  }
}

/** What is merged line by line. */
function isEditable(file: string): boolean {
  return /\.(?:js|d\.ts)$/.test(file) && !/^(?:deps|tools)\//.test(file);
}

/** A version as it was built from a commit. */
async function buildCommit(commit: string): Promise<Variant> {
  const folder = createFolder("commit");
  const archive = execFileSync("git", ["archive", commit], { cwd: REPOSITORY, maxBuffer: 2 ** 28 });
  execFileSync("tar", ["-x"], { cwd: folder, input: archive });
  mkdirSync(join(folder, "node_modules"));
  for (const entry of readdirSync(join(REPOSITORY, "node_modules"))) {
    symlinkSync(join(REPOSITORY, "node_modules", entry), join(folder, "node_modules", entry));
  }
  const build = ["create/build/build.ts", "generators/project/build.ts"].find((file) =>
    existsSync(join(folder, file)),
  );
  const words = [process.execPath, "--import", "tsx", build ?? ""];
  await runWell(words, { cwd: folder, env: ordinaryEnvironment() });
  return packVariant(`0.0.${COMMITS.indexOf(commit)}`, join(folder, "dist/framework"));
}

/** A created project that has another version's framework. */
async function layOut(files: Variant["files"]): Promise<string> {
  const { folder } = await createOnce();
  const project = createFolder("project");
  cpSync(folder, project, { recursive: true, filter: (path) => !/[\\/](?:\.git|framework)$/.test(path) });
  for (const [file, bytes] of Object.entries(files)) {
    mkdirSync(join(project, VENDORED, file, ".."), { recursive: true });
    writeFileSync(join(project, VENDORED, file), bytes);
  }
  return project;
}

function editFiles(project: string, user: readonly Edit[], name: string): void {
  const files = Object.keys(readTree(join(project, VENDORED))).filter(isEditable);
  for (const edit of user) {
    const file = join(project, VENDORED, files[Math.floor(edit.file * files.length)] ?? "");
    writeFileSync(file, editText(readFileSync(file, "utf8"), edit, name));
  }
}

/** By the newer framework, as its package starts it: that works even where the edits have broken what is there. */
function upgrade(project: string, { framework }: Variant, ...words: string[]): Promise<Outcome> {
  const command = [join(framework, "tools/cli.js"), "upgrade", "--from", dirname(framework), ...words];
  return run([process.execPath, ...command], { cwd: project, env: isolatedEnvironment() });
}

/** Upgrades, gives up where there are conflicts, and does it again, keeping both sides. @returns what is wrong, and how many files were merged. */
async function judge(
  project: string,
  from: Variant,
  to: Variant,
): Promise<{ wrong: string[]; merged: number }> {
  const before = readTree(project);
  const wrong: string[] = [];
  const base = `--base=${from.folder}`;
  let resolved: Variant["files"] = {};
  let outcome = await upgrade(project, to, base);
  if (outcome.status === 1 && outcome.stderr.includes("FW805")) {
    await upgrade(project, to, "--abort");
    if (!isSame(before, readTree(project))) wrong.push("--abort does not give back what was");
    const { stderr } = await upgrade(project, to, base);
    wrong.push(...compare(before, from.files, to, readTree(join(project, WAITING))));
    resolved = resolve(join(project, WAITING), stderr);
    outcome = await upgrade(project, to, "--continue");
  }
  if (outcome.status !== 0) return { wrong: [...wrong, outcome.stderr], merged: 0 };
  const after = readTree(join(project, VENDORED));
  // What the user resolved is the user's, and the rest is judged.
  const clean = Object.entries(after).filter(([file]) => resolved[file] === undefined);
  wrong.push(...compare(before, from.files, to, Object.fromEntries(clean)));
  for (const [file, bytes] of Object.entries(resolved)) {
    if (!after[file]?.equals(bytes)) wrong.push(`${file} is not as it was resolved`);
  }
  for (const file of editedFiles(before, from.files).filter((edited) => to.files[edited] === undefined)) {
    if (!after[`${file}.edited`]?.equals(before[`${VENDORED}/${file}`] ?? Buffer.of()))
      wrong.push(`${file} is not kept`);
  }
  for (const file of Object.keys(to.files)) {
    const isUntouched = before[`${VENDORED}/${file}`]?.equals(from.files[file] ?? Buffer.of()) !== false;
    if (isUntouched && !after[file]?.equals(to.files[file] ?? Buffer.of()))
      wrong.push(`${file} is not as it came`);
  }
  return { wrong, merged: editedFiles(before, from.files).length };
}

/** Other line ends are no edit: a checkout on Windows has them. */
function editedFiles(before: Variant["files"], from: Variant["files"]): string[] {
  return Object.keys(from).filter((file) => {
    const text = before[`${VENDORED}/${file}`];
    return text !== undefined && toUnix(text) !== toUnix(from[file] ?? Buffer.of());
  });
}

function toUnix(bytes: Buffer): string {
  return bytes.toString("latin1").replaceAll("\r\n", "\n");
}

/** @param results merged files, or those with conflicts. */
function compare(
  before: Variant["files"],
  from: Variant["files"],
  to: Variant,
  results: Variant["files"],
): string[] {
  return editedFiles(before, from).flatMap((file) => {
    const merged = results[file];
    const [base, yours, theirs] = [from[file], before[`${VENDORED}/${file}`], to.files[file]].map(String);
    if (merged === undefined || to.files[file] === undefined) return [];
    const lost = findLost({
      base: base ?? "",
      yours: yours ?? "",
      theirs: theirs ?? "",
      merged: String(merged),
    });
    return lost.map((line) => `${to.version} ${file}: ${line}`);
  });
}

/** @param stderr names the files in conflict. */
function resolve(folder: string, stderr: string): Variant["files"] {
  const named = [...stderr.matchAll(/^ {2}vendor\/framework\.new\/(\S+):\d+:1$/gm)].map(
    ([, file = ""]) => file,
  );
  const files = [...new Set(named)];
  for (const file of files)
    writeFileSync(join(folder, file), keepBoth(readFileSync(join(folder, file), "utf8")));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file))]));
}

function isSame(one: Variant["files"], other: Variant["files"]): boolean {
  const files = Object.keys(one);
  return (
    files.length === Object.keys(other).length &&
    files.every((file) => one[file]?.equals(other[file] ?? Buffer.of()))
  );
}

test("through three versions, no edit is lost, and what was not edited is as it comes", async () => {
  const versions = await createVersions();
  const framework = join((await createOnce()).folder, VENDORED);
  const first = { version: "", folder: await unpackOnce(), framework, files: readTree(framework) };
  for (const user of fc.sample(edits, { numRuns: USERS, seed: SEED })) {
    const project = await layOut(first.files);
    let from: Variant = first;
    for (const to of versions) {
      editFiles(
        project,
        user.filter((_, index) => index % 3 === versions.indexOf(to)),
        to.version,
      );
      const { wrong, merged } = await judge(project, from, to);
      assert.equal(wrong, []);
      assert.ok(merged > 5, `${merged} files were edited`);
      from = to;
    }
    rmSync(project, { recursive: true });
  }
});

if (IS_LONG) {
  const createThis = once("this version", () => createVariant("90.1.0", () => {}));
  for (const commit of COMMITS) {
    test(`from ${commit} to this version, no edit is lost, and what was not edited is as it comes`, async () => {
      const [old, to] = [await buildCommit(commit), await createThis()];
      let total = 0;
      for (const user of fc.sample(edits, { numRuns: USERS, seed: SEED })) {
        const project = await layOut(old.files);
        editFiles(project, user, commit);
        const { wrong, merged } = await judge(project, old, to);
        assert.equal(wrong, []);
        total += merged;
        rmSync(project, { recursive: true });
      }
      console.log(`${commit}: ${Object.keys(old.files).length} files, ${total} edited in ${USERS} projects`);
    });
  }
}

test.run();
