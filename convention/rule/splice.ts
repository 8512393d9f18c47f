/** The parameters of functions with those of their providers in their places, each provider at its first mention. */

import type { Location } from "#runtime/routing/route";
import { formatLimits } from "../wire/format-shape.ts";
import type { TypedParam } from "../wire/typed-route.ts";
import type { SignatureParameter } from "./signature.ts";

/** A function on the way from a handler or a guard to what its providers take. */
export interface Caller {
  readonly name: string;
  readonly parameters: readonly SignatureParameter[];
  /** The function that needs it, and its parameter that names this one. Undefined for the handler or the guard itself. */
  readonly by?: { readonly caller: Caller; readonly location: Location };
}

/** A parameter that is not itself a provider's, with the function that declares it. */
export interface Spliced {
  readonly parameter: Exclude<SignatureParameter, { readonly kind: "provided" }>;
  readonly caller: Caller;
}

export type ParamParameter = Extract<SignatureParameter, { readonly kind: "param" }>;

/** @param called by the framework itself, in this order: the guards, and the handler. */
export function splice(called: readonly Caller[]): Spliced[] {
  const spliced: Spliced[] = [];
  /** By the place of its declaration, which is one object for all that name a function. */
  const visited = new Set<Location>();
  for (const caller of called) enter(caller);
  return spliced;

  function enter(caller: Caller): void {
    for (const parameter of caller.parameters) {
      if (parameter.kind !== "provided") {
        spliced.push({ parameter, caller });
        continue;
      }
      const { name, parameters, location } = parameter.provider;
      if (visited.has(location)) continue;
      visited.add(location);
      enter({ name, parameters, by: { caller, location: parameter.location } });
    }
  }
}

/** The params of a handler and its providers, in the order in which the path has those that it does not place. */
export function spliceParams(parameters: readonly SignatureParameter[]): readonly ParamParameter[] {
  if (!parameters.some(({ kind }) => kind === "provided"))
    return parameters.filter((parameter) => parameter.kind === "param");
  const params = new Map<string, ParamParameter>();
  for (const { parameter } of splice([{ name: "", parameters }])) {
    if (parameter.kind !== "param") continue;
    const before = params.get(parameter.name);
    // What one of the functions asks for holds for the path.
    if (before === undefined || (before.shape === undefined && parameter.shape !== undefined))
      params.set(parameter.name, parameter);
  }
  return [...params.values()];
}

/** As most people write it. */
export function formatParamType({ type, shape }: Pick<TypedParam, "type" | "shape">): string {
  return shape ? formatLimits(shape) : type.replace("str", "string");
}

/** Whether a function that has the one type for a param is right about a path that has the other. */
export function holdsFor(one: Pick<TypedParam, "type" | "shape">, path: typeof one | undefined): boolean {
  const isSame = one.shape === undefined || JSON.stringify(one.shape) === JSON.stringify(path?.shape);
  return one.type === path?.type && isSame;
}

/** How many functions of a chain a message names. */
const LONGEST_CHAIN = 6;

/** @example formatChain(["get_index", "requireUser", "session"]) // "get_index -> requireUser -> session" */
export function formatChain(names: readonly string[]): string {
  const isLong = names.length > LONGEST_CHAIN;
  return (isLong ? [...names.slice(0, LONGEST_CHAIN - 2), "…", ...names.slice(-1)] : names).join(" -> ");
}

/** @example nameCaller(caller) // "get_index -> requireUser -> session" */
export function nameCaller(caller: Caller): string {
  const names: string[] = [];
  for (let one: Caller | undefined = caller; one; one = one.by?.caller) names.unshift(one.name);
  return formatChain(names);
}
