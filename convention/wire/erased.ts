/** Types that differ here and are one to TypeScript, for which constraints vanish and `int` is `number`. */

import type { TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { CONSTRAINT_NAMES } from "./constraints.ts";
import { findNamed, frameworkName } from "./marks.ts";
import type { Outline, Part } from "./outline.ts";
import type { TypeScope } from "./scope.ts";
import { isTemplate } from "./templates.ts";

/**
 * To a linter the second of two such types is redundant, and its `--fix` deletes it.
 *
 * @param types what the parts are of.
 * @param labelErased the label of what is left of a type for TypeScript, if that is known.
 */
export function findTwins(
  types: readonly TypeExpression[],
  parts: readonly Part[],
  labelErased: (type: TypeExpression) => string | undefined,
): readonly [one: Part, other: Part] | undefined {
  const known: Part[] = [];
  const applied = new Map<string, Part>();
  for (const [index, other] of parts.entries()) {
    const outline = other.outline();
    const erased = labelApplied(types[index], labelErased);
    const same = applied.get(erased ?? "");
    if (same && same.label() !== other.label()) return [same, other];
    if (erased !== undefined) applied.set(erased, other);
    if (!isErased(outline) && outline.kind !== "array") continue;
    const one = known.find((before) => areTwins(before.outline(), outline));
    if (one) return [one, other];
    known.push(other);
  }
  return undefined;
}

/** `Box<string & Email>` and `(string & Email)[][]`: TypeScript has one type for all of the same arguments. */
function labelApplied(
  type: TypeExpression | undefined,
  labelErased: (type: TypeExpression) => string | undefined,
): string | undefined {
  const isApplied = type?.kind === "array" || (type && "arguments" in type && type.arguments.length > 0);
  return isApplied ? labelErased(type) : undefined;
}

/**
 * What is left of a type for TypeScript: `Box<number>` of `Box<int & Min<1>>`. A `Min` that the project declares is left.
 *
 * @returns undefined where that is not known, or TypeScript may have two types for one text: of an object, of a type parameter.
 */
export function eraseType(
  modules: Modules,
  type: TypeExpression,
  scope: TypeScope,
): TypeExpression | undefined {
  const erase = (inner: TypeExpression): TypeExpression | undefined => eraseType(modules, inner, scope);
  switch (type.kind) {
    case "keyword":
    case "literal":
      return type;
    case "array": {
      const items = erase(type.items);
      return items && { ...type, items };
    }
    case "union":
    case "intersection": {
      const left = type.of.filter(
        (inner) => !CONSTRAINT_NAMES.includes(nameOfOurs(modules, inner, scope) ?? ""),
      );
      const of = left.flatMap((inner) => erase(inner) ?? []);
      const [only] = of;
      if (only === undefined || of.length < left.length) return undefined;
      return of.length === 1 ? only : { ...type, of };
    }
    case "name":
    case "import": {
      const name = nameOfOurs(modules, type, scope);
      const given = type.arguments.flatMap((inner) => erase(inner) ?? []);
      if (name === undefined || given.length < type.arguments.length) return undefined;
      const { text, location } = type;
      return name === "int"
        ? { kind: "keyword", name: "number", text, location }
        : { ...type, arguments: given };
    }
    default:
      return undefined;
  }
}

/** Of the framework's types; "" for all others, and undefined for a type parameter and for what has no name. */
function nameOfOurs(modules: Modules, type: TypeExpression, scope: TypeScope): string | undefined {
  const named = findNamed(modules, { type, scope });
  return named && "kind" in named ? (frameworkName(named) ?? "") : undefined;
}

function isErased(outline: Outline): boolean {
  return outline.kind === "number" || (outline.kind === "string" && !isTemplate(outline));
}

function areTwins(one: Outline, other: Outline): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind !== "array" || other.kind !== "array") return differ(one, other);
  const [items, others] = [one.items.outline(), other.items.outline()];
  if (isErased(items) && isErased(others) && items.kind === others.kind)
    return differ(items, others) || differ(one, other);
  return differ(one, other) && one.items.label() === other.items.label();
}

/** In what is beside the items. */
function differ(one: Outline, other: Outline): boolean {
  const [first, second] = [one, other].map((outline) => JSON.stringify({ ...outline, items: undefined }));
  return first !== second;
}
