/** What the supervisor, its reader and its workers say to each other. Sockets travel beside `connection`. */

import type { Project } from "#runtime/convention/project";
import type { Address } from "#runtime/core/node/listen";

export type ToWorker =
  | { readonly kind: "load"; readonly project: Project }
  /** To be acknowledged by `taken`: only then it is out of the supervisor's hands. */
  | { readonly kind: "connection"; readonly id: number }
  | { readonly kind: "ping" }
  | { readonly kind: "drain" };

export type FromWorker =
  | { readonly kind: "served"; readonly address: Address }
  | { readonly kind: "refused"; readonly report: Report }
  /** The connection of this id has come, and nothing of it has been read before. */
  | { readonly kind: "taken"; readonly id: number }
  /** The project has been loading for long; what is still missing. */
  | { readonly kind: "slow"; readonly what: string }
  /** A module imports this file, which is not watched otherwise. */
  | { readonly kind: "import"; readonly path: string }
  /** A debugger can be attached, at this port of 127.0.0.1. */
  | { readonly kind: "debuggable"; readonly port: number }
  | { readonly kind: "pong" };

/** What there is to tell about the project: for the terminal, and without colours for the answers to requests. */
export interface Report {
  readonly terminal: string;
  readonly text: string;
}

/** The project as it was read, or why there is nothing to load. */
export type Reading = SoundReading | BrokenReading;

export interface SoundReading {
  readonly kind: "sound";
  readonly project: Project;
  /** Warnings and the like, if there are any. */
  readonly report: Report | undefined;
  /** Where it is to be served, unless its main file says otherwise. */
  readonly address: Address;
}

export interface BrokenReading {
  readonly kind: "broken";
  readonly report: Report;
  readonly address: Address;
}
