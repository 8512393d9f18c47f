/** Diagnostics as a person reads them. */

import { kleur } from "#convention/deps/kleur";
import { escapeControl, escapeLines } from "#runtime/escape";
import type { Location } from "#runtime/routing/route";
import { columnsOf } from "./columns.ts";
import { type Diagnostic, SEVERITIES, type Severity } from "./diagnostic.ts";

/** `apps/users/views.ts:12:17`, which terminals and editors make a link of. */
export function formatLocation({ file, line, column }: Location): string {
  return `${escapeControl(file)}:${line}:${column}`;
}

/**
 * Severity, code, message, each place with its source line, and the hint.
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

/** A line of generated code can be megabytes long, so only the part around the place is shown. */
const FRAME_COLUMNS = 100;
const FRAME_BEFORE = 60;

/** The line of a place. TOML has fewer line ends than TypeScript. */
export function lineOf({ file, line }: Location, source: string | undefined): string | undefined {
  return source?.replace(/^\ufeff/, "").split(file.endsWith(".toml") ? /\r?\n/ : /\r\n|[\n\r\u2028\u2029]/)[
    line - 1
  ];
}

/** A line of source with a line below it that marks the place. */
export function formatFrame(location: Location, source: string | undefined): string[] {
  const { line, column } = location;
  const text = lineOf(location, source);
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

/**
 * A message and what to do, without a code. The message may have several lines.
 * @example
 * error Port 8000 is in use by another program.
 *   hint: …
 */
export function formatProblem(message: string, hint: string | undefined, color = false): string {
  kleur.enabled = color;
  const first = `${SEVERITY_COLORS.error("error")} ${escapeLines(message)}`;
  return hint ? `${first}\n  ${kleur.dim("hint:")} ${escapeLines(hint)}` : first;
}

/** With an empty line between them. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  readSource: (file: string) => string | undefined,
  color = false,
): string {
  return diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, readSource, color)).join("\n\n");
}

/** @example formatCounts(diagnostics) // "2 errors, 1 warning"; "" where there is nothing */
export function formatCounts(diagnostics: readonly Diagnostic[]): string {
  return SEVERITIES.flatMap((severity) => {
    const count = diagnostics.filter((one) => one.severity === severity).length;
    const word = count === 1 || severity === "info" ? severity : `${severity}s`;
    return count === 0 ? [] : [`${count} ${word}`];
  }).join(", ");
}

const SEVERITY_COLORS: Readonly<Record<Severity, (text: string) => string>> = {
  error: (text) => kleur.red().bold(text),
  warning: (text) => kleur.yellow().bold(text),
  info: (text) => kleur.blue().bold(text),
};
