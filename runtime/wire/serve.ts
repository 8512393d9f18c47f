/** Runs a route's guards, providers and handler with their inputs from the request. */

import type { Exchange } from "../message/exchange.ts";
import { answersItself, isPair } from "../message/result.ts";
import { isResponse, isThenable, nameOf } from "../message/sendable.ts";
import { toBodyReader } from "./body.ts";
import { isCredential, requireCredentials } from "./credentials.ts";
import type { BoundCall, DeclaredInput, FunctionInputs, RouteInputs, Serve } from "./inputs.ts";
import { findIssues, toRefusal } from "./issues.ts";
import { isGenerator, nameOfCall, openGenerator } from "./opened.ts";
import { RequestReader } from "./request-reader.ts";

/** The remaining steps of a request. @returns the handler's result, or a promise of it. */
type Chain = (reader: RequestReader, handler: Parameters<Serve>[0]) => unknown;

/** @returns the chain that begins with this step. */
type Step = (next: Chain) => Chain;

/**
 * @param calls the guards and providers.
 * @param provided the indices of the calls whose values the handler receives. Only `replace` needs them.
 */
export function toServe(
  inputs: RouteInputs,
  calls: readonly BoundCall[] = [],
  provided: readonly number[] = [...calls.keys()],
): Serve {
  // Built at the first request, so that a server with a thousand routes starts 10 ms earlier.
  let chain: Chain | undefined;
  const serve: Serve = (handler, exchange) => {
    chain ??= linkSteps(inputs, calls);
    return chain(new RequestReader(exchange, calls.length === 0 ? NO_RESULTS : []), handler);
  };
  return calls.length === 0 ? serve : Object.assign(serve, { parts: { inputs, calls, provided, toServe } });
}

/** The results of a request without guards and providers. */
const NO_RESULTS: unknown[] = [];

/**
 * Links the steps of a route. A synchronous step creates no promise: with an `await` for each, a guarded GET had 0.76 × the requests on
 * Node 26 and 0.86 × on Node 20 (`npm run bench -- http --case guarded`), and a validated POST, which creates one, is 1.02 × raw
 * `node:http` (`--case signup`).
 */
function linkSteps(route: RouteInputs, calls: readonly BoundCall[]): Chain {
  const called = calls.map((call, index): CallWithInputs => [call, route.calls?.[index] ?? NO_INPUTS]);
  const first = called.findIndex(([{ isEarly }, { takes }]) => !isEarly || toBodyReader(takes));
  const late = first === -1 ? [] : called.slice(first);
  const early = called.slice(0, called.length - late.length);
  const inputsOf = (some: readonly CallWithInputs[]): FunctionInputs[] => [
    ...some.map(([, inputs]) => inputs),
    route,
  ];
  const checked = inputsOf(called.filter(([{ isEarly }]) => !isEarly));
  const steps: readonly Step[] = [
    // 1. Each guard, after the providers that it needs, so that a refused request is cheap.
    ...early.flatMap((call) => [requireAll([call[1]]), makeCall(call, route, checked)]),
    // 2. All other credentials.
    requireAll(inputsOf(late)),
    // 3. The body, if any of the functions declares it.
    readBody(inputsOf(called)),
    // 4. The other providers, and the guards that declare the body.
    ...late.map((call) => makeCall(call, route, checked)),
  ];
  // 5. The handler.
  return steps.reduceRight((next, step) => step(next), callHandler(route, checked));
}

type CallWithInputs = readonly [call: BoundCall, inputs: FunctionInputs];

/** A provider that a test has replaced has no inputs. */
const NO_INPUTS: FunctionInputs = { takes: [], read: () => [] };

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

/** @param late the functions whose issues a 422 lists together; for an early call, a 422 lists only its own. */
function makeCall([call, inputs]: CallWithInputs, route: RouteInputs, late: readonly FunctionInputs[]): Step {
  const checked = call.isEarly ? [inputs] : late;
  return (next) => (reader, handler) => {
    const values = inputs.read(reader);
    const result = Array.isArray(values)
      ? callBefore(call, values, reader.exchange)
      : awaitValues(values, route, checked, reader).then((known) => callBefore(call, known, reader.exchange));
    if (isThenable(result))
      // A project's own `then` may return anything.
      return Promise.resolve(result).then((value) => {
        accept(value, call, reader);
        requireTime(reader.exchange);
        return next(reader, handler);
      });
    accept(result, call, reader);
    return next(reader, handler);
  };
}

function accept(value: unknown, call: BoundCall, reader: RequestReader): void {
  if (call.kind === "guard") requireNoAnswer(value, call);
  reader.results.push(value);
}

function callHandler(route: RouteInputs, checked: readonly FunctionInputs[]): Chain {
  return (reader, handler) => {
    const values = route.read(reader);
    if (!Array.isArray(values))
      return awaitValues(values, route, checked, reader).then((known) => callWith(handler, known));
    return callWith(handler, values);
  };
}

/** Awaits the arguments. @throws {HttpError} 422 for invalid values, with the issues of all `checked` functions. */
async function awaitValues(
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

/** Calls a guard or a provider. @returns its value, or a promise of it. */
function callBefore(call: BoundCall, values: readonly unknown[], exchange: Exchange): unknown {
  const result = callWith(call.run, values);
  return isGenerator(result) ? openGenerator(result, nameOfCall(call), exchange) : result;
}

/** After `handler_timeout` the client was sent a 503, and the providers are closed. */
function requireTime({ givenUp }: Exchange): void {
  if (givenUp !== undefined) throw givenUp;
}

/** A guard that returns a refusal instead of throwing it must not let the request through. */
function requireNoAnswer(value: unknown, call: BoundCall): void {
  // As for handlers, a returned error counts as thrown.
  if (value instanceof Error) throw value;
  const isErrorPair = isPair(value) && value[1] >= 400 && value[1] <= 599;
  if (value !== false && !isResponse(value) && !answersItself(value) && !isErrorPair) return;
  const returned = value === false ? "false" : nameOf(value);
  throw new TypeError(
    `${nameOfCall(call)} returned ${returned}. A guard refuses a request by throwing: throw new HttpError(403, "…").`,
  );
}

/** Calls common signatures without a spread, which costs more than the call itself. */
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
