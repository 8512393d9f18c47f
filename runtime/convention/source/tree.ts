/** What every reader of a syntax tree needs to know about its nodes. Does not load the parser. */

import type { Location } from "#runtime/core/routing/route";
import type { Ast } from "#runtime/deps/babel-parser";
import type { Span } from "./module.ts";

/** A text, and the file to name in locations. */
export interface Source {
  readonly text: string;
  readonly file: string;
}

export function locate({ file }: Source, { loc }: Ast.Node): Location {
  return { file, line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}

export function spanOf({ start, end }: Pick<Ast.Node, "start" | "end">): Span {
  return { start: start ?? 0, end: end ?? 0 };
}

const LONGEST_TEXT = 60;

/** The source text of a node on one line, shortened. */
export function textOf({ text }: Source, node: Ast.Node): string {
  const { start, end } = spanOf(node);
  const line = text.slice(start, Math.min(end, start + 4 * LONGEST_TEXT)).replace(/\s+/g, " ");
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

/** Both may name an export. */
export function nameOf(node: Ast.Identifier | Ast.StringLiteral): string {
  return node.type === "Identifier" ? node.name : node.value;
}

/** The names of `a.b.c`, of a value or a type; null for anything that is more than names. */
export function pathOf(node: Ast.Node): string[] | null {
  if (node.type === "Identifier") return [node.name];
  const [left, right] =
    node.type === "TSQualifiedName"
      ? [node.left, node.right]
      : node.type === "MemberExpression" && !node.computed
        ? [node.object, node.property]
        : [];
  const before = left && pathOf(left);
  return before && right?.type === "Identifier" ? [...before, right.name] : null;
}

/** The identifiers that a pattern such as `{ a, b: [c] }` declares. */
export function namesIn(pattern: Ast.Node | null | undefined): Ast.Identifier[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap(namesIn);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/** The nodes in a field of a node: one, a list, or none. */
export function nodesIn(value: unknown): readonly Ast.Node[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

function isNode(value: unknown): value is Ast.Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
