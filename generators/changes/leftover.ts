/** Whether a command was interrupted while it changed the project, and nobody has cleared up after it yet. Looks, and changes nothing. */

import { isThere } from "./disk.ts";
import { journalFile, STATES } from "./journal.ts";
import { isHeld } from "./lock.ts";

/** @returns false while the command is still at work. */
export function isInterrupted(root: string): boolean {
  return STATES.some((state) => isThere(journalFile(root, state))) && !isHeld(root);
}
