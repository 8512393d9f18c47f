/** Has Node parse a built file: the bundler passes on syntax that it knows and this Node does not, such as a decorator. */

import { spawnSync } from "node:child_process";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Location } from "#runtime/routing/route";
import { toPath } from "../load/project-files.ts";

/** @param file relative to the root. @param map of the code, as JSON. */
export function findSyntaxError(root: string, file: string, code: string, map: string): Diagnostic[] {
  const { stderr } = spawnSync(process.execPath, ["--check", "--input-type=module", "-"], {
    input: code,
    encoding: "utf8",
    // Nothing that the environment preloads has a part in it.
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const [, why] = /^SyntaxError: (.+)$/m.exec(stderr) ?? [];
  if (why === undefined) return [];
  // In a line of a thousand letters and more, such as those of a minified file, Node does not say where.
  const [, line, before] = /^\[stdin\]:(\d+)\n.*\n([^^\n]*)\^/.exec(stderr) ?? [];
  const isPlaced = before !== undefined;
  const place = { file, line: Number(line), column: (before ?? "").length + 1 };
  return [diagnose("FW708", { why, isPlaced }, ...(isPlaced ? [toSource(root, place, map)] : []))];
}

function toSource(root: string, built: Location, map: string): Location {
  const entry = new SourceMap(JSON.parse(map)).findEntry(built.line - 1, built.column - 1);
  if (!("originalSource" in entry)) return built;
  const file = toPath(root, join(root, dirname(built.file), entry.originalSource));
  return { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}
