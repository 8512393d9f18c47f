/** What is installed: whether it is what package.json lists, and whether its copy of the framework is the vendored one. */

import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "../../convention/diagnostics.ts";
import type { Files } from "../../convention/files.ts";
import { compareVendored, isNoManifest, VENDORED_FOLDER } from "../vendored.ts";
import { find, startOf } from "./findings.ts";
import { PACKAGE_FILE, readPackageJson } from "./package-json.ts";
import { isJsonFile, isRecord, lookUp } from "./project-json.ts";

/** Nothing has to be installed, so that a group of which nothing is there is as it should be. */
const GROUPS = ["dependencies", "devDependencies"] as const;

export function checkInstalled(root: string, files: Files): readonly Diagnostic[] {
  const read = readPackageJson(files);
  // That it can't be read is told by the check of it; with Plug'n'Play there is no folder to look in.
  if (!isJsonFile(read) || files.has(".pnp.cjs")) return [];
  const command = installCommand(files);
  const missing = GROUPS.flatMap((group) => {
    const names = namesIn(lookUp(read.value, group));
    const absent = names.filter((name) => nearestPackage(root, name) === undefined);
    return absent.length === names.length ? [] : absent;
  });
  return [
    ...(missing.length === 0
      ? []
      : [find("FW833", { names: missing, command }, read.locate("devDependencies"))]),
    ...checkCopy(root, command),
  ];
}

/** The folder in which a module of the project finds a package, in its own `node_modules` or in one above. */
export function nearestPackage(root: string, name: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, PACKAGE_FILE))) return found;
    if (dirname(folder) === folder) return undefined;
  }
}

function namesIn(group: unknown): string[] {
  return isRecord(group) ? Object.keys(group) : [];
}

/** Some package managers link the vendored folder, others copy it, and a copy does not follow. */
function checkCopy(root: string, command: string): Diagnostic[] {
  const installed = nearestPackage(root, "framework");
  const vendored = join(root, VENDORED_FOLDER);
  if (installed === undefined || realpathSync(installed) === tryRealpath(vendored)) return [];
  const compared = compareVendored(vendored);
  if (isNoManifest(compared)) return [];
  const kept = Object.keys(compared.manifest.files).filter((file) => !compared.missing.includes(file));
  const file = kept.find((name) => !isSame(join(installed, name), join(vendored, name)));
  return file === undefined
    ? []
    : [find("FW834", { file, command }, startOf(`node_modules/framework/${file}`))];
}

function tryRealpath(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}

function isSame(one: string, other: string): boolean {
  return existsSync(one) && readFileSync(one).equals(readFileSync(other));
}

const LOCKFILES: readonly (readonly [file: string, command: string])[] = [
  ["pnpm-lock.yaml", "pnpm install"],
  ["yarn.lock", "yarn install"],
  ["bun.lock", "bun install"],
  ["bun.lockb", "bun install"],
];

/** What installs here, by the lockfile that is there. */
function installCommand(files: Files): string {
  return LOCKFILES.find(([file]) => files.has(file))?.[1] ?? "npm install";
}
