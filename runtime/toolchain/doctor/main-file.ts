/** Whether the file that starts the server is there and can be read. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { MAIN_FILE } from "#runtime/convention/layout";
import type { Files } from "#runtime/convention/source/files";
import { parseModule } from "#runtime/convention/source/module";

const MISSING = { file: MAIN_FILE, what: "nothing creates the app and listens" };

export function checkMainFile(files: Files): readonly Diagnostic[] {
  const text = files.read(MAIN_FILE);
  // Why it can't be read is told by `files`.
  if (text === undefined) return files.has(MAIN_FILE) ? files.diagnostics : [diagnose("FW828", MISSING)];
  const { problems, inerasable } = parseModule(text, MAIN_FILE);
  return [
    ...problems.map(({ why, location }) => diagnose("FW301", { why }, location)),
    ...inerasable.map(({ location, ...details }) => diagnose("FW318", details, location)),
  ];
}
