/** The `[dev]` table of `framework.toml`: what only `framework dev` reads. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { TomlTable } from "./toml.ts";
import { readTexts, type TextArray, textArray } from "./toml-table.ts";

export interface DevSettings {
  /** Names of this machine, as in `app.local`. `.app.local` is that name with every name below it. */
  readonly hosts: readonly string[];
}

export const DEV_SETTINGS: readonly string[] = ["hosts"];

const HOSTS: TextArray = textArray("dev.", "hosts", "an array of host names, without ports", "app.local");

export function readDev(table: TomlTable | undefined, diagnostics: Diagnostic[]): DevSettings {
  const { key, wanted } = HOSTS;
  const hosts = [...readTexts(table?.entries.get("hosts")?.value, HOSTS, diagnostics)];
  const good = hosts.flatMap(([text, location]) => {
    if (/^\.?[\w-]+(?:\.[\w-]+)*$/.test(text)) return [text];
    const example = `hosts = [${JSON.stringify(toHost(text) ?? "app.local")}]`;
    diagnostics.push(diagnose("FW105", { key, wanted, found: JSON.stringify(text), example }, location));
    return [];
  });
  return { hosts: good };
}

/** @example toHost("https://*.app.local:8000/") // ".app.local" */
function toHost(text: string): string | undefined {
  return /^(?:\w+:\/\/)?\*?(\.?[\w-]+(?:\.[\w-]+)*)\.?(?:[:/]|$)/.exec(text)?.[1];
}
