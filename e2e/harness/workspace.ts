/** The one temporary folder of a run, and that nothing of it is left: neither files nor processes, however the run ends. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const REPOSITORY: string = fileURLToPath(new URL("../..", import.meta.url));

const RUN_LIMIT_MINUTES = 18;

// Resolved, because the temporary folder of macOS is a link and Node prints where it leads.
const workspace = realpathSync(mkdtempSync(join(tmpdir(), "convention-app-e2e-")));
const endings = new Set<() => void>([
  () => rmSync(workspace, { recursive: true, force: true, maxRetries: 10 }),
]);
let folders = 0;

process.on("exit", () => {
  for (const end of [...endings].reverse()) end();
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

let limit: NodeJS.Timeout | undefined;
limitRun(RUN_LIMIT_MINUTES);

/** A whole run that takes longer hangs: it is ended with status 1, so that a CI job does not wait for its own limit. */
export function limitRun(minutes: number): void {
  clearTimeout(limit);
  limit = setTimeout(() => {
    console.error(`The run took longer than ${minutes} minutes and was ended.`);
    process.exit(1);
  }, minutes * 60_000).unref();
}

/** A new empty folder; its name begins with the given word. */
export function createFolder(word: string): string {
  folders += 1;
  const folder = join(workspace, `${word}-${folders}`);
  mkdirSync(folder);
  return folder;
}

/** Calls it when the run ends, synchronously. @returns what takes that back. */
export function atEnd(end: () => void): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}
