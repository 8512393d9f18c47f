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

/** Answers a request with hooks around it, and at once if nothing has to be awaited. Neither throws nor rejects. */
export type Around = (inside: Inside) => Answer | Promise<Answer>;

/** What the hooks have from the app. */
export interface Inside {
  /** Made when it is first read. */
  readonly request: Request;
  /** Calls the guards, the providers and the handler. Throws what they throw, or rejects with it. */
  answer(): Answer | Promise<Answer>;
  /** Turns what a hook returned into an answer whose stream has started. Rejects for what can't be sent. @param giver names the hook. */
  toAnswer(result: unknown, giver: string): Promise<Answer>;
  /** The answer to an error that no hook has answered. */
  fail(error: unknown): Answer;
  /** Logs an error that a hook has answered with a 5xx. */
  report(error: unknown): void;
}

/** A function of `_hooks.ts`, with what messages call it. */
export interface Hook {
  /** As in "The middleware of apps/users/_hooks.ts". */
  readonly name: string;
  readonly call: HookFunction;
}

/** @param folders the outer first. */
export function toAround(folders: readonly BoundHooks[]): Around {
  let around = answerInside(toErrorHooks(folders));
  for (const [index, { folder, middleware }] of [...folders.entries()].reverse()) {
    if (middleware === undefined) continue;
    const errorHooks = toErrorHooks(folders.slice(0, index + 1));
    around = throughMiddleware(toHook("middleware", folder, middleware), errorHooks, around);
  }
  return around;
}

/** @returns the nearest first. */
function toErrorHooks(folders: readonly BoundHooks[]): readonly Hook[] {
  return folders.flatMap(({ folder, error }) => (error ? toHook("error hook", folder, error) : [])).reverse();
}

function toHook(kind: string, folder: string, call: HookFunction): Hook {
  return { name: `The ${kind} of ${folder === "" ? "" : `${folder}/`}_hooks.ts`, call };
}

/** Without a promise, if nothing has to be awaited. */
function answerInside(errorHooks: readonly Hook[]): Around {
  return (inside) => {
    try {
      const answer = inside.answer();
      return answer instanceof Promise
        ? answer.catch((thrown: unknown) => answerThrown(errorHooks, thrown, "The handler", inside))
        : answer;
    } catch (thrown) {
      return answerThrown(errorHooks, thrown, "The handler", inside);
    }
  };
}
