/** Reads what an expression or a type means, as far as a handler's signature needs it: syntax tree in, plain data out. */

import type { Location } from "#runtime/core/routing/route";
import type { Ast } from "#runtime/deps/babel-parser";
import type { FunctionValue, Parameter, TypeExpression, Value } from "./module.ts";
import { locate, pathOf, type Source, textOf } from "./tree.ts";

/**
 * @param contextual the type that the variable has.
 * @param location of the name, for messages.
 */
export function toValue(
  source: Source,
  node: Ast.Node,
  contextual: TypeExpression | null,
  location: Location,
): Value {
  switch (node.type) {
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return toFunction(source, node, contextual, location);
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return toValue(source, node.expression, contextual ?? toType(source, node.typeAnnotation), location);
    case "TSNonNullExpression":
    case "ParenthesizedExpression":
    case "TSInstantiationExpression":
      return toValue(source, node.expression, contextual, location);
    case "Identifier":
      return node.name === "undefined"
        ? { kind: "other", what: "undefined", location }
        : { kind: "name", name: node.name, location };
    case "CallExpression":
      return { kind: "opaque", why: `it is what \`${textOf(source, node.callee)}(…)\` returns`, location };
    default: {
      const what = NOT_FUNCTIONS.get(node.type);
      if (what !== undefined) return { kind: "other", what, location };
      return { kind: "opaque", why: `it is the value of \`${textOf(source, node)}\``, location };
    }
  }
}

/** Expressions that certainly are not functions. */
const NOT_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["StringLiteral", "a string"],
  ["TemplateLiteral", "a string"],
  ["NumericLiteral", "a number"],
  ["BigIntLiteral", "a number"],
  ["UnaryExpression", "the value of an operator"],
  ["BooleanLiteral", "true or false"],
  ["NullLiteral", "null"],
  ["RegExpLiteral", "a regular expression"],
  ["ObjectExpression", "an object"],
  ["ArrayExpression", "an array"],
  ["ClassExpression", "a class"],
  ["NewExpression", "an object"],
]);

type FunctionNode =
  | Ast.FunctionDeclaration
  | Ast.TSDeclareFunction
  | Ast.FunctionExpression
  | Ast.ArrowFunctionExpression;

export function toFunction(
  source: Source,
  { type, params, typeParameters }: FunctionNode,
  contextual: TypeExpression | null,
  location: Location,
): FunctionValue {
  const generics = typeParameters?.type === "TSTypeParameterDeclaration" ? typeParameters.params : [];
  return {
    kind: "function",
    parameters: toParameters(source, params),
    generics: generics.map(({ name }) => name),
    contextual,
    body: type !== "TSDeclareFunction",
    location,
  };
}

/** A `this` parameter is a type for the inside of the function; nothing is passed for it. */
function toParameters(source: Source, nodes: readonly Ast.Node[]): Parameter[] {
  return nodes
    .filter((node) => !(node.type === "Identifier" && node.name === "this"))
    .map((node) => toParameter(source, node));
}

function toParameter(source: Source, node: Ast.Node): Parameter {
  const location = locate(source, node);
  if (node.type === "RestElement") return { kind: "rest", location };
  const [target, value] = node.type === "AssignmentPattern" ? [node.left, node.right] : [node];
  if (target.type !== "Identifier") return { kind: "destructured", location };
  const type = typeOf(source, target) ?? (value ? literalType(source, value) : null);
  return {
    kind: "plain",
    name: target.name,
    type,
    optional: value !== undefined || target.optional === true,
    location,
  };
}

/** `id = 5` makes a number of `id`, for TypeScript as for us. */
function literalType(source: Source, node: Ast.Expression): TypeExpression | null {
  if (node.type !== "NumericLiteral" && node.type !== "StringLiteral") return null;
  const name = node.type === "NumericLiteral" ? "number" : "string";
  return { kind: "keyword", name, text: name, location: locate(source, node) };
}

/** The type that is written after a name. */
export function typeOf(source: Source, { typeAnnotation }: Ast.Identifier): TypeExpression | null {
  return typeAnnotation?.type === "TSTypeAnnotation" ? toType(source, typeAnnotation.typeAnnotation) : null;
}

export function toType(source: Source, node: Ast.TSType): TypeExpression {
  const [text, location] = [textOf(source, node), locate(source, node)];
  switch (node.type) {
    case "TSNumberKeyword":
      return { kind: "keyword", name: "number", text, location };
    case "TSStringKeyword":
      return { kind: "keyword", name: "string", text, location };
    case "TSParenthesizedType":
      return toType(source, node.typeAnnotation);
    case "TSTypeReference": {
      const path = node.typeParameters ? null : pathOf(node.typeName);
      return path ? { kind: "name", path, text, location } : { kind: "other", text, location };
    }
    case "TSImportType": {
      const path = node.qualifier && !node.typeParameters ? pathOf(node.qualifier) : null;
      return path
        ? { kind: "import", from: node.argument.value, path, text, location }
        : { kind: "other", text, location };
    }
    case "TSFunctionType":
      return { kind: "function", parameters: toParameters(source, node.parameters), text, location };
    default:
      return { kind: "other", text, location };
  }
}
