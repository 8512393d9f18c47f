/** What a module exports, and what each exported name means: names are followed from file to file. */

import type { Location } from "#runtime/routing/route";
import { closest } from "../diagnostics/closest.ts";
import type { FunctionValue, SourceModule, Value } from "./module.ts";
import { follow, type Modules, toUnresolved, type Unresolved } from "./modules.ts";

/** What an exported name means, wherever it is declared. */
export type Origin =
  | { readonly kind: "function"; readonly module: SourceModule; readonly value: FunctionValue }
  | Extract<Value, { readonly kind: "opaque" | "other" }>
  /** A type, or a value that is only imported as one. It is erased. */
  | { readonly kind: "type" }
  /** A name that the parser has already complained about. */
  | { readonly kind: "nothing" }
  | Unresolved;

/** A name that a module exports, itself or by `export *`. */
export interface ExportedName {
  readonly name: string;
  /** The module that exports it by name: this one, or one that `export *` leads to. */
  readonly module: SourceModule;
  readonly location: Location;
  /** Two `export *` have different things of this name, so JavaScript exports neither. */
  readonly ambiguous: boolean;
}

/**
 * Every name that a module exports at run time except "default", with those from `export *`.
 * @param unresolved is called with each `export *` that can't be followed.
 * @param collected the names of other files; a file in a circle adds the names that it has so far.
 */
export function listExports(
  modules: Modules,
  module: SourceModule,
  unresolved: (problem: Unresolved) => void,
  collected: Map<string, ReadonlyMap<string, ExportedName>> = new Map(),
): readonly ExportedName[] {
  const known = collected.get(module.file);
  if (known) return [...known.values()];
  const names = new Map<string, ExportedName>();
  collected.set(module.file, names);
  for (const [name, { typeOnly, location }] of module.exports) {
    if (!typeOnly && name !== "default") names.set(name, { name, module, location, ambiguous: false });
  }
  const own = new Set(names.keys());
  for (const star of module.stars) {
    const target = star.typeOnly ? undefined : follow(modules, module, star.from, star.location);
    if (target === undefined) continue;
    if ("kind" in target) unresolved(target);
    else
      for (const brought of listExports(modules, target, unresolved, collected))
        bring(brought, star.location);
  }
  return [...names.values()];

  function bring(brought: ExportedName, place: Location): void {
    const before = names.get(brought.name);
    if (before === undefined) names.set(brought.name, brought);
    else if (!own.has(brought.name) && isOther(modules, before, brought)) {
      names.set(brought.name, { ...brought, location: place, ambiguous: true });
    }
  }
}

function isOther(modules: Modules, one: ExportedName, other: ExportedName): boolean {
  const [place, otherPlace] = [one, other].map(({ module, name, location }) =>
    declarationPlaceOf(resolveExport(modules, module, name, location)),
  );
  return place !== otherPlace;
}

/** Identifies a declaration. Names that lead nowhere count as the same: they have a diagnostic of their own. */
export function declarationPlaceOf(origin: Origin): string {
  if (origin.kind === "type" || origin.kind === "nothing" || origin.kind === "unresolved") return "";
  const { file, line, column } = origin.kind === "function" ? origin.value.location : origin.location;
  return `${file}:${line}:${column}`;
}

/** Follows an exported name to its declaration. */
export function resolveExport(
  modules: Modules,
  module: SourceModule,
  name: string,
  location: Location,
  visited: ReadonlySet<string> = new Set(),
): Origin {
  const step = `${module.file} ${name}`;
  if (visited.has(step)) return toUnresolved("the files re-export it to each other in a circle", location);
  const further = new Set(visited).add(step);
  const found = module.exports.get(name);
  if (found?.typeOnly) return { kind: "type" };
  if (found?.from === null) return resolveValue(modules, module, found.name, found.location, further);
  if (found) return resolveIn(modules, module, found.from, found.name, found.location, further);
  for (const star of module.stars) {
    if (star.typeOnly || name === "default") continue;
    const target = follow(modules, module, star.from, star.location);
    if ("kind" in target) continue;
    const origin = resolveExport(modules, target, name, location, further);
    if (origin.kind !== "unresolved") return origin;
  }
  return toUnresolved(explainMissing(module, name), location, closest(name, module.exports.keys()));
}

/** Why a module has no such export. */
export function explainMissing({ file, problems }: SourceModule, name: string): string {
  return problems.length > 0 ? `${file} has errors` : `${file} does not export \`${name}\``;
}

function resolveIn(
  modules: Modules,
  module: SourceModule,
  from: string,
  name: string,
  location: Location,
  visited: ReadonlySet<string>,
): Origin {
  if (name === "*") return { kind: "other", what: "all of another file", location };
  const target = follow(modules, module, from, location);
  return "kind" in target ? target : resolveExport(modules, target, name, location, visited);
}

function resolveValue(
  modules: Modules,
  module: SourceModule,
  name: string,
  location: Location,
  visited: ReadonlySet<string>,
): Origin {
  const value = module.values.get(name);
  if (value?.kind === "function") return { kind: "function", module, value };
  if (value?.kind === "name") {
    const step = `${module.file} = ${value.name}`;
    if (visited.has(step)) return { kind: "opaque", why: "it refers to itself", location };
    return resolveValue(modules, module, value.name, value.location, new Set(visited).add(step));
  }
  if (value) return value;
  const imported = module.imports.get(name);
  if (imported?.typeOnly || (!imported && module.types.has(name))) return { kind: "type" };
  if (imported) return resolveIn(modules, module, imported.from, imported.name, location, visited);
  if (module.problems.length > 0) return { kind: "nothing" };
  return { kind: "opaque", why: `\`${name}\` is not declared in this file`, location };
}

/** Functions that the module exports under no name, with the places of their names. */
export function listUnexported({ exports, values }: SourceModule): ReadonlyMap<string, Location> {
  const exported = new Set([...exports.values()].filter(({ from }) => from === null).map(({ name }) => name));
  const functions = [...values].filter(
    ([name, value]) => value.kind === "function" && value.body && !exported.has(name),
  );
  return new Map(functions.map(([name, { location }]) => [name, location]));
}
