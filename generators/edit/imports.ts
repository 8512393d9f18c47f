/** Imports a name into a file: by an import that is there, or by a new line. */

import { applyEdits, type Edit } from "#convention/source/edits";
import type { ImportedName, ImportStatement } from "#convention/source/module";
import { toFramework } from "#convention/source/names";
import { behindComment, freeName, insertBlock, insertion } from "./insert.ts";
import { type Outline, outlineOf } from "./outline.ts";
import { type Style, withoutTrivia } from "./style.ts";

export interface Import {
  readonly name: string;
  /** As in `framework`, `kysely` or `../auth.ts`. */
  readonly source: string;
}

/** A text with an import in it, and what its code calls the imported thing. */
export interface Imported {
  readonly text: string;
  readonly local: string;
}

/** The only thing that generated code needs at run time. Everything else is imported for its type. */
export function isValue(name: string): boolean {
  return name === "HttpError";
}

/**
 * Imports a name; where the file has another use of it, by another name.
 *
 * @example
 * // import type { Request } from "framework";  →  import type { int, Request } from "framework";
 * addImport(text, { name: "int", source: "framework" }, style).local // "int"
 */
export function addImport(text: string, { name, source }: Import, style: Style): Imported {
  const outline = outlineOf(text);
  const lines = outline.imports.filter((line) => isFrom(line, source));
  // A class that is imported as a type can't be called.
  const there = lines
    .flatMap((line) => line.names.filter((one) => !isValue(name) || !(one.typeOnly || line.typeOnly)))
    .find(({ imported }) => imported === name);
  if (there !== undefined) return { text, local: there.local };
  const local = freeLocal(text, outline, name, source);
  const added = local === name ? name : `${name} as ${local}`;
  const open = lines.filter((line) => acceptsNames(text, line) && !(line.typeOnly && isValue(name)));
  const line = open.find(({ typeOnly }) => typeOnly !== isValue(name)) ?? open[0];
  const edit =
    line === undefined
      ? newImport(
          text,
          outline,
          `import ${isValue(name) ? "" : "type "}{ ${added} } from "${source}";`,
          style,
        )
      : mergeImport(text, line, added);
  return { text: applyEdits(text, [edit]), local };
}

/** Imports all that a file exports, as one object below the other imports. */
export function addNamespace(text: string, { name, source }: Import, style: Style): Imported {
  const outline = outlineOf(text);
  const local = freeName(name, (one) => outline.bindings.has(one));
  const edit = newImport(text, outline, `import * as ${local} from "${source}";`, style);
  return { text: applyEdits(text, [edit]), local };
}

function isFrom(line: ImportStatement, source: string): boolean {
  if (source !== "framework") return line.source === source;
  return /^framework(?:\/http)?$/.test(toFramework(line.source) ?? line.source);
}

/** `new Request(…)` without an import means the global class, which an imported type would hide. */
function freeLocal(text: string, { bindings }: Outline, name: string, source: string): string {
  if (source !== "framework") return freeName(name, (one) => bindings.has(one));
  const isGlobal = /^[A-Z]/.test(name) && new RegExp(`(?<![.\\w$])${name}\\b`).test(withoutTrivia(text));
  return bindings.has(name) || isGlobal ? `Framework${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

/** The names in braces, where another one can be added. */
function namedOf(line: ImportStatement): readonly ImportedName[] {
  return line.names.filter(({ isNamed }) => isNamed);
}

function acceptsNames(text: string, line: ImportStatement): boolean {
  return namedOf(line).length > 0 && !/\/[/*]/.test(text.slice(line.start, line.end));
}

/** Adds a name before the first one that follows it in the alphabet, or at the end: on a line of its own where the others are. */
function mergeImport(text: string, line: ImportStatement, added: string): Edit {
  const named = namedOf(line);
  const word = line.typeOnly || isValue(added) ? "" : "type ";
  const space = /\s*$/.exec(text.slice(0, named[0]?.start))?.[0] ?? "";
  const between = space.includes("\n") ? space : " ";
  const next = named.find(({ imported }) => byName(imported, added) > 0)?.start;
  if (next !== undefined) return insertion(next, `${word}${added},${between}`);
  return insertion(named.at(-1)?.end ?? line.end, `,${between}${word}${added}`);
}

/** Below the other imports but those of paths, or at the top. */
function newImport(text: string, outline: Outline, line: string, style: Style): Edit {
  const { eol } = style;
  const quoted = line.replaceAll('"', style.quote);
  const statement = style.semicolons ? quoted : quoted.slice(0, -1);
  const ofPath = outline.imports.find(({ source }) => /^[.#]/.test(source));
  if (ofPath !== undefined && line.endsWith('"framework";')) return insertion(ofPath.start, statement + eol);
  const last = outline.imports.at(-1);
  if (last !== undefined) return insertion(behindComment(text, last.end), eol + statement);
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  if (outline.headEnd > mark)
    return insertBlock(text, behindComment(text, outline.headEnd), statement + eol, style);
  return insertion(mark, statement + (text.length === mark ? eol : eol + eol));
}

/** As Biome sorts names: letters first, case only where all else is equal. */
function byName(one: string, other: string): number {
  return compare(one.toLowerCase(), other.toLowerCase()) || compare(one, other);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
