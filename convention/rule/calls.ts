/** Binds what runs for one route: which functions are called before the handler, in which order, and with what. */

import type { Argument, Location, Param, Route } from "#runtime/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { readBody } from "../source/bodies.ts";
import { type Call, type Inputs, paramsOf, type TypedRoute } from "../wire/typed-route.ts";
import type { FoundCall, SignatureParameter } from "./signature.ts";
import { formatParamType, holdsFor, nameCaller, splice } from "./splice.ts";

/**
 * @param parameters of the handler.
 * @param guards of its folders, the outer first.
 * @param params of the path. One that is missing has a diagnostic: see {@link checkGuards}.
 */
export function bindCalls(
  parameters: readonly SignatureParameter[],
  guards: readonly FoundCall[],
  params: readonly Param[],
): Inputs & Pick<TypedRoute, "calls"> {
  const names = params.map(({ name }) => name);
  if (guards.length === 0 && !parameters.some(({ kind }) => kind === "provided"))
    return { ...bindInputs(parameters, names, NOTHING), calls: [] };
  const order = new Map<Location, number>();
  const ordered = [...orderCalls(guards, order)];
  const early = ordered.length;
  ordered.push(...orderCalls(toProviders(parameters), order));
  const kinds = new Set(guards.map(({ location }) => location));
  const calls = ordered.map((call, index): Call => {
    const { name, module, exported, location, parameters: own } = call;
    const kind = kinds.has(location) ? "guard" : "provider";
    return {
      kind,
      name,
      module,
      exported,
      location,
      isEarly: index < early,
      canRefuse: kind === "guard" || canRefuse(call),
      ...bindInputs(own, names, order),
    };
  });
  return { ...bindInputs(parameters, names, order), calls };
}

/** Read from the provider's own text, without the functions that it calls. */
function canRefuse({ parameters, source }: FoundCall): boolean {
  const isRequired = parameters.some((parameter) => parameter.kind === "take" && !parameter.take.optional);
  return isRequired || readBody(source.value).throws;
}

const NOTHING: ReadonlyMap<Location, number> = new Map();

/** @param order of the calls, by the places of the functions. */
function bindInputs(
  parameters: readonly SignatureParameter[],
  names: readonly string[],
  order: ReadonlyMap<Location, number>,
): Inputs {
  return {
    arguments: parameters.map(
      ({ kind, name }): Argument =>
        kind === "param" ? names.indexOf(name) : kind === "take" ? "taken" : kind,
    ),
    takes: parameters.flatMap((parameter) => (parameter.kind === "take" ? [parameter.take] : [])),
    provided: toProviders(parameters).map(({ location }) => order.get(location) ?? -1),
  };
}

function toProviders(parameters: readonly SignatureParameter[]): FoundCall[] {
  return parameters.flatMap((parameter) => (parameter.kind === "provided" ? [parameter.provider] : []));
}

/**
 * Each function after those that it needs, and none a second time.
 *
 * @param order of what is called before, which grows.
 */
function orderCalls(wanted: readonly FoundCall[], order: Map<Location, number>): FoundCall[] {
  return wanted.flatMap((call) => {
    if (order.has(call.location)) return [];
    const needed = orderCalls(toProviders(call.parameters), order);
    order.set(call.location, order.size);
    return [...needed, call];
  });
}

/** What guards, and the providers that they need, take from the path, where the route does not have it, or not as that type. */
export function checkGuards(
  { method, pattern, segments, location: place }: Pick<TypedRoute, keyof Route>,
  guards: readonly FoundCall[],
): Diagnostic[] {
  const params = new Map(paramsOf(segments).map((param) => [param.name, param]));
  return guards.flatMap((guard) =>
    splice([guard]).flatMap(({ parameter, caller }) => {
      if (parameter.kind !== "param" || holdsFor(parameter, params.get(parameter.name))) return [];
      const { name, location } = parameter;
      const found = params.get(name);
      const details = {
        guard: nameCaller(caller),
        name,
        type: formatParamType(parameter),
        pattern: `${method} ${pattern}`,
        found: found ? `it is \`${formatParamType(found)}\`` : "there is none",
        folder: `${guardedFolder(guard)}/`,
      };
      return [diagnose("FW363", details, location, place)];
    }),
  );
}

function guardedFolder({ module }: FoundCall): string {
  return module.includes("/") ? module.slice(0, module.lastIndexOf("/")) : ".";
}
