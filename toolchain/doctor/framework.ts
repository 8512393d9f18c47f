/** What was done to the vendored framework. A missing file and a conflict are errors. Edits, files of the user's own and an unfinished command are not. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { MANIFEST_FILE, MIGRATIONS_FOLDER, VENDORED_FOLDER } from "#convention/layout";
import { CONFIG_FILE } from "#runtime/project-root";
import { findSyntaxError } from "../load/broken-file.ts";
import { listLeft } from "../upgrade/folders.ts";
import { findMarks } from "../upgrade/merge.ts";
import { compareVendored, hasDatabase, isNoManifest, type Manifest, readBytes } from "../vendored.ts";
import { listIgnored } from "./git.ts";

/** So many files are named in a command that brings them back. */
const MOST_NAMED = 5;
/** What file browsers and package managers put into any folder, which nobody needs to know. */
const LEFT_BY_SYSTEMS = /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$|^node_modules\//;

export async function checkFramework(root: string): Promise<readonly Diagnostic[]> {
  const compared = compareVendored(join(root, VENDORED_FOLDER));
  if (isNoManifest(compared)) {
    const file = toVendoredPath(MANIFEST_FILE);
    return [diagnose("FW827", { file, why: compared.why, hint: restore(file) }, startOf(file))];
  }
  const missing = [...compared.missing, ...listMissingEntry(root)].map(toVendoredPath);
  const edited = compared.edited.map(toVendoredPath);
  const mistakes = (await Promise.all(edited.map((file) => findMistakes(root, file)))).flat();
  const sound = edited.filter((file) => !mistakes.some(({ locations }) => locations[0]?.file === file));
  const extra = compared.extra.filter((file) => !LEFT_BY_SYSTEMS.test(file)).map(toVendoredPath);
  const named = missing.slice(0, MOST_NAMED);
  return [
    ...reportAll(missing, (count) => diagnose("FW821", { count, files: named })),
    ...mistakes,
    ...reportAll(sound, (count) => diagnose("FW822", { count })),
    ...reportAll(extra, (count) => diagnose("FW823", { count })),
    ...checkInGit(root, compared.manifest),
  ];
}

/** Many a .gitignore has `vendor/`, `build/` or `*.d.ts`. */
function checkInGit(root: string, manifest: Manifest): readonly Diagnostic[] {
  const ignored = listIgnored(root, [CONFIG_FILE, ...Object.keys(manifest.files).map(toVendoredPath)]);
  // Where the project as a whole is ignored, it is nobody's to clone.
  if (ignored === undefined || ignored.length === 0 || ignored.includes(CONFIG_FILE)) return [];
  const hint = "Add two lines at the end of .gitignore: !/vendor/ and !/vendor/**";
  const details = { ignores: "ignores", file: "vendored files", why: "a clone lacks them", hint };
  return reportAll(ignored, () => diagnose("FW837", details));
}

const INTERRUPTED = {
  what: "A command was killed while it changed the project, so some of its files may be missing",
  hint: "Run the same command again: it completes what is missing.",
};
const MERGE =
  "If it waits for you to merge edits, do so, and then: npx framework upgrade --continue. Or remove what it left: npx framework upgrade --abort";

export async function checkUnfinished(root: string): Promise<readonly Diagnostic[]> {
  const [folder] = listLeft(root);
  const upgrade = { what: `An upgrade is not finished: it left ${folder}`, hint: MERGE };
  const { isInterrupted } = await import("#generators/changes/lock");
  return [
    ...(folder === undefined ? [] : [diagnose("FW836", upgrade)]),
    ...(isInterrupted(root) ? [diagnose("FW836", INTERRUPTED)] : []),
  ];
}

/** @returns one diagnostic about all files, or none where there are none. */
function reportAll(files: readonly string[], toDiagnostic: (count: number) => Diagnostic): Diagnostic[] {
  return files.length === 0 ? [] : [{ ...toDiagnostic(files.length), locations: files.map(startOf) }];
}

/** Without a database, none of its files is missing; but the project's migrations import one. */
function listMissingEntry(root: string): readonly string[] {
  const list = String(readBytes(join(root, MIGRATIONS_FOLDER, "index.ts")));
  const isUsed = /["']framework\/database["']/.test(list);
  return isUsed && !hasDatabase(join(root, VENDORED_FOLDER)) ? ["database.js"] : [];
}

/** As it is called in the project. */
function toVendoredPath(file: string): string {
  return `${VENDORED_FOLDER}/${file}`;
}

/** Marks of a merge, or a syntax error: nothing that needs the file can run, so no part of the framework is asked about it. */
async function findMistakes(root: string, file: string): Promise<Diagnostic[]> {
  const marks = findMarks(readFileSync(join(root, file), "utf8"));
  const conflict = {
    file,
    why: "it still has the marks of a merge conflict",
    hint: "Choose between the two sides there, and remove the lines of marks.",
  };
  if (marks.length > 0)
    return [diagnose("FW827", conflict, ...marks.map((line) => ({ file, line, column: 1 })))];
  if (!file.endsWith(".js")) return [];
  const mistake = await findSyntaxError(join(root, file));
  if (mistake === undefined) return [];
  const { why, line, column } = mistake;
  const hint = `Correct it there. ${restore(file)}`;
  return [diagnose("FW827", { file, why: `it is not JavaScript: ${why}`, hint }, { file, line, column })];
}

function restore(file: string): string {
  return `Restore it: git checkout HEAD -- ${file}`;
}
