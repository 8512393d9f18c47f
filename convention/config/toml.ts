/** TOML as plain data in which every key and value knows its place, so that every diagnostic can show it. */

import { type AST, ParseError, parseTOML } from "#convention/deps/toml-eslint-parser";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Location } from "#runtime/routing/route";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import { parseOnce } from "../source/parse-once.ts";

export type TomlValue =
  | TomlScalar
  | TomlTable
  | { readonly kind: "array"; readonly items: readonly TomlValue[]; readonly location: Location };

interface TomlScalar {
  readonly kind: "string" | "integer" | "float" | "boolean" | "date";
  readonly value: string | number | boolean;
  readonly location: Location;
}

export interface TomlTable {
  readonly kind: "table";
  readonly entries: ReadonlyMap<string, TomlEntry>;
  readonly location: Location;
}

export interface TomlEntry {
  /** Of the key. */
  readonly location: Location;
  readonly value: TomlValue;
}

/** No configuration of ours comes near it. */
const LARGEST = 64 * 1024;

/** The parser reads it as white space, but TOML allows it only in a line end. */
const BARE_RETURN = /\r(?!\n)/;

/** @returns the top-level table, or the first error of the text, since TOML can't be read past one. */
export const parseToml: (text: string, file: string) => TomlTable | Diagnostic = parseOnce((text, file) => {
  const top = startOf(file);
  const size = explainSize(text);
  if (size !== undefined) return diagnose("FW102", { why: size }, top);
  const bare = text.search(BARE_RETURN);
  if (bare >= 0) {
    const lines = text.slice(0, bare).split("\n");
    const place = { file, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
    return diagnose("FW102", { why: "a carriage return has no line feed after it" }, place);
  }
  try {
    return toTable(parseTOML(text, { tomlVersion: "1.0" }).body[0].body, file, top);
  } catch (error) {
    if (error instanceof ParseError) return toDiagnostic(error, text, file);
    // Nesting so deep that the stack ends.
    if (error instanceof RangeError) return diagnose("FW102", { why: "it is nested too deeply" }, top);
    throw error;
  }
});

/** Why a text is too large to be read: the parser takes seconds for a megabyte. */
export function explainSize(text: string): string | undefined {
  return text.length > LARGEST ? "it is larger than 64 KiB" : undefined;
}

export function isToml(parsed: TomlTable | Diagnostic): parsed is TomlTable {
  return "kind" in parsed;
}

/** @example describe(value) // "a string" */
export function describeToml(value: TomlValue): string {
  return DESCRIPTIONS[value.kind];
}

const DESCRIPTIONS: Readonly<Record<TomlValue["kind"], string>> = {
  string: "a string",
  integer: "a whole number",
  float: "a number with a fraction",
  boolean: "true or false",
  date: "a date",
  array: "an array",
  table: "a table",
};

interface MutableTable extends TomlTable {
  readonly entries: Map<string, TomlEntry>;
}

function toTable(
  nodes: readonly (AST.TOMLKeyValue | AST.TOMLTable)[],
  file: string,
  location: Location,
): TomlTable {
  const table: MutableTable = { kind: "table", entries: new Map(), location };
  for (const node of nodes) {
    if (node.type === "TOMLKeyValue") setKeyValue(table, node, file);
    else addTable(table, node, file);
  }
  return table;
}

function addTable(root: MutableTable, node: AST.TOMLTable, file: string): void {
  const path = node.key.keys;
  const last = path.at(-1);
  if (last === undefined) return;
  const parent = openTable(root, path.slice(0, -1), file);
  const location = locate(last, file);
  if (node.kind === "array") {
    const before = parent.entries.get(keyOf(last))?.value;
    const items = before?.kind === "array" ? before.items : [];
    const value: TomlValue = {
      kind: "array",
      items: [...items, toTable(node.body, file, location)],
      location,
    };
    parent.entries.set(keyOf(last), { location, value });
    return;
  }
  const table = openTable(parent, [last], file);
  for (const keyValue of node.body) setKeyValue(table, keyValue, file);
}

function setKeyValue(table: MutableTable, node: AST.TOMLKeyValue, file: string): void {
  const path = node.key.keys;
  const last = path.at(-1);
  if (last === undefined) return;
  const parent = openTable(table, path.slice(0, -1), file);
  parent.entries.set(keyOf(last), { location: locate(last, file), value: toValue(node.value, file) });
}

/** The table that a dotted key leads to, made where it is not there yet. */
function openTable(
  from: MutableTable,
  path: readonly (AST.TOMLBare | AST.TOMLQuoted)[],
  file: string,
): MutableTable {
  let table = from;
  for (const key of path) {
    const found = table.entries.get(keyOf(key))?.value;
    const inner = found?.kind === "array" ? found.items.at(-1) : found;
    if (inner?.kind === "table") {
      table = inner as MutableTable; // every table of the tree was made in this file
      continue;
    }
    const location = locate(key, file);
    const value: MutableTable = { kind: "table", entries: new Map(), location };
    table.entries.set(keyOf(key), { location, value });
    table = value;
  }
  return table;
}

function toValue(node: AST.TOMLContentNode, file: string): TomlValue {
  const location = locate(node, file);
  if (node.type === "TOMLArray") {
    return { kind: "array", items: node.elements.map((element) => toValue(element, file)), location };
  }
  if (node.type === "TOMLInlineTable") return toTable(node.body, file, location);
  if (node.kind === "string" || node.kind === "boolean" || node.kind === "float") {
    return { kind: node.kind, value: node.value, location };
  }
  if (node.kind === "integer") return { kind: "integer", value: Number(node.bigint), location };
  return { kind: "date", value: node.datetime, location };
}

function keyOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function locate(node: AST.TOMLNode, file: string): Location {
  return { file, line: node.loc.start.line, column: node.loc.start.column + 1 };
}

/** The parser finds at the start of a line what is missing at the end of the line before: the diagnostic points there. */
function toDiagnostic(
  { message, lineNumber: line, column }: ParseError,
  text: string,
  file: string,
): Diagnostic {
  const lines = text.split(/\r?\n/);
  const [before = "", here = ""] = [lines[line - 2], lines[line - 1]];
  const noValue = column === 0 && /^[^#]*=\s*$/.test(before);
  const noEnd = column === 0 && /^Unterminated|on the same line/.test(message);
  const place =
    noValue || (noEnd && line > 1)
      ? { line: line - 1, column: before.length + 1 }
      : { line, column: column + 1 };
  const isHeader = /^\s*\[[^\]]*$/.test(column === 0 ? before : here);
  const rest = `${here.slice(0, column)}\n${here.slice(column)}`;
  const why = noValue
    ? "the value is missing"
    : isHeader && /on the same line/.test(message)
      ? "the `]` is missing"
      : explain(message, rest);
  return diagnose("FW102", { why }, { file, ...place });
}

/** What people write in TOML out of habit, after a line feed in the place of the error, which the parser calls unexpected. */
const HABITS: readonly (readonly [found: RegExp, why: string])[] = [
  [/\n(?:\/\/|;)/, "a comment begins with `#`"],
  [/\n:/, "an `=` follows a key"],
  [/\n,/, "a value is missing before the `,`"],
  [/\n(?:<{7}|={7}|>{7})/, "a merge conflict is not resolved"],
  [/[=[,]\s*\n[\w/`.-]/, "a text is in quotes, and `true` and `false` are in lower case"],
];

/** The parser's words where they read well, ours where they don't. @param line with the place. */
function explain(message: string, line: string): string {
  const habit = /^Unexpected/.test(message) ? HABITS.find(([found]) => found.test(line))?.[1] : undefined;
  return habit ?? WORDS.get(message) ?? message.charAt(0).toLowerCase() + message.slice(1);
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["Unspecified values are invalid", "the value is missing"],
  ["Expected equal (=) token", "an `=` is missing"],
  ["Expected comma (,) token", "a `,` or the closing bracket is missing"],
  ["Must be a newline", "a new line must begin here"],
  ["Defining a key multiple times is invalid", "the key is already defined"],
  ["Unterminated table-key", "the `]` is missing"],
  ["Unterminated array", "the array does not end"],
  ["Unterminated inline table", "the `}` is missing"],
  ["Empty bare keys are not allowed", "the key is missing"],
  ["Unterminated string constant", "the string does not end"],
]);
