/** The texts, headers and shapes of values that are written out where they are given. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Property, Shape } from "#runtime/wire/shape";
import { keyOf } from "../../source/literals.ts";
import { pathOf } from "../../source/tree.ts";
import { literalOf } from "../../source/types.ts";
import { uniteShapes } from "../../wire/unite-shapes.ts";
import { findLocal, type Inside, outerPath, type Value, valuesOf } from "./inside.ts";

/** @returns a text with `{name}` for what it says later; undefined for what may be another value. */
export function readText({ node, inside }: Value): string | undefined {
  const literal = literalOf(node);
  if (typeof literal === "string") return literal;
  switch (node.type) {
    case "TemplateLiteral":
      return node.quasis
        .map(({ value }, index) => {
          const gap = node.expressions[index];
          return (value.cooked ?? value.raw) + (gap ? fillGap(gap, inside) : "");
        })
        .join("");
    case "BinaryExpression": {
      const terms = termsOf(node);
      const isText = terms.some((term) => findText(term, inside) !== undefined);
      return isText ? terms.map((term) => fillGap(term, inside)).join("") : undefined;
    }
    case "MemberExpression":
      // Of an error it is a text.
      return pathOf(node)?.at(-1) === "message" ? "{message}" : undefined;
    case "Identifier":
      return isTextParameter(node, inside) ? `{${node.name}}` : undefined;
    default:
      return undefined;
  }
}

/** Of a sum. With a loop, because many terms are too deep for a function that calls itself. */
function termsOf(sum: Ast.Node): readonly Ast.Node[] {
  const terms: Ast.Node[] = [];
  let first = sum;
  while (first.type === "BinaryExpression" && first.operator === "+") {
    terms.unshift(first.right);
    first = first.left;
  }
  return terms.length === 0 ? [] : [first, ...terms];
}

/** @returns undefined where there are more values than one. */
export function findText(node: Ast.Node, inside: Inside): string | undefined {
  const [value, other] = valuesOf(node, inside);
  return value && other === undefined ? readText(value) : undefined;
}

function fillGap(node: Ast.Node, inside: Inside): string {
  const [value] = valuesOf(node, inside);
  const literal = value && literalOf(value.node);
  if (literal !== undefined) return String(literal);
  return findText(node, inside) ?? `{${pathOf(node)?.at(-1) ?? "…"}}`;
}

export function isTextParameter(node: Ast.Node, inside: Inside): boolean {
  const index = node.type === "Identifier" ? findLocal(inside, node.name) : undefined;
  const param = typeof index === "number" ? inside.node.params[index] : undefined;
  const type = param?.type === "Identifier" ? param.typeAnnotation : undefined;
  return type?.type === "TSTypeAnnotation" && type.typeAnnotation.type === "TSStringKeyword";
}

/** The properties with a name and a value. */
export function fieldsOf({ properties }: Ast.ObjectExpression): ReadonlyMap<string, Ast.Node> {
  return new Map(
    properties.flatMap((property) => {
      const name = property.type === "ObjectProperty" ? keyOf(property) : undefined;
      return property.type === "ObjectProperty" && name !== undefined ? [[name, property.value]] : [];
    }),
  );
}

export interface WrittenHeader {
  /** In lower case. */
  readonly name: string;
  readonly value: string | undefined;
}

/** @param value an object, pairs, or a `Headers` made of them. */
export function readHeaders({ node, inside }: Value): readonly WrittenHeader[] {
  if (node.type === "NewExpression") {
    const [given] = outerPath(node.callee, inside)?.join(".") === "Headers" ? node.arguments : [];
    return given ? valuesOf(given, inside).flatMap(readHeaders) : [];
  }
  const pairs: readonly (readonly [string | undefined, Ast.Node | null | undefined])[] =
    node.type === "ObjectExpression"
      ? [...fieldsOf(node)]
      : node.type === "ArrayExpression"
        ? node.elements.map((pair) => {
            const [name, value] = pair?.type === "ArrayExpression" ? pair.elements : [];
            return [name ? findText(name, inside) : undefined, value];
          })
        : [];
  return pairs.flatMap(([name, value]) =>
    name === undefined
      ? []
      : [{ name: name.toLowerCase(), value: value ? findText(value, inside) : undefined }],
  );
}

/** As TypeScript types what is written: a text is any text. */
export function readShape(value: Value): Shape {
  const { node, inside } = value;
  const literal = literalOf(node);
  if (literal === null) return { kind: "null" };
  if (literal !== undefined) return { kind: typeof literal as "string" | "number" | "boolean" };
  if (readText(value) !== undefined) return { kind: "string" };
  if (node.type === "ArrayExpression")
    return { kind: "array", items: uniteAll(node.elements.map((item) => shapeOf(item, inside))) };
  return node.type === "ObjectExpression" ? readObject(node, inside) : { kind: "unknown" };
}

function readObject(node: Ast.ObjectExpression, inside: Inside): Shape {
  const properties = [...fieldsOf(node)].map(([name, field]): Property => {
    const shape = shapeOf(field, inside);
    // It may be undefined, and then it is not there.
    return { name, shape, optional: shape.kind === "unknown" };
  });
  const isWhole = properties.length === node.properties.length;
  return { kind: "object", properties, ...(!isWhole && { others: { kind: "unknown" } }) };
}

function shapeOf(node: Ast.Node | null, inside: Inside): Shape {
  if (node && isTextParameter(node, inside)) return { kind: "string" };
  return node ? uniteAll(valuesOf(node, inside).map(readShape)) : { kind: "unknown" };
}

function uniteAll(shapes: readonly Shape[]): Shape {
  return shapes.length === 0 ? { kind: "unknown" } : uniteShapes(shapes);
}
