/** Where `framework` leads to the vendored folder of another project, as npm links one folder for all projects of a workspace. */

import { existsSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { VENDORED_FOLDER } from "#convention/layout";
import type { Location } from "#runtime/routing/route";
import { nearestLockfile } from "../lockfile.ts";
import { toPath } from "./project-files.ts";

/**
 * @param folder of the framework that the project's modules get. A copy that a package manager has made is not a vendored folder.
 * @param location of the module or the setting that asks for it.
 */
export function diagnoseOther(root: string, folder: string, location: Location): Diagnostic | undefined {
  const own = join(root, VENDORED_FOLDER);
  const real = realpathSync(folder);
  const isVendored = real.split(sep).join("/").endsWith(`/${VENDORED_FOLDER}`);
  if (!isVendored || !existsSync(own) || realpathSync(own) === real) return undefined;
  const command = nearestLockfile(root)?.command ?? "npm install";
  return diagnose("FW845", { folder: toPath(realpathSync(root), real), command }, location);
}
