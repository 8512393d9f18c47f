/** JSON as package.json and tsconfig.json have it, with comments and commas at the end, in which every key knows its place. */

import type { Location } from "#runtime/core/routing/route";
import { type Ast, parse } from "#runtime/deps/babel-parser";

export interface Json {
  /** As `JSON.parse` would give it; objects have no prototype. */
  readonly value: unknown;
  /** Of each key, by its path with dots: `compilerOptions.noEmit`. */
  readonly places: ReadonlyMap<string, Location>;
  /** The first comment, comma at an end or single quote, none of which `JSON.parse` takes. */
  readonly lax: Location | undefined;
}

/** What is wrong with the text, as the end of a sentence, and where. */
export interface BadJson {
  readonly why: string;
  readonly location: Location;
}

export function isBadJson(read: Json | BadJson): read is BadJson {
  return "why" in read;
}

/** Makes an expression of the text, and stands on a line of its own, so that the places are right. */
const OPENING = "(\n";

/**
 * @param file relative to the project's root, for the places.
 * @example parseJson('{ "a": 1, }', "tsconfig.json") // { value: { a: 1 }, places: Map { "a" => …:1:3 }, lax: …:1:9 }
 */
export function parseJson(text: string, file: string): Json | BadJson {
  const start = { file, line: 1, column: 1 };
  if (text.trim() === "") return { why: "it is empty", location: start };
  const places = new Map<string, Location>();
  const laxities: number[] = [];
  const locate = ({ loc }: Ast.Node): Location => ({
    file,
    line: loc?.start.line ?? 1,
    column: (loc?.start.column ?? 0) + 1,
  });

  function read(node: Ast.Node, path: readonly string[]): unknown {
    laxities.push(...findLaxities(node));
    if (node.type === "ObjectExpression") return readObject(node, path);
    if (node.type === "ArrayExpression") return node.elements.map((item) => readItem(item, node, path));
    if (node.type === "NullLiteral") return null;
    if (isPlainLiteral(node)) return node.value;
    if (node.type === "UnaryExpression" && node.operator === "-") return -Number(read(node.argument, path));
    throw new JsonMistake("it has something else than values", locate(node));
  }

  function readItem(item: Ast.Node | null, array: Ast.Node, path: readonly string[]): unknown {
    if (item === null) throw new JsonMistake("a value is missing between two commas", locate(array));
    return read(item, [...path, ""]);
  }

  function readObject(node: Ast.ObjectExpression, path: readonly string[]): unknown {
    const object: Record<string, unknown> = Object.create(null);
    for (const property of node.properties) {
      if (property.type !== "ObjectProperty" || property.key.type !== "StringLiteral") {
        throw new JsonMistake("a key has to be text in double quotes", locate(property));
      }
      laxities.push(...findLaxities(property.key));
      const inner = [...path, property.key.value];
      places.set(inner.join("."), locate(property.key));
      object[property.key.value] = read(property.value, inner);
    }
    return object;
  }

  try {
    const { program, comments } = parse(`${OPENING}${text}\n)`, { startLine: 0 });
    const [statement] = program.body;
    const isExpression = statement?.type === "ExpressionStatement" && program.body.length === 1;
    if (!isExpression) throw new JsonMistake("it is more than one value", start);
    const value = read(statement.expression, []);
    laxities.push(...(comments ?? []).map((comment) => comment.start ?? 0));
    const first = Math.min(...laxities) - OPENING.length;
    return { value, places, lax: Number.isFinite(first) ? locateOffset(text, first, file) : undefined };
  } catch (error) {
    return toBadJson(error, file);
  }
}

/** Offsets in what was parsed. */
function findLaxities({ start, extra = {} }: Ast.Node): number[] {
  const { trailingComma, raw } = extra;
  return [
    ...(typeof trailingComma === "number" ? [trailingComma] : []),
    ...(typeof raw === "string" && raw.startsWith("'") ? [start ?? 0] : []),
  ];
}

function locateOffset(text: string, offset: number, file: string): Location {
  const lines = text.slice(0, offset).split("\n");
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function isPlainLiteral(node: Ast.Node): node is Ast.StringLiteral | Ast.NumericLiteral | Ast.BooleanLiteral {
  return node.type === "StringLiteral" || node.type === "NumericLiteral" || node.type === "BooleanLiteral";
}

class JsonMistake extends Error {
  readonly location: Location;
  constructor(why: string, location: Location) {
    super(why);
    this.location = location;
  }
}

function toBadJson(error: unknown, file: string): BadJson {
  if (error instanceof JsonMistake) return { why: error.message, location: error.location };
  // Nesting so deep that the stack ends.
  if (error instanceof RangeError)
    return { why: "it is nested too deeply", location: { file, line: 1, column: 1 } };
  if (!(error instanceof SyntaxError)) throw error;
  const { loc } = error as SyntaxError & { loc?: { line: number; column: number } };
  const why = error.message.replace(/ \(-?\d+:\d+\)$/, "").replace(/\.$/, "");
  return {
    why: why.charAt(0).toLowerCase() + why.slice(1),
    location: { file, line: Math.max(1, loc?.line ?? 1), column: (loc?.column ?? 0) + 1 },
  };
}
