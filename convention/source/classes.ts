/** Converts a class to an interface with the members that `JSON.stringify` sees. Only results may have class types. */

import type { Ast } from "#convention/deps/babel-parser";
import { isFunction } from "./bodies.ts";
import { placeOf, typeOfValue } from "./literals.ts";
import type { Member, TypeDeclaration, TypeExpression } from "./module.ts";
import { locate, pathOf, type Source } from "./tree.ts";
import { keyOf, once, toArguments, toReturnType, toTypeParameters } from "./types.ts";

export function toClassDeclaration(
  source: Source,
  node: Ast.ClassDeclaration,
  location: TypeDeclaration["location"],
): TypeDeclaration {
  const place = { text: node.id?.name ?? "class", location };
  const members = once(() => node.body.body.flatMap((one) => toMember(source, one)));
  return {
    kind: "class",
    get generics() {
      const { typeParameters } = node;
      return typeParameters?.type === "TSTypeParameterDeclaration"
        ? toTypeParameters(source, typeParameters)
        : [];
    },
    get type(): TypeExpression {
      return { kind: "object", members: members(), ...place };
    },
    get bases() {
      return node.superClass ? [toBase(source, node, node.superClass)] : [];
    },
    location,
  };
}

function toBase(source: Source, node: Ast.ClassDeclaration, superClass: Ast.Expression): TypeExpression {
  const place = placeOf(source, superClass);
  const path = pathOf(superClass);
  const applied = node.superTypeArguments;
  const types = applied?.type === "TSTypeParameterInstantiation" ? toArguments(source, applied) : [];
  return path
    ? { kind: "name", path, arguments: types, ...place }
    : { kind: "other", what: "a computed base", ...place };
}

/** JSON has the fields, and the result of `toJSON`. Accessors and other methods are on the prototype, so JSON omits them. */
function toMember(source: Source, node: Ast.ClassBody["body"][number]): Member[] {
  if (node.type !== "ClassProperty" && node.type !== "ClassMethod") return [];
  const name = keyOf(node);
  if (node.static || name === undefined || /^(?:private|protected)$/.test(node.accessibility ?? ""))
    return [];
  const location = locate(source, node);
  if (node.type === "ClassMethod") {
    const returns = toReturnType(source, node.returnType);
    return name === "toJSON" ? [{ kind: "other", what: "a method", name, returns, location }] : [];
  }
  const type = toReturnType(source, node.typeAnnotation) ?? typeOfInitial(source, node);
  return [{ kind: "property", name, type, optional: node.optional === true, location }];
}

function typeOfInitial(source: Source, node: Ast.ClassProperty): TypeExpression {
  const { value, readonly } = node;
  if (value && isFunction(value)) {
    const returns = toReturnType(source, value.returnType);
    return { kind: "function", parameters: [], returns, ...placeOf(source, value) };
  }
  const type = value ? typeOfValue(source, value, readonly === true ? "kept" : "wide") : null;
  return type ?? { kind: "other", what: "a field without a type", ...placeOf(source, node) };
}
