/** Finds the TypeScript that the project has installed. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_FILE } from "#convention/layout";
import { isRecord } from "#convention/source/record";
import { findAbove } from "#runtime/project-root";

const PLACE = join("node_modules", "typescript");

/** @returns the path of the program `tsc`; undefined where there is none. */
export function findCompiler(root: string): string | undefined {
  const above = findAbove(root, join(PLACE, PACKAGE_FILE));
  if (above === undefined) return undefined;
  const folder = join(above, PLACE);
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, PACKAGE_FILE), "utf8"));
    const program = isRecord(read) && isRecord(read.bin) ? read.bin.tsc : undefined;
    return typeof program === "string" ? join(folder, program) : undefined;
  } catch {
    return undefined;
  }
}
