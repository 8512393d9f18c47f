/** Lists the exports of a module, and resolves an exported value through re-exports to its declaration. */

import type { Location } from "#runtime/routing/route";
import { closest } from "../diagnostics/closest.ts";
import type { FunctionValue, SourceModule, Value } from "./module.ts";
import { follow, type Modules, toUnresolved, type Unresolved } from "./modules.ts";

/** The declaration of an exported name, in whichever file it is. */
export type Origin =
  | { readonly kind: "function"; readonly module: SourceModule; readonly value: FunctionValue }
  | Extract<Value, { readonly kind: "opaque" | "other" }>
  /** A type, or a type-only import: it is erased. */
  | { readonly kind: "type" }
  /** A name in a file with syntax errors, which are reported already. */
  | { readonly kind: "nothing" }
  | Unresolved;

/** A name that a module exports, by name or through `export *`. */
export interface ExportedName {
  readonly name: string;
  /** The module that exports it by name: this one, or the target of an `export *`. */
  readonly module: SourceModule;
  readonly location: Location;
  /** True if two `export *` have different declarations of this name: JavaScript then exports neither. */
  readonly ambiguous: boolean;
}

/**
 * Lists the names that a module exports at run time, except "default", including those from `export *`.
 * @param unresolved is called for each `export *` whose file can't be resolved.
 * @param collected results by file, partial while a file in an import cycle is being read.
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
      for (const exported of listExports(modules, target, unresolved, collected))
        addFromStar(exported, star.location);
  }
  return [...names.values()];

  function addFromStar(exported: ExportedName, place: Location): void {
    const before = names.get(exported.name);
    if (before === undefined) names.set(exported.name, exported);
    else if (!own.has(exported.name) && isOther(modules, before, exported)) {
      names.set(exported.name, { ...exported, location: place, ambiguous: true });
    }
  }
}

/** True if two exported names have different declarations. */
function isOther(modules: Modules, one: ExportedName, other: ExportedName): boolean {
  const [place, otherPlace] = [one, other].map(({ module, name, location }) =>
    declarationPlaceOf(resolveExport(modules, module, name, location)),
  );
  return place !== otherPlace;
}

/** Identifies a declaration. All unresolved names count as the same one: they have a diagnostic of their own. */
function declarationPlaceOf(origin: Origin): string {
  if (origin.kind === "type" || origin.kind === "nothing" || origin.kind === "unresolved") return "";
  const { file, line, column } = origin.kind === "function" ? origin.value.location : origin.location;
  return `${file}:${line}:${column}`;
}

/** Resolves an exported name to its declaration. */
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

/** Explains why a module has no such export. */
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

/** The functions that a module does not export, with the locations of their names. */
export function listUnexported({ exports, values }: SourceModule): ReadonlyMap<string, Location> {
  const exported = new Set([...exports.values()].filter(({ from }) => from === null).map(({ name }) => name));
  const functions = [...values].filter(
    ([name, value]) => value.kind === "function" && value.body && !exported.has(name),
  );
  return new Map(functions.map(([name, { location }]) => [name, location]));
}
