/** Finds a function again by its place: routes and calls know where they are declared, and nothing else of their source. */

import type { Location } from "#runtime/routing/route";
import type { FunctionValue, SourceModule } from "./module.ts";
import type { Modules } from "./modules.ts";

export interface DeclaredFunction {
  readonly module: SourceModule;
  /** Its name in that file. */
  readonly name: string;
  readonly value: FunctionValue;
}

const byPlace = new WeakMap<SourceModule, ReadonlyMap<string, DeclaredFunction>>();

/** @param location of its name. @returns undefined where what is declared there is not a function, or can't be read. */
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
