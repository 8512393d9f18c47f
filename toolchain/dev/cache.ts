/** The folder that the workers of one run share: Node keeps compiled modules there, with the types erased. */

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "#runtime/problem";

/**
 * Workers run what is in the folder, so nobody else may write there: it is made for this run, and removed at its end.
 *
 * @throws {Problem} when the folder can't be made.
 */
export function createCache(): string {
  try {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), "framework-dev-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(warmFile(folder), WARM_TEXT);
    return folder;
  } catch (error) {
    const { message } = error as NodeJS.ErrnoException;
    throw new Problem(
      `framework dev can't make a temporary folder in ${tmpdir()}: ${message}`,
      "Set TMPDIR, or TEMP on Windows, to a folder that you may write to.",
    );
  }
}

/** Node compiles its eraser of types piece by piece: what is in this text is ready when a project's file is loaded. */
const WARM_TEXT = `import type { Stats } from "node:fs";
export interface Item { readonly id: number }
export const get = async ({ id }: Item, size: number = 1): Promise<Item[]> => [{ id: id + size }] as Item[];
`;

/** @returns the path, without links, of an empty TypeScript file: a worker imports it to warm up. */
export function warmFile(cache: string): string {
  return join(cache, "warm.mts");
}
