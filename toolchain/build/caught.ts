/** Whether code catches that a module can't be loaded, in the syntax tree that the bundler makes of it. */

import { readFileSync } from "node:fs";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** What a hook is given by the bundler. */
export interface Parser {
  parse(code: string, options: object): unknown;
}

/** @returns true where each `require()` and `import()` of that name has a `catch` around it, or after it. */
export function isCaught(parser: Parser, file: string, source: string): boolean {
  const nodes = parseNodes(parser, readFileSync(file, "utf8"), file);
  const loads = nodes.filter((node) => sourceOf(node) === source);
  const caught = nodes.flatMap((node) => caughtPart(node) ?? []);
  return loads.length > 0 && loads.every((node) => isInside(node, caught));
}

function sourceOf(node: Node): string | undefined {
  if (node.type === "ImportExpression") return textOf(node.source);
  if (node.type !== "CallExpression" || !isName(node.callee, "require")) return undefined;
  return Array.isArray(node.arguments) ? textOf(node.arguments[0]) : undefined;
}

/** What may fail in `try { … } catch {}`, `….catch(…)` and `….then(…, …)`. */
function caughtPart(node: Node): Node | undefined {
  if (node.type === "TryStatement")
    return node.handler !== null && isNode(node.block) ? node.block : undefined;
  const { callee, arguments: words } = node;
  if (!isNode(callee) || callee.type !== "MemberExpression" || !isNode(callee.object)) return undefined;
  const count = Array.isArray(words) ? words.length : 0;
  const isHandled =
    (isName(callee.property, "catch") && count > 0) || (isName(callee.property, "then") && count > 1);
  return isHandled ? callee.object : undefined;
}

/** @returns none where the text has a mistake: the bundler itself reports that. */
function parseNodes(parser: Parser, code: string, file: string): readonly Node[] {
  try {
    return [...nodesIn(parser.parse(code, { lang: languageOf(file), sourceType: "unambiguous" }))];
  } catch {
    return [];
  }
}

function languageOf(file: string): string {
  if (/\.[cm]?ts$/.test(file)) return "ts";
  return /x$/.test(file) ? "tsx" : "js";
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  if (!isNode(value)) return;
  yield value;
  for (const child of Object.values(value)) yield* nodesIn(child);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** True for a name that is used as a value, and as this one. @example isName(node, "require") */
function isName(value: unknown, name: string): boolean {
  return isNode(value) && value.type === "Identifier" && value.name === name;
}

/** @returns undefined for anything but a text that is written out in the source. */
function textOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  return value.type === "Literal" && typeof value.value === "string" ? value.value : undefined;
}

function isInside(node: Node, ranges: readonly Node[]): boolean {
  return ranges.some(({ start, end }) => start <= node.start && node.end <= end);
}
