/** Whether the file that starts the server is there and can be read. */

import { diagnose } from "../../convention/catalogue.ts";
import type { Diagnostic } from "../../convention/diagnostics.ts";
import type { Files } from "../../convention/files.ts";
import { MAIN_FILE } from "../../convention/layout.ts";
import { parseModule } from "../../convention/module.ts";
import { find } from "./findings.ts";

const MISSING = { file: MAIN_FILE, what: "nothing creates the app and listens" };

export function checkMainFile(files: Files): readonly Diagnostic[] {
  const text = files.read(MAIN_FILE);
  // Why it can't be read is told by `files`.
  if (text === undefined) return files.has(MAIN_FILE) ? files.diagnostics : [find("FW828", MISSING)];
  const { problems, inerasable } = parseModule(text, MAIN_FILE);
  return [
    ...problems.map(({ why, location }) => diagnose("FW301", { why }, location)),
    ...inerasable.map(({ location, ...details }) => diagnose("FW318", details, location)),
  ];
}
