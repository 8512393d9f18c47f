/** What can be wrong with a file of the project because the server loads it, whatever it has: handlers, hooks or providers. */

import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { MAIN_FILE } from "../layout.ts";
import type { ExportedName, Origin } from "../source/exports.ts";
import type { SourceModule } from "../source/module.ts";
import type { Modules, Unresolved } from "../source/modules.ts";

export function diagnoseUnresolved(name: string, { why, nearest, location }: Unresolved): Diagnostic {
  return diagnose("FW327", { name, why, nearest }, location);
}

/** Why a function can't be read behind an export; undefined where it can be, or the export is only a type. */
export function diagnoseExport(
  { name, location, ambiguous }: ExportedName,
  origin: Origin,
): Diagnostic | undefined {
  if (ambiguous) return diagnose("FW319", { name }, location);
  if (origin.kind === "unresolved") return diagnoseUnresolved(name, origin);
  if (origin.kind === "opaque") return diagnose("FW311", { handler: name, why: origin.why }, origin.location);
  return origin.kind === "other"
    ? diagnose("FW312", { name, what: origin.what }, origin.location)
    : undefined;
}

/** The main file loads the handlers while it runs, so each would wait for the other. */
export function diagnoseMainImport(modules: Modules, { file, sources }: SourceModule): Diagnostic[] {
  const found = sources.find(({ text }) => modules.locate(file, text) === MAIN_FILE);
  return found === undefined ? [] : [diagnose("FW320", { file }, found.location)];
}

/** The handlers of a file that is loaded are not all that has to be erased in it. */
export function diagnoseInerasable({ inerasable }: SourceModule): Diagnostic[] {
  return inerasable.map((found) => diagnose("FW318", found, found.location));
}
