/**
 * `npm create convention-app@latest -- --upgrade`: unpacks the newer framework and runs its `upgrade` on the project around the
 * current folder. An older `framework upgrade` comes here too, so that the newest code always does the upgrade.
 */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readFramework, writeFramework } from "./framework.ts";
import type { Interruption } from "./interruption.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";

export interface UpgradeInput {
  /** The folder with the packed framework. */
  readonly source: string;
  readonly cwd: string;
  /** The command line. The flags that are not ours go to `framework upgrade`. */
  readonly words: readonly string[];
  readonly interruption: Interruption;
}

const UPGRADE = "--upgrade";
/** An upgrade asks nothing, so `--yes` has no effect. */
const OURS: readonly string[] = [UPGRADE, "--yes", "-y"];

export function isUpgrade(words: readonly string[]): boolean {
  return words.includes(UPGRADE);
}

/** @returns the exit status of `framework upgrade`, or why we did not run it */
export async function upgrade({ source, cwd, words, interruption }: UpgradeInput): Promise<number | Refusal> {
  const rest = words.filter((word) => !OURS.includes(word));
  const directory = rest.find((word, at) => !word.startsWith("-") && rest[at - 1] !== "--base");
  if (directory !== undefined) {
    return refuse(
      2,
      `--upgrade takes no directory, but got "${escapeControl(directory)}"`,
      "Go to the project's folder first.",
    );
  }
  if (!isInProject(cwd)) {
    return refuse(
      2,
      "this folder is not in a project, so there is nothing to upgrade",
      "Go to a project's folder first. Without --upgrade, you get a new project.",
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "convention-app-"));
  try {
    const framework = join(folder, "framework");
    writeFramework(readFramework(source), framework);
    const command = [join(framework, "tools", "cli.js"), "upgrade", "--from", folder, ...rest];
    return await run(command, cwd, interruption);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each project has a `framework.toml` at its root. */
function isInProject(folder: string): boolean {
  if (existsSync(join(folder, "framework.toml"))) return true;
  return dirname(folder) !== folder && isInProject(dirname(folder));
}

async function run(words: readonly string[], cwd: string, interruption: Interruption): Promise<number> {
  const child = spawn(process.execPath, words, { cwd, stdio: "inherit" });
  interruption.onInterrupt((signal) => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? interruption.status() ?? 1));
  });
}
