/** What a supervisor tells whoever started it. */

import type { Project } from "#runtime/convention/project";
import type { Address } from "#runtime/core/node/listen";
import type { Report } from "./messages.ts";

export interface Served {
  readonly address: Address;
  readonly project: Project;
  /** Warnings and the like, if there are any. */
  readonly report: Report | undefined;
  /** Files of the project; none at the start, and when it was asked for. */
  readonly changed: readonly string[];
  /** From when the change was noticed. */
  readonly milliseconds: number;
}

export interface DevEvents {
  /** The newest source is served. */
  onServed(served: Served): void;
  /** Every request is told this, until it is mended. */
  onFailed(report: Report, address: Address): void;
  /** The process that served has ended by itself. */
  onRestarted(why: string): void;
  /** The process that serves takes no request any more, or does so again. */
  onSilent(isSilent: boolean): void;
  /** These files change again and again. */
  onRestless(files: readonly string[]): void;
  /** Changes in this folder are not noticed. */
  onBlind(folder: string, error: NodeJS.ErrnoException): void;
  /** The address can't be listened on. `kept` is the one that is listened on instead, undefined where there is none. */
  onAddressRefused(error: unknown, kept: Address | undefined): void;
}
