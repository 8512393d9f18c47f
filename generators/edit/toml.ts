/** Adds an app to `apps = […]` in `framework.toml`, and changes nothing else: comments, order and layout stay. */

import { isDeepStrictEqual } from "node:util";
import { explainSize } from "#convention/config/toml";
import { type AST, ParseError, parseTOML } from "#convention/deps/toml-eslint-parser";
import { applyEdits, type Edit } from "#convention/source/edits";
import { detectStyle } from "./style.ts";

/** Why a program can't edit the file; `line` is what a person adds by hand. */
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
  return behindMark(text, (body) => addToBody(body, app));
}

/** Leaves a byte order mark where it is, and out of all offsets. */
function behindMark(text: string, edit: (body: string) => string | BadToml): string | BadToml {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const edited = edit(text.slice(mark.length));
  return typeof edited === "string" ? mark + edited : edited;
}

function addToBody(text: string, app: string): string | BadToml {
  const list = `apps = ["${app}"]`;
  const before = read(text);
  if ("why" in before) return { ...before, line: list };
  const { apps } = before;
  if (apps !== undefined && apps.type !== "TOMLArray")
    return { why: "`apps` is not a list of names", line: list };
  const names = apps === undefined ? [] : listedNames(apps);
  if (names.includes(app)) return text;
  const added = applyEdits(text, apps === undefined ? [newList(before, list)] : insertion(text, apps, app));
  const line = apps === undefined ? list : `"${app}",`;
  return listsApps(added, [...names, app]) ? added : { why: UNSAFE, line };
}

const UNSAFE = "its layout is one that can't be edited safely";

interface Toml {
  readonly text: string;
  readonly program: AST.TOMLProgram;
  readonly apps: AST.TOMLContentNode | undefined;
}

function read(text: string): Toml | { readonly why: string } {
  const size = explainSize(text);
  if (size !== undefined) return { why: size };
  try {
    const program = parseTOML(text, { tomlVersion: "1.0" });
    return { text, program, apps: findApps(program) };
  } catch (error) {
    // Nested so deeply that the stack overflows.
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

/** Null for a value that is not a string, because no app is called null. */
function listedNames(apps: AST.TOMLArray): readonly (string | null)[] {
  return apps.elements.map((element) => {
    return element.type === "TOMLValue" && element.kind === "string" ? element.value : null;
  });
}

/** Behind the last name, on a line of its own if that one is. */
function insertion(text: string, { elements, range }: AST.TOMLArray, app: string): readonly Edit[] {
  const last = elements.at(-1);
  if (last === undefined) return [toInsertion(range[0] + 1, `"${app}"`)];
  const [start, end] = last.range;
  const quoted = text[start] === "'" ? `'${app}'` : `"${app}"`;
  const space = /\r?\n[ \t]*$/.exec(text.slice(0, start))?.[0];
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? "";
  const behind = end + comma.length;
  const place = space === undefined ? behind : lineEnd(text, behind);
  const added = toInsertion(place, `${space ?? " "}${quoted}${comma === "" ? "" : ","}`);
  return comma === "" ? [toInsertion(end, ","), added] : [added];
}

function toInsertion(place: number, text: string): Edit {
  return { start: place, end: place, text };
}

/** The end of the line, so that a comment there stays with its name; the place itself where another value follows. */
function lineEnd(text: string, place: number): number {
  const rest = /^[ \t]*(?:#[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(place))?.[0];
  return place + (rest?.length ?? 0);
}

/** A new key has to be above the first table, or it would belong to that. It is below the file's first comment. */
function newList({ text, program }: Toml, list: string): Edit {
  const { eol } = detectStyle(text);
  const lastKey = program.body[0].body.findLast((entry) => entry.type === "TOMLKeyValue");
  if (lastKey !== undefined) return toInsertion(lineEnd(text, lastKey.range[1]), eol + list);
  const head = /^(?:[ \t]*#[^\r\n]*\r?\n)+(?=[ \t]*(?:\r?\n|$))/.exec(text)?.[0].length ?? 0;
  const above = head > 0 ? eol : "";
  const below = text.length > 0 && head === 0 ? eol : "";
  return toInsertion(head, above + list + eol + below);
}

/** Whether an edited text lists just these apps: nothing was taken from it, so the rest is what it was. */
function listsApps(text: string, names: readonly (string | null)[]): boolean {
  const after = read(text);
  if ("why" in after || after.apps?.type !== "TOMLArray") return false;
  return isDeepStrictEqual(listedNames(after.apps), names);
}
