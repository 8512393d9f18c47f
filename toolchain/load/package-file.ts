/** A `package.json`: read, and whether npm and Node refuse it. Loaded by those who need it, because it brings a parser. */

import { join } from "node:path";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { PACKAGE_FILE } from "#convention/layout";
import { createFiles, type Files } from "#convention/source/files";
import { findAbove } from "#runtime/project-root";
import { isJsonFile, type JsonFile, readJsonFile } from "./json.ts";

/** @param file relative to the root, for that of a package. */
export function readPackageFile(files: Files, file: string = PACKAGE_FILE): JsonFile | readonly Diagnostic[] {
  return readJsonFile(files, file, "npm and Node.js read from it what the project is");
}

/** @param file relative to the root. @returns why npm and Node can't read it, if so. */
export function findBadPackageFile(root: string, file: string): readonly Diagnostic[] {
  const read = readPackageFile(createFiles(root), file);
  return isJsonFile(read) ? [] : read;
}

/** The folder in which a module finds a package, in a `node_modules` of its own folder or of one above. */
export function nearestPackage(folder: string, name: string): string | undefined {
  const place = join("node_modules", name);
  const above = findAbove(folder, join(place, PACKAGE_FILE));
  return above === undefined ? undefined : join(above, place);
}

/** The package.json of the package that a module in that folder finds. */
export function readInstalled(folder: string, name: string): Readonly<Record<string, unknown>> | undefined {
  const found = nearestPackage(folder, name);
  const read = found === undefined ? undefined : readPackageFile(createFiles(found));
  return read !== undefined && isJsonFile(read) ? read.value : undefined;
}
