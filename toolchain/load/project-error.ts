/** The one error for "this project has mistakes in it": it carries all of them, and shows each with its line. */

import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { formatDiagnostics, formatProblem } from "#convention/diagnostics/format";
import { createFiles } from "#convention/source/files";
import type { ProjectError as PublicError } from "#runtime/diagnostic";
import { isProblem } from "#runtime/problem";

export class ProjectError extends Error implements PublicError {
  override readonly name = "ProjectError";
  readonly diagnostics: readonly Diagnostic[];
  /** Taken at once: a file that is edited meanwhile would show another line than the one that was found wanting. */
  readonly #sources: ReadonlyMap<string, string | undefined>;

  /** @param read gives the text of a file where it was read from. */
  constructor(
    root: string,
    diagnostics: readonly Diagnostic[],
    read: (file: string) => string | undefined = createFiles(root).read,
  ) {
    super("The project has errors.");
    this.diagnostics = diagnostics;
    const named = diagnostics.flatMap(({ locations }) => locations.map(({ file }) => file));
    this.#sources = new Map(named.map((file) => [file, read(file)]));
    this.message = this.format(false);
  }

  /** Every diagnostic with its code frame. */
  format(color: boolean): string {
    return formatDiagnostics(this.diagnostics, (file) => this.#sources.get(file), color);
  }
}

/** @returns what was thrown, for the terminal: diagnostics with code frames, a problem with its hint, and any other error with its stack. */
export function formatError(thrown: unknown, color: boolean): string {
  if (thrown instanceof ProjectError) return thrown.format(color);
  if (isProblem(thrown)) return formatProblem(thrown.message, thrown.hint, color);
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return formatProblem(text, undefined, color);
}
