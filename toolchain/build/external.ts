/** The packages that a build leaves out, and the package.json that installs them beside the file. */

import type { Listed } from "#convention/config/settings";
import { isPackageName } from "#convention/config/settings";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { readInstalled } from "../load/package-file.ts";

/** What to install, as `dependencies` of a package.json: the versions that the build has seen. */
export type Ranges = Readonly<Record<string, string>>;

/** @param external with a location where framework.toml names it; without one where the command does. */
export function findExternals(
  root: string,
  external: readonly (Pick<Listed<string>, "value"> & Partial<Listed<string>>)[],
  diagnostics: Diagnostic[],
): Ranges {
  const ranges = external.flatMap(({ value: name, location }) => {
    const installed = isPackageName(name) ? readInstalled(root, name) : undefined;
    if (installed !== undefined) return [[name, toRange(name, installed)]];
    diagnostics.push(diagnose("FW703", { source: name }, ...(location ? [location] : [])));
    return [];
  });
  return Object.fromEntries(ranges.sort());
}

/** A package may be installed under another name than its own. */
function toRange(name: string, installed: Readonly<Record<string, unknown>>): string {
  const version = typeof installed.version === "string" ? installed.version : "*";
  const isRenamed = typeof installed.name === "string" && installed.name !== name;
  return isRenamed ? `npm:${installed.name}@${version}` : version;
}

/** `npm install` beside the built file then installs what the file needs. */
export function formatPackageFile(dependencies: Ranges): string {
  return `${JSON.stringify({ private: true, type: "module", dependencies }, null, 2)}\n`;
}
