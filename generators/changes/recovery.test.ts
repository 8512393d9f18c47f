import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { commitJournal, hashOf, type Journal, journalFile, planJournal } from "./journal.ts";
import { recoverChanges } from "./recovery.ts";

const test = suite<{ root: string; outside: string }>("recovery");

/** An edit of a.ts, a new b.ts in a new folder, and c.ts gone. */
const JOURNAL: Journal = {
  steps: [
    { file: "a.ts", temporary: "a.tmp", backup: "a.old", before: hashOf("a"), after: hashOf("A") },
    { file: "new/b.ts", temporary: "new/b.tmp", backup: null, before: null, after: hashOf("B") },
    { file: "c.ts", temporary: null, backup: "c.old", before: hashOf("c"), after: null },
  ],
  folders: ["new"],
};

const BEFORE = { "a.ts": "a", "c.ts": "c", "other.ts": "x" };
const AFTER = { "a.ts": "A", "new/b.ts": "B", "other.ts": "x" };
const BESIDE = { "a.tmp": "A", "a.old": "a", "new/b.tmp": "B", "c.old": "c" };

test.before.each((context) => {
  context.outside = mkdtempSync(join(tmpdir(), "recovery-"));
  context.root = join(context.outside, "project");
  lay(context.root, { ...BEFORE, ...BESIDE });
});
test.after.each(({ outside }) => rmSync(outside, { recursive: true }));

function lay(root: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

/** Every file with its text, and every folder that is empty. */
function tree(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const rows = entries.flatMap((entry): [string, string][] => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) return [[path.slice(root.length + 1), readFileSync(path, "utf8")]];
    return readdirSync(path).length === 0 ? [[path.slice(root.length + 1), "empty"]] : [];
  });
  return Object.fromEntries(rows.sort());
}

/** As the process left it that was killed when it had committed, and then made this many of the changes. */
function commit(root: string, made: number): void {
  planJournal(root, JOURNAL);
  commitJournal(root, JOURNAL);
  const make = [
    () => renameSync(join(root, "a.tmp"), join(root, "a.ts")),
    () => renameSync(join(root, "new/b.tmp"), join(root, "new/b.ts")),
    () => rmSync(join(root, "c.ts")),
  ];
  for (const step of make.slice(0, made)) step();
}

function says(root: string): string {
  const told = recoverChanges(root);
  return typeof told === "object" ? `${told.code} ${told.message}` : (told ?? "");
}

test("where nothing was interrupted there is nothing to do, and nothing to say", ({ root }) => {
  const before = tree(root);
  assert.is(says(root), "");
  assert.equal(tree(root), before);
});

test("what was only planned is cleared away, with the folders that it had made", ({ root }) => {
  planJournal(root, JOURNAL);
  assert.is(says(root), "Cleared away what an interrupted command had prepared.");
  assert.equal(tree(root), BEFORE);
});

for (const [made, files] of [
  [0, "a.ts, new/b.ts, c.ts"],
  [1, "new/b.ts, c.ts"],
  [2, "c.ts"],
] as const) {
  test(`what was committed is finished, ${made} of 3 being made`, ({ root }) => {
    commit(root, made);
    assert.is(says(root), `Finished what an interrupted command had begun: ${files}.`);
    assert.equal(tree(root), AFTER);
    assert.is(says(root), "", "once");
  });
}

test("what was all made is only cleared up after, whatever became of it since", ({ root }) => {
  commit(root, 3);
  writeFileSync(join(root, "a.ts"), "A and mine");
  assert.is(says(root), "");
  assert.equal(tree(root), { ...AFTER, "a.ts": "A and mine" });
});

test("a file that was edited on top of what was made keeps that, and the rest is finished", ({ root }) => {
  commit(root, 1);
  writeFileSync(join(root, "a.ts"), "A and mine");
  assert.match(says(root), "Finished");
  assert.equal(tree(root), { ...AFTER, "a.ts": "A and mine" });
});

test("where a file that waits was edited, all is taken back, and the edit stays", ({ root }) => {
  commit(root, 2);
  writeFileSync(join(root, "c.ts"), "c and mine");
  assert.is(
    says(root),
    "Took back what an interrupted command had begun. What was edited since stays as it is: c.ts.",
  );
  assert.equal(tree(root), { ...BEFORE, "c.ts": "c and mine" });
});

test("a new file that somebody made meanwhile is not overwritten", ({ root }) => {
  commit(root, 1);
  writeFileSync(join(root, "new/b.ts"), "mine");
  assert.match(says(root), "stays as it is: new/b.ts");
  assert.equal(tree(root), { ...BEFORE, "new/b.ts": "mine" });
});

test("taking back that was interrupted is gone on with", ({ root }) => {
  commit(root, 2);
  renameSync(journalFile(root, "committed"), journalFile(root, "withdrawn"));
  renameSync(join(root, "a.old"), join(root, "a.ts"));
  assert.is(says(root), "Took back what an interrupted command had begun.");
  assert.equal(tree(root), BEFORE);
});

test("what can't be finished is told, and finished when it can be", ({ root }) => {
  commit(root, 1);
  rmSync(join(root, "c.ts"));
  mkdirSync(join(root, "c.ts"));
  assert.match(says(root), /^FW622 |^FW624 /);
  rmSync(join(root, "c.ts"), { recursive: true });
  assert.match(says(root), "Finished");
  assert.equal(tree(root), AFTER);
});

test("a journal that was torn while it was written is thrown away: nothing else had been written", ({
  root,
}) => {
  for (const file of Object.keys(BESIDE)) rmSync(join(root, file));
  rmSync(join(root, "new"), { recursive: true });
  lay(root, { ".framework/planned.json": JSON.stringify(JOURNAL).slice(0, 40) });
  assert.is(says(root), "");
  assert.equal(tree(root), BEFORE);
});

for (const bad of ["../victim.ts", "/etc/victim.ts", "new/../../victim.ts"]) {
  test(`a journal that names ${bad} is believed nothing`, ({ root, outside }) => {
    writeFileSync(join(outside, "victim.ts"), "v");
    const [step] = JOURNAL.steps;
    const forged = { steps: [{ ...step, backup: bad, temporary: bad }], folders: [] };
    lay(root, { ".framework/committed.json": JSON.stringify(forged) });
    assert.is(says(root), "");
    assert.ok(existsSync(join(outside, "victim.ts")));
    assert.is(readFileSync(join(root, "a.ts"), "utf8"), "a");
  });
}

test.run();
