/** What serves the project: whether `.env` can be read, and whether the built server is current. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { Problem } from "#runtime/problem";
import { parsePort } from "#runtime/settings";
import { BUILT_SERVER, newerThanBuild } from "../build/record.ts";
import { readEnvironment } from "../environment.ts";
import { listIgnored } from "./git.ts";

const ENVIRONMENT_FILE = ".env";

export function checkServer(root: string): readonly Diagnostic[] {
  const file = existsSync(join(root, BUILT_SERVER)) ? newerThanBuild(root) : undefined;
  const outdated = file === undefined ? [] : [diagnose("FW835", { file }, startOf(BUILT_SERVER))];
  const hasEnvironment = existsSync(join(root, ENVIRONMENT_FILE));
  return [...outdated, ...(hasEnvironment ? [...checkText(root), ...checkIgnored(root)] : [])];
}

/** A file that can't be read, or has a port that is none, keeps the server from starting. */
function checkText(root: string): readonly Diagnostic[] {
  try {
    const { PORT } = readEnvironment(root);
    if (PORT) parsePort(PORT, `PORT in ${ENVIRONMENT_FILE}`);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [
      diagnose("FW827", { file: ENVIRONMENT_FILE, why: error.message, hint: error.hint ?? "Fix it there." }),
    ];
  }
}

/** Git would take in what only this machine should know. */
function checkIgnored(root: string): readonly Diagnostic[] {
  const ignored = listIgnored(root, [ENVIRONMENT_FILE]);
  if (ignored === undefined || ignored.length > 0) return [];
  const details = {
    ignores: "does not ignore",
    file: ENVIRONMENT_FILE,
    why: "its content is for this machine only",
    hint: `Add a line to .gitignore: ${ENVIRONMENT_FILE}; if it is committed already, also: git rm --cached ${ENVIRONMENT_FILE}`,
  };
  return [diagnose("FW837", details, startOf(ENVIRONMENT_FILE))];
}
