/** Reads the tables of a TOML file by what {@link TABLES} says, and reports what is wrong in them. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { CONFIG_FILE } from "#runtime/project-root";
import type { Location } from "#runtime/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import { isRefusal, type Refusal } from "../refusal.ts";
import {
  type Listed,
  type ListSetting,
  type PlainValue,
  type Setting,
  TABLES,
  type Tables,
} from "./settings.ts";
import { describeToml, type TomlTable, type TomlValue } from "./toml.ts";

/** @returns undefined where there is no such table, or something else in its place; without what is missing or wrong. */
export function readTable<Name extends keyof Tables>(
  file: TomlTable,
  name: Name,
  diagnostics: Diagnostic[],
): Partial<Tables[Name]> | undefined {
  const table = file.entries.get(name)?.value;
  if (table === undefined) return undefined;
  if (table.kind !== "table") {
    diagnostics.push(diagnoseValue(name, "a table", describeToml(table), `[${name}]`, table.location));
    return undefined;
  }
  diagnostics.push(...diagnoseUnknownKeys(table, name));
  const settings: Settings = TABLES[name];
  const values = Object.entries(settings).map(([own, setting]): [string, unknown] => {
    const key = toKey(own);
    const value = table.entries.get(key)?.value;
    if (value === undefined) return [own, undefined];
    const shown = { name: key, key: `${name}.${key}` };
    const isList = "readText" in setting;
    return [
      own,
      isList ? readList(value, shown, setting, diagnostics) : readValue(value, shown, setting, diagnostics),
    ];
  });
  const given = values.filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<Tables[Name]>; // each by its own setting
}

type Settings = Readonly<Record<string, Setting<unknown> | ListSetting<unknown>>>;

/** As the file has it: `bodyLimit` is `body_limit`. */
function toKey(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What a setting is called in a file, and in a message. */
interface Shown {
  readonly name: string;
  readonly key: string;
  /** What is written before its value: `name = ` by default. */
  readonly start?: string;
}

export function readValue<Value>(
  value: TomlValue,
  { name, key, start = `${name} = ` }: Shown,
  { kinds, wanted, example, read }: Setting<Value>,
  diagnostics: Diagnostic[],
): Value | undefined {
  const scalar = toPlainValue(value);
  const given = scalar !== undefined && kinds.includes(value.kind) ? read(scalar) : undefined;
  if (given !== undefined && !isRefusal(given)) return given;
  const found =
    scalar === undefined || typeof scalar === "object" ? describeToml(value) : formatScalar(scalar);
  diagnostics.push(
    isRefusal(given)
      ? diagnoseRefused(`\`${key}\` can't be \`${shorten(String(scalar))}\``, given, value.location)
      : diagnoseValue(key, wanted, found, start + example, value.location),
  );
  return undefined;
}

/** @returns undefined for a table, and for an array of other things than texts. */
function toPlainValue(value: TomlValue): PlainValue | undefined {
  if ("value" in value) return value.value;
  if (value.kind !== "array" || value.items.some(({ kind }) => kind !== "string")) return undefined;
  return value.items.map((item) => ("value" in item ? String(item.value) : ""));
}

const LONGEST = 60;

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function formatScalar(value: string | number | boolean): string {
  return typeof value === "string" ? JSON.stringify(shorten(value)) : String(value);
}

/** @returns each text once, with the place of its first mention. */
export function readList<Value>(
  value: TomlValue,
  { name, key }: Shown,
  { wanted, example, readText }: ListSetting<Value>,
  diagnostics: Diagnostic[],
): readonly Listed<Value>[] {
  const report = (wrong: TomlValue, found: string): void => {
    const right = wrong.kind === "string" && wrong === value ? String(wrong.value) : example;
    // A user who wrote `[apps]` or `[[apps]]` may write the array below another table's name.
    const where = name === "apps" && wrong.kind === "table" ? ", above every `[table]`" : "";
    const written = `${name} = [${JSON.stringify(right)}]${where}`;
    diagnostics.push(diagnoseValue(key, wanted, found, written, wrong.location));
  };
  if (value.kind !== "array") {
    report(value, describeToml(value));
    return [];
  }
  const known = new Map<unknown, Location>();
  return value.items.flatMap((item): Listed<Value>[] => {
    const { location } = item;
    if (item.kind !== "string") {
      report(item, `${describeToml(item)} in it`);
      return [];
    }
    const text = String(item.value);
    const first = known.get(text);
    known.set(text, first ?? location);
    if (first !== undefined) {
      diagnostics.push(diagnose("FW107", { key, value: text }, location, first));
      return [];
    }
    const read = readText(text);
    if (read === undefined) report(item, formatScalar(text));
    if (isRefusal(read))
      diagnostics.push(diagnoseRefused(`\`${key}\` can't list \`${shorten(text)}\``, read, location));
    return read === undefined || isRefusal(read) ? [] : [{ value: read, location }];
  });
}

function diagnoseRefused(what: string, { why, hint }: Refusal, location: Location): Diagnostic {
  return diagnose("FW104", { why: `${what}: ${why}`, hint }, location);
}

export function diagnoseValue(
  key: string,
  wanted: string,
  found: string,
  example: string,
  location: Location,
): Diagnostic {
  const why = `\`${key}\` must be ${wanted}, but this is ${found}`;
  return diagnose("FW104", { why, hint: `Write it like this: ${example}` }, location);
}

const KEYS = Object.entries(TABLES).map(
  ([name, settings]) => [name, Object.keys(settings).map(toKey)] as const,
);

/** @param inside the name of the table; undefined for the whole file. An unknown key is most often misspelt, or in the wrong table. */
export function diagnoseUnknownKeys(
  { entries, location: { file } }: TomlTable,
  inside: string | undefined,
): Diagnostic[] {
  const isProject = file === CONFIG_FILE;
  const own = KEYS.filter(([name]) => (name === "app") !== isProject);
  const top = [...(isProject ? ["apps"] : []), ...own.map(([name]) => name)];
  const known = inside === undefined ? top : (KEYS.find(([name]) => name === inside)?.[1] ?? []);
  return (
    [...entries]
      // Those are read by `readFiles`.
      .filter(([key]) => !known.includes(key) && !(inside === "files" && key.startsWith("/")))
      .map(([key, { location }]) => {
        const shown = inside === undefined ? key : `${inside}.${key}`;
        const place = findPlace(key, own, isProject);
        return diagnose("FW103", { key: shown, nearest: closest(key, known), known, place }, location);
      })
  );
}

/** Where a key of another table belongs. @param own the tables of the same file, which come first. */
function findPlace(key: string, own: typeof KEYS, isProject: boolean): string | undefined {
  if (key === "apps" && isProject) return "above every `[table]`";
  const table = [...own, ...KEYS].find(([, keys]) => keys.includes(key));
  if (table === undefined) return undefined;
  const file = table[0] === "app" ? "app.toml" : CONFIG_FILE;
  return `below \`[${table[0]}]\`${own.includes(table) ? "" : ` in ${file}`}`;
}
