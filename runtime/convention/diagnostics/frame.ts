/** A line of source with a line below it that marks a place. */

import { escapeControl } from "#runtime/core/escape";
import type { Location } from "#runtime/core/routing/route";
import { kleur } from "#runtime/deps/kleur";
import { columnsOf } from "./columns.ts";

/** A line of generated code can be megabytes long, so only the part around the place is shown. */
const FRAME_COLUMNS = 100;
const FRAME_BEFORE = 60;

/** TOML has fewer line ends than TypeScript. */
export function formatFrame({ file, line, column }: Location, source: string | undefined): string[] {
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
