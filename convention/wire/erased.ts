/** Types that differ here and are one to TypeScript, for which constraints vanish and `int` is `number`. */

import type { TypeScope } from "./scope.ts";
import { look, type Type } from "./type.ts";

/**
 * To a linter the second of two such types is redundant, and its `--fix` deletes it. Linters leave type parameters alone.
 *
 * @param types of an intersection. @returns two of them.
 */
export function findTwins(types: readonly Type[], scope: TypeScope): readonly [Type, Type] | undefined {
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
 * The same text for the same type.
 *
 * @param isErased to TypeScript: of `Box<int & Min<1>>` it is that of `Box<number>`. The texts of a template are left.
 * @returns undefined where TypeScript may have two types for one text: of an object that is written out.
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
      if (type.kind === "reference") return join(type.to.own, type.to.of, isErased);
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
