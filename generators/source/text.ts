/** A project's file as it is edited: its whole text, where it is one. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { explainSystemError, isMissing } from "#runtime/convention/diagnostics/system-error";

/** @returns the text with its byte order mark, null where there is no such file, or why it can't be edited. */
export function readText(root: string, file: string): string | null | Diagnostic {
  const path = join(root, file);
  const hint = "Check that it is a file, and that you may read it.";
  let bytes: Buffer;
  try {
    // A pipe would never come to an end.
    if (!statSync(path).isFile()) return diagnose("FW612", { file, why: "it is no file", hint });
    bytes = readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    return diagnose("FW612", { file, why: explainSystemError(error), hint });
  }
  const text = bytes.toString("utf8");
  if (text.includes("\r") && !text.includes("\n"))
    return diagnose("FW612", {
      file,
      why: "its lines end with a carriage return alone",
      hint: "Save it with line feeds.",
    });
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  return diagnose("FW612", { file, why: "it is not UTF-8 text", hint: "Save it as UTF-8." });
}
