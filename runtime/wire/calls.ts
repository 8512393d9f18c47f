/**
 * The way of a request whose route has guards or providers, as a list of steps: each guard with the providers that it needs, then the
 * other credentials, the body, the other providers, and last the handler.
 */

import type { Exchange } from "../message/exchange.ts";
import { answersItself, isPair } from "../message/result.ts";
import { isResponse, isThenable, nameOf } from "../message/sendable.ts";
import { toBodyReader } from "./body.ts";
import { needsCredential, requireCredential } from "./credentials.ts";
import { type Asked, findIssues, toRefusal } from "./issues.ts";
import { isGenerator, nameOfCall, OpenedGenerators } from "./opened.ts";
import type { Take } from "./take.ts";
import type { BoundCall, Reader, Serve, Taker } from "./taker.ts";
import { RequestWire } from "./wire.ts";

/** One request on its way. */
interface Progress {
  readonly exchange: Exchange;
  readonly wire: RequestWire;
  body: unknown;
  /** What the calls have given so far. */
  readonly made: unknown[];
  opened: OpenedGenerators | undefined;
}

/** @returns a promise, if the next step has to wait. */
type Step = (progress: Progress) => Promise<unknown> | undefined;

export function toCallingServe(taker: Taker, calls: readonly BoundCall[]): Serve {
  const readers = calls.map((_, index) => taker.calls?.[index] ?? NOTHING_TAKEN);
  const late = [...readers.filter((_, index) => !calls[index]?.isEarly), taker];
  const askedLate = toAsked(taker, late);
  const steps = calls.map((call, index) => {
    const reader = readers[index] ?? NOTHING_TAKEN;
    return call.isEarly
      ? toStep(call, index, reader, toAsked(taker, [reader]), reader.takes.filter(needsCredential))
      : toStep(call, index, reader, askedLate, []);
  });
  const first = calls.findIndex(({ isEarly }, index) => !isEarly || takesBody(readers[index]));
  const at = first === -1 ? calls.length : first;
  const before = calls[at]?.isEarly ? [readers[at] ?? NOTHING_TAKEN, ...late] : late;
  steps.splice(at, 0, ...toBodySteps(before, [...readers, taker]));
  return (handler, exchange) => {
    const wire = new RequestWire(exchange);
    const progress: Progress = { exchange, wire, body: undefined, made: [], opened: undefined };
    const call = (): unknown => callWith(taker, askedLate, handler, wire, progress.body, progress.made);
    return proceed(steps, 0, progress, call);
  };
}

/** Takes the steps, and waits only where one of them does. */
function proceed(steps: readonly Step[], from: number, progress: Progress, call: () => unknown): unknown {
  for (let index = from; index < steps.length; index++) {
    const pending = steps[index]?.(progress);
    if (pending === undefined) continue;
    return pending.then(() => {
      requireTime(progress.exchange);
      return proceed(steps, index + 1, progress, call);
    });
  }
  return call();
}

function toPending(result: unknown): Promise<unknown> | undefined {
  return result instanceof Promise ? result : undefined;
}

/** The values for a handler that is called after its time would be closed already. */
function requireTime({ givenUp }: Exchange): void {
  if (givenUp !== undefined) throw givenUp;
}

/** A provider that a test has replaced takes nothing. */
const NOTHING_TAKEN: Reader = { takes: [], read: () => [] };

function toAsked(taker: Taker, readers: readonly Reader[]): Asked {
  return {
    takes: readers.flatMap(({ takes }) => takes),
    schemas: readers.flatMap(({ takes, schemas }) => takes.map((_, index) => schemas?.[index])),
    // A wire module parses them when they are first asked for.
    get definitions() {
      return taker.definitions;
    },
  };
}

function takesBody(reader: Reader | undefined): boolean {
  return reader !== undefined && toBodyReader(reader.takes) !== undefined;
}

/** The credentials of all that did not check its own, and then the body. */
function toBodySteps(unchecked: readonly Reader[], all: readonly Reader[]): Step[] {
  const credentials = unchecked.flatMap(({ takes }) => takes.filter(needsCredential));
  const readBody = toBodyReader(all.flatMap(({ takes }) => takes));
  const check: Step = ({ exchange, wire }) => requireCredentials(credentials, exchange, wire);
  const read: Step = (progress) => {
    const keep = (body: unknown): void => {
      progress.body = body;
    };
    return toPending(readBody?.(progress.exchange, progress.wire, keep));
  };
  return [...(credentials.length > 0 ? [check] : []), ...(readBody ? [read] : [])];
}

function requireCredentials(takes: readonly Take[], exchange: Exchange, wire: RequestWire): undefined {
  for (const take of takes) requireCredential(take, wire, exchange.header("authorization"));
}

function toStep(
  call: BoundCall,
  index: number,
  reader: Reader,
  asked: Asked,
  credentials: readonly Take[],
): Step {
  // Not called as a method: it would be given the call as its `this`.
  const { run: callProject } = call;
  return (progress) => {
    const { exchange, wire, body, made } = progress;
    requireCredentials(credentials, exchange, wire);
    const keep = (value: unknown): void => {
      if (call.kind === "guard") requireNoAnswer(value, call);
      made[index] = value;
    };
    const run = (...values: unknown[]): unknown => {
      const result = callProject(...values);
      if (isGenerator(result)) {
        progress.opened ??= new OpenedGenerators();
        exchange.opened = progress.opened;
        return progress.opened.open({ generator: result, call }, keep);
      }
      return isThenable(result) ? Promise.resolve(result).then(keep) : keep(result);
    };
    return toPending(callWith(reader, asked, run, wire, body, made));
  };
}

/**
 * Calls a function with what its reader reads.
 *
 * @throws {HttpError} 422, as a rejection.
 */
export function callWith(
  reader: Reader,
  asked: Asked,
  // biome-ignore lint/suspicious/noExplicitAny: the signature was read from the source text.
  run: (...args: any[]) => unknown,
  wire: RequestWire,
  body: unknown,
  made?: readonly unknown[],
): unknown {
  const values = reader.read(wire, body, made);
  if (values instanceof Promise) {
    return values.then((known) => {
      requireTime(wire.exchange);
      return known ? run(...known) : refuse(asked, wire, body);
    });
  }
  if (values === undefined) return refuse(asked, wire, body);
  // The usual signatures without an array: a spread costs more than the call.
  switch (values.length) {
    case 1:
      return run(values[0]);
    case 2:
      return run(values[0], values[1]);
    default:
      return run(...values);
  }
}

async function refuse(asked: Asked, wire: RequestWire, body: unknown): Promise<never> {
  throw toRefusal(await findIssues(asked, wire, body));
}

/** What would be the answer of a handler is a mistake in a guard, and must not let the request through. */
function requireNoAnswer(value: unknown, call: BoundCall): void {
  // A handler's returned error counts as thrown, too.
  if (value instanceof Error) throw value;
  if (value !== false && !isResponse(value) && !answersItself(value) && !isErrorPair(value)) return;
  const what = value === false ? "false" : nameOf(value);
  throw new TypeError(
    `${nameOfCall(call)} returned ${what}. A guard refuses a request by throwing: throw new HttpError(403, "…").`,
  );
}

/** `[object, status]` with an error's status. */
function isErrorPair(value: unknown): boolean {
  return isPair(value) && value[1] >= 400 && value[1] <= 599;
}
