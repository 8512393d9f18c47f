/** A module that failed to load, as a finding at the line that has to be mended. Read only then, because it brings the parser. */

import { diagnose } from "../convention/catalogue.ts";
import type { Diagnostic } from "../convention/diagnostics.ts";
import { createFiles, type Files } from "../convention/files.ts";
import { createModules } from "../convention/modules.ts";
import type { Location } from "../core/route.ts";
import { isBadJson, parseJson } from "./doctor/json.ts";
import { locateFailedImport } from "./failed-import.ts";
import { toPath } from "./project-files.ts";
import { locateThrown } from "./stack.ts";

/** @param file the module that could not be loaded, relative to the root; the mistake may stand in one that it imports. */
export function toLoadFailure(root: string, file: string, error: unknown): Diagnostic {
  const thrown = locateThrown(root, error);
  const files = createFiles(root);
  const inerasable = error instanceof SyntaxError && thrown ? refuseInerasable(files, thrown) : undefined;
  if (inerasable) return inerasable;
  const why = explain(error);
  const place = locateFailedImport(root, file, why) ?? locateData(root, files, why) ?? thrown;
  return diagnose("FW503", { module: file, why }, place ?? { file, line: 1, column: 1 });
}

/** True where the text of the module, or of one that it imports, is to blame; false for what its code throws when it runs. */
export function isOfLoading(root: string, file: string, error: unknown): boolean {
  return error instanceof SyntaxError || locateFailedImport(root, file, explain(error)) !== undefined;
}

function explain(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Each version of Node has other words for it, and those before 22.18 have none. */
function refuseInerasable(files: Files, { file }: Location): Diagnostic | undefined {
  const [first] = createModules(files).get(file)?.inerasable ?? [];
  return first && diagnose("FW318", first, first.location);
}

/** Where JSON is broken, Node tells the file, and not always the place. */
function locateData(root: string, files: Files, why: string): Location | undefined {
  const [, path = ""] = /^SyntaxError: (.+?\.json): /.exec(why) ?? [];
  const file = toPath(root, path);
  const text = path === "" ? undefined : files.read(file);
  if (text === undefined) return undefined;
  const read = parseJson(text, file);
  return isBadJson(read) ? read.location : (read.lax ?? { file, line: 1, column: 1 });
}
