/** What runs around the handlers of a folder and below: its `middleware` and its `error`. */

import type { Request } from "../message/request.ts";
import type { Answer } from "../message/result.ts";
import { answerThrown } from "./error-hook.ts";
import { throughMiddleware } from "./middleware.ts";

/**
 * Goes on with the request: to the middleware of the folders below, the guards, the providers and the handler.
 *
 * @returns their response. What they throw has become a response, too.
 * @throws {Error} when it is called a second time.
 */
export type Next = () => Promise<Response>;

/**
 * What `_hooks.ts` exports as `middleware`.
 *
 * @example
 * export const middleware: Middleware = async (request, next) => {
 *   const response = await next();
 *   response.headers.set("Cache-Control", "no-store");
 *   return response;
 * };
 */
export type Middleware = (request: Request, next: Next) => unknown;

/**
 * What `_hooks.ts` exports as `error`. What it returns is the answer; if it returns nothing, the folder outside of it is asked.
 *
 * @example
 * export const error: ErrorHook = (error) => (error instanceof Conflict ? [{ error: error.message }, 409] : undefined);
 */
export type ErrorHook = (error: unknown, request: Request) => unknown;

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

/** @param folders the outer first. @returns never rejects. */
export function toAround(folders: readonly BoundHooks[]): Around {
  let around = catching(folders, (_, inside) => inside.answer());
  for (const [index, folder] of [...folders.entries()].reverse()) {
    if (folder.middleware)
      around = catching(folders.slice(0, index + 1), throughMiddleware(folder, folder.middleware, around));
  }
  return around;
}

/** Asks the error hooks of the folders about what is thrown, the last first. */
function catching(folders: readonly BoundHooks[], around: Around): Around {
  const hooks = folders.flatMap(({ error }) => error ?? []).reverse();
  return async (request, inside) => {
    try {
      return await around(request, inside);
    } catch (thrown) {
      return answerThrown(hooks, thrown, request, inside);
    }
  };
}
