/** Reads tables of TOML and the values in them. A key that is unknown is most often misspelt, or below the name of the wrong table. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Location } from "#runtime/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import { describeToml, type TomlTable, type TomlValue } from "./toml.ts";

/** The keys that a table may have. */
export interface TableKeys {
  readonly known: readonly string[];
  /** What a hint names instead of `known`: settings of inner tables by their whole names, as in `app.prefix`. */
  readonly offered?: readonly string[];
  /** As in `server.`; "" for the top. */
  readonly inside: string;
  /** Keys of other tables, and where to write them. */
  readonly elsewhere: readonly { readonly keys: readonly string[]; readonly place: string }[];
}

/** A setting that has one value. */
export interface Scalar {
  readonly wanted: string;
  readonly example: string;
  readonly kinds: readonly TomlValue["kind"][];
  /** @returns the setting, or undefined for a value out of range. */
  readonly read: (value: string | number | boolean) => string | number | boolean | undefined;
}

/** A setting that is an array of texts. */
export interface TextArray {
  readonly key: string;
  readonly wanted: string;
  /** How to write it instead of this value. */
  readonly correct: (wrong: TomlValue) => string;
  readonly diagnoseRepeated: (text: string, location: Location, first: Location) => Diagnostic;
}

/**
 * Reads a value that has to be a table.
 * @param keys the table's, and in `inside` its name.
 * @returns undefined where there is no value, or it is not a table.
 */
export function readTable(
  value: TomlValue | undefined,
  keys: TableKeys,
  diagnostics: Diagnostic[],
): TomlTable | undefined {
  if (value === undefined) return undefined;
  if (value.kind === "table") {
    diagnostics.push(...diagnoseUnknownKeys(value, keys));
    return value;
  }
  const key = keys.inside.slice(0, -".".length);
  const wanted = { key, wanted: "a table", found: describeToml(value), example: `[${key}]` };
  diagnostics.push(diagnose("FW104", wanted, value.location));
  return undefined;
}

export function diagnoseUnknownKeys(table: TomlTable, keys: TableKeys): Diagnostic[] {
  const { known, offered = known, inside, elsewhere } = keys;
  const lastWords = offered.map((name) => name.slice(name.lastIndexOf(".") + 1));
  const unknown = [...table.entries].filter(([key]) => !known.includes(key));
  return unknown.map(([key, { location }]) => {
    const place = elsewhere.find(({ keys }) => keys.includes(key))?.place;
    const nearest = offered[lastWords.indexOf(closest(key, lastWords) ?? "")];
    return diagnose("FW103", { key: inside + key, nearest, known: offered, place }, location);
  });
}

/**
 * @param inside the name of the table, as in `server.`.
 * @returns undefined for a setting that is missing or wrong.
 */
export function readScalar(
  { entries }: TomlTable,
  inside: string,
  key: string,
  setting: Scalar,
  diagnostics: Diagnostic[],
): string | number | boolean | undefined {
  const value = entries.get(key)?.value;
  if (value === undefined) return undefined;
  const { kinds, wanted, example } = setting;
  const fits = "value" in value && kinds.includes(value.kind);
  const read = fits ? setting.read(value.value) : undefined;
  if (read !== undefined) return read;
  const found = "value" in value ? formatScalar(value.value) : describeToml(value);
  const code = kinds.includes(value.kind) ? "FW105" : "FW104";
  diagnostics.push(diagnose(code, { key: inside + key, wanted, found, example }, value.location));
  return undefined;
}

function formatScalar(value: string | number | boolean): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** @param inside the name of the table, as in `cors.`. @param example one of the texts. */
export function textArray(inside: string, name: string, wanted: string, example: string): TextArray {
  const key = inside + name;
  return {
    key,
    wanted,
    correct: (wrong) =>
      `${name} = [${JSON.stringify(wrong.kind === "string" ? String(wrong.value) : example)}]`,
    diagnoseRepeated: (value, ...locations) => diagnose("FW120", { key, value }, ...locations),
  };
}

/** @returns each text once, with the place of its first mention. */
export function readTexts(
  value: TomlValue | undefined,
  { key, wanted, correct, diagnoseRepeated }: TextArray,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Location> {
  const texts = new Map<string, Location>();
  const diagnoseType = (wrong: TomlValue, found: string): void => {
    diagnostics.push(diagnose("FW104", { key, wanted, found, example: correct(wrong) }, wrong.location));
  };
  if (value !== undefined && value.kind !== "array") diagnoseType(value, describeToml(value));
  for (const item of value?.kind === "array" ? value.items : []) {
    const text = item.kind === "string" ? String(item.value) : undefined;
    const first = text === undefined ? undefined : texts.get(text);
    if (text === undefined) diagnoseType(item, `${describeToml(item)} in it`);
    else if (first === undefined) texts.set(text, item.location);
    else diagnostics.push(diagnoseRepeated(text, item.location, first));
  }
  return texts;
}
