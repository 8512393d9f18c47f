/**
 * A file of the vendored framework that is missing, or is not JavaScript any more. This reports it without the rest of the framework,
 * which may need that file.
 */

import { basename, join } from "node:path";
import { frameworkPath, frameworkUrl } from "../framework-folder.ts";
import { compareVendored, isDatabaseFile, isNoManifest } from "../vendored.ts";

const framework = frameworkPath();
const FRAMEWORK = frameworkUrl().href;

/** For a project that imports `framework/database` and has no files of a database. */
export const ADD_DATABASE =
  "Add the files of a database: npx framework generate database sqlite, or postgres";

export interface BrokenFile {
  readonly message: string;
  readonly hint: string;
  /** Only a project with a database has it, so the import of another one is to blame. */
  readonly isOfDatabase: boolean;
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
  if (!(error instanceof Error && "url" in error && "code" in error)) return undefined;
  const url = String(error.url);
  if (error.code !== "ERR_MODULE_NOT_FOUND" || !url.startsWith(FRAMEWORK)) return undefined;
  const name = decodeURI(url.slice(FRAMEWORK.length));
  const file = toVendoredPath(name);
  const isOfDatabase = isDatabaseFile(name);
  return {
    message: `A file of the vendored framework is missing: ${file}`,
    hint: isOfDatabase ? ADD_DATABASE : `Restore it: git checkout HEAD -- ${file}`,
    isOfDatabase,
  };
}

async function findMistake(): Promise<BrokenFile | undefined> {
  const compared = compareVendored(framework);
  if (isNoManifest(compared)) return undefined;
  for (const name of compared.edited.filter((one) => one.endsWith(".js"))) {
    const mistake = await findSyntaxError(join(framework, name));
    if (mistake === undefined) continue;
    const file = toVendoredPath(name);
    return {
      message: `A file of the vendored framework has a syntax error: ${mistake.why}\n  ${file}:${mistake.line}`,
      hint: `Correct it there, or give the edit up: git checkout HEAD -- ${file}`,
      isOfDatabase: false,
    };
  }
  return undefined;
}

export interface SyntaxMistake {
  readonly why: string;
  readonly line: number;
  readonly column: number;
}

/** Asks Node itself, which names the place of a module's syntax error only if it checks that file alone. */
export async function findSyntaxError(path: string): Promise<SyntaxMistake | undefined> {
  const { spawnSync } = await import("node:child_process");
  const { status, stderr } = spawnSync(process.execPath, ["--check", path], { encoding: "utf8" });
  if (status === 0) return undefined;
  const [, line = "1"] = /:(\d+)\n/.exec(stderr) ?? [];
  // Node leaves out a line that is too long.
  const [, before = ""] = /^( *)\^/m.exec(stderr) ?? [];
  const [, why = "syntax error"] = /^SyntaxError: (.*)$/m.exec(stderr) ?? [];
  return { why, line: Number(line), column: before.length + 1 };
}

function toVendoredPath(name: string): string {
  return `vendor/${basename(framework)}/${name}`;
}
