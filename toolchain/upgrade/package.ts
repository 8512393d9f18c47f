/** Where a newer framework comes from: a tarball, a folder, or the registry by way of the user's npm. */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { codeOf } from "#convention/diagnostics/system-error";
import { isRecord } from "#convention/source/record";
import { readTarball } from "./tarball.ts";

const PACKAGE = "create-convention-app";

/** A package, and what in it upgrades a project: `node <program> --upgrade`. That is all that one version knows of another. */
export interface Package {
  readonly version: string;
  /** Absolute. */
  readonly program: string;
}

type Entries = Readonly<Record<string, unknown>>;

export interface Wanted {
  /** The folder that a path is relative to, and whose npm settings count. */
  readonly cwd: string;
  /** A tarball or a folder; undefined for the registry. */
  readonly path: string | undefined;
  /** A version or a tag of the registry; undefined for the newest. */
  readonly version: string | undefined;
}

/** @param temporary an empty folder to unpack into. */
export async function openPackage(wanted: Wanted, temporary: string): Promise<Package | Diagnostic> {
  if (wanted.path === undefined) return fetchPackage(wanted, temporary);
  const path = resolve(wanted.cwd, wanted.path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined)
    return diagnose("FW802", { from: wanted.path, why: "there is no such file or folder" });
  if (stat.isDirectory()) return readPackage(path, wanted.path);
  // A pipe would never come to an end.
  if (!stat.isFile())
    return diagnose("FW802", { from: wanted.path, why: "it is neither a file nor a folder" });
  return unpackTarball(path, wanted.path, temporary);
}

/** npm knows the registry, the proxy and the passwords that the user has set up. */
async function fetchPackage({ cwd, version }: Wanted, temporary: string): Promise<Package | Diagnostic> {
  const wanted = `${PACKAGE}@${version ?? "latest"}`;
  const words = ["pack", wanted, "--json", "--ignore-scripts", "--pack-destination", temporary];
  const failure = await runNpm(words, cwd);
  if (failure !== undefined) return diagnose("FW801", { wanted, why: failure });
  const [file] = readdirSync(temporary);
  if (file === undefined) return diagnose("FW801", { wanted, why: "it left no tarball." });
  return unpackTarball(join(temporary, file), wanted, temporary);
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
  const { name, version, bin } = readEntries(join(folder, "package.json"));
  if (name !== PACKAGE) return diagnose("FW802", { from, why: `it is not the package ${PACKAGE}` });
  // npm takes either form for a package's only program.
  const program = typeof bin === "object" && bin !== null && PACKAGE in bin ? bin[PACKAGE] : bin;
  if (typeof program !== "string" || !existsSync(join(folder, program))) {
    return diagnose("FW802", { from, why: "it is not built, or not complete" });
  }
  return { version: String(version), program: join(folder, program) };
}

/** @returns nothing of a file that can't be read. */
export function readEntries(file: string): Entries {
  try {
    return toEntries(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}

export function toEntries(value: unknown): Entries {
  return isRecord(value) ? value : {};
}

/** @returns undefined when it did what it was asked for; else why not, as a sentence. */
async function runNpm(words: readonly string[], cwd: string): Promise<string | undefined> {
  const [program = "", ...first] = npmCommand();
  const child = spawn(program, [...first, ...words], { cwd, stdio: ["ignore", "pipe", "ignore"] });
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  return new Promise((settle) => {
    child.once("error", () => settle("there is no npm on this machine."));
    child.once("close", (status, signal) => {
      const ending = signal === null ? `npm ended with status ${status}.` : `npm was ended by ${signal}.`;
      settle(status === 0 ? undefined : (findSummary(Buffer.concat(said).toString()) ?? ending));
    });
  });
}

/** With `--json` npm says on its standard output what went wrong. */
function findSummary(output: string): string | undefined {
  const summary = /"summary":\s*("(?:[^"\\]|\\.)*")/.exec(output)?.[1];
  try {
    const [first = ""] = summary === undefined ? [] : String(JSON.parse(summary)).split("\n");
    return first === "" ? undefined : first.replace(/\.?$/, ".");
  } catch {
    return undefined;
  }
}

/** On Windows npm is a command file, which only a shell runs: there the program inside it is run. */
function npmCommand(): readonly string[] {
  if (process.platform !== "win32") return ["npm"];
  return [process.execPath, join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js")];
}
