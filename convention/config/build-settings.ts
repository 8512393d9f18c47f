/** The `[build]` table of `framework.toml`: the packages that a build leaves out of its file. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Location } from "#runtime/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { TomlTable } from "./toml.ts";
import { readTexts, type TextArray, textArray } from "./toml-table.ts";

export const BUILD_SETTINGS: readonly string[] = ["external"];

export interface BuildSettings {
  readonly external: readonly External[];
}

export interface External {
  /** Of a package. */
  readonly name: string;
  readonly location: Location;
}

const EXTERNAL: TextArray = textArray("build.", "external", "an array of package names", "sharp");

export function readBuildSettings(
  table: TomlTable | undefined,
  diagnostics: Diagnostic[],
): BuildSettings | undefined {
  if (table === undefined) return undefined;
  const texts = readTexts(table.entries.get("external")?.value, EXTERNAL, diagnostics);
  const external = [...texts].flatMap(([name, location]) => {
    if (isPackageName(name)) return [{ name, location }];
    const { key, wanted } = EXTERNAL;
    const details = { key, wanted, found: JSON.stringify(name), example: 'external = ["sharp"]' };
    diagnostics.push(diagnose("FW105", details, location));
    return [];
  });
  return { external };
}

/** False for a path, a part of a package, and a module of Node. */
export function isPackageName(text: string): boolean {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/.test(text);
}
