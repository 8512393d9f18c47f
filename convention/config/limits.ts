/** Reads the `limits` of a `_hooks.ts`. Its values are those of two settings of `[server]`, which they replace. */

import type { RouteLimits } from "#runtime/settings";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { WrittenEntry } from "../source/module.ts";
import { diagnoseValue, readValue } from "./read-table.ts";
import { TABLES } from "./settings.ts";

const SETTINGS = { body: "bodyLimit", timeout: "handlerTimeout" } as const;
const NAMES = Object.keys(SETTINGS);

export const LIMITS_EXAMPLE = 'export const limits = { body: "20 MB", timeout: 30 };';

/** True for an object that has a limit by its name: another one is probably about something else. */
export function hasLimits(entries: readonly WrittenEntry[] | undefined): boolean {
  return entries?.some(({ key }) => NAMES.includes(key)) === true;
}

/** @param diagnostics gets what is wrong. @returns the limits that are right. */
export function readLimits(entries: readonly WrittenEntry[], diagnostics: Diagnostic[]): RouteLimits {
  const read = entries.flatMap((entry): RouteLimits[] => {
    const { key, location } = entry;
    const known = NAMES.find((name): name is keyof typeof SETTINGS => name === key);
    if (known === undefined) {
      const unknown = { key: `limits.${key}`, nearest: closest(key, NAMES), known: NAMES, place: undefined };
      diagnostics.push(diagnose("FW103", unknown, location));
      return [];
    }
    const value = readLimit(entry, known, diagnostics);
    return value === undefined ? [] : [{ [SETTINGS[known]]: value }];
  });
  return Object.assign({}, ...read);
}

function readLimit(
  { value, text, location }: WrittenEntry,
  name: keyof typeof SETTINGS,
  diagnostics: Diagnostic[],
): number | undefined {
  const setting = TABLES.server[SETTINGS[name]];
  const shown = { name, key: `limits.${name}`, start: `${name}: ` };
  if (value !== undefined && value !== null) {
    const kind = typeof value === "number" && !Number.isInteger(value) ? "float" : KINDS[typeof value];
    return readValue({ kind: kind ?? "string", value, location }, shown, setting, diagnostics);
  }
  const wanted = `written out as ${setting.wanted}`;
  diagnostics.push(diagnoseValue(shown.key, wanted, `\`${text}\``, shown.start + setting.example, location));
  return undefined;
}

const KINDS: Readonly<Record<string, "string" | "integer" | "boolean">> = {
  string: "string",
  number: "integer",
  boolean: "boolean",
};
