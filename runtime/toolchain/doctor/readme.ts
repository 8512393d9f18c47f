/** Whether the table of routes in README.md, where it has one between our marks, still is that of the project. */

import type { Diagnostic } from "../../convention/diagnostics.ts";
import type { Files } from "../../convention/files.ts";
import type { Route } from "../../core/route.ts";
import { find } from "./findings.ts";

const README = "README.md";
const MARKED = /^<!-- routes -->$([\s\S]*?)^<!-- end of routes -->$/m;
/** Method and pattern of a row, as `framework routes list --markdown` writes it. */
const ROW = /^\| ([A-Z]+) \| `([^`]+)` \|/gm;

export function checkReadme(files: Files, routes: readonly Route[]): readonly Diagnostic[] {
  const text = files.read(README)?.replaceAll("\r\n", "\n") ?? "";
  const marked = MARKED.exec(text);
  if (marked === null) return [];
  const told = [...(marked[1] ?? "").matchAll(ROW)].map(([, method, pattern]) => `${method} ${pattern}`);
  const served = routes.map(({ method, pattern }) => `${method} ${pattern.replaceAll("|", "\\|")}`);
  const missing = served.filter((route) => !told.includes(route)).length;
  const gone = told.filter((route) => !served.includes(route)).length;
  if (missing + gone === 0) return [];
  const line = text.slice(0, marked.index).split("\n").length;
  return [find("FW838", { missing, gone }, { file: README, line, column: 1 })];
}
