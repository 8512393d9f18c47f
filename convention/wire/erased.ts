/** Types that differ here and are one to TypeScript, for which constraints vanish and `int` is `number`. */

import type { TypeDeclaration, TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { CONSTRAINT_NAMES } from "./constraints.ts";
import { endOf, findNamed, frameworkName } from "./marks.ts";
import type { ScopedType, TypeScope } from "./scope.ts";

/**
 * To a linter the second of two such types is redundant, and its `--fix` deletes it.
 *
 * @returns the indices of two of the types.
 */
export function findTwins(
  modules: Modules,
  types: readonly TypeExpression[],
  scope: TypeScope,
): readonly [one: number, other: number] | undefined {
  const known = new Map<string, number>();
  const keyOf = (type: TypeExpression | undefined, isErased: boolean): string | undefined =>
    type && toKey(modules, { type, scope }, isErased, new Set());
  for (const [other, type] of types.entries()) {
    const erased = keyOf(type, true);
    const one = known.get(erased ?? "");
    if (one !== undefined && keyOf(types[one], false) !== keyOf(type, false)) return [one, other];
    if (erased !== undefined) known.set(erased, other);
  }
  return undefined;
}

/** Aliases that each name another one twice double with each step. */
const MOST_ALIASES = 6;

/**
 * The same text for the same type.
 *
 * @param isErased to TypeScript: of `Box<int & Min<1>>` it is that of `Box<number>`. A `Min` that the project declares is left.
 * @param followed aliases, which may lead to themselves.
 * @returns undefined where TypeScript may have two types for one text: of an object, of a type parameter.
 */
function toKey(
  modules: Modules,
  scoped: ScopedType,
  isErased: boolean,
  followed: ReadonlySet<TypeDeclaration>,
): string | undefined {
  const { type, scope } = scoped;
  const named = findNamed(modules, scoped);
  // The parameter of a generic type: linters leave it alone.
  if ((named && !("kind" in named)) || followed.size > MOST_ALIASES) return undefined;
  const aliases = new Set(followed);
  const end = endOf(modules, scoped, aliases);
  const meant = end.type === type ? undefined : toKey(modules, end, isErased, aliases);
  if (meant !== undefined) return meant;
  const inside = (inner: TypeExpression): string | undefined =>
    toKey(modules, { type: inner, scope }, isErased, aliases);
  switch (type.kind) {
    case "keyword":
    case "literal":
      return type.text;
    case "array":
      return join("[]", [inside(type.items)]);
    case "union":
    case "intersection": {
      const left = type.of.filter((one) => !(isErased && isConstraint(modules, { type: one, scope })));
      return left.length === 1 ? left.map(inside)[0] : join(type.kind, left.map(inside));
    }
    case "name":
    case "import": {
      const ours = named && frameworkName(named);
      if (isErased && ours === "int") return "number";
      if (isErased && CONSTRAINT_NAMES.includes(ours ?? "")) return undefined;
      const { file, line, column } =
        named?.kind === "declared"
          ? named.declaration.location
          : { file: "", line: 0, column: type.path.join(".") };
      return join(`${file}:${line}:${column}`, type.arguments.map(inside));
    }
    default:
      return undefined;
  }
}

function isConstraint(modules: Modules, scoped: ScopedType): boolean {
  const named = findNamed(modules, scoped);
  return named !== undefined && "kind" in named && CONSTRAINT_NAMES.includes(frameworkName(named) ?? "");
}

function join(name: string, keys: readonly (string | undefined)[]): string | undefined {
  return keys.includes(undefined) ? undefined : `${name}<${keys.join()}>`;
}
