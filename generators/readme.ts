/** Plans that the table of routes in README.md has the new routes, too, if it has all the others. */

import type { Project } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import type { Change } from "./changes/changes.ts";
import { findRouteRows, formatRow, hasUsualColumns, README_FILE, toRowKey } from "./edit/route-table.ts";
import { detectStyle } from "./edit/style.ts";
import { tryText } from "./edit/text.ts";

/** @param after the project with the new routes. */
export function planReadmeRows(before: Project, after: Project): readonly Change[] {
  const text = tryText(before.root, README_FILE);
  if (typeof text !== "string") return [];
  const added = addRouteRows(text, before, after);
  return added === text ? [] : [{ file: README_FILE, before: text, after: added }];
}

/** @returns the same text where its table lacked routes before. */
export function addRouteRows(text: string, before: Project, after: Project): string {
  const rows = findRouteRows(text);
  const listed = rows.map(({ key }) => key);
  const isCurrent = listed.toSorted().join("\n") === before.routes.map(toRowKey).sort().join("\n");
  if (!isCurrent || !hasUsualColumns(text)) return text;
  const { eol } = detectStyle(text);
  // Each new row comes before the next route that is there, or after the last one.
  const edits = after.routes.flatMap((route, index) => {
    if (listed.includes(toRowKey(route))) return [];
    const next = after.routes.slice(index).find((one) => listed.includes(toRowKey(one)));
    const row = rows.find(({ key }) => next !== undefined && key === toRowKey(next));
    const place = row?.start ?? rows.at(-1)?.end;
    return place === undefined ? [] : [{ start: place, end: place, text: formatRow(route) + eol }];
  });
  return applyEdits(text, edits);
}
