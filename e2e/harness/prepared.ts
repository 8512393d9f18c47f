/** What all test files of one run share, made before the first of them starts: `.ci/test.ts` names its folder. A single file makes its own. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Tests never change what is in it. */
const folder = process.env.E2E_PREPARED;

/** @param name of the file without its ending. @returns undefined where nothing is prepared. */
export function readPrepared<Made>(name: string): Made | undefined {
  const file = join(folder ?? "", `${name}.json`);
  return folder !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

export function writePrepared(name: string, made: unknown): void {
  if (folder !== undefined) writeFileSync(join(folder, `${name}.json`), JSON.stringify(made));
}
