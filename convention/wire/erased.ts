/** Finds types that differ for us but are the same to TypeScript, to which constraints are `{}` and `int` is `number`. */

import type { TypeScope } from "./scope.ts";
import { look, type Type } from "./type.ts";

/**
 * Finds two operands of an intersection that are the same type to TypeScript: a linter reports the second as redundant, and `--fix`
 * deletes it. Linters ignore generic declarations, and so does this.

 */
export function findErasedDuplicates(
  types: readonly Type[],
  scope: TypeScope,
): readonly [Type, Type] | undefined {
  if (scope.parameters.size > 0) return undefined;
  const known = new Map<string, Type>();
  for (const type of types) {
    const erased = toKey(type, true);
    if (erased === undefined) continue;
    const before = known.get(erased);
    if (before !== undefined && toKey(before, false) !== toKey(type, false)) return [before, type];
    known.set(erased, type);
  }
  return undefined;
}

/**
 * The identity of a type as text.
 *
 * @param isErased computes TypeScript's view: `Box<int & Min<1>>` is `Box<number>`. Template literals keep their pattern.
 * @returns undefined for inline objects, which TypeScript may treat as different types.
 */
function toKey(type: Type, isErased: boolean): string | undefined {
  const found = look(type);
  switch (found.kind) {
    case "string":
    case "number": {
      const { at: _, ...limits } = found;
      const isTemplate =
        "patterns" in limits && limits.patterns?.some(({ template }) => template !== undefined);
      return isErased && !isTemplate ? found.kind : JSON.stringify(limits);
    }
    case "literal":
      return JSON.stringify(found.values);
    case "array": {
      const { at: _, items, ...limits } = found;
      return join(isErased ? "[]" : JSON.stringify(limits), [items], isErased);
    }
    case "union":
      return join("|", found.of, isErased);
    case "object":
      if (type.kind === "reference") return join(type.to.declaredName, type.to.of, isErased);
      return type.at.isOperator && found.fields.size === 0 && found.others
        ? join("Record", [found.others], isErased)
        : undefined;
    case "tuple":
    case "constraints":
    case "refused":
      return undefined;
    default:
      return found.kind;
  }
}

function join(name: string, types: readonly Type[], isErased: boolean): string | undefined {
  const keys = types.map((type) => toKey(type, isErased));
  return keys.includes(undefined) ? undefined : `${name}<${keys.join()}>`;
}
