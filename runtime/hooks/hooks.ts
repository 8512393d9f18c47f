/** Runs the `middleware` and the `error` hook of a folder around its handlers and those of the folders below. */

import { HttpError, hasFailure } from "../message/errors.ts";
import type { Exchange } from "../message/exchange.ts";
import { flattenHeaders, overrideHeaders } from "../message/headers.ts";
import { type Request, requestOf } from "../message/request.ts";
import { type Answer, hasStatus } from "../message/result.ts";
import { isResponse } from "../message/sendable.ts";
import { NextResponse } from "./next-response.ts";

/**
 * Continues the request: runs the middleware of the folders below, the guards, the providers and the handler.
 *
 * @returns their response. An error that they throw becomes a response, too.
 * @throws {Error} if it is called a second time.
 */
export type Next = () => Promise<Response>;

/**
 * The `middleware` export of a `_hooks.ts`.
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
 * The `error` export of a `_hooks.ts`. Its result is sent; if it returns nothing, the error hook of the parent folder is called.
 *
 * @example
 * export const error: ErrorHook = (error) => (error instanceof Conflict ? [{ error: error.message }, 409] : undefined);
 */
export type ErrorHook = (error: unknown, request: Request) => unknown;

/**
 * The `limits` export of a `_hooks.ts`, for the routes of its folder and below. It is read from the source: the values must be literals.
 *
 * @example export const limits: Limits = { body: "20 MB", timeout: 30 };
 */
