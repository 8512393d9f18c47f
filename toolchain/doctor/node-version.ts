/** Whether the Node.js that runs us is new enough, and has the fixes for what is known to be open to a request. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { compareVersions } from "../upgrade/version.ts";

const OLDEST = "20.19.0";

/** The releases of 24 March 2026, which close CVE-2026-21710 and CVE-2026-21717; lines that are not named got none, or began with it. */
const FIRST_SAFE: readonly string[] = ["20.20.2", "22.22.2", "24.14.1", "25.8.2"];

/** @example checkNodeVersion("20.19.4") // FW826: install 20.20.2 or newer */
export function checkNodeVersion(version: string): readonly Diagnostic[] {
  if (compareVersions(version, OLDEST) < 0) return [diagnose("FW825", { version, oldest: OLDEST })];
  const safe = FIRST_SAFE.find((fixed) => majorOf(fixed) >= majorOf(version));
  if (safe === undefined || compareVersions(version, safe) >= 0) return [];
  return [diagnose("FW826", { version, safe })];
}

function majorOf(version: string): number {
  return Number(version.split(".")[0]);
}
