/**
 * `npm create convention-app@latest -- --upgrade`: unpacks the newer framework, and has it bring itself into the project around the
 * current folder. `framework upgrade` of any older version comes here too, so that what upgrades is always the newest code.
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readFramework, unpackBase, VENDORED_FOLDER, writeFramework } from "./framework.ts";
import type { Interruption } from "./interruption.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";

export interface UpgradeInput {
  /** The folder with the packed framework. */
  readonly source: string;
  readonly cwd: string;
  /** The command line: what is not for us is for `framework upgrade`. */
  readonly words: readonly string[];
  readonly interruption: Interruption;
}

const UPGRADE = "--upgrade";
/** There is nothing to say yes to. */
const OURS: readonly string[] = [UPGRADE, "--yes", "-y"];

export function isUpgrade(words: readonly string[]): boolean {
  return words.includes(UPGRADE);
}

/** @returns the exit status of `framework upgrade`, or why it was not run. */
export async function upgrade({ source, cwd, words, interruption }: UpgradeInput): Promise<number | Refusal> {
  const rest = words.filter((word) => !OURS.includes(word));
  const directory = rest.find((word) => !word.startsWith("-"));
  if (directory !== undefined) {
    return refuse(
      2,
      `--upgrade takes no directory, but "${escapeControl(directory)}" was given`,
      "Go to the project's folder first.",
    );
  }
  const root = findProject(cwd);
  if (root === undefined) {
    return refuse(
      2,
      "this folder is in no project, so there is nothing to upgrade",
      "Go to a project's folder first. Without --upgrade a new project is made.",
    );
  }
  const files = readFramework(source);
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "convention-app-"));
    const framework = join(folder, "framework");
    writeFramework(files, framework);
    unpackRecord(join(root, VENDORED_FOLDER), join(folder, "base"));
    const command = [join(framework, "cli", "main.js"), "upgrade", "--from", folder, ...rest];
    return await run(command, cwd, interruption);
  } catch (error) {
    return explain(error);
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** What the system refuses is told; anything else is a fault of ours, and is thrown on. */
function explain(error: unknown): Refusal {
  if (!(error instanceof Error && "code" in error)) throw error;
  return refuse(
    1,
    `the newer framework could not be unpacked in ${escapeControl(tmpdir())} (${error.code})`,
    "See that this folder of the system's can be written and has room; TMPDIR names another one.",
  );
}

/** Each project has a `framework.toml` at its root. */
function findProject(from: string): string | undefined {
  if (existsSync(join(from, "framework.toml"))) return from;
  return dirname(from) === from ? undefined : findProject(dirname(from));
}

/** A damaged record is as good as none: where it is needed, the upgrade tells. */
function unpackRecord(framework: string, folder: string): void {
  try {
    unpackBase(framework, folder);
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(words: readonly string[], cwd: string, interruption: Interruption): Promise<number> {
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, words, { cwd, stdio: "inherit" });
  interruption.onInterrupt((signal) => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? interruption.status() ?? 1));
  });
}
