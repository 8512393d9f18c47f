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

/** @returns the top-level table, or the first error of the text, since TOML can't be read past one. */
export const parseToml: (text: string, file: string) => TomlTable | Diagnostic = parseOnce((text, file) => {
  const top = startOf(file);
  const size = explainSize(text);
  if (size !== undefined) return diagnose("FW102", { why: size }, top);
  try {
    // What is missing at the end is missing in the last line, not below it.
    const lines = text.replace(/\r?\n$/, "");
    return toTable(parseTOML(lines, { tomlVersion: "1.0" }).body[0].body, file, top);
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

type Key = AST.TOMLBare | AST.TOMLQuoted;

function createTable(location: Location): MutableTable {
  return { kind: "table", entries: new Map(), location };
}

function toTable(
  nodes: readonly (AST.TOMLKeyValue | AST.TOMLTable)[],
  file: string,
  location: Location,
): TomlTable {
  const root = createTable(location);
  for (const node of nodes) {
    if (node.type === "TOMLKeyValue") {
      setValue(root, node.key.keys, toValue(node.value, file), file);
      continue;
    }
    const table =
      node.kind === "array" ? addItem(root, node.key.keys, file) : open(root, node.key.keys, file);
    for (const { key, value } of node.body) setValue(table, key.keys, toValue(value, file), file);
  }
  return root;
}

function setValue(table: MutableTable, path: readonly Key[], value: TomlValue, file: string): void {
  const last = path.at(-1);
  if (last === undefined) return;
  open(table, path.slice(0, -1), file).entries.set(keyOf(last), { location: locate(last, file), value });
}

/** The table that keys lead to, made where it is not there yet; of an array, the last one in it. */
function open(from: MutableTable, path: readonly Key[], file: string): MutableTable {
  return path.reduce((table, key) => {
    const found = table.entries.get(keyOf(key))?.value;
    const inner = found?.kind === "array" ? found.items.at(-1) : found;
    if (inner?.kind === "table") return inner as MutableTable; // every table of the tree was made in this file
    const made = createTable(locate(key, file));
    setValue(table, [key], made, file);
    return made;
  }, from);
}

/** `[[path]]` */
function addItem(root: MutableTable, path: readonly Key[], file: string): MutableTable {
  const parent = open(root, path.slice(0, -1), file);
  const [key] = path.slice(-1);
  const before = key && parent.entries.get(keyOf(key))?.value;
  const item = createTable(key ? locate(key, file) : root.location);
  const items = [...(before?.kind === "array" ? before.items : []), item];
  setValue(parent, path.slice(-1), { kind: "array", items, location: item.location }, file);
  return item;
}

function toValue(node: AST.TOMLContentNode, file: string): TomlValue {
  const location = locate(node, file);
  if (node.type === "TOMLArray")
    return { kind: "array", items: node.elements.map((element) => toValue(element, file)), location };
  if (node.type === "TOMLInlineTable") return toTable(node.body, file, location);
  if (node.kind === "integer") return { kind: "integer", value: Number(node.bigint), location };
  if (node.kind === "string" || node.kind === "boolean" || node.kind === "float")
    return { kind: node.kind, value: node.value, location };
  return { kind: "date", value: node.datetime, location };
}

function keyOf(key: Key): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function locate(node: AST.TOMLNode, file: string): Location {
  return { file, line: node.loc.start.line, column: node.loc.start.column + 1 };
}

/** The parser reports at the start of a line what is missing at the end of the line before: the diagnostic points there. */
function toDiagnostic(
  { message, lineNumber: line, column }: ParseError,
  text: string,
  file: string,
): Diagnostic {
  const before = text.split(/\r?\n/)[line - 2] ?? "";
  const isAbove = column === 0 && /on the same line/.test(message);
  const place = isAbove ? { line: line - 1, column: before.length + 1 } : { line, column: column + 1 };
  const isHeader = message === "Unterminated table-key" || before.trim().startsWith("[");
  const missing = isHeader ? "the `]` is missing" : "the value is missing";
  const isMissing = isAbove || /^(?:Unterminated table-key|Unspecified values)/.test(message);
  const why = isMissing ? missing : message.charAt(0).toLowerCase() + message.slice(1);
  return diagnose("FW102", { why }, { file, ...place });
}
