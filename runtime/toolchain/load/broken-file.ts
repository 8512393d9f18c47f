/**
 * A file of the vendored framework that is missing, or is not JavaScript any more. This reports it without the rest of the framework,
 * which may need that file.
 */

import { join } from "node:path";
import { frameworkPath } from "../framework-folder.ts";
import { compareVendored, isNoManifest } from "../vendored.ts";

const framework = frameworkPath();

export interface BrokenFile {
  readonly message: string;
  readonly hint: string;
}

/** @returns undefined for an error that is about something else. */
export async function findBrokenFile(error: unknown): Promise<BrokenFile | undefined> {
  return findMissing(error) ?? (error instanceof SyntaxError ? findMistake() : undefined);
}

/** @throws the error, if it is about something else. */
export async function reportBrokenFile(error: unknown): Promise<void> {
  const broken = await findBrokenFile(error);
  if (broken === undefined) throw error;
  process.stderr.write(`error ${broken.message}\n  hint: ${broken.hint}\n`);
  process.exitCode = 1;
}

function findMissing(error: unknown): BrokenFile | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) return undefined;
  const [, path = ""] = /^Cannot find module '(.+?)' imported from /.exec(error.message) ?? [];
  if (!path.startsWith(framework)) return undefined;
  const file = toVendoredPath(path.slice(framework.length).replaceAll("\\", "/"));
  return {
    message: `A file of the vendored framework is missing: ${file}`,
    hint: `Restore it: git checkout HEAD -- ${file}`,
  };
}

/** Node names the file and line of a module's syntax error only if it checks that file alone. */
async function findMistake(): Promise<BrokenFile | undefined> {
  const { spawnSync } = await import("node:child_process");
  const compared = compareVendored(framework);
  if (isNoManifest(compared)) return undefined;
  for (const name of compared.edited.filter((one) => one.endsWith(".js"))) {
    const { status, stderr } = spawnSync(process.execPath, ["--check", join(framework, name)], {
      encoding: "utf8",
    });
    if (status === 0) continue;
    const [, line = "1"] = /:(\d+)\n/.exec(stderr) ?? [];
    const [, why = "syntax error"] = /^SyntaxError: (.*)$/m.exec(stderr) ?? [];
    const file = toVendoredPath(name);
    return {
      message: `A file of the vendored framework has a syntax error: ${why}\n  ${file}:${line}`,
      hint: `Correct it there, or give the edit up: git checkout HEAD -- ${file}`,
    };
  }
  return undefined;
}

function toVendoredPath(name: string): string {
  return `vendor/framework/${name}`;
}
