/** How long anything is waited for. */

/** In milliseconds: for what hangs. It says nothing of how long a thing may take, for the machine may be slow and shared. */
export const LIMIT_MS = 180_000;
