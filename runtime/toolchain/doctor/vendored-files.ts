/** What was done to the vendored framework: edits and files of the user's own are noted, what is missing or in conflict is an error. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../convention/diagnostics.ts";
import type { Location } from "../../core/route.ts";
import { findMarks } from "../upgrade/merge.ts";
import { compareVendored, isNoManifest, MANIFEST_FILE, VENDORED_FOLDER } from "../vendored.ts";
import { find, startOf } from "./findings.ts";

/** So many files are named in a command that brings them back. */
const MOST_NAMED = 5;

export function checkVendoredFiles(root: string): readonly Diagnostic[] {
  const compared = compareVendored(join(root, VENDORED_FOLDER));
  if (isNoManifest(compared)) return [find("FW820", compared, startOf(toPath(MANIFEST_FILE)))];
  const missing = compared.missing.map(toPath);
  const edited = compared.edited.map(toPath);
  const marks = edited.flatMap((file) => findConflicts(root, file));
  const isMarked = (file: string): boolean => marks.some((mark) => mark.file === file);
  return [
    ...tell(missing.map(startOf), (count) => find("FW821", { count, files: missing.slice(0, MOST_NAMED) })),
    ...tell(marks, () => find("FW824", {})),
    ...tell(edited.filter((file) => !isMarked(file)).map(startOf), (count) => find("FW822", { count })),
    ...tell(compared.extra.map(toPath).map(startOf), (count) => find("FW823", { count })),
  ];
}

/** @returns one finding about all places, or none where there are none. */
function tell(locations: readonly Location[], toDiagnostic: (count: number) => Diagnostic): Diagnostic[] {
  return locations.length === 0 ? [] : [{ ...toDiagnostic(locations.length), locations }];
}

/** As it is called in the project. */
function toPath(file: string): string {
  return `${VENDORED_FOLDER}/${file}`;
}

function findConflicts(root: string, file: string): Location[] {
  return findMarks(readFileSync(join(root, file), "utf8")).map((line) => ({ file, line, column: 1 }));
}
