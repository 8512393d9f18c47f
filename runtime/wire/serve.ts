/** Calls a handler with what it takes from the request, after its guards and providers. */

import type { Exchange } from "../message/exchange.ts";
import { answersItself, isPair } from "../message/result.ts";
import { isResponse, isThenable, nameOf } from "../message/sendable.ts";
import { toBodyReader } from "./body.ts";
import { findIssues, toRefusal } from "./issues.ts";
import { isGenerator, nameOfCall, openGenerator } from "./opened.ts";
import type { BoundCall, Reader, Serve, Take, Taker } from "./taker.ts";
import { needsCredential, RequestWire, requireCredentials } from "./wire.ts";

/** The rest of the way to the handler. @returns what the handler returns, or a promise of it. */
type Way = (wire: RequestWire, handler: Parameters<Serve>[0]) => unknown;

/** @returns the way that begins with this step. */
type Step = (next: Way) => Way;

/**
 * The steps of a route are linked once. A request makes no promise for a step that gives none: with an `await` for each, a guarded GET had
 * 0.76 × the requests on Node 26 and 0.86 × on Node 20 (`npm run bench -- http --case guarded`), and a validated POST, which makes one, is
 * 1.02 × raw `node:http` (`--case signup`).
 *
 * @param calls the guards and providers.
 * @param provided the indices of the calls whose values the handler is given. Only `replace` needs them.
 */
export function toServe(
  taker: Taker,
  calls: readonly BoundCall[] = [],
  provided: readonly number[] = [...calls.keys()],
): Serve {
  const readers = calls.map((_, index) => taker.calls?.[index] ?? TAKES_NOTHING);
  const late = [...readers.filter((_, index) => !calls[index]?.isEarly), taker];
  const first = calls.findIndex((call, index) => !call.isEarly || toBodyReader(readers[index]?.takes ?? []));
  const early = first === -1 ? calls.length : first;
  const callSteps = calls.map((call, index) => makeCall(taker, call, readers[index] ?? TAKES_NOTHING, late));
  const steps: readonly Step[] = [
    // 1. Each guard, after the providers that it needs. What follows must not cost a request that a guard refuses.
    ...callSteps
      .slice(0, early)
      .flatMap((step, index) => [requireAll(readers.slice(index, index + 1)), step]),
    // 2. All other credentials.
    requireAll([...readers.slice(early), taker]),
    // 3. The body, if any of the functions takes it.
    readBody([...readers, taker]),
    // 4. The other providers, and the guards that take the body.
    ...callSteps.slice(early),
  ];
  // 5. The handler.
  const way = steps.reduceRight((next, step) => step(next), callHandler(taker, late));
  if (calls.length === 0) return (handler, exchange) => way(new RequestWire(exchange, NONE), handler);
  const serve: Serve = (handler, exchange) => way(new RequestWire(exchange, []), handler);
  return Object.assign(serve, { parts: { taker, calls, provided, toServe } });
}

/** What a request without providers is provided with. */
const NONE: unknown[] = [];

/** A provider that a test has replaced takes nothing. */
const TAKES_NOTHING: Reader = { takes: [], read: () => [] };

function takesOf(readers: readonly Reader[]): readonly Take[] {
  return readers.flatMap(({ takes }) => takes);
}

function requireAll(readers: readonly Reader[]): Step {
  const credentials = takesOf(readers).filter(needsCredential);
  if (credentials.length === 0) return (next) => next;
  return (next) => (wire, handler) => {
    requireCredentials(credentials, wire);
    return next(wire, handler);
  };
}

function readBody(readers: readonly Reader[]): Step {
  const read = toBodyReader(takesOf(readers));
  if (read === undefined) return (next) => next;
  return (next) => (wire, handler) =>
    read(wire, () => {
      requireTime(wire.exchange);
      return next(wire, handler);
    });
}

/** @param late the readers whose issues a 422 lists, unless the call is early: then it lists its own. */
function makeCall(taker: Taker, call: BoundCall, reader: Reader, late: readonly Reader[]): Step {
  const checked = call.isEarly ? [reader] : late;
  return (next) => (wire, handler) => {
    const values = reader.read(wire);
    const given = Array.isArray(values)
      ? callWith(call, values, wire.exchange)
      : settle(values, taker, checked, wire).then((known) => callWith(call, known, wire.exchange));
    if (isThenable(given))
      // A `then` of the project's own may return anything.
      return Promise.resolve(given).then((value) => {
        accept(value, call, wire);
        requireTime(wire.exchange);
        return next(wire, handler);
      });
    accept(given, call, wire);
    return next(wire, handler);
  };
}

function accept(value: unknown, call: BoundCall, wire: RequestWire): void {
  if (call.kind === "guard") requireNoAnswer(value, call);
  wire.provided.push(value);
}

function callHandler(taker: Taker, checked: readonly Reader[]): Way {
  return (wire, handler) => {
    const values = taker.read(wire);
    if (!Array.isArray(values))
      return settle(values, taker, checked, wire).then((known) => handler(...known));
    // The usual signatures without an array: a spread costs more than the call.
    switch (values.length) {
      case 1:
        return handler(values[0]);
      case 2:
        return handler(values[0], values[1]);
      default:
        return handler(...values);
    }
  };
}

/** @throws {HttpError} 422 for values that do not fit, with the issues of what all the readers read. */
async function settle(
  values: ReturnType<Reader["read"]>,
  taker: Taker,
  readers: readonly Reader[],
  wire: RequestWire,
): Promise<readonly unknown[]> {
  const known = await values;
  requireTime(wire.exchange);
  if (known === undefined) throw toRefusal(await findIssues(readers, taker.definitions, wire));
  return known;
}

/** @returns what the guard or the provider gives, or a promise of it. */
function callWith(call: BoundCall, values: readonly unknown[], exchange: Exchange): unknown {
  // Not called as a method: `call` would be its `this`.
  const { run } = call;
  const result = run(...values);
  return isGenerator(result) ? openGenerator(result, nameOfCall(call), exchange) : result;
}

/** After `handler_timeout` nothing more is called: the client has its 503, and the providers are closed. */
function requireTime({ givenUp }: Exchange): void {
  if (givenUp !== undefined) throw givenUp;
}

/** A guard that returns a response instead of throwing it must not let the request through. */
function requireNoAnswer(value: unknown, call: BoundCall): void {
  // A handler's returned error counts as thrown, too.
  if (value instanceof Error) throw value;
  const isErrorPair = isPair(value) && value[1] >= 400 && value[1] <= 599;
  if (value !== false && !isResponse(value) && !answersItself(value) && !isErrorPair) return;
  const what = value === false ? "false" : nameOf(value);
  throw new TypeError(
    `${nameOfCall(call)} returned ${what}. A guard refuses a request by throwing: throw new HttpError(403, "…").`,
  );
}
