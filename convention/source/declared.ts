/** Finds a function by its location, for routes and calls, which keep only the location of their function. */

import type { Location } from "#runtime/routing/route";
import type { FunctionValue, SourceModule } from "./module.ts";
import type { Modules } from "./modules.ts";

export interface DeclaredFunction {
  readonly module: SourceModule;
  /** The local name. */
  readonly name: string;
  readonly value: FunctionValue;
}

const byPlace = new WeakMap<SourceModule, ReadonlyMap<string, DeclaredFunction>>();

/** @param location the location of the function's name. @returns undefined if there is no function, or it can't be analysed. */
export function findDeclaredFunction(modules: Modules, location: Location): DeclaredFunction | undefined {
  const module = modules.get(location.file);
  if (module === undefined) return undefined;
  const known = byPlace.get(module) ?? listFunctions(module);
  byPlace.set(module, known);
  return known.get(formatPlace(location));
}

function listFunctions(module: SourceModule): ReadonlyMap<string, DeclaredFunction> {
  return new Map(
    [...module.values].flatMap(([name, value]) =>
      value.kind === "function" ? [[formatPlace(value.location), { module, name, value }] as const] : [],
    ),
  );
}

function formatPlace({ line, column }: Location): string {
  return `${line}:${column}`;
}
