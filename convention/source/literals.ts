/** Infers the types of literals, arrays and objects as TypeScript does: for `typeof ROLES`, and for values that a handler returns. */

import type { Ast } from "#convention/deps/babel-parser";
import type { KeywordType, Member, TypeExpression } from "./module.ts";
import { locate, pathOf, type Source, textOf } from "./tree.ts";
import { keyOf, literalOf, toType, typeOf } from "./types.ts";

export { keyOf };

/**
 * TypeScript's literal widening. "exact" is `as const`: literals and tuples throughout. "kept" is a literal alone after `const`: its
 * literal type, but widened members. "wide" is any other place: `8` is a `number`.
 */
export type Width = "exact" | "kept" | "wide";

/** The source text and location of an expression. */
export type Place = Pick<TypeExpression, "text" | "location">;

/** Infers the type of any other expression, such as a name. Null makes the type of the whole value unknown. */
export type ReadOther = (node: Ast.Node, width: Width) => TypeExpression | null;

const NOTHING_ELSE: ReadOther = () => null;

/** @returns null where the type depends on other declarations, such as the result of a call. */
export function typeOfConstant(
  source: Source,
  { id, init }: Ast.VariableDeclarator,
  isConst: boolean,
): TypeExpression | null {
  if (id.type !== "Identifier") return null;
  return typeOf(source, id) ?? (init ? typeOfValue(source, init, isConst ? "kept" : "wide") : null);
}

export function typeOfValue(
  source: Source,
  node: Ast.Node,
  width: Width,
  readOther: ReadOther = NOTHING_ELSE,
): TypeExpression | null {
  const place = placeOf(source, node);
  const literal = literalOf(node);
  if (literal === null) return keyword("null", place);
  if (literal !== undefined) {
    const type: TypeExpression = { kind: "literal", value: literal, ...place };
    return width === "wide" ? widen(type) : type;
  }
  switch (node.type) {
    case "ParenthesizedExpression":
    case "TSSatisfiesExpression":
      return typeOfValue(source, node.expression, width, readOther);
    case "TSAsExpression":
      return isAsConst(node)
        ? typeOfValue(source, node.expression, "exact", readOther)
        : toType(source, node.typeAnnotation);
    case "ArrayExpression":
      return typeOfArray(source, node, width, readOther);
    case "ObjectExpression":
      return typeOfObject(source, node, width, readOther);
    default:
      return readOther(node, width);
  }
}

function isAsConst({ typeAnnotation: type }: Ast.TSAsExpression): boolean {
  return type.type === "TSTypeReference" && pathOf(type.typeName)?.join() === "const";
}

function typeOfArray(
  source: Source,
  node: Ast.ArrayExpression,
  width: Width,
  readOther: ReadOther,
): TypeExpression | null {
  const place = placeOf(source, node);
  const types = node.elements.map(
    (element) => element && typeOfValue(source, element, memberWidth(width), readOther),
  );
  const known = types.filter((type) => type !== null);
  if (known.length < types.length) return null;
  const isPlain = node.elements.every((element) => element?.type !== "SpreadElement");
  if (width === "exact" && isPlain) return tupleOf(known, place);
  const empty = known.length === 0 ? readOther(node, width) : null;
  return { kind: "array", items: empty ?? { kind: "union", of: known, ...place }, ...place };
}

/** A spread may override what comes before it. */
function typeOfObject(
  source: Source,
  node: Ast.ObjectExpression,
  width: Width,
  readOther: ReadOther,
): TypeExpression | null {
  const place = placeOf(source, node);
  let members: readonly Member[] = [];
  for (const property of node.properties) {
    const location = locate(source, property);
    const name = property.type === "SpreadElement" ? undefined : keyOf(property);
    const value = property.type === "ObjectProperty" && name !== undefined ? property.value : property;
    const type = typeOfValue(source, value, memberWidth(width), readOther);
    if (type === null) return null;
    const before = property.type === "SpreadElement" ? [] : members;
    members = [
      ...before,
      name === undefined
        ? { kind: "index", key: keyword("string", place), type, location }
        : { kind: "property", name, type, optional: false, location },
    ];
  }
  return { kind: "object", members, ...place };
}

function memberWidth(width: Width): Width {
  return width === "exact" ? "exact" : "wide";
}

/** Widens a literal type: `8` to `number`. */
export function widen(type: TypeExpression): TypeExpression {
  if (type.kind !== "literal") return type;
  return keyword(typeof type.value as "string" | "number" | "boolean", type);
}

export function placeOf(source: Source, node: Ast.Node): Place {
  return { text: textOf(source, node), location: locate(source, node) };
}

export function keyword(name: KeywordType, { text, location }: Place): TypeExpression {
  return { kind: "keyword", name, text, location };
}

export function tupleOf(types: readonly TypeExpression[], place: Place): TypeExpression {
  return { kind: "tuple", items: types.map((type) => ({ type, optional: false, rest: false })), ...place };
}

/** A global type of TypeScript, even if the file declares another one of that name. */
export function globalType(name: string, types: readonly TypeExpression[], place: Place): TypeExpression {
  return { kind: "name", path: ["globalThis", name], arguments: types, ...place };
}

export function unionOf(of: readonly TypeExpression[], place: Place): TypeExpression {
  const [first, second] = of;
  return first && second === undefined ? first : { kind: "union", of, ...place };
}
