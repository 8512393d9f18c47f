/** Brings names of `framework` into a file: into the import that stands, in its own style, or by a new line in its place. */

import type { Edit } from "./edits.ts";
import type { ImportLine, Outline } from "./outline.ts";
import type { Style } from "./style.ts";

/** The types that a handler's signature may need. */
export type FrameworkType = "Request" | "int" | "str";

export interface ImportPlan {
  readonly edits: readonly Edit[];
  /** What each type is called in this file; a type that can't be had under its own name is replaced by a plain one. */
  readonly names: ReadonlyMap<FrameworkType, string>;
}

const SOURCES: readonly string[] = ["framework", "framework/http"];
const TYPES: readonly string[] = ["Request", "int", "str"];
/** A name that the file uses for something else: an int is a `number` then, and the request is imported under another name. */
const SUBSTITUTES = { Request: "FrameworkRequest", int: "number", str: "string" } as const;

/**
 * Plans the import of `wanted` into a file.
 *
 * @example
 * // import type { Request } from "framework";  →  import type { int, Request } from "framework";
 * planImports(text, outline, ["int"], style).names.get("int") // "int"
 */
export function planImports(
  text: string,
  outline: Outline,
  wanted: readonly FrameworkType[],
  style: Style,
): ImportPlan {
  const lines = outline.imports.filter((line) => SOURCES.includes(line.source));
  const present = lines.flatMap((line) => line.names);
  const names = new Map<FrameworkType, string>();
  const missing: string[] = [];
  for (const type of wanted) {
    const there = present.find((name) => name.imported === type);
    const taken = there === undefined && outline.bindings.has(type);
    names.set(type, there?.local ?? (taken ? SUBSTITUTES[type] : type));
    if (there !== undefined || (taken && type !== "Request")) continue;
    missing.push(taken ? `Request as ${SUBSTITUTES.Request}` : type);
  }
  if (missing.length === 0) return { edits: [], names };
  const line = lines.find((one) => one.typeOnly && acceptsNames(one)) ?? lines.find(acceptsNames);
  const edits =
    line === undefined ? [newImport(text, outline, missing, style)] : mergeImport(text, line, missing, style);
  return { edits, names };
}

/** The import line of a new file. */
export function formatImport(names: readonly string[]): string {
  return `import type { ${[...names].sort(byName).join(", ")} } from "framework";`;
}

function acceptsNames(line: ImportLine): boolean {
  return (
    line.names.length > 0 && line.names.every((name) => name.imported !== "*" && name.imported !== "default")
  );
}

function mergeImport(
  text: string,
  line: ImportLine,
  missing: readonly string[],
  style: Style,
): readonly Edit[] {
  const word = needsTypeWord(line) ? "type " : "";
  const sorted = isSorted(line.names.map((name) => name.imported));
  const separator = separatorOf(text, line, style);
  const edits = [...missing].sort(byName).map((name) => {
    const next = sorted ? line.names.find((one) => byName(one.imported, name) > 0) : undefined;
    if (next !== undefined) return { start: next.start, end: next.start, text: `${word}${name}${separator}` };
    const end = line.names.at(-1)?.end ?? line.end;
    return { start: end, end, text: `${separator}${word}${name}` };
  });
  return widened(text, line, edits, style);
}

/** `type` is written at each name, unless the line has it as a whole or brings the same types in without it. */
function needsTypeWord(line: ImportLine): boolean {
  if (line.typeOnly) return false;
  const plainType = line.names.some((name) => TYPES.includes(name.imported) && !name.typeOnly);
  return !plainType;
}

function separatorOf(text: string, line: ImportLine, style: Style): string {
  const [first, second] = line.names;
  if (first === undefined) return ", ";
  if (second !== undefined) {
    const between = text.slice(first.end, second.start);
    if (/^\s*,\s*$/.test(between)) return between;
  }
  const leading = text.slice(line.start, first.start);
  return leading.includes("\n") ? `,${style.eol}${style.indent}` : ", ";
}

/** A one-line import that would grow beyond the file's width gets a line for each name, as formatters write it. */
function widened(text: string, line: ImportLine, edits: readonly Edit[], style: Style): readonly Edit[] {
  const whole = text.slice(line.start, line.end);
  const added = edits.reduce((sum, edit) => sum + edit.text.length, 0);
  const open = whole.indexOf("{");
  const close = whole.lastIndexOf("}");
  if (whole.includes("\n") || whole.includes("/*") || whole.length + added <= style.width) return edits;
  const { eol, indent } = style;
  const first = line.names[0];
  const last = line.names.at(-1);
  if (first === undefined || last === undefined) return edits;
  const breaks = line.names.slice(1).map((name, index) => {
    const previous = line.names[index] ?? first;
    return { start: previous.end, end: name.start, text: `,${eol}${indent}` };
  });
  return [
    { start: line.start + open + 1, end: first.start, text: eol + indent },
    ...edits.map((edit) => ({ ...edit, text: edit.text.replace(/,\s+/, `,${eol}${indent}`) })),
    ...breaks,
    { start: last.end, end: line.start + close, text: `,${eol}` },
  ];
}

function newImport(text: string, outline: Outline, names: readonly string[], style: Style): Edit {
  const statement = styledImport(names, style);
  const { eol } = style;
  const after = outline.imports.find((line) => comesAfterFramework(line.source));
  if (after !== undefined) return { start: after.start, end: after.start, text: statement + eol };
  const last = outline.imports.at(-1);
  if (last !== undefined) {
    const end =
      last.end + (/^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(last.end))?.[0].length ?? 0);
    return { start: end, end, text: eol + statement };
  }
  const head = text.slice(0, outline.headEnd);
  if (head.replace(/^\uFEFF/, "") !== "")
    return { start: outline.headEnd, end: outline.headEnd, text: eol + eol + statement };
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  return { start, end: start, text: statement + (text.length === start ? eol : eol + eol) };
}

function styledImport(names: readonly string[], style: Style): string {
  const line = formatImport(names).replaceAll('"', style.quote);
  return style.semicolons ? line : line.slice(0, -1);
}

/** Where sorted imports put `framework`: behind `node:` modules and packages before it in the alphabet, ahead of `#aliases` and paths. */
function comesAfterFramework(source: string): boolean {
  if (/^[a-z]+:/.test(source)) return false;
  if (/^[.#~/]|^@\//.test(source)) return true;
  return byName(source, "framework") > 0;
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, index) => index === 0 || byName(names[index - 1] ?? "", name) <= 0);
}

/** As Biome sorts names: letters first, case only where all else is equal. */
function byName(one: string, other: string): number {
  const lower = compare(one.toLowerCase(), other.toLowerCase());
  return lower !== 0 ? lower : compare(one, other);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
