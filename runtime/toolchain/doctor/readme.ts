/** Whether the table of routes in README.md, where it has one between our marks, still is that of the project. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { findRouteTable, README_FILE, toRowKey } from "#runtime/convention/route-table";
import type { Files } from "#runtime/convention/source/files";
import type { Route } from "#runtime/core/routing/route";

export function checkReadme(files: Files, routes: readonly Route[]): readonly Diagnostic[] {
  const table = findRouteTable(files.read(README_FILE) ?? "");
  if (table === undefined) return [];
  const told = table.rows.map(({ key }) => key);
  const served = routes.map(toRowKey);
  const missing = served.filter((route) => !told.includes(route)).length;
  const gone = told.filter((route) => !served.includes(route)).length;
  if (missing + gone === 0) return [];
  return [diagnose("FW838", { missing, gone }, { file: README_FILE, line: table.line, column: 1 })];
}
