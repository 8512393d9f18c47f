/** Follows the name of a type to its declaration: through imports, re-exports and `export *`, from file to file. */

import { closest } from "../diagnostics/closest.ts";
import { explainMissing } from "./exports.ts";
import type { SourceModule, TypeDeclaration } from "./module.ts";
import type { Modules } from "./modules.ts";

export type NamedType =
  /** A file of the project declares it. */
  | DeclaredType
  /** An import from `framework`, whether it exports such a name or not. */
  | { readonly kind: "framework"; readonly from: string; readonly path: readonly string[] }
  /** An import of what is not a file of the project. */
  | { readonly kind: "foreign"; readonly from: string; readonly path: readonly string[] }
  /** Neither declared nor imported: one of TypeScript's own types, or none. */
  | { readonly kind: "global"; readonly path: readonly string[] }
  | LostType;

/** It leads nowhere. */
export interface LostType {
  readonly kind: "lost";
  /** As the end of a sentence. */
  readonly why: string;
  /** What was probably meant. */
  readonly nearest?: string | undefined;
  /** The file that should have it is missing, or has errors. */
  readonly unread?: boolean;
}

export interface DeclaredType {
  readonly kind: "declared";
  readonly module: SourceModule;
  readonly name: string;
  readonly declaration: TypeDeclaration;
  /** What follows the name after a dot. */
  readonly rest: readonly string[];
}

/** Why a type can't be resolved that is made of itself alone. */
export const CIRCLE = "it refers to itself";

const NOTHING: ReadonlySet<string> = new Set();

/** @param path the names between the dots, as the module writes them. */
export function findType(
  modules: Modules,
  module: SourceModule,
  path: readonly string[],
  visited: ReadonlySet<string> = NOTHING,
): NamedType {
  const [name = "", ...rest] = path;
  const declaration = module.types.get(name);
  if (declaration) return { kind: "declared", module, name, declaration, rest };
  const imported = module.imports.get(name);
  if (imported === undefined) return { kind: "global", path };
  const names = imported.name === "*" ? rest : [imported.name, ...rest];
  return findImportedType(modules, module, imported.from, names, visited);
}

/** @param path the exported name first; more than one where it is a namespace. */
export function findImportedType(
  modules: Modules,
  module: SourceModule,
  from: string,
  path: readonly string[],
  visited: ReadonlySet<string> = NOTHING,
): NamedType {
  if (from === "framework" || from.startsWith("framework/")) return { kind: "framework", from, path };
  const file = modules.resolve(module.file, from, true);
  const target = file === undefined ? undefined : modules.get(file);
  if (target) return findExportedType(modules, target, path, visited);
  return modules.locate(module.file, from, true) === undefined
    ? { kind: "foreign", from, path }
    : { kind: "lost", why: `there is no file "${from}"`, unread: true };
}

function findExportedType(
  modules: Modules,
  module: SourceModule,
  [name = "", ...rest]: readonly string[],
  visited: ReadonlySet<string>,
): NamedType {
  const step = `${module.file} ${name}`;
  if (visited.has(step)) return { kind: "lost", why: CIRCLE };
  const further = new Set(visited).add(step);
  const found = module.exports.get(name);
  if (found?.from != null) {
    const names = found.name === "*" ? rest : [found.name, ...rest];
    return findImportedType(modules, module, found.from, names, further);
  }
  if (found) return findType(modules, module, [found.name, ...rest], further);
  let unread: LostType | undefined;
  for (const star of module.stars) {
    const brought = findImportedType(modules, module, star.from, [name, ...rest], further);
    if (brought.kind !== "lost" && brought.kind !== "foreign") return brought;
    if (brought.kind === "lost" && brought.unread) unread ??= brought;
  }
  if (module.problems.length > 0) return { kind: "lost", why: explainMissing(module, name), unread: true };
  const nearest = closest(name, module.exports.keys());
  return unread ?? { kind: "lost", why: explainMissing(module, name), nearest };
}
