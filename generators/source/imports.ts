/** Imports names of `framework`, or a function of the project, into a file: by an import that is there, or by a new line. */

import type { Edit } from "#convention/source/edits";
import type { ImportedName, ImportStatement } from "#convention/source/module";
import { toFramework } from "#convention/source/names";
import { freeName } from "./body-names.ts";
import type { Outline } from "./outline.ts";
import { type Style, withoutTrivia } from "./style.ts";

/** What generated code may need. All but {@link VALUES} are types. */
const NAMES = ["Bearer", "Body", "From", "HttpError", "Next", "Query", "Request", "int", "str"] as const;
export type FrameworkType = (typeof NAMES)[number];

export interface ImportPlan {
  readonly edits: readonly Edit[];
  /** What each type is called in this file: another name where its own is taken. */
  readonly names: ReadonlyMap<FrameworkType, string>;
}

const SOURCES: readonly string[] = ["framework", "framework/http"];
/** What is there at run time, too. */
const VALUES: readonly string[] = ["HttpError"];

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
  const lines = outline.imports.filter(({ source }) => SOURCES.includes(toFramework(source) ?? source));
  // A class that is imported as a type can't be called.
  const present = lines.flatMap((line) =>
    line.names.filter(({ imported, typeOnly }) => !isValue(imported) || !(typeOnly || line.typeOnly)),
  );
  const names = new Map<FrameworkType, string>();
  const missing: string[] = [];
  for (const type of wanted) {
    const there = present.find((name) => name.imported === type);
    const isTaken = there === undefined && (outline.bindings.has(type) || usesGlobal(text, type));
    const alias = `Framework${type.charAt(0).toUpperCase()}${type.slice(1)}`;
    names.set(type, there?.local ?? (isTaken ? alias : type));
    if (there === undefined) missing.push(isTaken ? `${type} as ${alias}` : type);
  }
  return { edits: addNames(text, outline, lines, missing, "framework", style), names };
}

/** @param name with the alias that may follow it. */
function isValue(name: string): boolean {
  return VALUES.includes(name.replace(/ .*/, ""));
}

/** A function of the project, as a file names it in types. */
export interface ProjectFunction {
  readonly name: string;
  /** Where the file imports it from; undefined for a function of its own. */
  readonly source: string | undefined;
}

/**
 * Plans the import of a function for its type only.
 *
 * @example planFunctionImport(text, outline, { name: "current_user", source: "../auth.ts" }, style).local // "current_user"
 */
export function planFunctionImport(
  text: string,
  outline: Outline,
  { name, source }: ProjectFunction,
  style: Style,
): { readonly edits: readonly Edit[]; readonly local: string } {
  const lines = outline.imports.filter((line) => line.source === source);
  const there = lines.flatMap((line) => line.names).find(({ imported }) => imported === name);
  if (source === undefined || there !== undefined) return { edits: [], local: there?.local ?? name };
  const local = freeName(name, (one) => outline.bindings.has(one));
  const missing = local === name ? name : `${name} as ${local}`;
  return { edits: addNames(text, outline, lines, [missing], source, style), local };
}

/**
 * Plans the import of all that a file exports, as one object below the other imports.
 *
 * @example planNamespaceImport(text, outline, { local: "create_books", source: "./1_create_books.ts" }, style)
 */
export function planNamespaceImport(
  text: string,
  outline: Outline,
  { local, source }: { readonly local: string; readonly source: string },
  style: Style,
): Edit {
  return newImport(text, outline, `import * as ${local} from "${source}";`, style);
}

/** `new Request(…)` without an import means the global class, which an imported type would hide. */
function usesGlobal(text: string, type: FrameworkType): boolean {
  return type !== "int" && type !== "str" && new RegExp(`(?<![.\\w$])${type}\\b`).test(withoutTrivia(text));
}

/** The import line of a new file. */
export function formatImport(names: readonly string[], source = "framework"): string {
  const sorted = [...names].sort(byName);
  if (!names.some(isValue)) return `import type { ${sorted.join(", ")} } from "${source}";`;
  return `import { ${sorted.map((name) => typeWord(name) + name).join(", ")} } from "${source}";`;
}

function typeWord(name: string): string {
  return isValue(name) ? "" : "type ";
}

/** @param lines those that import from the source already. */
function addNames(
  text: string,
  outline: Outline,
  lines: readonly ImportStatement[],
  missing: readonly string[],
  source: string,
  style: Style,
): readonly Edit[] {
  if (missing.length === 0) return [];
  const hasValue = missing.some(isValue);
  // An import of types alone can't have a value.
  const open = lines.filter((line) => acceptsNames(text, line) && !(line.typeOnly && hasValue));
  const line = open.find(({ typeOnly }) => typeOnly !== hasValue) ?? open[0];
  if (line !== undefined) return mergeImport(text, line, missing);
  return [newImport(text, outline, formatImport(missing, source), style)];
}

/** The names in braces, where another one can be added. */
function namedOf(line: ImportStatement): readonly ImportedName[] {
  return line.names.filter(({ isNamed }) => isNamed);
}

function acceptsNames(text: string, line: ImportStatement): boolean {
  return namedOf(line).length > 0 && !/\/[/*]/.test(text.slice(line.start, line.end));
}

/** Adds each name before the first one that follows it in the alphabet, or at the end: on a line of its own where the others are. */
function mergeImport(text: string, line: ImportStatement, missing: readonly string[]): readonly Edit[] {
  const named = namedOf(line);
  const isPlain = ({ imported, typeOnly }: ImportedName): boolean =>
    !typeOnly && !isValue(imported) && NAMES.some((name) => name === imported);
  const hasWords = !line.typeOnly && !named.some(isPlain);
  const space = /\s*$/.exec(text.slice(0, named[0]?.start))?.[0] ?? "";
  const between = space.includes("\n") ? space : " ";
  const end = named.at(-1)?.end ?? line.end;
  return [...missing].sort(byName).map((name) => {
    const next = named.find(({ imported }) => byName(imported, name) > 0)?.start;
    const added = hasWords ? typeWord(name) + name : name;
    return toInsertion(next ?? end, next === undefined ? `,${between}${added}` : `${added},${between}`);
  });
}

/** Below the other imports but those of paths, or at the top. */
function newImport(text: string, outline: Outline, line: string, style: Style): Edit {
  const quoted = line.replaceAll('"', style.quote);
  const statement = style.semicolons ? quoted : quoted.slice(0, -1);
  const { eol } = style;
  const ofPath = outline.imports.find(({ source }) => /^[.#]/.test(source));
  if (ofPath !== undefined && line.endsWith('"framework";'))
    return toInsertion(ofPath.start, statement + eol);
  const last = outline.imports.at(-1);
  if (last !== undefined) return toInsertion(behindComment(text, last.end), eol + statement);
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  if (outline.headEnd > mark) return toInsertion(behindComment(text, outline.headEnd), eol + eol + statement);
  return toInsertion(mark, statement + (text.length === mark ? eol : eol + eol));
}

function toInsertion(place: number, text: string): Edit {
  return { start: place, end: place, text };
}

/** The end of a statement's line, after its comment; the statement's own end if other code follows on the line. */
function behindComment(text: string, end: number): number {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(end))?.[0];
  return end + (rest?.length ?? 0);
}

/** As Biome sorts names: letters first, case only where all else is equal. */
function byName(one: string, other: string): number {
  return compare(one.toLowerCase(), other.toLowerCase()) || compare(one, other);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
