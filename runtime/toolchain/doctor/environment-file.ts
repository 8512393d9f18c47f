/** Whether `.env` can be used, and whether git would take in what only this machine should know. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { diagnose, startOf } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { Problem } from "#runtime/core/problem";
import { parsePort } from "#runtime/core/settings";
import { readEnvironment } from "../environment.ts";
import { listIgnored } from "./git.ts";

const ENVIRONMENT_FILE = ".env";

export function checkEnvironmentFile(root: string): readonly Diagnostic[] {
  return existsSync(join(root, ENVIRONMENT_FILE)) ? [...checkText(root), ...checkIgnored(root)] : [];
}

/** A file that can't be read, or has a port that is none, keeps the server from starting. */
function checkText(root: string): readonly Diagnostic[] {
  try {
    const { PORT } = readEnvironment(root);
    if (PORT) parsePort(PORT, `PORT in ${ENVIRONMENT_FILE}`);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [diagnose("FW840", { why: error.message, hint: error.hint ?? "Fix it there." })];
  }
}

function checkIgnored(root: string): readonly Diagnostic[] {
  const ignored = listIgnored(root, [ENVIRONMENT_FILE]);
  if (ignored === undefined || ignored.length > 0) return [];
  return [diagnose("FW837", { file: ENVIRONMENT_FILE }, startOf(ENVIRONMENT_FILE))];
}
