/** The folder that the workers of one run share: what Node has compiled, and with it each file without its types. */

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "#runtime/core/problem";

/**
 * Of this run alone, and removed at its end: what is in it is run, so that nobody else may write there.
 *
 * @throws {Problem} when the system's folder for temporary files takes none.
 */
export function createCache(): string {
  try {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), "framework-dev-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(warmFile(folder), "export {};\n");
    return folder;
  } catch (error) {
    const { message } = error as NodeJS.ErrnoException;
    throw new Problem(
      `framework dev can't make a temporary folder in ${tmpdir()}: ${message}`,
      "Set TMPDIR, or TEMP on Windows, to a folder that you may write to.",
    );
  }
}

/** A TypeScript file of no content, for a worker to import before there is a project to load. Its path has no links in it. */
export function warmFile(cache: string): string {
  return join(cache, "warm.mts");
}
