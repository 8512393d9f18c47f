/** Converts the expression assigned to a top-level name from a syntax tree node to a {@link Value}. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import { type FunctionNode, keepPlace } from "./bodies.ts";

import type { FunctionValue, TypeExpression, Value, WrittenEntry } from "./module.ts";
import { locate, type Source, textOf } from "./tree.ts";
import { keyOf, literalOf, once, toParameters, toReturnType, toType } from "./types.ts";

/**
 * @param contextual the annotated type of the variable.
 * @param location the location of the name.
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
    case "ObjectExpression":
      return { kind: "other", what: "an object", entries: toEntries(source, node), location };
    case "CallExpression":
      return { kind: "opaque", why: `it is what \`${textOf(source, node.callee)}(…)\` returns`, location };
    default: {
      const what = NOT_FUNCTIONS.get(node.type);
      if (what !== undefined) return { kind: "other", what, location };
      return { kind: "opaque", why: `it is the value of \`${textOf(source, node)}\``, location };
    }
  }
}

/** The names of expressions that can't be functions, for messages. */
const NOT_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["StringLiteral", "a string"],
  ["TemplateLiteral", "a string"],
  ["NumericLiteral", "a number"],
  ["BigIntLiteral", "a number"],
  ["UnaryExpression", "the value of an operator"],
  ["BooleanLiteral", "true or false"],
  ["NullLiteral", "null"],
  ["RegExpLiteral", "a regular expression"],
  ["ArrayExpression", "an array"],
  ["ClassExpression", "a class"],
  ["NewExpression", "an object"],
]);

function toEntries(source: Source, { properties }: Ast.ObjectExpression): WrittenEntry[] {
  return properties.map((property) => {
    const name = property.type === "ObjectProperty" ? keyOf(property) : undefined;
    const value = property.type === "ObjectProperty" && name !== undefined ? property.value : property;
    const text = textOf(source, value);
    return { key: name ?? text, value: literalOf(value), text, location: locate(source, property) };
  });
}

export function toFunction(
  source: Source,
  node: FunctionNode,
  contextual: TypeExpression | null,
  location: Location,
): FunctionValue {
  const { type, params, typeParameters, returnType } = node;
  const generics = typeParameters?.type === "TSTypeParameterDeclaration" ? typeParameters.params : [];
  const returns = once(() => toReturnType(source, returnType));
  const value: FunctionValue = {
    kind: "function",
    parameters: toParameters(source, params),
    generics: generics.map(({ name }) => name.name),
    contextual,
    body: type !== "TSDeclareFunction",
    location,
    get returns() {
      return returns();
    },
  };
  return keepPlace(value, source, node);
}
