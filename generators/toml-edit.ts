/** Adds an app to `apps = […]` in `framework.toml`, and touches nothing else: comments, order and layout stay. */

import { type AST, ParseError, parseTOML } from "#runtime/deps/toml-eslint-parser";
import { applyEdits, type Edit } from "./edits.ts";
import { detectStyle } from "./style.ts";

/** Why the file can't be edited by a program; `line` is what a person adds by hand. */
export interface TomlRefusal {
  readonly refusal: string;
  readonly line: string;
}

/**
 * Adds `app` to the list of apps. The result is parsed again, and must differ from the given text by exactly that name.
 *
 * @returns the new text; the same text when the app is listed already.
 * @example addApp('apps = ["users"] # ours\n', "orders") // 'apps = ["users", "orders"] # ours\n'
 */
export function addApp(text: string, app: string): string | TomlRefusal {
  const before = read(text);
  if ("refusal" in before) return { ...before, line: `apps = ["${app}"]` };
  const { apps } = before;
  if (apps === undefined) return checked(before, applyEdits(text, [newList(before, app)]), app);
  if (apps.type !== "TOMLArray")
    return { refusal: "`apps` is not a list of names", line: `apps = ["${app}"]` };
  if (namesIn(apps).includes(app)) return text;
  return checked(before, applyEdits(text, insertion(before, apps, app)), app);
}

interface Toml {
  /** With the byte order mark, which offsets count. */
  readonly text: string;
  readonly offset: number;
  readonly program: AST.TOMLProgram;
  readonly apps: AST.TOMLContentNode | undefined;
}

function read(text: string): Toml | { refusal: string } {
  const offset = text.startsWith("\uFEFF") ? 1 : 0;
  try {
    const program = parseTOML(text.slice(offset), { tomlVersion: "1.0" });
    return { text, offset, program, apps: findApps(program) };
  } catch (error) {
    // Nesting so deep that the stack ends.
    if (error instanceof RangeError) return { refusal: "it is nested too deeply" };
    if (!(error instanceof ParseError)) throw error;
    return { refusal: `it can't be read (line ${error.lineNumber}: ${error.message})` };
  }
}

function findApps(program: AST.TOMLProgram): AST.TOMLContentNode | undefined {
  for (const entry of program.body[0].body) {
    if (entry.type !== "TOMLKeyValue" || entry.key.keys.length !== 1) continue;
    if (keyName(entry.key.keys[0]) === "apps") return entry.value;
  }
  return undefined;
}

function keyName(key: AST.TOMLBare | AST.TOMLQuoted | undefined): string | undefined {
  return key?.type === "TOMLBare" ? key.name : key?.value;
}

/** A value that is no string has no name, and is kept apart from every name there can be. */
function namesIn(apps: AST.TOMLArray): readonly (string | null)[] {
  return apps.elements.map((element) => {
    return element.type === "TOMLValue" && element.kind === "string" ? element.value : null;
  });
}

function insertion({ text, offset, program }: Toml, apps: AST.TOMLArray, app: string): readonly Edit[] {
  const { eol } = detectStyle(text);
  const start = apps.range[0] + offset + 1;
  const end = apps.range[1] + offset - 1;
  const last = apps.elements.at(-1);
  if (last === undefined) return [intoEmptyList(text, start, end, app, eol)];

  const quoted = text[last.range[0] + offset] === "'" ? `'${app}'` : `"${app}"`;
  const lastEnd = last.range[1] + offset;
  const comma = program.tokens.find(
    (token) => token.value === "," && token.range[0] + offset >= lastEnd && token.range[1] + offset <= end,
  );
  const space = spaceBefore(text, apps, offset, eol);
  if (comma !== undefined) {
    const place = space.includes("\n") ? lineEnd(text, comma.range[1] + offset) : comma.range[1] + offset;
    return [{ start: place, end: place, text: `${space}${quoted},` }];
  }
  const place = space.includes("\n") ? lineEnd(text, lastEnd) : lastEnd;
  return [
    { start: lastEnd, end: lastEnd, text: "," },
    { start: place, end: place, text: space + quoted },
  ];
}

