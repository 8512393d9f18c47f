/** tmp */
import type { Location } from "#runtime/core/routing/route";
import type { Diagnostic, Severity } from "./diagnostic.ts";
/**
 * One kind of finding. Message and hint are made from the same details.
 *
 * @example
 * export const FINDINGS = {
 *   FW601: {
 *     severity: "error",
 *     title: "Unknown app",
 *     message: ({ app }: { app: string }): string => `There is no app \`${app}\`.`,
 *     hint: ({ app }: { app: string }): string => `Make it with \`framework generate app ${app}\`.`,
 *   },
 * } as const;
 * export const refuse: Finder<typeof FINDINGS> = createFinder(FINDINGS);
 * diagnose("FW601", { app: "orders" });
 */
export interface CatalogueEntry {
  readonly severity: Severity;
  /** What this kind of finding is called, without details. */
  readonly title: string;
  readonly message: (details: never) => string;
  readonly hint: (details: never) => string | null;
}

export type Catalogue = Readonly<Record<string, CatalogueEntry>>;

/** What a catalogue entry has to be told. */
export type Details<Entry extends CatalogueEntry> = Told<Entry["message"]> & Told<Entry["hint"]>;
type Told<Text> = Text extends (details: infer Known) => unknown ? Known : never;

/** @param locations the place it is about first. */
export type Finder<Findings extends Catalogue> = <Code extends keyof Findings & string>(
  code: Code,
  details: Details<Findings[Code]>,
  ...locations: readonly Location[]
) => Diagnostic;

/** @returns what makes diagnostics by the entries of a catalogue. */
export function createFinder<Findings extends Catalogue>(catalogue: Findings): Finder<Findings> {
  return (code, details, ...locations) => {
    const entry: Findings[typeof code] = catalogue[code];
    const told = details as never; // each entry's own details, which the signature has checked
    return {
      code,
      severity: entry.severity,
      message: entry.message(told),
      hint: entry.hint(told),
      locations,
    };
  };
}
