/** What the supervisor, its reader and its workers send each other. A socket travels beside `connection`. */

import type { Project } from "#runtime/convention/project";
import type { Address } from "#runtime/core/node/listen";
import type { Report } from "./report.ts";

export type ToWorker =
  | { readonly kind: "load"; readonly project: Project }
  /** The supervisor keeps the connection too, until the worker answers `taken`. */
  | { readonly kind: "connection"; readonly id: number }
  | { readonly kind: "ping" }
  | { readonly kind: "drain" };

export type FromWorker =
  | LoadEvent
  | { readonly kind: "taken"; readonly id: number }
  /** A debugger can attach at this port of 127.0.0.1. */
  | { readonly kind: "debuggable"; readonly port: number }
  | { readonly kind: "pong" };

/** What becomes of loading the project. */
export type LoadEvent =
  | { readonly kind: "served"; readonly address: Address }
  | { readonly kind: "refused"; readonly report: Report }
  /** Loading has taken long already. @param what says what the worker waits for. */
  | { readonly kind: "slow"; readonly what: string }
  /** A module imports this file, and only this message makes the supervisor watch it: data, or a file outside of the project. */
  | { readonly kind: "import"; readonly path: string };

/** The project as it was read, or why it can't be loaded. */
export type Reading = SoundReading | BrokenReading;

export interface SoundReading {
  readonly kind: "sound";
  readonly project: Project;
  /** Warnings, if there are any. */
  readonly report: Report | undefined;
  /** Where the settings want the project to be served. */
  readonly address: Address;
}

export interface BrokenReading {
  readonly kind: "broken";
  readonly report: Report;
  readonly address: Address;
}
