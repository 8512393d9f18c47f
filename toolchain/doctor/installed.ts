/** What is installed: whether it is what package.json lists, and whether its copy of the framework is the vendored one. */

import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { MANIFEST_FILE, VENDORED_FOLDER } from "#convention/layout";
import type { Files } from "#convention/source/files";
import { isRecord } from "#convention/source/record";
import { findAbove } from "#runtime/project-root";
import { isJsonFile, type JsonFile, lookUp } from "../load/json.ts";
import { diagnoseOther } from "../load/other-framework.ts";
import { nearestPackage, readPackageFile } from "../load/package-file.ts";
import { toPath } from "../load/project-files.ts";
import { nearestLockfile } from "../lockfile.ts";
import { compareVendored, isNoManifest } from "../vendored.ts";

const FRAMEWORK = "framework";
const GROUPS = ["dependencies", "devDependencies"] as const;

export function checkInstalled(root: string, files: Files): readonly Diagnostic[] {
  const read = readPackageFile(files);
  // The check of package.json reports one that can't be read. With Plug'n'Play there is no folder to look in.
  if (!isJsonFile(read) || findAbove(root, ".pnp.cjs") !== undefined) return [];
  const command = nearestLockfile(root)?.command ?? "npm install";
  return [...checkPackages(root, read, command), ...checkFramework(root, read, command)];
}

function checkPackages(root: string, read: JsonFile, command: string): Diagnostic[] {
  const missing = GROUPS.flatMap((group) => {
    const names = namesIn(lookUp(read.value, group));
    const absent = names.filter((name) => nearestPackage(root, name) === undefined);
    const isExpected =
      absent.length === names.length && (group === "devDependencies" || isFrameworkAlone(names));
    return isExpected ? [] : absent.map((name) => ({ name, location: read.locate(group, name) }));
  });
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name);
  return [diagnose("FW833", { names, command }, ...missing.map(({ location }) => location))];
}

/** Serving needs nothing but what the project's own code imports, so that of the rest all or nothing is there. */
function isFrameworkAlone(names: readonly string[]): boolean {
  return names.every((name) => name === FRAMEWORK);
}

function namesIn(group: unknown): string[] {
  return isRecord(group) ? Object.keys(group) : [];
}

/** Some package managers link the vendored folder, others copy it, and a copy does not follow. npm may link another project's. */
function checkFramework(root: string, read: JsonFile, command: string): Diagnostic[] {
  const installed = nearestPackage(root, FRAMEWORK);
  const vendored = join(root, VENDORED_FOLDER);
  if (installed === undefined) return [];
  const other = diagnoseOther(root, installed, read.locate("dependencies", FRAMEWORK));
  if (other !== undefined) return [other];
  if (existsSync(vendored) && realpathSync(installed) === realpathSync(vendored)) return [];
  const compared = compareVendored(vendored);
  if (isNoManifest(compared) || isOfOthers(root, installed)) return [];
  const kept = Object.keys(compared.manifest.files).filter((file) => !compared.missing.includes(file));
  const file = kept.find((name) => !isSame(join(installed, name), join(vendored, name)));
  if (file === undefined) return [];
  const folder = toPath(root, installed);
  return [diagnose("FW834", { folder, file, command }, startOf(`${folder}/${file}`))];
}

/** A package of that name that a folder above uses for something else. */
function isOfOthers(root: string, installed: string): boolean {
  const isAbove = installed !== join(root, "node_modules", FRAMEWORK);
  return isAbove && !existsSync(join(installed, MANIFEST_FILE));
}

function isSame(one: string, other: string): boolean {
  return existsSync(one) && readFileSync(one).equals(readFileSync(other));
}
