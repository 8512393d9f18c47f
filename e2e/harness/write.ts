/** Writes a file of a project that may be watched. */

import { mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** With the folders above it, and by one rename: who watches sees one change and never half of it, however slow the machine is. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const { mode = 0o666 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  // The name of an editor's backup, which nobody takes for a source.
  writeFileSync(`${path}~`, text, { mode });
  renameSync(`${path}~`, path);
}
