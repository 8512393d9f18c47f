/** A `package.json` that Node refuses, as a diagnostic at its place. Loaded only then, because it brings the parser. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { createFiles } from "#runtime/convention/source/files";
import { LAXITY } from "./package-json.ts";
import { ProjectError } from "./project-error.ts";
import { toPath } from "./project-files.ts";
import { isJsonFile, readJsonFile } from "./project-json.ts";

const PURPOSE = "Node.js reads from it how a package's files are loaded";

/** @returns undefined for any other error than Node's about such a file. */
export function toPackageError(root: string, error: unknown): ProjectError | undefined {
  const message = error instanceof Error ? error.message : "";
  const [, path] = /^Invalid package config (.+?[/\\]package\.json)\b/.exec(message) ?? [];
  const found = path === undefined ? [] : findBadPackageFile(root, toPath(root, path));
  return found.length === 0 ? undefined : new ProjectError(root, found);
}

/** @param file relative to the root. @returns why npm and Node can't read it, if so. */
export function findBadPackageFile(root: string, file: string): readonly Diagnostic[] {
  const read = readJsonFile(createFiles(root), file, PURPOSE);
  if (!isJsonFile(read)) return read;
  return read.lax === undefined ? [] : [diagnose("FW827", { file, why: LAXITY }, read.lax)];
}
