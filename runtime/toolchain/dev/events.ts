/** What a supervisor tells whoever started it. */

import type { Served } from "./messages.ts";

export interface DevEvents {
  /** The newest source is served, or what is wrong with it is. `changed` is empty at the start. */
  onServed(served: Served, changed: readonly string[], milliseconds: number): void;
  /** A worker ended without being told to. */
  onLost(status: number | null, signal: string | null): void;
  /** The address can't be listened on. */
  onAddressRefused(error: unknown): void;
}
