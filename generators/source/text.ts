/** A project's file as it is edited: its whole text, where it is one. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { explainSystemError, isMissing } from "#runtime/convention/diagnostics/system-error";

/**
 * Edits a text in which each line ends with a carriage return alone, as on an old Mac, with line feeds in their place.
 *
 * @param edit is given the text, and what gives a text the line ends back.
 */
export function inLineFeeds<Result>(
  text: string,
  edit: (text: string, restore: (edited: string) => string) => Result,
): Result {
  if (text.includes("\n") || !text.includes("\r")) return edit(text, (edited) => edited);
  return edit(text.replaceAll("\r", "\n"), (edited) => edited.replaceAll("\n", "\r"));
}

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
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  return diagnose("FW612", { file, why: "it is not UTF-8 text", hint: "Save it as UTF-8." });
}
