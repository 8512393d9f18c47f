import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { planJournal } from "./journal.ts";
import { isInterrupted } from "./leftover.ts";
import { takeLock } from "./lock.ts";
import { recoverChanges } from "./recovery.ts";

test("what a command has written down counts as left over once it works no more, and until somebody cleared up", async () => {
  const root = mkdtempSync(join(tmpdir(), "leftover-"));
  assert.is(isInterrupted(root), false);
  const lock = await takeLock(root, () => {});
  if ("severity" in lock) throw new Error(lock.message);
  planJournal(root, { steps: [], folders: [] });
  assert.is(isInterrupted(root), false, "it is at work");
  lock.release();
  assert.is(isInterrupted(root), true);
  recoverChanges(root);
  assert.is(isInterrupted(root), false);
  rmSync(root, { recursive: true });
});

test.run();
