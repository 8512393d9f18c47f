import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Journal, journalFile, planJournal, type State } from "./journal.ts";
import { takeLock } from "./lock.ts";
import { isInterrupted, recoverChanges } from "./recovery.ts";

const JOURNAL: Journal = {
  steps: [{ file: "a.ts", temporary: ".a.ts.new", backup: null, before: null, after: null }],
  folders: [],
};

const test = suite<{ root: string }>("leftover");

test.before.each((context) => {
  context.root = mkdtempSync(join(tmpdir(), "leftover-"));
});
test.after.each(({ root }) => rmSync(root, { recursive: true }));

function leave(root: string, state: State, temporary: boolean): void {
  planJournal(root, JOURNAL);
  writeFileSync(journalFile(root, state), JSON.stringify(JOURNAL));
  if (state !== "planned") rmSync(journalFile(root, "planned"));
  if (temporary) writeFileSync(join(root, ".a.ts.new"), "1");
}

test("what a command has left half done counts once it works no more, and until somebody cleared up", async ({
  root,
}) => {
  assert.is(isInterrupted(root), false);
  const lock = await takeLock(root, () => {});
  if ("severity" in lock) throw new Error(lock.message);
  leave(root, "planned", true);
  assert.is(isInterrupted(root), false, "it is at work");
  lock.release();
  assert.is(isInterrupted(root), true);
  recoverChanges(root);
  assert.is(isInterrupted(root), false);
});

const STATES: readonly [state: State, temporary: boolean, expected: boolean, what: string][] = [
  ["planned", true, true, "a text that waits to be thrown away"],
  ["planned", false, false, "only the plan of a change"],
  ["committed", true, true, "a text that waits for its place"],
  ["committed", false, false, "only the journal of a change that is made"],
  ["withdrawn", false, true, "a change that is being taken back"],
];
for (const [state, temporary, expected, what] of STATES) {
  test(`${what} ${expected ? "counts" : "does not count"}`, ({ root }) => {
    leave(root, state, temporary);
    assert.is(isInterrupted(root), expected);
  });
}

test("a journal that was cut off does not count: nothing else was written by then", ({ root }) => {
  leave(root, "planned", false);
  writeFileSync(journalFile(root, "planned"), '{ "steps": [');
  assert.is(isInterrupted(root), false);
});

test.run();
