/** What a supervisor tells whoever started it. */

import type { Address, Served } from "./messages.ts";

export interface DevEvents {
  /** The newest source is served, or what is wrong with it is. `changed` is empty at the start. */
  onServed(served: Served, changed: readonly string[], milliseconds: number): void;
  /** Nothing is served, because a worker ended by itself or does not come to an end of loading. */
  onFailed(what: string): void;
  /** The address can't be listened on. `kept` is the one that is listened on instead, undefined where there is none. */
  onAddressRefused(error: unknown, kept: Address | undefined): void;
}
