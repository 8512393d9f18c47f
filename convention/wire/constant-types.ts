/** Follows `typeof ROLES` to the constant, from file to file, and gives its type as it is written there. */

import type { SourceModule, TypeExpression, ValueName } from "../source/module.ts";
import { explainForeign, type Modules } from "../source/modules.ts";
import { CIRCLE, findAnywhere } from "../source/names.ts";

export interface ConstantType {
  readonly module: SourceModule;
  readonly name: string;
  readonly type: TypeExpression;
  /** What follows the constant after a dot. */
  readonly rest: readonly string[];
}

/** @returns why there is no type, as the end of a sentence, where there is none. */
export type FoundConstant = ConstantType | string;

export function findConstant(modules: Modules, module: SourceModule, written: ValueName): FoundConstant {
  const visited = new Set<unknown>();
  for (let found = findAnywhere(modules, module, written, "value"); ; ) {
    if (found.kind === "lost") return found.why;
    if (found.kind === "global") return `${module.file} does not declare it`;
    if (found.kind !== "declared") return explainForeign(found.from);
    const { module: declaring, name, declaration, rest } = found;
    const type = declaring.typeOfConstant(name);
    if (type) return { module: declaring, name, type, rest };
    if (declaration.kind !== "name") return "its text alone does not say it";
    if (visited.has(declaration)) return CIRCLE;
    visited.add(declaration);
    found = findAnywhere(modules, declaring, { path: [declaration.name, ...rest] }, "value");
  }
}
