/** The one error for "this project has mistakes in it": it carries all of them, and shows each with its line. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, formatDiagnostics } from "../convention/diagnostics.ts";

export class ProjectError extends Error {
  override readonly name = "ProjectError";
  readonly diagnostics: readonly Diagnostic[];
  readonly #root: string;

  constructor(root: string, diagnostics: readonly Diagnostic[]) {
    super("The project has errors.");
    this.#root = root;
    this.diagnostics = diagnostics;
    this.message = this.format(false);
  }

  /** Every diagnostic with its code frame, errors first. */
  format(color: boolean): string {
    return formatDiagnostics(this.diagnostics, (file) => readSource(this.#root, file), color);
  }
}

function readSource(root: string, file: string): string | undefined {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return undefined;
  }
}
