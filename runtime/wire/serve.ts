/** Calls a handler with what it takes from the request, after its guards and providers. */

import type { Exchange } from "../message/exchange.ts";
import { answersItself, isPair } from "../message/result.ts";
import { isResponse, isThenable, nameOf } from "../message/sendable.ts";
import { toBodyReader } from "./body.ts";
import { isCredential, requireCredentials } from "./credentials.ts";
import type { BoundCall, DeclaredInput, FunctionInputs, RouteInputs, Serve } from "./inputs.ts";
import { findIssues, toRefusal } from "./issues.ts";
import { isGenerator, nameOfCall, openGenerator } from "./opened.ts";
import { RequestReader } from "./request-reader.ts";

/** The rest of the way to the handler. @returns what the handler returns, or a promise of it. */
type Way = (reader: RequestReader, handler: Parameters<Serve>[0]) => unknown;

/** @returns the way that begins with this step. */
type Step = (next: Way) => Way;

/**
 * @param calls the guards and providers.
 * @param provided the indices of the calls whose values the handler is given. Only `replace` needs them.
 */
export function toServe(
  inputs: RouteInputs,
  calls: readonly BoundCall[] = [],
  provided: readonly number[] = [...calls.keys()],
): Serve {
  // Linked for the first request: a server with a thousand routes starts 10 ms earlier.
  let way: Way | undefined;
  const serve: Serve = (handler, exchange) => {
    way ??= linkSteps(inputs, calls);
    return way(new RequestReader(exchange, calls.length === 0 ? NO_RESULTS : []), handler);
  };
  return calls.length === 0 ? serve : Object.assign(serve, { parts: { inputs, calls, provided, toServe } });
}

/** Of a request for which nothing is called before the handler. */
const NO_RESULTS: unknown[] = [];

/**
 * A request makes no promise for a step that gives none: with an `await` for each, a guarded GET had 0.76 × the requests on Node 26 and
 * 0.86 × on Node 20 (`npm run bench -- http --case guarded`), and a validated POST, which makes one, is 1.02 × raw `node:http`
 * (`--case signup`).
 */
function linkSteps(route: RouteInputs, calls: readonly BoundCall[]): Way {
  const called = calls.map((call, index): Called => [call, route.calls?.[index] ?? TAKES_NOTHING]);
  const first = called.findIndex(([{ isEarly }, { takes }]) => !isEarly || toBodyReader(takes));
  const late = first === -1 ? [] : called.slice(first);
  const early = called.slice(0, called.length - late.length);
  const inputsOf = (some: readonly Called[]): FunctionInputs[] => [
    ...some.map(([, inputs]) => inputs),
    route,
  ];
  const checked = inputsOf(called.filter(([{ isEarly }]) => !isEarly));
  const steps: readonly Step[] = [
    // 1. Each guard, after the providers that it needs. What follows must not cost a request that a guard refuses.
    ...early.flatMap((one) => [requireAll([one[1]]), makeCall(one, route, checked)]),
    // 2. All other credentials.
    requireAll(inputsOf(late)),
    // 3. The body, if any of the functions takes it.
    readBody(inputsOf(called)),
    // 4. The other providers, and the guards that take the body.
    ...late.map((one) => makeCall(one, route, checked)),
  ];
  // 5. The handler.
  return steps.reduceRight((next, step) => step(next), callHandler(route, checked));
}

type Called = readonly [call: BoundCall, inputs: FunctionInputs];

/** A provider that a test has replaced takes nothing. */
const TAKES_NOTHING: FunctionInputs = { takes: [], read: () => [] };

function takesOf(functions: readonly FunctionInputs[]): readonly DeclaredInput[] {
  return functions.flatMap(({ takes }) => takes);
}

function requireAll(functions: readonly FunctionInputs[]): Step {
  const credentials = takesOf(functions).filter((take) => !take.optional && isCredential(take.in));
  if (credentials.length === 0) return (next) => next;
  return (next) => (reader, handler) => {
    requireCredentials(credentials, reader);
    return next(reader, handler);
  };
}

function readBody(functions: readonly FunctionInputs[]): Step {
  const read = toBodyReader(takesOf(functions));
  if (read === undefined) return (next) => next;
  return (next) => (reader, handler) =>
    read(reader, () => {
      requireTime(reader.exchange);
      return next(reader, handler);
    });
}

/** @param late the functions for whose inputs a 422 lists the issues, unless the call is early: then it lists its own. */
function makeCall([call, inputs]: Called, route: RouteInputs, late: readonly FunctionInputs[]): Step {
  const checked = call.isEarly ? [inputs] : late;
  return (next) => (reader, handler) => {
    const values = inputs.read(reader);
    const given = Array.isArray(values)
      ? callBefore(call, values, reader.exchange)
      : settle(values, route, checked, reader).then((known) => callBefore(call, known, reader.exchange));
    if (isThenable(given))
      // A `then` of the project's own may return anything.
      return Promise.resolve(given).then((value) => {
        accept(value, call, reader);
        requireTime(reader.exchange);
        return next(reader, handler);
      });
    accept(given, call, reader);
    return next(reader, handler);
  };
}

function accept(value: unknown, call: BoundCall, reader: RequestReader): void {
  if (call.kind === "guard") requireNoAnswer(value, call);
  reader.results.push(value);
}

function callHandler(route: RouteInputs, checked: readonly FunctionInputs[]): Way {
  return (reader, handler) => {
    const values = route.read(reader);
    if (!Array.isArray(values))
      return settle(values, route, checked, reader).then((known) => callWith(handler, known));
    return callWith(handler, values);
  };
}

/** @throws {HttpError} 422 for values that do not fit, with the issues of the inputs of all the functions. */
async function settle(
  values: ReturnType<FunctionInputs["read"]>,
  route: RouteInputs,
  checked: readonly FunctionInputs[],
  reader: RequestReader,
): Promise<readonly unknown[]> {
  const known = await values;
  requireTime(reader.exchange);
  if (known === undefined) throw toRefusal(await findIssues(checked, route.definitions, reader));
  return known;
}

/** @returns what the guard or the provider gives, or a promise of it. */
function callBefore(call: BoundCall, values: readonly unknown[], exchange: Exchange): unknown {
  const result = callWith(call.run, values);
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

/** The usual signatures need no spread, which costs more than the call. */
function callWith(run: (...values: never[]) => unknown, values: readonly unknown[]): unknown {
  const call = run as (...values: unknown[]) => unknown;
  switch (values.length) {
    case 0:
      return call();
    case 1:
      return call(values[0]);
    case 2:
      return call(values[0], values[1]);
    default:
      return call(...values);
  }
}
