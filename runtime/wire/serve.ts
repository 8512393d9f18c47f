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

function callHandler(taker: Taker, handler: Parameters<Serve>[0], wire: RequestWire, body: unknown): unknown {
  const values = taker.read(wire, body);
  if (values instanceof Promise || values === undefined)
    return settle(values, taker, [taker], wire, body).then((known) => handler(...known));
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

/** A guard or a provider on its way. */
interface Step {
  readonly call: BoundCall;
  readonly reader: Reader;
  readonly credentials: readonly Take[];
  /** Whose issues a 422 lists: of a guard its own; else those of all functions that run after the guards. */
  readonly checked: readonly Reader[];
}

/** For a handler with guards or providers. */
function serveCalls(taker: Taker, calls: readonly BoundCall[]): Serve {
  const readers = calls.map((_, index) => taker.calls?.[index] ?? TAKES_NOTHING);
  const late = [...readers.filter((_, index) => !calls[index]?.isEarly), taker];
  const steps = calls.map((call, index): Step => {
    const reader = readers[index] ?? TAKES_NOTHING;
    return { call, reader, credentials: credentialsOf(reader), checked: call.isEarly ? [reader] : late };
  });
  const first = steps.findIndex(({ call, reader }) => !call.isEarly || toBodyReader(reader.takes));
  const early = steps.slice(0, first === -1 ? steps.length : first);
  const rest = steps.slice(early.length);
  const credentials = [...rest.flatMap((step) => step.credentials), ...credentialsOf(taker)];
  const readBody = toBodyReader([...readers, taker].flatMap(({ takes }) => takes));
  return async (handler, exchange) => {
    const wire = new RequestWire(exchange);
    const provided: unknown[] = [];
    // 1. Each guard, after the providers that it needs. What follows must not cost a request that a guard refuses.
    for (const step of early) {
      requireCredentials(step.credentials, wire);
      const given = callStep(step, taker, wire, undefined, provided);
      provided.push(accept(isThenable(given) ? await given : given, step.call, exchange));
    }
    // 2. All other credentials.
    requireCredentials(credentials, wire);
    // 3. The body, if any of the functions takes it.
    const body = readBody && (await readBody(wire, (json) => json));
    requireTime(exchange);
    // 4. The other providers, and the guards that take the body.
    for (const step of rest) {
      const given = callStep(step, taker, wire, body, provided);
      provided.push(accept(isThenable(given) ? await given : given, step.call, exchange));
    }
    // 5. The handler.
    const read = taker.read(wire, body, provided);
    return handler(...(Array.isArray(read) ? read : await settle(read, taker, late, wire, body)));
  };
}

/** A provider that a test has replaced takes nothing. */
const TAKES_NOTHING: Reader = { takes: [], read: () => [] };

function credentialsOf({ takes }: Reader): readonly Take[] {
  return takes.filter(needsCredential);
}

/** @returns what the guard or the provider gives, or a promise of it. */
function callStep(
  { call, reader, checked }: Step,
  taker: Taker,
  wire: RequestWire,
  body: unknown,
  provided: readonly unknown[],
): unknown {
  const { exchange } = wire;
  const read = reader.read(wire, body, provided);
  if (Array.isArray(read)) return callWith(call, read, exchange);
  return settle(read, taker, checked, wire, body).then((values) => callWith(call, values, exchange));
}

function callWith(call: BoundCall, values: readonly unknown[], exchange: Exchange): unknown {
  // Not called as a method: `call` would be its `this`.
  const { run } = call;
  const result = run(...values);
  return isGenerator(result) ? openGenerator(result, nameOfCall(call), exchange) : result;
}

/** @returns the value. @throws what ends the request after a guard or a provider. */
function accept(value: unknown, call: BoundCall, exchange: Exchange): unknown {
  requireTime(exchange);
  if (call.kind === "guard") requireNoAnswer(value, call);
  return value;
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
