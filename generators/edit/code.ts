/** Adds functions to a source file, or writes a new one: with what they import, in the file's own layout. */

import { applyEdits } from "#convention/source/edits";
import { refuse } from "../refused.ts";
import { addImport, isValue } from "./imports.ts";
import { freeName, insertBlock } from "./insert.ts";
import { type Outline, readOutline } from "./outline.ts";
import { applyStyle, detectStyle, type Style } from "./style.ts";

/** Names something that the file has to import, `framework`'s unless a source is given. @returns what the file calls it. */
export type Use = (name: string, source?: string) => string;

/** A function, or an interface. */
export interface Code {
  readonly name: string;
  /** @param free gives a name that the file does not have. */
  write(use: Use, free: (name: string) => string): string;
}

/** For messages, which have no imports. */
export const PLAINLY: Use = (name) => name;

/**
 * The text of a file with the functions at its end.
 *
 * @param text null for a new file.
 * @param kind of function, for messages: "handler".
 * @param fallback decides what the file itself does not show.
 * @throws {Refused} for a syntax error, and for a name that is taken.
 */
export function addCode(
  file: string,
  text: string | null,
  functions: readonly Code[],
  kind: string,
  fallback: Style,
): string {
  const before = text ?? "";
  const outline = readOutline(file, before);
  refuseTaken(file, outline, functions, kind);
  const style = detectStyle(before, fallback);
  const free = (name: string): string => freeName(name, (one) => outline.bindings.has(one));
  const writeAll = (use: Use): string => functions.map(({ write }) => write(use, free)).join("\n");
  const { text: imported, locals } = importUsed(before, writeAll, style);
  const block = applyStyle(
    writeAll((name) => locals.get(name) ?? name),
    style,
  );
  return applyEdits(imported, [insertBlock(imported, imported.length, block, style)]);
}

/** @returns the text with imports of all that the functions name, and what it calls them. */
function importUsed(
  before: string,
  write: (use: Use) => string,
  style: Style,
): { readonly text: string; readonly locals: ReadonlyMap<string, string> } {
  const uses = new Map<string, string>();
  write((name, source = "framework") => {
    uses.set(name, source);
    return name;
  });
  const locals = new Map<string, string>();
  let text = before;
  // Values first, because a type can join their line.
  for (const [name, source] of [...uses].sort(
    ([one], [other]) => Number(isValue(other)) - Number(isValue(one)),
  )) {
    const added = addImport(text, { name, source }, style);
    text = added.text;
    locals.set(name, added.local);
  }
  return { text, locals };
}

/** Refuses the first function whose name the file has for something else. */
function refuseTaken(
  file: string,
  { bindings, unexported }: Outline,
  functions: readonly Code[],
  kind: string,
): void {
  const taken = functions.find(({ name }) => bindings.has(name));
  if (taken === undefined) return;
  const isUnexported = unexported.has(taken.name);
  const found = isUnexported ? "an unexported function" : "something else";
  const details = {
    what: `${file} already has ${found} named \`${taken.name}\``,
    hint: isUnexported
      ? `Write \`export\` before it if it is the ${kind}; if not, rename one of the two.`
      : `Rename that, or choose another name for the ${kind}.`,
  };
  refuse("FW608", details, { file, line: bindings.get(taken.name) ?? 1, column: 1 });
}
