/** What a supervisor reports to the command that started it. */

import type { Project } from "#runtime/convention/project";
import type { Address } from "#runtime/core/node/listen";
import type { Report } from "./report.ts";

export interface Served {
  readonly address: Address;
  readonly project: Project;
  /** Warnings, if there are any. */
  readonly report: Report | undefined;
  /** The files that changed; none at the start and after a reload by hand. */
  readonly changed: readonly string[];
  /** Since the change was noticed. */
  readonly milliseconds: number;
}

export interface DevEvents {
  /** The newest source is served. */
  onServed(served: Served): void;
  /** The report answers every request from now on. */
  onFailed(report: Report, address: Address): void;
  /** The worker that served has ended by itself. */
  onRestarted(why: string): void;
  /** The worker that serves stops taking requests, or takes them again. */
  onSilent(isSilent: boolean): void;
  /** These files keep changing. */
  onRestless(files: readonly string[]): void;
  /** A folder can't be watched. */
  onBlind(folder: string, error: NodeJS.ErrnoException): void;
  /** Nothing can listen on the wanted address. @param kept the address that is listened on instead, if there is one. */
  onAddressRefused(error: unknown, kept: Address | undefined): void;
}
