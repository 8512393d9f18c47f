/** The `[app]` table of `app.toml`: the app's name in lists, and the prefix of its routes. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { diagnose } from "../diagnostics/catalogue.ts";
import { formatPrefix, isBadPrefix, parsePrefix } from "../pattern.ts";
import { OF_FRAMEWORK_TOML } from "./tables.ts";
import { describeToml, type TomlEntry, type TomlTable, type TomlValue } from "./toml.ts";
import { diagnoseUnknownKeys, readTable, type TableKeys } from "./toml-table.ts";

/** Undefined for what `app.toml` does not give, or gives in a form that can't be used. */
export interface AppSettings {
  readonly label: string | undefined;
  readonly prefix: string | undefined;
}

export const NO_SETTINGS: AppSettings = { label: undefined, prefix: undefined };

const APP_SETTINGS = ["name", "prefix"] as const;
type AppSetting = (typeof APP_SETTINGS)[number];

const FILE_KEYS: TableKeys = {
  known: ["app", ...APP_SETTINGS],
  offered: ["app", ...APP_SETTINGS.map((key) => `app.${key}`)],
  inside: "",
  elsewhere: OF_FRAMEWORK_TOML,
};

const APP_KEYS: TableKeys = { known: APP_SETTINGS, inside: "app.", elsewhere: OF_FRAMEWORK_TOML };

/**
 * @param file `app.toml` as a whole.
 * @param app the name of the app's folder.
 */
export function readAppSettings(file: TomlTable, app: string, diagnostics: Diagnostic[]): AppSettings {
  diagnostics.push(...diagnoseUnknownKeys(file, FILE_KEYS), ...diagnoseBareKeys(file, app));
  const table = readTable(file.entries.get("app")?.value, APP_KEYS, diagnostics);
  if (table === undefined) return NO_SETTINGS;
  return {
    label: readLabel(table.entries.get("name")?.value, app, diagnostics),
    prefix: readPrefix(table.entries.get("prefix")?.value, app, diagnostics),
  };
}

/** Settings above `[app]`, or without it: one diagnostic for all, because they lack one `[app]`. */
function diagnoseBareKeys(file: TomlTable, app: string): Diagnostic[] {
  const bare = [...file.entries].filter(([key]) => APP_KEYS.known.includes(key));
  if (bare.length === 0) return [];
  const table = file.entries.get("app")?.value;
  const inside = table?.kind === "table" ? table.entries : new Map<string, TomlEntry>();
  const lines = APP_SETTINGS.flatMap((key) => {
    const entry = file.entries.get(key) ?? inside.get(key);
    return entry === undefined ? [] : [formatSetting(key, entry.value, app)];
  });
  const locations = bare.map(([, { location }]) => location);
  return [diagnose("FW116", { keys: bare.map(([key]) => key), lines }, ...locations)];
}

function formatSetting(key: AppSetting, value: TomlValue, app: string): string {
  return value.kind === "string" ? `${key} = ${JSON.stringify(value.value)}` : formatExample(key, app);
}

function formatExample(key: AppSetting, app: string): string {
  return `${key} = "${key === "prefix" ? "/" : ""}${app}"`;
}

/** On one line, and not blank. */
const LABEL = /^(?=.*\S)[^\p{Cc}\u2028\u2029]{1,100}$/u;

function readLabel(value: TomlValue | undefined, app: string, diagnostics: Diagnostic[]): string | undefined {
  const label = readString("name", value, app, diagnostics);
  if (value === undefined || label === undefined) return undefined;
  if (LABEL.test(label)) return label.trim();
  const wanted = {
    key: "app.name",
    wanted: "one line of 1 to 100 printable characters",
    found: JSON.stringify(label.length > 100 ? `${label.slice(0, 40)}…` : label),
    example: formatExample("name", app),
  };
  diagnostics.push(diagnose("FW105", wanted, value.location));
  return undefined;
}

function readPrefix(
  value: TomlValue | undefined,
  app: string,
  diagnostics: Diagnostic[],
): string | undefined {
  const prefix = readString("prefix", value, app, diagnostics);
  if (value === undefined || prefix === undefined) return undefined;
  const segments = parsePrefix(prefix);
  if (isBadPrefix(segments)) {
    diagnostics.push(diagnose("FW111", { prefix, why: segments.why, hint: segments.hint }, value.location));
    return undefined;
  }
  return segments.length === 0 ? "" : formatPrefix(segments);
}

function readString(
  key: AppSetting,
  value: TomlValue | undefined,
  app: string,
  diagnostics: Diagnostic[],
): string | undefined {
  if (value === undefined) return undefined;
  if (value.kind === "string") return String(value.value);
  const example = formatExample(key, app);
  const wanted = { key: `app.${key}`, wanted: "a string", found: describeToml(value), example };
  diagnostics.push(diagnose("FW104", wanted, value.location));
  return undefined;
}
