/** Whether the built server was built from the sources that are there. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { diagnose, startOf } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { BUILT_SERVER, newerThanBuild } from "../build/record.ts";

export function checkBuiltServer(root: string): readonly Diagnostic[] {
  if (!existsSync(join(root, BUILT_SERVER))) return [];
  const file = newerThanBuild(root);
  return file === undefined ? [] : [diagnose("FW835", { file }, startOf(BUILT_SERVER))];
}