/** The white space that stands between the last two names, or before the only one: what the new name gets too. */
function spaceBefore(text: string, apps: AST.TOMLArray, offset: number, eol: string): string {
  const last = apps.elements.at(-1);
  const previous = apps.elements.at(-2);
  const from = (previous === undefined ? apps.range[0] + 1 : previous.range[1]) + offset;
  const between = text.slice(from, last === undefined ? from : last.range[0] + offset);
  const own = /[ \t]*$/.exec(between)?.[0] ?? "";
  if (between.includes("\n")) return eol + own;
  return previous === undefined ? " " : own;
}

function intoEmptyList(text: string, start: number, end: number, app: string, eol: string): Edit {
  const inside = text.slice(start, end);
  if (!inside.includes("\n")) return { start: end, end, text: `"${app}"${inside}` };
  const indent = /\n([ \t]+)\S/.exec(inside)?.[1] ?? "  ";
  const place = start + inside.lastIndexOf("\n") - (inside.at(inside.lastIndexOf("\n") - 1) === "\r" ? 1 : 0);
  return { start: place, end: place, text: `${eol}${indent}"${app}",` };
}

/** The end of the line, so that a comment there stays with its name; the place itself where another value follows. */
function lineEnd(text: string, place: number): number {
  const rest = /^[ \t]*(?:#[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(place))?.[0];
  return place + (rest?.length ?? 0);
}

/** A file without the key gets it above its first table (below, it would belong to that table), under the comment that heads the file. */
function newList({ text, offset, program }: Toml, app: string): Edit {
  const { eol } = detectStyle(text);
  const line = `apps = ["${app}"]${eol}`;
  const entries = program.body[0].body;
  const keys = entries.filter((entry) => entry.type === "TOMLKeyValue");
  const lastKey = keys.at(-1);
  if (lastKey !== undefined) {
    const place = lineEnd(text, lastKey.range[1] + offset);
    return { start: place, end: place, text: eol + line.slice(0, -eol.length) };
  }
  const head = /^(?:[ \t]*#[^\r\n]*\r?\n)+(?=[ \t]*(?:\r?\n|$))/.exec(text.slice(offset))?.[0].length ?? 0;
  const place = offset + head;
  const above = head > 0 ? eol : "";
  const below = text.length > place && head === 0 ? eol : "";
  return { start: place, end: place, text: above + line + below };
}

/** The text as edited, if it says exactly what was meant; else the line to add by hand. */
function checked(before: Toml, text: string, app: string): string | TomlRefusal {
  const line = before.apps === undefined ? `apps = ["${app}"]` : `"${app}",`;
  const after = read(text);
  if ("refusal" in after || !differsByOneApp(before, after, app)) {
    return { refusal: "its layout is one that can't be edited safely", line };
  }
  return text;
}

function differsByOneApp(before: Toml, after: Toml, app: string): boolean {
  if (after.apps?.type !== "TOMLArray") return false;
  const names = before.apps?.type === "TOMLArray" ? namesIn(before.apps) : [];
  return (
    same([...names, app], namesIn(after.apps)) &&
    same(comments(before), comments(after)) &&
    same(tokensOutside(before), tokensOutside(after))
  );
}

function comments(toml: Toml): readonly string[] {
  return toml.program.comments.map((comment) => comment.value);
}

/** Everything that is written in the file, without the list of apps and its key. */
function tokensOutside({ text, offset, program, apps }: Toml): readonly string[] {
  const from = apps?.parent.range[0] ?? 0;
  const to = apps?.parent.range[1] ?? 0;
  return program.tokens
    .filter(({ range }) => range[1] <= from || range[0] >= to)
    .map(({ range }) => text.slice(range[0] + offset, range[1] + offset));
}

function same(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
