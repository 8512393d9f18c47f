/** The licences of the packages whose modules went into a bundle. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * @param modules absolute paths of bundled files; those outside `node_modules` are ours and skipped.
 * @returns one text: each package with its version, its declared licence and its licence file.
 */
export function collectLicences(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((file) => packageFolder(file) ?? []));
  return [...folders]
    .sort()
    .map(describePackage)
    .join(`\n${"-".repeat(72)}\n\n`);
}

function packageFolder(file: string): string | undefined {
  if (!file.includes("node_modules")) return undefined;
  let folder = dirname(file);
  // A package may hold nameless package.json files in its folders, to tell Node their module type.
  while (!isPackageRoot(folder)) {
    if (basename(folder) === "node_modules") return undefined;
    folder = dirname(folder);
  }
  return folder;
}

function isPackageRoot(folder: string): boolean {
  const file = join(folder, "package.json");
  return existsSync(file) && typeof JSON.parse(readFileSync(file, "utf8")).name === "string";
}

function describePackage(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? `Licensed under ${license}.\n` : readFileSync(join(folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
