/** The folder that the workers of one run share: what Node has compiled, and with it each file without its types. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Of this run alone, and removed at its end: what is in it is run, so that nobody else may write there. */
export function createCache(): string {
  const folder = mkdtempSync(join(tmpdir(), "framework-dev-"));
  writeFileSync(warmFile(folder), "export {};\n");
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A TypeScript file of no content, for a worker to import before there is a project to load. */
export function warmFile(cache: string): string {
  return join(cache, "warm.mts");
}
