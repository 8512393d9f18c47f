/** A package of create-convention-app: a tarball, a folder, or what the user's npm fetches from the registry. */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { codeOf } from "#convention/diagnostics/system-error";
import { isRecord } from "#convention/source/record";
import { readTarball } from "./tarball.ts";

const PACKAGE = "create-convention-app";

/** One version knows nothing else of another: its program upgrades a project with `--upgrade`, and has its archives in `template/`. */
export interface Package {
  readonly version: string;
  /** Absolute. */
  readonly program: string;
}

export interface Wanted {
  /** The folder that a path is relative to, and whose npm settings count. */
  readonly cwd: string;
  /** A tarball or a folder; undefined for the registry. */
  readonly path: string | undefined;
  /** A version or a tag of the registry; undefined for the newest. */
  readonly version: string | undefined;
  /** More options for npm. */
  readonly npm?: readonly string[];
}

/** @param temporary an empty folder to unpack into. */
export async function openPackage(wanted: Wanted, temporary: string): Promise<Package | Diagnostic> {
  if (wanted.path === undefined) return fetchPackage(wanted, temporary);
  const path = resolve(wanted.cwd, wanted.path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return readPackage(path, wanted.path);
  // A pipe would never come to an end.
  if (stat?.isFile()) return unpackTarball(path, wanted.path, temporary);
  const why = stat === undefined ? "there is no such file or folder" : "it is neither a file nor a folder";
  return diagnose("FW802", { from: wanted.path, why });
}

/** npm knows the registry, the proxy and the passwords that the user has set up. */
async function fetchPackage(
  { cwd, version, npm = [] }: Wanted,
  temporary: string,
): Promise<Package | Diagnostic> {
  const wanted = `${PACKAGE}@${version ?? "latest"}`;
  const words = ["pack", wanted, "--json", "--ignore-scripts", "--pack-destination", temporary, ...npm];
  const failure = await runNpm(words, cwd);
  const [file] = readdirSync(temporary);
  if (failure === undefined && file !== undefined)
    return unpackTarball(join(temporary, file), wanted, temporary);
  return diagnose("FW801", { wanted, why: failure ?? "it left no tarball." });
}

function unpackTarball(file: string, from: string, temporary: string): Package | Diagnostic {
  const folder = join(temporary, "package");
  try {
    const files = readTarball(readFileSync(file));
    if ("why" in files) return diagnose("FW802", { from, why: files.why });
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return diagnose("FW802", { from, why: `it can't be unpacked (${code})` });
  }
  return readPackage(folder, from);
}

function readPackage(folder: string, from: string): Package | Diagnostic {
  const { name, version, bin } = readRecord(join(folder, "package.json"));
  if (name !== PACKAGE) return diagnose("FW802", { from, why: `it is not the package ${PACKAGE}` });
  // npm takes either form for a package's only program.
  const program = isRecord(bin) ? bin[PACKAGE] : bin;
  if (typeof program !== "string" || !existsSync(join(folder, program)))
    return diagnose("FW802", { from, why: "it is not built, or not complete" });
  return { version: String(version), program: join(folder, program) };
}

/** @returns an empty record for a file that can't be read. */
export function readRecord(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** @returns undefined if it succeeded; else why not, as a sentence. */
async function runNpm(words: readonly string[], cwd: string): Promise<string | undefined> {
  // On Windows npm is a command file, which only a shell runs, so the program in it is run instead.
  const file = join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js");
  const [program, first] = process.platform === "win32" ? [process.execPath, [file]] : ["npm", []];
  const child = spawn(program, [...first, ...words], { cwd, stdio: ["ignore", "pipe", "ignore"] });
  const printed: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  return new Promise((settle) => {
    child.once("error", () => settle("there is no npm on this machine."));
    child.once("close", (status, signal) => {
      const ending = signal === null ? `npm ended with status ${status}.` : `npm was ended by ${signal}.`;
      settle(status === 0 ? undefined : (findSummary(Buffer.concat(printed).toString()) ?? ending));
    });
  });
}

/** With `--json` npm prints what went wrong on its standard output. */
function findSummary(output: string): string | undefined {
  const summary = /"summary":\s*("(?:[^"\\]|\\.)*")/.exec(output)?.[1];
  try {
    const [first = ""] = summary === undefined ? [] : String(JSON.parse(summary)).split("\n");
    return first === "" ? undefined : first.replace(/\.?$/, ".");
  } catch {
    return undefined;
  }
}
