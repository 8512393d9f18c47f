/** Calls a handler with what it takes from the request, after its guards and providers. */

import type { Exchange } from "../message/exchange.ts";
import { answersItself, isPair } from "../message/result.ts";
import { isResponse, isThenable, nameOf } from "../message/sendable.ts";
import { toBodyReader } from "./body.ts";
import { findIssues, toRefusal } from "./issues.ts";
import { isGenerator, nameOfCall, openGenerator } from "./opened.ts";
import type { BoundCall, Reader, Serve, Take, Taker } from "./taker.ts";
import { needsCredential, RequestWire, requireCredentials } from "./wire.ts";

/**
 * @param calls the guards and providers.
 * @param provided the indices of the calls whose values the handler is given. Only `replace` needs them.
 */
export function toServe(
  taker: Taker,
  calls: readonly BoundCall[] = [],
  provided: readonly number[] = [...calls.keys()],
): Serve {
  if (calls.length === 0) return serveHandler(taker);
  return Object.assign(serveCalls(taker, calls), { parts: { taker, calls, provided, toServe } });
}

/**
 * For a handler without guards and providers. It awaits only the body and the Standard Schemas, and so a request with a body makes one
 * promise: a validated POST is 1.02 × raw `node:http` (`npm run bench -- http --case signup`).
 */
function serveHandler(taker: Taker): Serve {
  const credentials = taker.takes.filter(needsCredential);
  const readBody = toBodyReader(taker.takes);
  return (handler, exchange) => {
    const wire = new RequestWire(exchange);
    requireCredentials(credentials, wire);
    if (readBody === undefined) return callHandler(taker, handler, wire, undefined);
    return readBody(wire, (body) => callHandler(taker, handler, wire, body));
  };
}

function callHandler(
  taker: Taker,
  handler: Parameters<Serve>[0],
  wire: RequestWire,
  body: unknown,
  checked: readonly Reader[] = [taker],
  provided?: readonly unknown[],
): unknown {
  const values = taker.read(wire, body, provided);
  if (values instanceof Promise || values === undefined)
    return settle(values, taker, checked, wire, body).then((known) => handler(...known));
  // The usual signatures without an array: a spread costs more than the call.
  switch (values.length) {
    case 1:
      return handler(values[0]);
    case 2:
      return handler(values[0], values[1]);
    default:
      return handler(...values);
  }
}

/** @throws {HttpError} 422 for values that do not fit, with the issues of what all the readers read. */
async function settle(
  values: ReturnType<Reader["read"]>,
  taker: Taker,
  readers: readonly Reader[],
  wire: RequestWire,
  body: unknown,
): Promise<readonly unknown[]> {
  const known = await values;
  requireTime(wire.exchange);
  if (known === undefined) throw toRefusal(await findIssues(readers, taker.definitions, wire, body));
  return known;
}

/** A request on its way to a handler with guards or providers. */
interface Progress {
  readonly wire: RequestWire;
  /** What the guards and the providers gave, in the order of their calls. */
  readonly provided: unknown[];
  body: unknown;
}

/** @returns a promise only if the next step has to wait for it. */
type Step = (progress: Progress) => unknown;

/**
 * For a handler with guards or providers. A step that gives no promise is not awaited: with an `await` for each, a guarded GET had 0.76 × the
 * requests on Node 26 and 0.86 × on Node 20 (`npm run bench -- http --case guarded`).
 */
function serveCalls(taker: Taker, calls: readonly BoundCall[]): Serve {
  const readers = calls.map((_, index) => taker.calls?.[index] ?? TAKES_NOTHING);
  const late = [...readers.filter((_, index) => !calls[index]?.isEarly), taker];
  const first = calls.findIndex((call, index) => !call.isEarly || toBodyReader(readers[index]?.takes ?? []));
  const early = first === -1 ? calls.length : first;
  const callSteps = calls.map((call, index) => toStep(taker, call, readers[index] ?? TAKES_NOTHING, late));
  const credentialsAt = (from: number, to?: number) => readers.slice(from, to).flatMap(credentialsOf);
  const readBody = toBodyReader([...readers, taker].flatMap(({ takes }) => takes));
  const steps: readonly Step[] = [
    // 1. Each guard, after the providers that it needs. What follows must not cost a request that a guard refuses.
    ...callSteps
      .slice(0, early)
      .flatMap((step, index) => [...requireAll(credentialsAt(index, index + 1)), step]),
    // 2. All other credentials.
    ...requireAll([...credentialsAt(early), ...credentialsOf(taker)]),
    // 3. The body, if any of the functions takes it.
    (progress) =>
      readBody?.(progress.wire, (json) => {
        progress.body = json;
      }),
    // 4. The other providers, and the guards that take the body.
    ...callSteps.slice(early),
  ];
  return (handler, exchange) => {
    const progress: Progress = { wire: new RequestWire(exchange), provided: [], body: undefined };
    const goOn = (from: number): unknown => {
      for (let index = from; index < steps.length; index++) {
        const pending = steps[index]?.(progress);
        if (isThenable(pending))
          return pending.then(() => {
            requireTime(exchange);
            return goOn(index + 1);
          });
      }
      // 5. The handler.
      return callHandler(taker, handler, progress.wire, progress.body, late, progress.provided);
    };
    return goOn(0);
  };
}

function requireAll(credentials: readonly Take[]): Step[] {
  return credentials.length === 0 ? [] : [({ wire }) => requireCredentials(credentials, wire)];
}

/** @param late the readers whose issues a 422 lists, unless the call is early: then it lists its own. */
function toStep(taker: Taker, call: BoundCall, reader: Reader, late: readonly Reader[]): Step {
  const checked = call.isEarly ? [reader] : late;
  return ({ wire, provided, body }) => {
    const accept = (value: unknown): void => {
      if (call.kind === "guard") requireNoAnswer(value, call);
      provided.push(value);
    };
    const values = reader.read(wire, body, provided);
    const given = Array.isArray(values)
      ? callWith(call, values, wire.exchange)
      : settle(values, taker, checked, wire, body).then((known) => callWith(call, known, wire.exchange));
    // A `then` of the project's own may return anything.
    return isThenable(given) ? Promise.resolve(given).then(accept) : accept(given);
  };
}

/** A provider that a test has replaced takes nothing. */
const TAKES_NOTHING: Reader = { takes: [], read: () => [] };

function credentialsOf({ takes }: Reader): readonly Take[] {
  return takes.filter(needsCredential);
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
