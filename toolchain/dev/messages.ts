/** What the supervisor and its workers send each other, and what the supervisor reports to the command that started it. */

import type { Declared } from "#convention/contract/declared";
import type { Project } from "#convention/project";
import type { Address } from "#runtime/node/listen";

/** A socket travels beside `connection`. */
export type ToWorker =
  /** @param first files of the table to load before anything is answered. */
  | { readonly kind: "load"; readonly project: Project; readonly first: readonly string[] }
  /** The supervisor keeps the connection too, until the worker answers `taken`. */
  | { readonly kind: "connection"; readonly id: number }
  /** The answer to `asks`. @param declared undefined where the handler writes no return type. */
  | { readonly kind: "declared"; readonly route: string; readonly declared: Declared | undefined }
  | { readonly kind: "drain" };

export type FromWorker =
  | LoadEvent
  | { readonly kind: "taken"; readonly id: number }
  /** A debugger can attach at this port of 127.0.0.1. */
  | { readonly kind: "debuggable"; readonly port: number }
  /** It has begun to end. */
  | { readonly kind: "draining" };

/** What becomes of loading the project. All but the first may come after `served` as well: most of it is loaded while idle. */
export type LoadEvent =
  | { readonly kind: "served"; readonly address: Address }
  /** Modules import these files. They may be missing. */
  | { readonly kind: "imports"; readonly paths: readonly string[] }
  /** @param failed the files of the table that could not be loaded. */
  | { readonly kind: "refused"; readonly report: string; readonly failed: readonly string[] }
  /** A module takes long to load. @param what says which one. */
  | { readonly kind: "slow"; readonly what: string }
  /** What does the handler of a route say that it returns? The worker has no parser. @param route as in `GET /users/by/id/<user_id>`. */
  | { readonly kind: "asks"; readonly route: string };

export interface Served {
  readonly address: Address;
  readonly project: Project;
  /** The files that changed; none at the start and after a reload by hand. */
  readonly changed: readonly string[];
  /** Since the change was noticed. */
  readonly milliseconds: number;
}

/** The supervisor calls these. Reports are texts for the terminal. */
export interface DevEvents {
  /** @param warnings of the project. */
  onServed(served: Served, warnings: string | undefined): void;
  /** The report answers every request from now on. */
  onFailed(report: string, address: Address): void;
  /** For example, the worker that served has ended by itself. */
  onWarning(message: string, hint?: string): void;
  /** Nothing can listen on the wanted address. @param kept the address that is listened on instead, if there is one. */
  onAddressRefused(error: unknown, kept: Address | undefined): void;
}