export interface Limits {
  /** Bytes, or a size such as "20 MB". A larger request body is answered with 413. */
  readonly body?: number | string;
  /** Seconds for the body and the handler together, after which the answer is 503; 0 disables it. */
  readonly timeout?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a project may leave out parameters, or type them as it likes.
export type HookFunction = (...args: any[]) => unknown;

/** The loaded hook functions of one folder. */
export interface BoundHooks {
  /** The folder, relative to the root, as in {@link FolderHooks}. */
  readonly folder: string;
  readonly middleware?: HookFunction;
  readonly error?: HookFunction;
}

/** Runs a request's hooks around `run`, which calls the guards, the providers and the handler. Never rejects. */
export type HookChain = (app: HookHost, exchange: Exchange, run: Run) => Promise<Answer>;
export type Run = () => Answer | Promise<Answer>;

/** What the app provides to hooks. */
export interface HookHost {
  /** Converts a hook's result to an answer and starts its stream. Rejects for an invalid result. @param callee the hook, in messages. */
  startAnswer(result: unknown, exchange: Exchange, callee: string): Promise<Answer>;
  /** @returns the answer to an error that no hook has answered. */
  failure(error: unknown, exchange: Exchange): Answer;
  /** Logs an error. */
  report(message: string, error: unknown, exchange: Exchange): void;
}

/** A hook function, and its name in messages, such as "The middleware of apps/users/_hooks.ts". */
interface Hook {
  readonly name: string;
  readonly call: HookFunction;
}

/** @param folders the outermost first. */
export function chainHooks(folders: readonly BoundHooks[]): HookChain {
  let chain = endChain(toErrorHooks(folders));
  for (const [index, { folder, middleware }] of [...folders.entries()].reverse()) {
    if (middleware === undefined) continue;
    const errorHooks = toErrorHooks(folders.slice(0, index + 1));
    chain = addMiddleware(toHook("middleware", folder, middleware), errorHooks, chain);
  }
  return chain;
}

/** @returns the innermost folder's first. */
function toErrorHooks(folders: readonly BoundHooks[]): readonly Hook[] {
  return folders.flatMap(({ folder, error }) => (error ? toHook("error hook", folder, error) : [])).reverse();
}

function toHook(kind: string, folder: string, call: HookFunction): Hook {
  return { name: `The ${kind} of ${folder === "" ? "" : `${folder}/`}_hooks.ts`, call };
}

function endChain(errorHooks: readonly Hook[]): HookChain {
  return async (app, exchange, run) => {
    try {
      return await run();
    } catch (thrown) {
      return answerThrown(errorHooks, thrown, "The handler", app, exchange);
    }
  };
}

/** @param inner runs when the middleware calls `next()`. @param errorHooks answer what the middleware throws. */
function addMiddleware({ name, call }: Hook, errorHooks: readonly Hook[], inner: HookChain): HookChain {
  NextResponse.inherit();
  return async (app, exchange, run) => {
    let wasCalled = false;
    let isOver = false;
    let response: NextResponse | undefined;
    const next: Next = () => {
      if (wasCalled || isOver) return refuseNext(name, wasCalled ? "twice" : "after it had returned");
      wasCalled = true;
      return inner(app, exchange, run).then((answer) => {
        const created = new NextResponse(answer);
        // The middleware returned without awaiting next(): its own result is sent.
        if (isOver) created.drop();
        else response = created;
        return created;
      });
    };
    try {
      const result = await call(requestOf(exchange), next);
      isOver = true;
      if (result === undefined || result === null)
        throw new TypeError(`${name} returned nothing. Return the response of next().`);
      if (response !== undefined && result === response) return response.takeAnswer();
      const replaced = await app.startAnswer(result, exchange, name);
      // Only now, because the new answer may send this response's body.
      response?.drop();
      return replaced;
    } catch (thrown) {
      isOver = true;
      if (!isResponse(thrown)) response?.cut();
      const answer = await answerThrown(errorHooks, thrown, name, app, exchange);
      response?.drop();
      return answer;
    }
  };
}

function refuseNext(name: string, when: string): Promise<never> {
  const refused = Promise.reject(new Error(`${name} called next() ${when}. Call it once, and await it.`));
  // If it is not awaited, the unhandled rejection would end the process.
  refused.catch(() => undefined);
  return refused;
}

/**
 * Calls the error hooks until one answers. If a hook throws, the outer hooks are called with the new error.
 *
 * @param hooks the innermost first.
 * @param thrower the name of the function that threw, for messages.
 */
async function answerThrown(
  hooks: readonly Hook[],
  first: unknown,
  thrower: string,
  app: HookHost,
  exchange: Exchange,
): Promise<Answer> {
  const thrown: unknown[] = [];
  let answer: Answer | undefined;
  /** A thrown response is an answer, too. */
  const attempt = async (name: string, step: () => Promise<Answer | undefined>): Promise<void> => {
    try {
      answer = await step();
    } catch (error) {
      if (isResponse(error)) await attempt(name, () => app.startAnswer(error, exchange, name));
      else if (thrown.length === 0 || error !== thrown.at(-1)) thrown.push(error);
    }
  };
  await attempt(thrower, () => Promise.reject(first));
  for (const hook of hooks)
    if (answer === undefined)
      await attempt(hook.name, () => callErrorHook(hook, thrown.at(-1), app, exchange));
  // `app.failure` logs the last error itself.
  answer ??= app.failure(thrown.pop(), exchange);
  if (answer.status >= 500)
    for (const error of thrown)
      if (!(error instanceof HttpError) || hasFailure(error))
        app.report("The handler failed.", error, exchange);
  return answer;
}

/** @returns undefined if the hook leaves the error to the outer hooks. */
async function callErrorHook(
  { name, call }: Hook,
  error: unknown,
  app: HookHost,
  exchange: Exchange,
): Promise<Answer | undefined> {
  const result = await call(error, requestOf(exchange));
  if (result === undefined || result === null) return undefined;
  const answer = await app.startAnswer(result, exchange, name);
  const refusal = error instanceof HttpError ? error : undefined;
  const status = hasStatus(result) ? answer.status : (refusal?.status ?? 500);
  // A 401 needs its challenge and a 405 its `Allow`.
  const base = refusal?.status === status ? flattenHeaders(refusal.headers ?? [], ...BODY_HEADERS) : [];
  return { ...answer, status, headers: overrideHeaders(base, answer.headers) };
}

/** The headers that describe a body. */
const BODY_HEADERS = ["content-type", "content-length", "content-encoding"];
