/** Renames a key in a TOML text, and touches nothing else: comments, order and layout stay. */

import { explainSize } from "#runtime/convention/config/toml";
import { type AST, ParseError, parseTOML } from "#runtime/deps/toml-eslint-parser";
import { applyEdits } from "./edits.ts";

/** Why a text is not edited, as the end of a sentence. */
export interface BadToml {
  readonly why: string;
}

/**
 * @param path the tables that the key stands in, and its name.
 * @param name its new name, one that needs no quotes.
 * @returns the new text; the same text where there is no such key.
 * @example renameKey("[server]\nlimit = 1 # MiB\n", ["server", "limit"], "body_limit") // "[server]\nbody_limit = 1 # MiB\n"
 */
export function renameKey(text: string, path: readonly string[], name: string): string | BadToml {
  const offset = text.startsWith("\uFEFF") ? 1 : 0;
  const keys = readKeys(text.slice(offset));
  if ("why" in keys) return keys;
  const found = keys.filter((key) => isSame(key.path, path));
  if (found.length === 0) return text;
  const renamed = [...path.slice(0, -1), name];
  if (keys.some((key) => isSame(key.path, renamed)))
    return { why: `it has \`${renamed.join(".")}\` as well` };
  return applyEdits(
    text,
    found.map(({ start, end }) => ({ start: start + offset, end: end + offset, text: name })),
  );
}

/** A name that is written in a key, and what it stands for. */
interface WrittenKey {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

function readKeys(text: string): WrittenKey[] | BadToml {
  const size = explainSize(text);
  if (size !== undefined) return { why: size };
  try {
    return keysBelow(parseTOML(text, { tomlVersion: "1.0" }).body[0].body, []);
  } catch (error) {
    // Nesting so deep that the stack ends.
    if (error instanceof RangeError) return { why: "it is nested too deeply" };
    if (!(error instanceof ParseError)) throw error;
    return { why: `it can't be read (line ${error.lineNumber}: ${error.message})` };
  }
}

type Entry = AST.TOMLTable | AST.TOMLKeyValue;

function keysBelow(entries: readonly Entry[], above: readonly string[]): WrittenKey[] {
  return entries.flatMap((entry) => {
    const own = entry.key.keys.map((key, index) => ({
      path: [...above, ...entry.key.keys.slice(0, index + 1).map(nameOf)],
      start: key.range[0],
      end: key.range[1],
    }));
    const path = own.at(-1)?.path ?? above;
    if (entry.type === "TOMLTable") return [...own, ...keysBelow(entry.body, path)];
    return entry.value.type === "TOMLInlineTable" ? [...own, ...keysBelow(entry.value.body, path)] : own;
  });
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
