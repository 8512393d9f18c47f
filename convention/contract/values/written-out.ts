/** The texts and headers of values that are written out where they are given. */

import type { Ast } from "#convention/deps/babel-parser";
import { keyOf } from "../../source/literals.ts";
import { pathOf } from "../../source/tree.ts";
import { literalOf } from "../../source/types.ts";
import { type Inside, outerPath, type Value, valuesOf } from "./inside.ts";

/** @returns a text with `{name}` for what it says later; undefined for what is not written out. */
export function readText({ node, inside }: Value): string | undefined {
  const literal = literalOf(node);
  if (typeof literal === "string") return literal;
  if (node.type !== "TemplateLiteral") return undefined;
  return node.quasis
    .map(({ value }, index) => {
      const gap = node.expressions[index];
      return (value.cooked ?? value.raw) + (gap ? fillGap(gap, inside) : "");
    })
    .join("");
}

function fillGap(node: Ast.Node, inside: Inside): string {
  const [value] = valuesOf(node, inside);
  const literal = value && literalOf(value.node);
  return literal !== undefined ? String(literal) : `{${pathOf(node)?.at(-1) ?? "…"}}`;
}

/** @returns undefined where there are more values than one. */
export function findText(node: Ast.Node, inside: Inside): string | undefined {
  const [value, other] = valuesOf(node, inside);
  return value && other === undefined ? readText(value) : undefined;
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
