/** Plans that the table of routes in README.md has the new routes, too, if it has all the others. */

import type { Project } from "#convention/project";
import type { Route } from "#runtime/routing/route";
import type { Change } from "./changes/changes.ts";
import { detectStyle } from "./edit/style.ts";
import { tryText } from "./edit/text.ts";

export const README_FILE = "README.md";

/** The columns that `framework routes list --markdown` prints. */
const HEAD = "|Method|Pattern|Params|Handler|";

/** @param after the project with the new routes. */
export function planReadmeRows(before: Project, after: Project): readonly Change[] {
  const text = tryText(before.root, README_FILE) ?? "";
  const lines = text.split(/(?<=\n)/);
  const find = (mark: string): number => lines.findIndex((line) => line.trim() === mark);
  const [start, end] = [find("<!-- routes -->"), find("<!-- end of routes -->")];
  const head = lines.findIndex((line, index) => index > start && index < end && toKey([line]) === HEAD);
  const rows = lines.slice(head + 2, Math.max(0, end)).filter((line) => line.startsWith("|"));
  if (head < 0 || start < 0 || toKey(rows) !== toKey(before.routes.map(formatRow))) return [];
  const { eol } = detectStyle(text);
  const table = after.routes.map((route) => formatRow(route) + eol);
  const edited = lines.toSpliced(head + 2, rows.length, ...table).join("");
  return edited === text ? [] : [{ file: README_FILE, before: text, after: edited }];
}

/** Ignores the order, and the spaces with which a formatter aligns columns. */
function toKey(rows: readonly string[]): string {
  return rows
    .map((row) => row.trim().replace(/\s*\|\s*/g, "|"))
    .sort()
    .join("\n");
}

/** @example "| GET | `/items/<id>` | `id: int` | `get` |" */
function formatRow({ method, pattern, handler, segments }: Route): string {
  const params = segments.flatMap((one) => (typeof one === "string" ? [] : `${one.name}: ${one.type}`));
  const cells = [pattern.replaceAll("|", "\\|"), params.join(", "), handler];
  return `| ${[method, ...cells.map((cell) => cell && `\`${cell}\``)].join(" | ")} |`;
}
