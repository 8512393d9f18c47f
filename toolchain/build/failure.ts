/** Errors and warnings of the bundler as diagnostics. */

import { stripVTControlCharacters } from "node:util";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { Problem } from "#runtime/problem";
import { ADD_DATABASE } from "../load/broken-file.ts";
import { isOwnFile, toPath } from "../load/project-files.ts";

/** What is used of the bundler's errors and warnings: the bundler is the project's own, so its types are not at hand. */
export interface BundlerMessage {
  readonly code?: string;
  readonly message?: string;
  /** Absolute. */
  readonly id?: string;
  readonly loc?: { readonly line: number; readonly column: number };
}

/** @returns the names that files of the project import and that are not exported: most often those of types. */
export function findMissingExports(root: string, error: unknown): Diagnostic[] {
  return errorsIn(error).flatMap(({ code, message = "", id = "", loc }) => {
    const [, name, exporter] = /"([^"]+)" is not exported by "([^"]+)"/.exec(message) ?? [];
    if (code !== "MISSING_EXPORT" || name === undefined || !loc || !isOwnFile(root, id)) return [];
    const file = toPath(root, id);
    const why = `${exporter} does not provide an export named '${name}'`;
    return diagnose("FW503", { module: file, why }, { file, line: loc.line, column: loc.column + 1 });
  });
}

/** @returns what the bundler warns of in the project's own files. */
export function toWarnings(root: string, { id = "", message = "", loc }: BundlerMessage): Diagnostic[] {
  if (!loc || !isOwnFile(root, id)) return [];
  // In colour, if the terminal of the build has any.
  const [why = ""] = stripVTControlCharacters(message)
    .replace(/^\[\w+\] /, "")
    .split("\n");
  const place = { file: toPath(root, id), line: loc.line, column: loc.column + 1 };
  return [diagnose("FW709", { why: why.replace(/\.$/, "") }, place)];
}

/** The bundler shows the line with the file's name above it, but neither where the file ends too early. */
export function toProblem(root: string, error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error);
  const files = errorsIn(error).flatMap(({ id }) => (id === undefined ? [] : toPath(root, id)));
  const unnamed = files.filter((file) => !why.includes(file)).join(", ");
  const hint = why.includes("vendor/framework/database") ? ADD_DATABASE : undefined;
  return new Problem(`The bundler failed${unnamed && ` in ${unnamed}`}: ${why}`, hint);
}

function errorsIn(error: unknown): readonly BundlerMessage[] {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors) ? error.errors : [];
}
