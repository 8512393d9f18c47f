/** What the supervisor, its reader and its workers send each other, and what it reports to the command that started it. */

import type { Declared } from "#convention/contract/declared";
import type { Project } from "#convention/project";
import type { Address } from "#runtime/node/listen";
import type { CorsSettings } from "#runtime/settings";
import type { FirstFiles } from "./first.ts";
import type { ProjectChange } from "./project-change.ts";
import type { Report } from "./report.ts";

/** A socket travels beside `connection`. */
export type ToWorker =
  /** For a worker that does not load yet: what has become of the project. The first one has all of it. */
  | { readonly kind: "project"; readonly change: ProjectChange }
  /** @param first the files to load before anything is answered; all where it is missing. */
  | { readonly kind: "load"; readonly first?: readonly string[] | undefined }
  /** The supervisor keeps the connection too, until the worker answers `taken`. */
  | { readonly kind: "connection"; readonly id: number }
  /** The answer to `asks`. */
  | { readonly kind: "declared"; readonly route: string; readonly declared: Declared | undefined }
  /** Source has changed since the worker was asked to load, so another worker will serve. */
  | { readonly kind: "outdated" }
  | { readonly kind: "ping" }
  | { readonly kind: "drain" };

export type FromWorker =
  | LoadEvent
  | Question
  | { readonly kind: "taken"; readonly id: number }
  /** A debugger can attach at this port of 127.0.0.1. */
  | { readonly kind: "debuggable"; readonly port: number }
  | { readonly kind: "pong" };

/** What does the handler of a route say that it returns? The worker has no parser. */
export interface Question {
  readonly kind: "asks";
  /** As in `GET /users/by/id/<user_id>`. */
  readonly route: string;
}

export interface Refusal {
  readonly kind: "refused";
  readonly report: Report;
  /** The files that could not be loaded. */
  readonly failed: readonly string[];
}

/** What becomes of loading the project. The last two may come after `served` as well: most of it is loaded behind the answers. */
export type LoadEvent =
  | { readonly kind: "served"; readonly address: Address }
  /** A module imports this file, and only this message makes the supervisor watch it: data, or a file outside of the project. */
  | { readonly kind: "import"; readonly path: string }
  | Refusal
  /** Loading has taken long already. @param what says what the worker waits for. */
  | { readonly kind: "slow"; readonly what: string };

/** What the reader is asked. */
export type Asked =
  /** To read the project again. @param unproven the files that no worker has loaded well yet; undefined for all. */
  | { readonly kind: "read"; readonly unproven: readonly string[] | undefined }
  /** What the handler of a route of the newest reading says that it returns. */
  | { readonly kind: "declared"; readonly route: string };

export type Answered = Reading | { readonly kind: "declared"; readonly declared: Declared | undefined };

/** The project as it was read, or why it can't be loaded. */
export type Reading = SoundReading | BrokenReading;

interface AnyReading {
  /** The files that it was made of outside of the project, and of packages, relative to the root. */
  readonly outside: readonly string[];
}

export interface BrokenReading extends AnyReading {
  readonly kind: "broken";
  readonly report: Report;
  readonly address: Address;
  readonly cors: CorsSettings | undefined;
  /** Undefined where `framework.toml` can't be read. */
  readonly hosts: readonly string[] | undefined;
}

export interface SoundReading extends AnyReading {
  readonly kind: "sound";
  /** What has become of the project since the last sound reading. */
  readonly change: ProjectChange;
  /** What has to be loaded before anything is answered; undefined for all. */
  readonly needed: FirstFiles | undefined;
  /** Warnings, if there are any. */
  readonly report: Report | undefined;
  /** Where the settings want the project to be served. */
  readonly address: Address;
  readonly cors: CorsSettings | undefined;
  readonly hosts: readonly string[] | undefined;
}

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

/** The supervisor calls these. */
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
