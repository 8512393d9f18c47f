/** Follows `typeof ROLES` to the constant, from file to file, and gives its type as it is written there. */

import type { SourceModule, TypeExpression } from "../source/module.ts";
import { explainForeign, type Modules } from "../source/modules.ts";
import { CIRCLE } from "../source/names.ts";

export interface ConstantType {
  readonly module: SourceModule;
  readonly name: string;
  readonly type: TypeExpression;
  /** What follows the constant after a dot. */
  readonly rest: readonly string[];
}

/** @returns why there is no type, as the end of a sentence, where there is none. */
export type FoundConstant = ConstantType | string;

const UNVISITED: ReadonlySet<string> = new Set();

export function findConstant(
  modules: Modules,
  module: SourceModule,
  path: readonly string[],
  visited: ReadonlySet<string> = UNVISITED,
): FoundConstant {
  const [name = "", ...rest] = path;
  const step = `${module.file} ${name}`;
  if (visited.has(step)) return CIRCLE;
  const further = new Set(visited).add(step);
  const type = module.typeOfConstant(name);
  if (type) return { module, name, type, rest };
  const value = module.values.get(name);
  if (value?.kind === "name") return findConstant(modules, module, [value.name, ...rest], further);
  const imported = module.imports.get(name);
  if (imported) {
    const names = imported.name === "*" ? rest : [imported.name, ...rest];
    return findImportedConstant(modules, module, imported.from, names, further);
  }
  return value ? "its text alone does not say it" : `${module.file} does not declare it`;
}

function findImportedConstant(
  modules: Modules,
  module: SourceModule,
  from: string,
  path: readonly string[],
  visited: ReadonlySet<string>,
): FoundConstant {
  if (modules.locate(module.file, from, true) === undefined) return explainForeign(from);
  const file = modules.resolve(module.file, from, true);
  const target = file === undefined ? undefined : modules.get(file);
  return target ? findExportedConstant(modules, target, path, visited) : `there is no file "${from}"`;
}

function findExportedConstant(
  modules: Modules,
  module: SourceModule,
  [name = "", ...rest]: readonly string[],
  visited: ReadonlySet<string>,
): FoundConstant {
  const step = `${module.file} exports ${name}`;
  if (visited.has(step)) return CIRCLE;
  const further = new Set(visited).add(step);
  const found = module.exports.get(name);
  if (found?.from != null) {
    const names = found.name === "*" ? rest : [found.name, ...rest];
    return findImportedConstant(modules, module, found.from, names, further);
  }
  if (found) return findConstant(modules, module, [found.name, ...rest], further);
  for (const star of module.stars) {
    const brought = findImportedConstant(modules, module, star.from, [name, ...rest], further);
    if (typeof brought !== "string") return brought;
  }
  return `${module.file} does not export \`${name}\``;
}
