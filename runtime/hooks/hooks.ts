/** What runs around the handlers of a folder and below: its `middleware` and its `error` hook. */

import { HttpError, hasFailure } from "../message/errors.ts";
import type { Exchange } from "../message/exchange.ts";
import { flattenHeaders, overrideHeaders } from "../message/headers.ts";
import { type Request, requestOf } from "../message/request.ts";
import { type Answer, hasStatus } from "../message/result.ts";
import { isResponse } from "../message/sendable.ts";
import { NextResponse } from "./next-response.ts";

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
 * What `_hooks.ts` exports as `error`. What it returns is the answer; if it returns nothing, the error hook of the outer folder is called.
 *
 * @example
 * export const error: ErrorHook = (error) => (error instanceof Conflict ? [{ error: error.message }, 409] : undefined);
 */
export type ErrorHook = (error: unknown, request: Request) => unknown;

/**
 * What `_hooks.ts` exports as `limits`, for the routes of its folder and below. It is read and never run, so the values are written out.
 *
 * @example export const limits: Limits = { body: "20 MB", timeout: 30 };
 */
export interface Limits {
  /** In bytes, or a size such as "20 MB". A larger request body is answered with 413. */
  readonly body?: number | string;
  /** In seconds, for the body and the handler together. Then the answer is 503. 0 is no limit. */
  readonly timeout?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a project may leave out parameters, or type them as it likes.
export type HookFunction = (...args: any[]) => unknown;

/** The hooks of one folder, with the project's functions. */
export interface BoundHooks {
  /** The folder, relative to the root, as in {@link FolderHooks}. */
  readonly folder: string;
  readonly middleware?: HookFunction;
  readonly error?: HookFunction;
}

/** Answers a request with hooks around it. @param run calls the guards, the providers and the handler. @returns never rejects. */
export type HookChain = (app: HookHost, exchange: Exchange, run: Run) => Promise<Answer>;
export type Run = () => Answer | Promise<Answer>;

/** What the app provides to hooks. */
export interface HookHost {
  /** Turns what a hook returned into an answer whose stream has started. Rejects for what can't be sent. @param giver names the hook. */
  startAnswer(result: unknown, exchange: Exchange, giver: string): Promise<Answer>;
  /** The answer to an error that no hook has answered. */
  failure(error: unknown, exchange: Exchange): Answer;
  /** Logs an error. */
  report(message: string, error: unknown, exchange: Exchange): void;
}

/** A function of `_hooks.ts`, and its name in messages, as in "The middleware of apps/users/_hooks.ts". */
interface Hook {
  readonly name: string;
  readonly call: HookFunction;
}

/** @param folders the outer first. */
export function chainHooks(folders: readonly BoundHooks[]): HookChain {
  let chain = endChain(toErrorHooks(folders));
  for (const [index, { folder, middleware }] of [...folders.entries()].reverse()) {
    if (middleware === undefined) continue;
    const errorHooks = toErrorHooks(folders.slice(0, index + 1));
    chain = addMiddleware(toHook("middleware", folder, middleware), errorHooks, chain);
  }
  return chain;
}

/** @returns the nearest first. */
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
    let given: NextResponse | undefined;
    const next: Next = () => {
      if (wasCalled || isOver) return refuseNext(name, wasCalled ? "twice" : "after it had returned");
      wasCalled = true;
      return inner(app, exchange, run).then((answer) => {
        const response = new NextResponse(answer);
        // The middleware did not wait: what it returned is sent instead.
        if (isOver) response.drop();
        else given = response;
        return response;
      });
    };
    try {
      const result = await call(requestOf(exchange), next);
      isOver = true;
      if (result === undefined || result === null)
        throw new TypeError(`${name} returned nothing. Return the response of next().`);
      if (given !== undefined && result === given) return given.takeAnswer();
      const replaced = await app.startAnswer(result, exchange, name);
      // Only now, because the new answer may send the body of the response.
      given?.drop();
      return replaced;
    } catch (thrown) {
      isOver = true;
      if (!isResponse(thrown)) given?.cut();
      const answer = await answerThrown(errorHooks, thrown, name, app, exchange);
      given?.drop();
      return answer;
    }
  };
}

function refuseNext(name: string, when: string): Promise<never> {
  const refused = Promise.reject(new Error(`${name} called next() ${when}. Call it once, and await it.`));
  // A middleware that does not await it would end the process.
  refused.catch(() => undefined);
  return refused;
}

/**
 * Calls the error hooks until one of them answers. A hook may throw another error, which the outer ones are called with.
 *
 * @param hooks the nearest first.
 * @param thrower the name of the function that threw, in messages.
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
  /** A thrown response is the answer. */
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
  // The app logs the newest error itself.
  answer ??= app.failure(thrown.pop(), exchange);
  if (answer.status >= 500)
    for (const error of thrown)
      if (!(error instanceof HttpError) || hasFailure(error))
        app.report("The handler failed.", error, exchange);
  return answer;
}

/** @returns undefined if the hook leaves the error to the outer ones. */
async function callErrorHook(
  { name, call }: Hook,
  error: unknown,
  app: HookHost,
  exchange: Exchange,
): Promise<Answer | undefined> {
  const result = await call(error, requestOf(exchange));
  if (result === undefined || result === null) return undefined;
  const answer = await app.startAnswer(result, exchange, name);
  const own = error instanceof HttpError ? error : undefined;
  const status = hasStatus(result) ? answer.status : (own?.status ?? 500);
  // A 401 needs its challenge and a 405 its methods, whoever writes the body.
  const base = own?.status === status ? flattenHeaders(own.headers ?? [], ...OF_BODY) : [];
  return { ...answer, status, headers: overrideHeaders(base, answer.headers) };
}

/** The headers that are about the body. */
const OF_BODY = ["content-type", "content-length", "content-encoding"];
