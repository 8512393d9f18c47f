/** Brings names of `framework` into a file: into the import that stands, in its own style, or by a new line in its place. */

import { applyEdits, type Edit, removeBlock } from "./edits.ts";
import type { ImportedName, ImportLine, Outline } from "./outline.ts";
import type { Style } from "./style.ts";
import { readUses } from "./uses.ts";

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
  const lines = outline.imports.filter(isFrameworks);
  const present = lines.flatMap((line) => line.names);
  const names = new Map<FrameworkType, string>();
  const missing: string[] = [];
  for (const type of wanted) {
    const there = present.find((name) => name.imported === type);
    const taken = there === undefined && (outline.bindings.has(type) || usesGlobal(text, type));
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

/** `new Request(…)` without an import means the system's class, which ours would come before: as a mere type, at that. */
function usesGlobal(text: string, type: FrameworkType): boolean {
  return type === "Request" && text.includes(type) && readUses(text).has(type);
}

/** The import line of a new file. */
export function formatImport(names: readonly string[]): string {
  return `import type { ${[...names].sort(byName).join(", ")} } from "framework";`;
}

/** What a file calls the types of `framework` that it imports. */
export function importedTypes({ imports }: Pick<Outline, "imports">): ReadonlyMap<FrameworkType, string> {
  const names = imports.filter(isFrameworks).flatMap((line) => line.names);
  return new Map(names.flatMap(({ imported, local }) => (isType(imported) ? [[imported, local]] : [])));
}

/**
 * The inverse of {@link planImports}, but that an import on several lines stays on several lines. An import that a person has
 * laid out around the types, with a comment between or other code beside it, stays.
 *
 * @param unused what the file calls the types that it no longer needs.
 */
export function withoutTypes(text: string, outline: Outline, unused: ReadonlySet<string>): string {
  const isUnused = ({ imported, local }: ImportedName): boolean => isType(imported) && unused.has(local);
  const edits = outline.imports
    .filter((line) => isFrameworks(line) && acceptsNames(line) && line.names.some(isUnused))
    .flatMap((line) =>
      line.names.every(isUnused) ? removeStatement(text, outline, line) : removeNames(text, line, isUnused),
    );
  return applyEdits(text, edits);
}

function removeNames(
  text: string,
  line: ImportLine,
  isUnused: (name: ImportedName) => boolean,
): readonly Edit[] {
  const named = namedOf(line);
  const lastKept = named.findLast((name) => !isUnused(name));
  if (lastKept === undefined) return [];
  const inner = named.flatMap((name, index): Edit[] => {
    const next = named[index + 1];
    if (next === undefined || name.start > lastKept.start || !isUnused(name)) return [];
    return [{ start: name.start, end: next.start, text: "" }];
  });
  const edits = [...inner, ...removeLast(text, lastKept, named.at(-1) ?? lastKept)];
  return edits.some(({ start, end }) => /\/[/*]/.test(text.slice(start, end))) ? [] : edits;
}

/** The inverse of {@link appendNames}. */
function removeLast(text: string, lastKept: ImportedName, last: ImportedName): readonly Edit[] {
  if (last === lastKept) return [];
  const commented = /^[ \t]*,[ \t]*\/\/[^\r\n]*/.exec(text.slice(lastKept.end));
  if (commented === null) return [{ start: lastKept.end, end: last.end, text: "" }];
  const start = lastKept.end + commented[0].length;
  if (text[last.end] === ",") return [{ start, end: last.end + 1, text: "" }];
  const comma = lastKept.end + commented[0].indexOf(",");
  return [
    { start: comma, end: comma + 1, text: "" },
    { start, end: last.end, text: "" },
  ];
}

/** Takes out a statement that has its lines to itself, with the line ends that {@link newImport} gave it. */
function removeStatement(text: string, { imports }: Outline, { start, end }: ImportLine): readonly Edit[] {
  const lineEnd = /^(?:\r?\n|$)/.exec(text.slice(end))?.[0];
  const before = text.slice(0, start);
  if (lineEnd === undefined || !/(?:^\uFEFF?|\n)$/.test(before)) return [];
  const lineAbove = /[^\r\n](\r?\n)$/.exec(before)?.[1];
  if (lineAbove !== undefined) return [{ start: start - lineAbove.length, end, text: "" }];
  const next = end + lineEnd.length;
  return imports.some((line) => line.start === next)
    ? [{ start, end: next, text: "" }]
    : [removeBlock(text, { start, end })];
}

function isFrameworks({ source }: ImportLine): boolean {
  return SOURCES.includes(source);
}

function isType(name: string): name is FrameworkType {
  return TYPES.includes(name);
}

/** What a line has in braces, where a further name can stand. */
function namedOf(line: ImportLine): readonly ImportedName[] {
  return line.names.filter(({ isNamed }) => isNamed);
}

function acceptsNames(line: ImportLine): boolean {
  return namedOf(line).length > 0;
}

function mergeImport(
  text: string,
  line: ImportLine,
  missing: readonly string[],
  style: Style,
): readonly Edit[] {
  const word = needsTypeWord(line) ? "type " : "";
  const named = namedOf(line);
  const sorted = isSorted(named.map((name) => name.imported));
  const separator = separatorOf(text, line, style);
  const names = [...missing].sort(byName);
  const findNext = (name: string): ImportedName | undefined =>
    sorted ? named.find((one) => byName(one.imported, name) > 0) : undefined;
  const inner = names.flatMap((name): Edit[] => {
    const next = findNext(name);
    if (next === undefined) return [];
    return [{ start: next.start, end: next.start, text: `${word}${name}${separator}` }];
  });
  const last = names.filter((name) => findNext(name) === undefined).map((name) => word + name);
  const end = named.at(-1)?.end ?? line.end;
  const edits = [...inner, ...(last.length === 0 ? [] : appendNames(text, end, last, separator, style))];
  return widened(text, line, edits, style);
}

/** Behind the last name, and behind the comment that speaks of it. */
function appendNames(
  text: string,
  end: number,
  names: readonly string[],
  separator: string,
  { eol, indent }: Style,
): readonly Edit[] {
  const commented = /^[ \t]*(,?)[ \t]*\/\/[^\r\n]*/.exec(text.slice(end));
  if (commented === null) {
    return [{ start: end, end, text: names.map((name) => separator + name).join("") }];
  }
  const place = end + commented[0].length;
  const lines = names.map((name) => eol + indent + name).join(",");
  if (commented[1] === ",") return [{ start: place, end: place, text: `${lines},` }];
  return [
    { start: end, end, text: "," },
    { start: place, end: place, text: lines },
  ];
}

/** `type` is written at each name, unless the line has it as a whole or brings the same types in without it. */
function needsTypeWord(line: ImportLine): boolean {
  if (line.typeOnly) return false;
  const plainType = line.names.some((name) => isType(name.imported) && !name.typeOnly);
  return !plainType;
}

function separatorOf(text: string, line: ImportLine, style: Style): string {
  const [first, second] = namedOf(line);
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
  const named = namedOf(line);
  const first = named[0];
  const last = named.at(-1);
  if (first === undefined || last === undefined) return edits;
  const breaks = named.slice(1).map((name, index) => {
    const previous = named[index] ?? first;
    return { start: previous.end, end: name.start, text: `,${eol}${indent}` };
  });
  return [
    { start: line.start + open + 1, end: first.start, text: eol + indent },
    ...edits.map((edit) => ({ ...edit, text: edit.text.replace(/,\s+/g, `,${eol}${indent}`) })),
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
    const end = behindComment(text, last.end);
    return { start: end, end, text: eol + statement };
  }
  const head = text.slice(0, outline.headEnd);
  if (head.replace(/^\uFEFF/, "") !== "") {
    const end = behindComment(text, outline.headEnd);
    return { start: end, end, text: eol + eol + statement };
  }
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  return { start, end: start, text: statement + (text.length === start ? eol : eol + eol) };
}

/** The end of a statement's line, with the comment that ends it; of a statement that shares its line, its own end. */
function behindComment(text: string, end: number): number {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(end))?.[0];
  return end + (rest?.length ?? 0);
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
