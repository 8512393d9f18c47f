/** The text of a project's file, to be edited. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { explainSystemError, isMissing } from "#convention/diagnostics/system-error";

/** @returns the text with its byte order mark, null if the file does not exist, or why it can't be edited. */
export function readText(root: string, file: string): string | null | Diagnostic {
  const path = join(root, file);
  const hint = "Check that it is a file, and that you may read it.";
  let bytes: Buffer;
  try {
    // A pipe would never end.
    if (!statSync(path).isFile()) return diagnose("FW612", { file, why: "it is not a file", hint });
    bytes = readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    return diagnose("FW612", { file, why: explainSystemError(error), hint });
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes))
    return diagnose("FW612", { file, why: "it is not UTF-8 text", hint: "Save it as UTF-8." });
  // Blueprints have line feeds, and the two kinds would be mixed.
  if (!text.includes("\r") || text.includes("\n")) return text;
  const why = "its lines end with a carriage return alone";
  return diagnose("FW612", { file, why, hint: "Save it with line feeds." });
}
