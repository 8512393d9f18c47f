/** What runs around the handlers of a folder and below: its `middleware` and its `error`. */

import type { Request } from "../message/request.ts";
import type { Answer } from "../message/result.ts";

/**
 * Goes on with the request: to the middleware of the folders below, the guards, the providers and the handler.
 *
 * @returns their response. What they throw has become a response, too.
 * @throws {Error} when it is called a second time.
 */
export type Next = () => Promise<Response>;

// biome-ignore lint/suspicious/noExplicitAny: a project may leave out parameters, or type them as it likes.
export type HookFunction = (...args: any[]) => unknown;

/** The hooks of one folder, with the project's functions. */
export interface BoundHooks {
  /** The folder, relative to the root, as in {@link FolderHooks}. */
  readonly folder: string;
  readonly middleware?: HookFunction;
  readonly error?: HookFunction;
}

/** Answers a request with hooks around it. */
export type Around = (request: Request, inside: Inside) => Promise<Answer>;

/** What the hooks have from the app. */
export interface Inside {
  /** Calls the guards, the providers and the handler. Rejects with what was thrown. */
  answer(): Promise<Answer>;
  /** Turns what a hook returned into an answer whose stream has started. Rejects for what can't be sent. */
  toAnswer(result: unknown): Promise<Answer>;
  /** The answer to an error that no hook has answered. */
  fail(error: unknown): Answer;
  /** Logs an error that a hook has answered with a 5xx. */
  report(error: unknown): void;
}

export function toAround(_hooks: readonly BoundHooks[]): Around {
  throw new Error("The branch `hooks` writes this.");
}
