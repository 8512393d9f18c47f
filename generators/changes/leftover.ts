/** Whether a command was interrupted while it changed the project, and nobody has cleared up after it yet. Looks, and changes nothing. */

import { isHeld } from "./lock.ts";
import { isUnfinished } from "./recovery.ts";

/** @returns false while the command is still at work. */
export function isInterrupted(root: string): boolean {
  return isUnfinished(root) && !isHeld(root);
}
