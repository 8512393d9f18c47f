/** A package of create-convention-app: a tarball, a folder, or what the user's npm fetches from the registry. */

import { spawnSync } from "node:child_process";
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
  /** The option that gives the path. */
  readonly option?: "--base";
  /** More options for npm. */
  readonly npm?: readonly string[];
}

/** Why a project is not upgraded. */
export class UpgradeRefusal extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** @param temporary an empty folder to unpack into. @throws {UpgradeRefusal} if there is no such package. */
export function openPackage(wanted: Wanted, temporary: string): Package {
  const path = wanted.path === undefined ? fetchTarball(wanted, temporary) : resolve(wanted.cwd, wanted.path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw refuse(wanted, "there is no such file or folder");
  // A pipe would never come to an end.
  if (!stat.isFile() && !stat.isDirectory()) throw refuse(wanted, "it is neither a file nor a folder");
  const folder = stat.isFile() ? unpack(path, wanted, join(temporary, "package")) : path;
  const { name, version, bin } = readRecord(join(folder, "package.json"));
  if (name !== PACKAGE) throw refuse(wanted, `it is not the package ${PACKAGE}`);
  // npm takes either form for a package's only program.
  const program = isRecord(bin) ? bin[PACKAGE] : bin;
  if (typeof program !== "string" || !existsSync(join(folder, program)))
    throw refuse(wanted, "it is not built, or not complete");
  return { version: String(version), program: join(folder, program) };
}

function nameOf({ path, version }: Wanted): string {
  return path ?? `${PACKAGE}@${version ?? "latest"}`;
}

function refuse(wanted: Wanted, why: string): UpgradeRefusal {
  const { option = "--from" } = wanted;
  return new UpgradeRefusal(diagnose("FW802", { from: nameOf(wanted), why, option }));
}

function unpack(file: string, wanted: Wanted, folder: string): string {
  try {
    const files = readTarball(readFileSync(file));
    if ("why" in files) throw refuse(wanted, files.why);
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return folder;
  } catch (error) {
    const code = codeOf(error);
    throw code === undefined ? error : refuse(wanted, `it can't be unpacked (${code})`);
  }
}

/** npm knows the registry, the proxy and the passwords that the user has set up. @returns the tarball's path. */
function fetchTarball(from: Wanted, temporary: string): string {
  const [wanted, { cwd, npm = [] }] = [nameOf(from), from];
  const words = ["pack", wanted, "--json", "--ignore-scripts", "--pack-destination", temporary, ...npm];
  // On Windows npm is a command file, which only a shell runs, so the program in it is run instead.
  const file = join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js");
  const [program, first] = process.platform === "win32" ? [process.execPath, [file]] : ["npm", []];
  const stdio = ["ignore", "pipe", "ignore"] as const;
  const npmRun = spawnSync(program, [...first, ...words], { cwd, stdio: [...stdio], encoding: "utf8" });
  const [tarball] = readdirSync(temporary);
  if (npmRun.status === 0 && tarball !== undefined) return join(temporary, tarball);
  const ending =
    npmRun.signal === null ? `ended with status ${npmRun.status}` : `was ended by ${npmRun.signal}`;
  const why = npmRun.error
    ? "there is no npm on this machine."
    : (findSummary(npmRun.stdout) ?? `npm ${ending}.`);
  throw new UpgradeRefusal(diagnose("FW801", { wanted, why }));
}

/** With `--json` npm prints what went wrong on its standard output. */
function findSummary(output: string): string | undefined {
  const summary = /"summary":\s*"((?:[^"\\]|\\.)+)"/.exec(output)?.[1];
  return summary?.replace(/\\n.*/s, "").replaceAll(/\\(.)/g, "$1").replace(/\.?$/, ".");
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
