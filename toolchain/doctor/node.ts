/** Whether Node.js is new enough, for the framework and for what package.json says itself. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Files } from "#convention/source/files";
import { isJsonFile, lookUp } from "../load/json.ts";
import { readPackageFile } from "../load/package-file.ts";
import { compareVersions } from "../upgrade/version.ts";

const OLDEST = "20.19.0";
const HINT = "Install another one from https://nodejs.org, such as the newest LTS version.";

/** @example checkNode("18.20.8") // FW825: the framework needs 20.19.0 or newer */
export function checkNode(version: string): readonly Diagnostic[] {
  if (compareVersions(version, OLDEST) >= 0) return [];
  const why = `the framework needs ${OLDEST} or newer`;
  return [diagnose("FW825", { tool: "Node.js", version, why, hint: HINT })];
}

/** A warning, as it is for npm: only the framework's own need keeps a project from being served. */
export function checkEngines(version: string, files: Files): readonly Diagnostic[] {
  const read = readPackageFile(files);
  if (!isJsonFile(read)) return [];
  const range = lookUp(read.value, "engines", "node");
  if (typeof range !== "string" || !isBelow(version, range)) return [];
  const why = `\`engines\` in package.json asks for ${range}`;
  const details = { tool: "Node.js", version, why, hint: HINT };
  return [{ ...diagnose("FW825", details, read.locate("engines", "node")), severity: "warning" }];
}

/** @example isBelow("21.0.0", "^22.13 || >=24") // true; so it is for no version where a part has no lower bound */
function isBelow(version: string, range: string): boolean {
  return range.split("||").every((part) => {
    const [, bound] = /^\s*(?:>=|[\^~=])?\s*v?(\d+(?:\.\d+){0,2})/.exec(part) ?? [];
    return bound !== undefined && compareVersions(version, `${bound}.0.0`.split(".", 3).join(".")) < 0;
  });
}
