/** A module's syntax, as the bundler parses it. */

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** What a hook is given by the bundler. */
export interface Parser {
  parse(code: string, options: object): unknown;
}

export interface TextPlugin {
  readonly name: string;
  transform(this: Parser, code: string, id: string): undefined;
}

/** @returns none where the text has a mistake: the bundler itself reports that. */
export function parseNodes(parser: Parser, code: string, file: string): readonly Node[] {
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

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** True for a name that is used as a value, and as this one. @example isName(node, "require") */
export function isName(value: unknown, name: string): boolean {
  return isNode(value) && value.type === "Identifier" && value.name === name;
}

/** @returns undefined for anything but a text that is written out in the source. */
export function textOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  return value.type === "Literal" && typeof value.value === "string" ? value.value : undefined;
}

export function isInside(node: Node, ranges: readonly Node[]): boolean {
  return ranges.some(({ start, end }) => start <= node.start && node.end <= end);
}
