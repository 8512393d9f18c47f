/** A JSON file of the project as an object, or the diagnostic that it is none. */

import { diagnose, startOf } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Files } from "#runtime/convention/source/files";
import { isRecord } from "#runtime/convention/source/record";
import type { Location } from "#runtime/core/routing/route";
import { isBadJson, parseJson } from "./json.ts";

export interface JsonFile {
  readonly file: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Of a key by its path with dots, such as `scripts.start`; of what it is in where it is not there. */
  locate(path: string): Location;
  /** Where it is laxer than npm takes it. */
  readonly lax: Location | undefined;
}

/** @param what the file is there for, as the end of a sentence. @returns diagnostics where it can't be read */
export function readJsonFile(files: Files, file: string, what: string): JsonFile | readonly Diagnostic[] {
  const text = files.read(file);
  // Why it can't be read is told by `files`.
  if (text === undefined) return files.has(file) ? files.diagnostics : [diagnose("FW828", { file, what })];
  const json = parseJson(text, file);
  if (isBadJson(json)) return [diagnose("FW827", { file, why: json.why }, json.location)];
  const { value, places, lax } = json;
  if (!isRecord(value)) return [diagnose("FW827", { file, why: "it is no object" }, startOf(file))];
  const locate = (path: string): Location =>
    places.get(path) ?? places.get(path.replace(/\.[^.]*$/, "")) ?? startOf(file);
  return { file, value, locate, lax };
}

export function isJsonFile(read: JsonFile | readonly Diagnostic[]): read is JsonFile {
  return "locate" in read;
}

/** @example lookUp({ scripts: { start: "…" } }, "scripts", "start") // "…" */
export function lookUp(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}
