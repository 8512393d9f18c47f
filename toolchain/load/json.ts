/** A JSON file of the project as an object in which every key knows its place, or the diagnostic that it is not one. */

import {
  findNodeAtLocation,
  getNodeValue,
  type JsonNode,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "#convention/deps/jsonc-parser";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Files } from "#convention/source/files";
import { isRecord } from "#convention/source/record";
import type { Location } from "#runtime/routing/route";
import { locateOffset } from "./project-files.ts";

export interface Json {
  /** As `JSON.parse` would give it; objects have no prototype. */
  readonly value: unknown;
  /** Of a key, by those that lead to it; of the object around it where it is missing. */
  locate(...keys: readonly string[]): Location;
}

/** What is wrong with the text, as the end of a sentence, and where. */
export interface BadJson {
  readonly why: string;
  readonly location: Location;
}

export interface JsonFile extends Json {
  readonly file: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * @param what the file is there for, as the end of a sentence.
 * @returns diagnostics where it can't be read.
 */
export function readJsonFile(files: Files, file: string, what: string): JsonFile | readonly Diagnostic[] {
  const text = files.read(file);
  // `files` reports why it can't be read.
  if (text === undefined) return files.has(file) ? files.diagnostics : [diagnose("FW828", { file, what })];
  const json = parseJson(text, file);
  if (isBadJson(json)) return [diagnoseJson(file, json.why, json.location)];
  const { value } = json;
  if (isRecord(value)) return { ...json, file, value };
  return [diagnoseJson(file, "it is not an object", startOf(file))];
}

export function diagnoseJson(file: string, why: string, location: Location): Diagnostic {
  return diagnose("FW827", { file, why: `it is not JSON: ${why}`, hint: "Correct it there." }, location);
}

export function isJsonFile(read: JsonFile | readonly Diagnostic[]): read is JsonFile {
  return "locate" in read;
}

/** @param file relative to the project's root, for the places. */
export function parseJson(text: string, file: string): Json | BadJson {
  if (text.trim() === "") return { why: "it is empty", location: startOf(file) };
  const mistakes: ParseError[] = [];
  try {
    const tree = parseTree(text, mistakes, { disallowComments: true });
    const [mistake] = mistakes;
    if (tree === undefined || mistake !== undefined)
      return { why: explain(mistake), location: locateOffset(file, text, mistake?.offset ?? 0) };
    return {
      value: getNodeValue(tree),
      locate: (...keys) => locateOffset(file, text, findKey(tree, keys)?.offset ?? 0),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { why: "it is nested too deeply", location: startOf(file) };
  }
}

export function isBadJson(read: Json | BadJson): read is BadJson {
  return "why" in read;
}

/** @returns undefined for the start of the file. */
function findKey(tree: JsonNode, keys: readonly string[]): JsonNode | undefined {
  if (keys.length === 0) return undefined;
  const property = findNodeAtLocation(tree, [...keys])?.parent;
  return property?.children?.[0] ?? findKey(tree, keys.slice(0, -1));
}

/** @example explain({ error: ParseErrorCode.CommaExpected }) // "comma expected" */
function explain(mistake: ParseError | undefined): string {
  const words = mistake === undefined ? "ValueExpected" : printParseErrorCode(mistake.error);
  return words.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** @example lookUp({ scripts: { start: "…" } }, "scripts", "start") // "…" */
export function lookUp(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}
