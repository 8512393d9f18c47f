/** Adds an app to `apps = […]` in `framework.toml`, and changes nothing else: comments, order and layout stay. */

import { isDeepStrictEqual } from "node:util";
import { explainSize } from "#convention/config/toml";
import { type AST, ParseError, parseTOML } from "#convention/deps/toml-eslint-parser";
import { applyEdits, type Edit } from "#convention/source/edits";
import { CONFIG_FILE } from "#runtime/project-root";
import { orRefused, Refused, refuse } from "../refused.ts";
import { behindComment, insertion } from "./insert.ts";
import { detectStyle } from "./style.ts";

/**
 * Adds `app` to the list of apps. The result is parsed again, and must differ from the given text by exactly that name.
 *
 * @returns the new text; the same text when the app is listed already.
 * @throws {Refused} with what a person adds by hand, if a program can't edit the file.
 * @example addApp('apps = ["users"] # ours\n', "orders") // 'apps = ["users", "orders"] # ours\n'
 */
export function addApp(text: string, app: string): string {
  // A byte order mark stays where it is, and out of all offsets.
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return mark + addToBody(text.slice(mark.length), app);
}

function addToBody(text: string, app: string): string {
  const list = `apps = ["${app}"]`;
  const before = read(text, list);
  const { apps } = before;
  if (apps !== undefined && apps.type !== "TOMLArray")
    return refuseFile("`apps` is not a list of names", list);
  const names = apps === undefined ? [] : listedNames(apps);
  if (names.includes(app)) return text;
  const added = applyEdits(text, apps === undefined ? [newList(before, list)] : addName(text, apps, app));
  const line = apps === undefined ? list : `"${app}",`;
  if (!listsApps(added, [...names, app])) refuseFile("its layout is one that can't be edited safely", line);
  return added;
}

/** @param line that a person adds. */
function refuseFile(why: string, line: string): never {
  return refuse("FW612", { file: CONFIG_FILE, why, hint: `Fix it, or add by hand: ${line}` });
}

interface Toml {
  readonly text: string;
  readonly program: AST.TOMLProgram;
  readonly apps: AST.TOMLContentNode | undefined;
}

function read(text: string, line: string): Toml {
  const size = explainSize(text);
  if (size !== undefined) refuseFile(size, line);
  try {
    const program = parseTOML(text, { tomlVersion: "1.0" });
    return { text, program, apps: findApps(program) };
  } catch (error) {
    // Nested so deeply that the stack overflows.
    if (error instanceof RangeError) return refuseFile("it is nested too deeply", line);
    if (!(error instanceof ParseError)) throw error;
    return refuseFile(`it can't be read (line ${error.lineNumber}: ${error.message})`, line);
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
function addName(text: string, { elements, range }: AST.TOMLArray, app: string): readonly Edit[] {
  const last = elements.at(-1);
  if (last === undefined) return [insertion(range[0] + 1, `"${app}"`)];
  const [start, end] = last.range;
  const quoted = text[start] === "'" ? `'${app}'` : `"${app}"`;
  const space = /\r?\n[ \t]*$/.exec(text.slice(0, start))?.[0];
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? "";
  const behind = end + comma.length;
  const place = space === undefined ? behind : behindComment(text, behind, "#");
  const added = insertion(place, `${space ?? " "}${quoted}${comma === "" ? "" : ","}`);
  return comma === "" ? [insertion(end, ","), added] : [added];
}

/** A new key has to be above the first table, or it would belong to that. It is below the file's first comment. */
function newList({ text, program }: Toml, list: string): Edit {
  const { eol } = detectStyle(text);
  const lastKey = program.body[0].body.findLast((entry) => entry.type === "TOMLKeyValue");
  if (lastKey !== undefined) return insertion(behindComment(text, lastKey.range[1], "#"), eol + list);
  const head = /^(?:[ \t]*#[^\r\n]*\r?\n)+(?=[ \t]*(?:\r?\n|$))/.exec(text)?.[0].length ?? 0;
  const above = head > 0 ? eol : "";
  const below = text.length > 0 && head === 0 ? eol : "";
  return insertion(head, above + list + eol + below);
}

/** Whether an edited text lists just these apps: nothing was taken from it, so the rest is what it was. */
function listsApps(text: string, names: readonly (string | null)[]): boolean {
  const after = orRefused(() => read(text, ""));
  if (after instanceof Refused || after.apps?.type !== "TOMLArray") return false;
  return isDeepStrictEqual(listedNames(after.apps), names);
}
