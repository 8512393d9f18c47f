/** Reports invalid and slow patterns as diagnostics. */

import type { Location } from "#runtime/routing/route";
import { diagnose } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { checkPattern } from "./check.ts";

const LONGEST_PART = 60;

/** @param maxLength the `MaxLength` beside the pattern. */
export function reportPattern(
  source: string,
  maxLength: number | undefined,
  location: Location,
): Diagnostic | undefined {
  const bad = checkPattern(source, maxLength);
  switch (bad?.kind) {
    case "syntax":
      return unusable(`\`${shorten(source)}\` is not a regular expression: ${bad.why}`, ESCAPES, location);
    case "backtracking":
      return diagnose("FW371", { ...bad, part: shorten(bad.part) }, location);
    case "unproven":
      return unusable(
        `can't be checked for backtracking: it has ${bad.what}${bad.part === "" ? "" : `, \`${shorten(bad.part)}\``}`,
        "Write it without, or check the value in the handler.",
        location,
      );
    case undefined:
      return undefined;
  }
}

/** A single backslash before a character that needs it in a regular expression. TypeScript drops it from a string literal. */
const LOST_ESCAPE = /(?<!\\)(?:\\\\)*(\\[bdDkpPsSwW.*+?()[\]{}|^$/-])/;

/** @param text the source text of the type. */
export function reportLostEscape(text: string, location: Location): Diagnostic | undefined {
  const [, lost] = LOST_ESCAPE.exec(text) ?? [];
  if (lost === undefined) return undefined;
  const why = `has \`${lost}\`, and in a TypeScript text a single backslash is lost`;
  return unusable(why, `Write two backslashes: \`\\${lost}\`.`, location);
}

const ESCAPES = "It has the flag `u`: escape only what has a meaning, and double each backslash in the type.";

function unusable(why: string, hint: string, location: Location): Diagnostic {
  return diagnose("FW370", { why, hint }, location);
}

function shorten(part: string): string {
  return part.length > LONGEST_PART ? `${part.slice(0, LONGEST_PART)}…` : part;
}
