/** The types that TypeScript gives to constants whose value is written out: what `typeof ROLES` means. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Member, TypeExpression } from "./module.ts";
import { locate, pathOf, type Source, textOf } from "./tree.ts";
import { literalOf, toType, typeOf } from "./types.ts";

/** @returns null where more than the text of the declaration is needed, such as what a function returns. */
export function typeOfConstant(
  source: Source,
  { id, init }: Ast.VariableDeclarator,
  isConst: boolean,
): TypeExpression | null {
  if (id.type !== "Identifier") return null;
  return typeOf(source, id) ?? (init ? typeOfValue(source, init, isConst ? "kept" : "wide") : null);
}

/** The type of a field or a parameter that is given such a value. */
export function typeOfLiteral(source: Source, value: Ast.Node, isReadonly: boolean): TypeExpression | null {
  return typeOfValue(source, value, isReadonly ? "kept" : "wide");
}

/** How exact a literal's type is: as it is in `as const`, as it is alone after `const`, or wide as it is in an array or an object. */
type Width = "exact" | "kept" | "wide";

function typeOfValue(source: Source, node: Ast.Node, width: Width): TypeExpression | null {
  const place = { text: textOf(source, node), location: locate(source, node) };
  const literal = literalOf(node);
  if (literal === null) return { kind: "keyword", name: "null", ...place };
  if (literal !== undefined) {
    if (width !== "wide") return { kind: "literal", value: literal, ...place };
    return { kind: "keyword", name: typeof literal as "string" | "number" | "boolean", ...place };
  }
  switch (node.type) {
    case "ParenthesizedExpression":
    case "TSSatisfiesExpression":
      return typeOfValue(source, node.expression, width);
    case "TSAsExpression":
      return isAsConst(node)
        ? typeOfValue(source, node.expression, "exact")
        : toType(source, node.typeAnnotation);
    case "ArrayExpression":
      return typeOfArray(source, node, width, place);
    case "ObjectExpression":
      return typeOfObject(source, node, width, place);
    default:
      return null;
  }
}

function isAsConst({ typeAnnotation: type }: Ast.TSAsExpression): boolean {
  return type.type === "TSTypeReference" && pathOf(type.typeName)?.join() === "const";
}

function typeOfArray(
  source: Source,
  { elements }: Ast.ArrayExpression,
  width: Width,
  place: Pick<TypeExpression, "text" | "location">,
): TypeExpression | null {
  const types = elements.map((element) => element && typeOfValue(source, element, inner(width)));
  const known = types.filter((type) => type !== null);
  if (known.length < types.length) return null;
  if (width === "exact")
    return {
      kind: "tuple",
      items: known.map((type) => ({ type, optional: false, rest: false })),
      ...place,
    };
  return { kind: "array", items: { kind: "union", of: known, ...place }, ...place };
}

function typeOfObject(
  source: Source,
  { properties }: Ast.ObjectExpression,
  width: Width,
  place: Pick<TypeExpression, "text" | "location">,
): TypeExpression | null {
  const members: Member[] = [];
  for (const property of properties) {
    const type =
      property.type === "ObjectProperty" ? typeOfValue(source, property.value, inner(width)) : null;
    if (property.type !== "ObjectProperty" || property.computed || type === null) return null;
    const name = property.key.type === "Identifier" ? property.key.name : literalOf(property.key);
    members.push({
      kind: "property",
      name: String(name),
      type,
      optional: false,
      location: locate(source, property),
    });
  }
  return { kind: "object", members, ...place };
}

function inner(width: Width): Width {
  return width === "exact" ? "exact" : "wide";
}
