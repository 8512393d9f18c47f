/** Whether the table of routes in README.md, where it has one between our marks, still is that of the project. */

import type { Diagnostic } from "../../convention/diagnostics.ts";
import type { Files } from "../../convention/files.ts";
import type { Route } from "../../core/route.ts";
import { find } from "./findings.ts";

const README = "README.md";
const MARKED = /^<!-- routes -->$([\s\S]*?)^<!-- end of routes -->$/m;
/** Method, pattern and params of a row of `framework routes list --markdown`, as wide as a formatter makes its columns. */
const ROW = /^\|\s*([A-Z]+)\s*\|\s*`([^`]+)`\s*\|\s*(?:`([^`]*)`)?\s*\|/gm;

export function checkReadme(files: Files, routes: readonly Route[]): readonly Diagnostic[] {
  const text = files.read(README)?.replaceAll("\r\n", "\n") ?? "";
  const marked = MARKED.exec(text);
  if (marked === null) return [];
  const told = [...(marked[1] ?? "").matchAll(ROW)].map(([, ...cells]) => toKey(cells));
  const served = routes.map((route) =>
    toKey([route.method, route.pattern.replaceAll("|", "\\|"), formatParams(route)]),
  );
  const missing = served.filter((route) => !told.includes(route)).length;
  const gone = told.filter((route) => !served.includes(route)).length;
  if (missing + gone === 0) return [];
  const line = text.slice(0, marked.index).split("\n").length;
  return [find("FW838", { missing, gone }, { file: README, line, column: 1 })];
}

function toKey(cells: readonly (string | undefined)[]): string {
  return cells.join(" ").trimEnd();
}

function formatParams({ segments }: Route): string {
  return segments
    .flatMap((segment) => (typeof segment === "string" ? [] : `${segment.name}: ${segment.type}`))
    .join(", ");
}
