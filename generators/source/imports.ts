/** Imports names of `framework`, or a function of the project, into a file: by its existing import, in that one's layout, or by a new line. */

import type { Edit } from "#convention/source/edits";
import type { ImportedName, ImportStatement } from "#convention/source/module";
import { freeName } from "./body-names.ts";
import type { Outline } from "./outline.ts";
import { type Style, withoutTrivia } from "./style.ts";

/** What generated code may need. All but {@link VALUES} are types. */
export type FrameworkType =
  | "Bearer"
  | "Body"
  | "From"
  | "HttpError"
  | "Next"
  | "Query"
  | "Request"
  | "int"
  | "str";

export interface ImportPlan {
  readonly edits: readonly Edit[];
  /** What each type is called in this file. Where a name is taken, it is another name, or a plain type that says the same. */
  readonly names: ReadonlyMap<FrameworkType, string>;
}

const SOURCES: readonly string[] = ["framework", "framework/http"];
/** What is there at run time, too. */
const VALUES: readonly string[] = ["HttpError"];
/** For names that the file uses for something else. */
const ALIASES = {
  Bearer: "FrameworkBearer",
  Body: "FrameworkBody",
  From: "FrameworkFrom",
  HttpError: "FrameworkHttpError",
  Next: "FrameworkNext",
  Query: "FrameworkQuery",
  Request: "FrameworkRequest",
  int: "FrameworkInt",
  str: "FrameworkStr",
} as const;

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
  // A class that is imported as a type can't be called.
  const present = lines.flatMap((line) =>
    line.names.filter(({ imported, typeOnly }) => !isValue(imported) || !(typeOnly || line.typeOnly)),
  );
  const names = new Map<FrameworkType, string>();
  const missing: string[] = [];
  const plain = plainTypes(wanted);
  for (const type of wanted) {
    const there = present.find((name) => name.imported === type);
    const taken = there === undefined && (outline.bindings.has(type) || usesGlobal(text, type));
    const substitute = plain.get(type);
    names.set(type, there?.local ?? (taken ? (substitute ?? ALIASES[type]) : type));
    if (there !== undefined || (taken && substitute !== undefined)) continue;
    missing.push(taken ? `${type} as ${ALIASES[type]}` : type);
  }
  if (missing.length === 0) return { edits: [], names };
  const open = lines.filter((line) => acceptsNames(text, line));
  const line = open.find(({ typeOnly }) => typeOnly !== missing.some(isValue)) ?? open[0];
  const edits =
    line === undefined
      ? [newImport(text, outline, formatImport(missing), style)]
      : mergeImport(text, line, missing, style);
  return { edits, names };
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
  const missing = [local === name ? name : `${name} as ${local}`];
  const line = lines.find((one) => acceptsNames(text, one));
  const edits =
    line === undefined
      ? [newImport(text, outline, formatImport(missing, source), style)]
      : mergeImport(text, line, missing, style);
  return { edits, local };
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

/** What says the same without an import. A `number` is an `int` as a param of the path only: a body's may have a fraction. */
function plainTypes(wanted: readonly FrameworkType[]): ReadonlyMap<FrameworkType, string> {
  const isOfPath = !wanted.includes("Body") && !wanted.includes("Query");
  return new Map([["str", "string"], ...(isOfPath ? ([["int", "number"]] as const) : [])]);
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

function isFrameworks({ source }: ImportStatement): boolean {
  return SOURCES.includes(source);
}

function isType(name: string): name is FrameworkType {
  return Object.hasOwn(ALIASES, name);
}

/** The names in braces, where another one can be added. */
function namedOf(line: ImportStatement): readonly ImportedName[] {
  return line.names.filter(({ isNamed }) => isNamed);
}

function acceptsNames(text: string, line: ImportStatement): boolean {
  return namedOf(line).length > 0 && !/\/[/*]/.test(text.slice(line.start, line.end));
}

/** Adds names in order if the others are sorted, else at the end. */
function mergeImport(
  text: string,
  line: ImportStatement,
  missing: readonly string[],
  style: Style,
): readonly Edit[] {
  const named = namedOf(line);
  const lost = missing.some(isValue) ? removeTypeWord(text, line) : [];
  const word = lost.length > 0 || needsTypeWord(line) ? typeWord : () => "";
  const own = lost.length > 0 ? "type " : "";
  const there = named.map(({ imported, start, end }) => {
    return { name: imported, text: own + text.slice(start, end) };
  });
  const added = [...missing].sort(byName).map((name) => ({ name, text: word(name) + name }));
  const all = [...there, ...added];
  if (isSorted(named.map((name) => name.imported))) all.sort((one, other) => byName(one.name, other.name));
  const texts = all.map((one) => one.text);
  return [...lost, setNames(text, line, texts, style)];
}

/** An import of types alone can't have a value. */
function removeTypeWord(text: string, { start, end, typeOnly }: ImportStatement): readonly Edit[] {
  const word = typeOnly ? /^import(\s+type)\b/.exec(text.slice(start, end))?.[1] : undefined;
  const place = start + "import".length;
  return word === undefined ? [] : [{ start: place, end: place + word.length, text: "" }];
}

/** Writes the names of an import in its layout: one on each line if they were, or if they don't fit on one line. */
function setNames(text: string, line: ImportStatement, names: readonly string[], style: Style): Edit {
  const named = namedOf(line);
  const start = text.lastIndexOf("{", named[0]?.start) + 1;
  const end = text.indexOf("}", named.at(-1)?.end);
  const inside = text.slice(start, end);
  const isInLines = inside.includes("\n");
  const comma = /,\s*$/.test(inside) ? "," : "";
  const space = /^[ \t]*/.exec(inside)?.[0] ?? "";
  const flat = `${space}${names.join(`,${space}`)}${comma}${space}`;
  const length = line.end - line.start - inside.length + flat.length;
  if (!isInLines && length <= style.width) return { start, end, text: flat };
  const indent = /\n([ \t]+)/.exec(inside)?.[1] ?? style.indent;
  const lines = names.map((name) => style.eol + indent + name).join(",");
  return { start, end, text: `${lines}${isInLines ? comma : ","}${style.eol}` };
}

/** Each name gets `type`, unless the whole import has it or imports such types without it. */
function needsTypeWord(line: ImportStatement): boolean {
  if (line.typeOnly) return false;
  const plainType = line.names.some(
    ({ imported, typeOnly }) => isType(imported) && !isValue(imported) && !typeOnly,
  );
  return !plainType;
}

function newImport(text: string, outline: Outline, line: string, style: Style): Edit {
  const statement = styledImport(line, style);
  const { eol } = style;
  const isOfFramework = line.endsWith(' from "framework";');
  const after = outline.imports.find(({ source }) => isOfFramework && comesAfterFramework(source));
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

/** The end of a statement's line, after its comment; the statement's own end if other code follows on the line. */
function behindComment(text: string, end: number): number {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(end))?.[0];
  return end + (rest?.length ?? 0);
}

function styledImport(statement: string, style: Style): string {
  const line = statement.replaceAll('"', style.quote);
  return style.semicolons ? line : line.slice(0, -1);
}

/** Sorted imports have `framework` after `node:` modules and earlier packages, before `#aliases` and paths. */
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
