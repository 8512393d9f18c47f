/** Findings about the user's project: what one is, how it is made from a catalogue, and how it is shown with its source line. */

import type { Location } from "#runtime/core/routing/route";
import { kleur } from "#runtime/deps/kleur";
import { columnsOf } from "./columns.ts";

export type Severity = "error" | "warning" | "info";

/** The gravest first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

export interface Diagnostic {
  /** Permanent: `FW101`. FW1xx configuration, FW2xx names, FW3xx signatures, FW4xx table, FW5xx loading, FW6xx generators, FW7xx building, FW8xx upkeep. */
  readonly code: string;
  readonly severity: Severity;
  /** What happened and why. It may hold the user's text raw: show it by {@link formatDiagnostic} or {@link escapeControl}. */
  readonly message: string;
  /** What to do. A line break in it begins a line of its own, as for an example of several lines. */
  readonly hint: string | null;
  /** The place it is about first; a conflict has more than one. Empty where there is no place. */
  readonly locations: readonly Location[];
}

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

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error";
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(isError);
}

/** By place in the project, file by file from top to bottom; those without a place first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((one, other) => {
    const [here, there] = [one.locations[0], other.locations[0]];
    if (!here || !there)
      return Number(Boolean(here)) - Number(Boolean(there)) || compareText(one.code, other.code);
    return (
      compareLocations(here, there) ||
      compareText(one.code, other.code) ||
      compareText(one.message, other.message)
    );
  });
}

export function compareLocations(one: Location, other: Location): number {
  return compareText(one.file, other.file) || one.line - other.line || one.column - other.column;
}

/** By code unit, so that the order is the same on every machine. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Control characters, which a terminal obeys, and the marks that reorder or hide text (CVE-2021-42574). */
const UNSAFE =
  /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\ud800-\udfff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

/**
 * Text of the user's that may be printed: nothing in it moves the cursor, colours, hides or reorders.
 * @example escapeControl("a\x1b[31m") // "a\\x1b[31m"
 */
export function escapeControl(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

/** `apps/users/views.ts:12:17`, as terminals and editors make a link of. */
export function formatLocation({ file, line, column }: Location): string {
  return `${escapeControl(file)}:${line}:${column}`;
}

/**
 * A finding as a person reads it: severity, code, message, each place with its source line, and what to do.
 *
 * @param readSource the text of a project file; undefined leaves its line out.
 * @example
 * error FW401 Two handlers serve GET /users/1.
 *   apps/users/views.ts:3:17
 *     3 | export function get_by_id(id: int) {}
 *       |                 ^^^^^^^^^
 *   hint: …
 */
export function formatDiagnostic(
  diagnostic: Diagnostic,
  readSource: (file: string) => string | undefined,
  color = false,
): string {
  kleur.enabled = color;
  const { severity, code, message, hint, locations } = diagnostic;
  const lines = [`${SEVERITY_COLORS[severity](severity)} ${kleur.dim(code)} ${escapeControl(message)}`];
  for (const location of locations) {
    lines.push(
      `  ${kleur.cyan(formatLocation(location))}`,
      ...formatFrame(location, readSource(location.file)),
    );
  }
  if (hint !== null) lines.push(`  ${kleur.dim("hint:")} ${escapeLines(hint).replaceAll("\n", "\n    ")}`);
  return lines.join("\n");
}

function escapeLines(text: string): string {
  return text.split("\n").map(escapeControl).join("\n");
}

/**
 * What is told in words, without a code: the message and what to do. Line breaks stay; what else moves the cursor may come
 * from the name of a file.
 * @example
 * error Port 8000 is in use by another program.
 *   hint: …
 */
export function formatProblem(message: string, hint: string | undefined, color = false): string {
  kleur.enabled = color;
  const first = `${SEVERITY_COLORS.error("error")} ${escapeLines(message)}`;
  return hint ? `${first}\n  ${kleur.dim("hint:")} ${escapeLines(hint)}` : first;
}

/** Several findings, an empty line between them. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  readSource: (file: string) => string | undefined,
  color = false,
): string {
  return diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, readSource, color)).join("\n\n");
}

/** @example formatCounts(diagnostics) // "2 errors, 1 warning"; "" where there is nothing */
export function formatCounts(diagnostics: readonly Diagnostic[]): string {
  return SEVERITIES.map((severity) => ({
    severity,
    count: diagnostics.filter((one) => one.severity === severity).length,
  }))
    .filter(({ count }) => count > 0)
    .map(
      ({ severity, count }) => `${count} ${count === 1 || severity === "info" ? severity : `${severity}s`}`,
    )
    .join(", ");
}

const SEVERITY_COLORS: Readonly<Record<Severity, (text: string) => string>> = {
  error: (text) => kleur.red().bold(text),
  warning: (text) => kleur.yellow().bold(text),
  info: (text) => kleur.blue().bold(text),
};

/** A line of generated code can be megabytes long: so much of it is shown around the place. */
const FRAME_COLUMNS = 100;
const FRAME_BEFORE = 60;

/** The source line and a line below it that marks the place. TOML knows fewer line ends than TypeScript does. */
function formatFrame({ file, line, column }: Location, source: string | undefined): string[] {
  const text = source
    ?.replace(/^\ufeff/, "")
    .split(file.endsWith(".toml") ? /\r?\n/ : /\r\n|[\n\r\u2028\u2029]/)[line - 1];
  if (text === undefined) return [];
  const start = column - 1 > FRAME_COLUMNS - FRAME_BEFORE ? Math.max(0, column - 1 - FRAME_BEFORE) : 0;
  const show = (part: string): string => escapeControl(part.replaceAll("\t", "  "));
  const before = show(text.slice(start, column - 1));
  const word =
    /^(?:[\p{ID_Continue}$]+|"[^"\n]*"|.)?/u.exec(text.slice(column - 1, start + FRAME_COLUMNS))?.[0] ?? "";
  const after = show(text.slice(column - 1 + word.length, start + FRAME_COLUMNS));
  const marks = "^".repeat(Math.max(1, columnsOf(show(word))));
  const [number, blank] = [String(line), " ".repeat(String(line).length)];
  return [
    `    ${kleur.dim(`${number} |`)} ${before}${show(word)}${after}`,
    `    ${kleur.dim(`${blank} |`)} ${" ".repeat(columnsOf(before))}${kleur.red(marks)}`,
  ];
}
