/** What serves the project: whether the main file can be read, and whether the built server is current. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { diagnose, startOf } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { MAIN_FILE } from "#runtime/convention/layout";
import type { Files } from "#runtime/convention/source/files";
import { BUILT_SERVER, newerThanBuild } from "../build/record.ts";

const MISSING = { file: MAIN_FILE, what: "nothing creates the app and listens" };

export async function checkMainFile(files: Files): Promise<readonly Diagnostic[]> {
  const text = files.read(MAIN_FILE);
  // `files` reports why it can't be read.
  if (text === undefined) return files.has(MAIN_FILE) ? files.diagnostics : [diagnose("FW828", MISSING)];
  // The parser may be what is missing.
  const { parseModule } = await import("#runtime/convention/source/reader");
  const { problems, inerasable } = parseModule(text, MAIN_FILE);
  return [
    ...problems.map(({ why, location }) => diagnose("FW301", { why }, location)),
    ...inerasable.map(({ location, ...details }) => diagnose("FW318", details, location)),
  ];
}

export function checkBuiltServer(root: string): readonly Diagnostic[] {
  if (!existsSync(join(root, BUILT_SERVER))) return [];
  const file = newerThanBuild(root);
  return file === undefined ? [] : [diagnose("FW835", { file }, startOf(BUILT_SERVER))];
}
