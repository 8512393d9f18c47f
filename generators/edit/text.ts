/** The text of a project's file, to be edited. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { explainSystemError, isMissing } from "#convention/diagnostics/system-error";
import { orRefused, Refused, refuse } from "../refused.ts";

/** @returns the text with its byte order mark, or null if the file does not exist. @throws {Refused} if it can't be edited. */
export function readText(root: string, file: string): string | null {
  const path = join(root, file);
  const hint = "Check that it is a file, and that you may read it.";
  let bytes: Buffer;
  try {
    // A pipe would never end.
    if (!statSync(path).isFile()) return refuse("FW612", { file, why: "it is not a file", hint });
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (isMissing(error)) return null;
    return refuse("FW612", { file, why: explainSystemError(error), hint });
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes))
    return refuse("FW612", { file, why: "it is not UTF-8 text", hint: "Save it as UTF-8." });
  // Generated code has line feeds, and the two kinds would be mixed.
  if (!text.includes("\r") || text.includes("\n")) return text;
  const why = "its lines end with a carriage return alone";
  return refuse("FW612", { file, why, hint: "Save it with line feeds." });
}

/** As {@link readText}, but undefined for a file that can't be edited. */
export function tryText(root: string, file: string): string | null | undefined {
  const text = orRefused(() => readText(root, file));
  return text instanceof Refused ? undefined : text;
}
