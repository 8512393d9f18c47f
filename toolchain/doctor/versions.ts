/** Whether Node.js and TypeScript are new enough, and Node.js has the fixes for what is known to be open to a request. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Files } from "#convention/source/files";
import { isJsonFile, lookUp } from "../load/json.ts";
import { readInstalled, readPackageFile } from "../load/package-file.ts";
import { compareVersions } from "../upgrade/version.ts";

const OLDEST = "20.19.0";

/** The releases of 24 March 2026, which close CVE-2026-21710 and CVE-2026-21717; lines that are not named got none, or began with it. */
const FIRST_SAFE: readonly string[] = ["20.20.2", "22.22.2", "24.14.1", "25.8.2"];

/** It introduced `erasableSyntaxOnly`. docs/tools.md says the same. */
const OLDEST_TYPESCRIPT = "5.8.0";

const OTHER_NODE = "Install another one from https://nodejs.org, such as the newest LTS version.";
const OTHER_TYPESCRIPT =
  "Install a newer one, such as the version that new projects ask for in package.json.";

export function checkVersions(root: string, files: Files): readonly Diagnostic[] {
  const node = process.versions.node;
  return [...checkNodeVersion(node), ...checkEngines(node, files), ...checkTypeScript(root)];
}

/** @example checkNodeVersion("20.19.4") // FW826: install 20.20.2 or newer */
export function checkNodeVersion(version: string): readonly Diagnostic[] {
  if (compareVersions(version, OLDEST) < 0) {
    const why = `the framework needs ${OLDEST} or newer`;
    return [diagnose("FW825", { tool: "Node.js", version, why, hint: OTHER_NODE })];
  }
  const safe = FIRST_SAFE.find((fixed) => majorOf(fixed) >= majorOf(version));
  if (safe === undefined || compareVersions(version, safe) >= 0) return [];
  return [diagnose("FW826", { version, safe })];
}

/** What package.json says itself. A warning, as it is for npm: only the framework's own need keeps a project from being served. */
export function checkEngines(version: string, files: Files): readonly Diagnostic[] {
  const read = readPackageFile(files);
  if (!isJsonFile(read)) return [];
  const range = lookUp(read.value, "engines", "node");
  if (typeof range !== "string" || !isBelow(version, range)) return [];
  const why = `\`engines\` in package.json asks for ${range}`;
  const details = { tool: "Node.js", version, why, hint: OTHER_NODE };
  return [{ ...diagnose("FW825", details, read.locate("engines", "node")), severity: "warning" }];
}

/** @example isBelow("21.0.0", "^22.13 || >=24") // true; so it is for no version where a part has no lower bound */
function isBelow(version: string, range: string): boolean {
  return range.split("||").every((part) => {
    const [, bound] = /^\s*(?:>=|[\^~=])?\s*v?(\d+(?:\.\d+){0,2})/.exec(part) ?? [];
    return bound !== undefined && compareVersions(version, `${bound}.0.0`.split(".", 3).join(".")) < 0;
  });
}

function checkTypeScript(root: string): readonly Diagnostic[] {
  const version = readInstalled(root, "typescript")?.version;
  if (typeof version !== "string" || compareVersions(version, OLDEST_TYPESCRIPT) >= 0) return [];
  const why = `tsconfig.json has options that ${OLDEST_TYPESCRIPT} introduced`;
  const details = { tool: "TypeScript", version, why, hint: OTHER_TYPESCRIPT };
  return [{ ...diagnose("FW825", details), severity: "warning" }];
}

function majorOf(version: string): number {
  return Number(version.split(".")[0]);
}
