/** Whether package.json has what makes `framework` be the vendored one, and whether what it lists is installed. */

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

export function checkPackages(root: string, files: Files): readonly Diagnostic[] {
  const read = readPackageFile(files);
  return isJsonFile(read) ? [...checkEntries(read), ...checkInstalled(root, read)] : read;
}

interface Expectation {
  readonly path: readonly string[];
  readonly isMet: (value: unknown) => boolean;
  readonly wanted: string;
  readonly why: string;
}

const EXPECTATIONS: readonly Expectation[] = [
  {
    path: ["type"],
    isMet: (value) => value === "module",
    wanted: '"type": "module"',
    why: "its files are ES modules, which Node.js otherwise finds out by reading each twice, and the type checker not at all",
  },
  {
    path: ["bin", "framework"],
    isMet: isText(/^(?:\.\/)?vendor\/framework\/tools\/cli\.js$/),
    wanted: '"bin": { "framework": "vendor/framework/tools/cli.js" }',
    why: "`npx framework` would fetch an unrelated package of that name and run it",
  },
  {
    path: ["dependencies", "framework"],
    isMet: isText(/^(?:(?:file|link|portal):(?:\.\/)?vendor\/framework\/?$|workspace:)/),
    wanted: '"dependencies": { "framework": "file:vendor/framework" }',
    why: "tools that look in node_modules/ find no `framework` there, or an unrelated package of that name",
  },
];

function checkEntries(read: JsonFile): readonly Diagnostic[] {
  const unmet = EXPECTATIONS.filter(({ path, isMet }) => !isMet(lookUp(read.value, ...path)));
  return unmet.map(({ path, wanted, why }) =>
    diagnose("FW829", { key: path.join("."), wanted, why }, read.locate(...path)),
  );
}

function isText(shape: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === "string" && shape.test(value);
}

export function checkInstalled(root: string, read: JsonFile): readonly Diagnostic[] {
  // With Plug'n'Play there is no folder to look in.
  if (findAbove(root, ".pnp.cjs") !== undefined) return [];
  const command = nearestLockfile(root)?.command ?? "npm install";
  return [...checkListed(root, read, command), ...checkCopy(root, read, command)];
}

function checkListed(root: string, read: JsonFile, command: string): Diagnostic[] {
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
function checkCopy(root: string, read: JsonFile, command: string): Diagnostic[] {
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
