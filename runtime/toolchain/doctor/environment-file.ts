/** Whether `.env` can be read, and whether git would take in what only this machine should know. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../convention/diagnostics.ts";
import { Problem } from "../../core/problem.ts";
import { readEnvironment } from "../environment.ts";
import { find, startOf } from "./findings.ts";

const ENVIRONMENT_FILE = ".env";
/** Of `git check-ignore`: not ignored, or committed already. Any other is no answer: no repository, or not a trusted one. */
const NOT_IGNORED = 1;

export function checkEnvironmentFile(root: string): readonly Diagnostic[] {
  return existsSync(join(root, ENVIRONMENT_FILE)) ? [...checkText(root), ...checkIgnored(root)] : [];
}

/** A file that can't be read keeps the server from starting. */
function checkText(root: string): readonly Diagnostic[] {
  try {
    readEnvironment(root);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [find("FW840", { why: error.message, hint: error.hint ?? "" })];
  }
}

function checkIgnored(root: string): readonly Diagnostic[] {
  const words = ["check-ignore", "--quiet", "--", ENVIRONMENT_FILE];
  const { status } = spawnSync("git", words, { cwd: root, stdio: "ignore", windowsHide: true });
  if (status !== NOT_IGNORED) return [];
  return [find("FW837", { file: ENVIRONMENT_FILE }, startOf(ENVIRONMENT_FILE))];
}
