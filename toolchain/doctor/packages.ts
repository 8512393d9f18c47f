/** Whether package.json has what makes `framework` be the vendored one, and whether what it lists is installed. */

import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { VENDORED_FOLDER } from "#convention/layout";
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

/** What each key of package.json must be, why, and what to write. */
const ENTRIES: readonly (readonly [key: string, is: RegExp, why: string, wanted: string])[] = [
  [
    "type",
    /^module$/,
    "its files are ES modules, which Node.js otherwise finds out by reading each twice, and the type checker not at all",
    '"type": "module"',
  ],
  [
    "bin.framework",
    /^(?:\.\/)?vendor\/framework\/tools\/cli\.js$/,
    "`npx framework` would fetch an unrelated package of that name and run it",
    '"bin": { "framework": "vendor/framework/tools/cli.js" }',
  ],
  [
    "dependencies.framework",
    /^(?:(?:file|link|portal):(?:\.\/)?vendor\/framework\/?$|workspace:)/,
    "tools that look in node_modules/ find no `framework` there, or an unrelated package of that name",
    '"dependencies": { "framework": "file:vendor/framework" }',
  ],
];

export function checkPackages(root: string, files: Files): readonly Diagnostic[] {
  const read = readPackageFile(files);
  if (!isJsonFile(read)) return read;
  const unmet = ENTRIES.filter(([key, is]) => !is.test(String(lookUp(read.value, ...key.split(".")))));
  return [
    ...unmet.map(([key, , why, wanted]) =>
      diagnose("FW829", { key, wanted, why }, read.locate(...key.split("."))),
    ),
    ...checkInstalled(root, read),
  ];
}

export function checkInstalled(root: string, read: JsonFile): readonly Diagnostic[] {
  // With Plug'n'Play there is no folder to look in.
  if (findAbove(root, ".pnp.cjs") !== undefined) return [];
  const command = nearestLockfile(root)?.command ?? "npm install";
  return [...checkListed(root, read, command), ...checkCopy(root, read, command)];
}

/** Serving needs nothing but what the project's own code imports, so that of the rest all or nothing is there. */
function checkListed(root: string, read: JsonFile, command: string): Diagnostic[] {
  const missing = ["dependencies", "devDependencies"].flatMap((group) => {
    const found = lookUp(read.value, group);
    const names = isRecord(found) ? Object.keys(found) : [];
    const absent = names.filter((name) => nearestPackage(root, name) === undefined);
    const isNeeded = group === "dependencies" && names.some((name) => name !== FRAMEWORK);
    const isExpected = absent.length === names.length && !isNeeded;
    return isExpected ? [] : absent.map((name) => ({ name, location: read.locate(group, name) }));
  });
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name);
  return [diagnose("FW833", { names, command }, ...missing.map(({ location }) => location))];
}

/** Some package managers link the vendored folder, others copy it, and a copy does not follow. npm may link another project's. */
function checkCopy(root: string, read: JsonFile, command: string): Diagnostic[] {
  const installed = nearestPackage(root, FRAMEWORK);
  if (installed === undefined) return [];
  const other = diagnoseOther(root, installed, read.locate("dependencies", FRAMEWORK));
  if (other !== undefined) return [other];
  const vendored = join(root, VENDORED_FOLDER);
  const compared = compareVendored(vendored);
  if (isNoManifest(compared) || realpathSync(installed) === realpathSync(vendored)) return [];
  const kept = Object.keys(compared.manifest.files).filter((file) => !compared.missing.includes(file));
  const file = kept.find((name) => !isSame(join(installed, name), join(vendored, name)));
  const folder = toPath(root, installed);
  return file === undefined
    ? []
    : [diagnose("FW834", { folder, file, command }, startOf(`${folder}/${file}`))];
}

function isSame(one: string, other: string): boolean {
  return existsSync(one) && readFileSync(one).equals(readFileSync(other));
}
