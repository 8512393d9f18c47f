/** What is reported of a pattern in a type. */

import type { Location } from "#runtime/routing/route";
import { diagnose } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { checkPattern } from "./check.ts";

const LONGEST_PART = 60;

/** @param maxLength of the same text's type, if it has one. */
export function reportPattern(
  source: string,
  maxLength: number | undefined,
  location: Location,
): Diagnostic | undefined {
  const bad = checkPattern(source, maxLength);
  switch (bad?.kind) {
    case "syntax":
      return diagnose("FW370", { source: shorten(source), why: bad.why }, location);
    case "backtracking":
      return diagnose("FW371", { ...bad, part: shorten(bad.part) }, location);
    case "unproven":
      return diagnose(
        "FW372",
        { what: bad.part === "" ? bad.what : `${bad.what}, \`${shorten(bad.part)}\`` },
        location,
      );
    case undefined:
      return undefined;
  }
}

/** A backslash that TypeScript drops from a text, and which a regular expression would need. */
const LOST_ESCAPE = /(?<!\\)(?:\\\\)*(\\[bdDkpPsSwW.*+?()[\]{}|^$/-])/;

/** @param text of the type as it is written. */
export function reportLostEscape(text: string, location: Location): Diagnostic | undefined {
  const [, lost] = LOST_ESCAPE.exec(text) ?? [];
  return lost === undefined ? undefined : diagnose("FW373", { lost }, location);
}

function shorten(part: string): string {
  return part.length > LONGEST_PART ? `${part.slice(0, LONGEST_PART)}…` : part;
}
