/** Whether a clone would have the vendored framework: many a .gitignore has `vendor/`, `build/` or `*.d.ts`. */

import { join } from "node:path";
import { CONFIG_FILE } from "#runtime/convention/config/root";
import { diagnose, startOf } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { VENDORED_FOLDER } from "#runtime/convention/layout";
import { isNoManifest, readManifest } from "../vendored.ts";
import { listIgnored } from "./git-ignored.ts";

export function checkFrameworkInGit(root: string): readonly Diagnostic[] {
  const manifest = readManifest(join(root, VENDORED_FOLDER));
  if (isNoManifest(manifest)) return [];
  const files = Object.keys(manifest.files).map((file) => `${VENDORED_FOLDER}/${file}`);
  const ignored = listIgnored(root, [CONFIG_FILE, ...files]);
  // Where the project as a whole is ignored, it is nobody's to clone.
  if (ignored === undefined || ignored.length === 0 || ignored.includes(CONFIG_FILE)) return [];
  return [{ ...diagnose("FW843", { count: ignored.length }), locations: ignored.map(startOf) }];
}
