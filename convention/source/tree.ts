/** Helpers for Babel's syntax tree: locations, source text, names and traversal. Does not load the parser. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import type { Span } from "./module.ts";

/** The text of a file, and its path for locations. */
export interface Source {
  readonly text: string;
  readonly file: string;
  /** The offset at which each line begins. */
  readonly lines: readonly number[];
}

/** The line breaks of ECMAScript (ECMA-262, LineTerminatorSequence). */
const LINE_BREAK = /\r\n?|[\n\u2028\u2029]/g;

export function toSource(text: string, file: string): Source {
  const ends = Array.from(text.matchAll(LINE_BREAK), ({ 0: found, index }) => index + found.length);
  return { text, file, lines: [0, ...ends] };
}

/** A node has an offset only: with a line and a column for each, a tree would take twice the memory. */
export function locate({ file, lines }: Source, { start }: Ast.Node): Location {
  const offset = start ?? 0;
  let [line, end] = [0, lines.length];
  while (end - line > 1) {
    const middle = (line + end) >> 1;
    if ((lines[middle] ?? 0) <= offset) line = middle;
    else end = middle;
  }
  return { file, line: line + 1, column: offset - (lines[line] ?? 0) + 1 };
}

export function spanOf({ start, end }: Pick<Ast.Node, "start" | "end">): Span {
  return { start: start ?? 0, end: end ?? 0 };
}

const LONGEST_TEXT = 60;
/** Skips single spaces, so that most texts have nothing to replace. */
const SPACES = /\s{2,}|[^\S ]/g;

/** The source text of a node on one line, shortened. */
export function textOf({ text }: Source, { start, end }: Ast.Node): string {
  const from = start ?? 0;
  const line = text.slice(from, Math.min(end ?? 0, from + 4 * LONGEST_TEXT)).replace(SPACES, " ");
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

/** The name in an import or export specifier, which may be quoted. */
export function nameOf(node: Ast.Identifier | Ast.StringLiteral): string {
  return node.type === "Identifier" ? node.name : node.value;
}

/** The names of `a.b.c`, of a value or a type; null for any other expression. */
export function pathOf(node: Ast.Node): string[] | null {
  const path: string[] = [];
  // A loop: recursion would overflow the stack for a name with many dots.
  for (let end = node; ; ) {
    if (end.type === "Identifier") return [...path, end.name].reverse();
    const [left, right] =
      end.type === "TSQualifiedName"
        ? [end.left, end.right]
        : end.type === "MemberExpression" && !end.computed
          ? [end.object, end.property]
          : [];
    if (left === undefined || right?.type !== "Identifier") return null;
    path.push(right.name);
    end = left;
  }
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

export function childrenOf(node: Ast.Node): readonly Ast.Node[] {
  const inner: Ast.Node[] = [];
  for (const field of Object.values(node)) {
    if (Array.isArray(field)) inner.push(...field.filter(isNode));
    else if (isNode(field)) inner.push(field);
  }
  return inner;
}

/**
 * Lists the nodes of a tree in source order. A loop, because recursion would overflow the stack for a sum of many terms.
 * @param into the children to visit; without it all of them.
 */
export function walk(
  first: readonly Ast.Node[],
  into: (node: Ast.Node) => readonly Ast.Node[] = childrenOf,
): readonly Ast.Node[] {
  const visited: Ast.Node[] = [];
  const stack = first.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    visited.push(node);
    stack.push(...into(node).toReversed());
  }
  return visited;
}
