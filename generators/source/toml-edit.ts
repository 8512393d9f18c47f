/** Adds an app to `apps = […]` in `framework.toml` or takes it out, and touches nothing else: comments, order and layout stay. */

import { explainSize } from "#runtime/convention/config/toml";
import { type AST, ParseError, parseTOML } from "#runtime/deps/toml-eslint-parser";
import { applyEdits, type Edit, type Region } from "./edits.ts";
import { detectStyle } from "./style.ts";

/** Why the file can't be edited by a program; `line` is what a person adds or takes out by hand. */
export interface BadToml {
  readonly why: string;
  readonly line: string;
}

/**
 * Adds `app` to the list of apps. The result is parsed again, and must differ from the given text by exactly that name.
 *
 * @returns the new text; the same text when the app is listed already.
 * @example addApp('apps = ["users"] # ours\n', "orders") // 'apps = ["users", "orders"] # ours\n'
 */
export function addApp(text: string, app: string): string | BadToml {
  const before = read(text);
  if ("why" in before) return { ...before, line: `apps = ["${app}"]` };
  const { apps } = before;
  if (apps === undefined) return checked(before, applyEdits(text, [newList(before, app)]), app);
  if (apps.type !== "TOMLArray") return { why: "`apps` is not a list of names", line: `apps = ["${app}"]` };
  if (namesIn(apps).includes(app)) return text;
  return checked(before, applyEdits(text, insertion(before, apps, app)), app);
}

/**
 * Takes `app` out of the list of apps: the inverse of {@link addApp}, checked in the same way. With the last name the list stays,
 * empty: whether it stood there before the first one can't be told from the text.
 *
 * @returns the new text; the same text when the app is not listed.
 * @example removeApp('apps = ["users", "orders"] # ours\n', "orders") // 'apps = ["users"] # ours\n'
 */
export function removeApp(text: string, app: string): string | BadToml {
  const line = `"${app}"`;
  const before = read(text);
  if ("why" in before) return { ...before, line };
  const { apps } = before;
  if (apps?.type !== "TOMLArray" || !namesIn(apps).includes(app)) return text;
  const rest = namesIn(apps).filter((name) => name !== app);
  const texts = removals(before, apps, namesIn(apps).indexOf(app)).map((edits) => applyEdits(text, edits));
  return texts.find((one) => isListOf(before, one, rest)) ?? { why: UNSAFE, line };
}

const UNSAFE = "its layout is one that can't be edited safely";

interface Toml {
  /** With the byte order mark, which offsets count. */
  readonly text: string;
  readonly offset: number;
  readonly program: AST.TOMLProgram;
  readonly apps: AST.TOMLContentNode | undefined;
}

function read(text: string): Toml | { why: string } {
  const offset = text.startsWith("\uFEFF") ? 1 : 0;
  const size = explainSize(text);
  if (size !== undefined) return { why: size };
  try {
    const program = parseTOML(text.slice(offset), { tomlVersion: "1.0" });
    return { text, offset, program, apps: findApps(program) };
  } catch (error) {
    // Nesting so deep that the stack ends.
    if (error instanceof RangeError) return { why: "it is nested too deeply" };
    if (!(error instanceof ParseError)) throw error;
    return { why: `it can't be read (line ${error.lineNumber}: ${error.message})` };
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

/** The ways to take a name out, first the one that undoes how it was added. */
function removals(toml: Toml, apps: AST.TOMLArray, index: number): readonly (readonly Edit[])[] {
  const { text } = toml;
  const name = regionOf(toml, apps.elements[index] ?? apps);
  const next = apps.elements[index + 1];
  const list = regionOf(toml, apps);
  const comma = commaOf(toml, apps, index);
  const lead = leadOf(toml, apps, name.start);
  const isFollowed = comma !== undefined && comma.start >= name.end;
  const end = isFollowed && text.slice(name.end, comma.start).trim() === "" ? comma.end : name.end;
  const commas = comma === undefined || end === comma.end ? [] : [toRemoval(comma)];
  const following = next === undefined ? list.end - 1 : regionOf(toml, next).start;
  const before = text.slice(list.start + 1, name.start);
  const after = text.slice(end, following);
  const isAlone = index === 0 && (next === undefined ? before === after : !/[\n#]/.test(before + after));
  // With the line's end gone, the comment behind the name would speak of the one above it.
  const hasComment = /^\r?\n/.test(text.slice(lead)) && /^[ \t]*#/.test(text.slice(end));
  return [
    ...(isAlone ? [[toRemoval({ start: name.start, end: following })]] : []),
    ...(hasComment ? [] : [[toRemoval({ start: lead, end }), ...commas]]),
    [toRemoval({ start: name.start, end }), ...commas],
  ];
}

function toRemoval({ start, end }: Region): Edit {
  return { start, end, text: "" };
}

function regionOf({ offset }: Toml, { range }: { readonly range: readonly [number, number] }): Region {
  return { start: range[0] + offset, end: range[1] + offset };
}

/** The comma that goes with a name: the one behind it, else the one before. */
function commaOf(toml: Toml, apps: AST.TOMLArray, index: number): Region | undefined {
  const from = apps.elements[index - 1]?.range[1] ?? apps.range[0];
  const to = apps.elements[index + 1]?.range[0] ?? apps.range[1];
  const commas = toml.program.tokens.filter(
    ({ value, range }) => value === "," && range[0] >= from && range[1] <= to,
  );
  const own = apps.elements[index]?.range[1] ?? to;
  const comma = commas.find(({ range }) => range[0] >= own) ?? commas.at(-1);
  return comma && regionOf(toml, comma);
}

/** Where the white space before a name begins that was written with it: its line's end, or what stands before it. */
function leadOf({ text, offset, program }: Toml, apps: AST.TOMLArray, start: number): number {
  const ends = [...program.tokens, ...program.comments].map(({ range }) => range[1] + offset);
  const previous = Math.max(apps.range[0] + offset + 1, ...ends.filter((end) => end <= start));
  const space = text.slice(previous, start);
  return previous + (/\r?\n[ \t]*$/.exec(space)?.index ?? 0);
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
function checked(before: Toml, text: string, app: string): string | BadToml {
  const line = before.apps === undefined ? `apps = ["${app}"]` : `"${app}",`;
  const names = before.apps?.type === "TOMLArray" ? namesIn(before.apps) : [];
  return isListOf(before, text, [...names, app]) ? text : { why: UNSAFE, line };
}

/** Whether an edited text lists just these apps, and is what it was before in everything else. */
function isListOf(before: Toml, text: string, names: readonly (string | null)[]): boolean {
  const after = read(text);
  return (
    !("why" in after) &&
    after.apps?.type === "TOMLArray" &&
    same(names, namesIn(after.apps)) &&
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
