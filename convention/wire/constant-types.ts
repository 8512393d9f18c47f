/** Resolves `typeof ROLES` to the constant's declaration, and infers its type from there. */

import type { SourceModule, TypeExpression, ValueName } from "../source/module.ts";
import { explainForeign, type Modules } from "../source/modules.ts";
import { findAnywhere, followNames } from "../source/names.ts";

export interface ConstantType {
  readonly module: SourceModule;
  readonly name: string;
  readonly type: TypeExpression;
  /** The properties after the constant: `["admin"]` for `typeof ROLES.admin`. */
  readonly rest: readonly string[];
}

/** @returns the type, or the reason why there is none, as the end of a sentence. */
export function findConstant(
  modules: Modules,
  module: SourceModule,
  written: ValueName,
): ConstantType | string {
  for (const found of followNames(modules, module, written, findAnywhere)) {
    if (found.kind === "lost") return found.why;
    if (found.kind === "global") return `${module.file} does not declare it`;
    if (found.kind !== "declared") return explainForeign(found.from);
    const type = found.module.typeOfConstant(found.name);
    if (type) return { module: found.module, name: found.name, type, rest: found.rest };
  }
  return "its text alone does not say it";
}
