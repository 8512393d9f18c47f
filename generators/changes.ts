/** What a generator means to do to the project's files: shown as a diff, or applied, all of it or nothing. */

import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Diagnostic } from "#runtime/convention/diagnostics";
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "#runtime/deps/diff";
import { refuse } from "./diagnostics.ts";

/** A planned creation or edit of one file. */
export interface Change {
  /** Relative to the project root, with forward slashes. */
  readonly file: string;
  /** What was on disk when the plan was made; null for a file that was not there. */
  readonly before: string | null;
  readonly after: string;
}

/** A change whose new text lies beside its file, complete and on disk, waiting to be renamed. */
interface Staged {
  readonly change: Change;
  readonly target: string;
  readonly temporary: string;
  /** What puts an edited file back, made beforehand so that putting back needs no room on the disk; null for a new file. */
  readonly backup: string | null;
}

/**
 * The changes as a unified diff, as `git apply` and `patch -p1` read it. The texts in it are the user's, raw.
 *
 * @returns "" where nothing changes.
 */
export function formatDiff(changes: readonly Change[]): string {
  return changes
    .filter(({ before, after }) => before !== after)
    .map(({ file, before, after }) => {
      const from = before === null ? "/dev/null" : `a/${file}`;
      const patch = structuredPatch(from, `b/${file}`, before ?? "", after, undefined, undefined, {
        context: 3,
      });
      return formatPatch(patch, FILE_HEADERS_ONLY).replace(/\n\n$/, "\n");
    })
    .join("");
}

/**
 * Writes the changes, in their order. Each file is written whole beside its place, brought to disk, and renamed, so that no
 * reader ever sees half of one; the first rename happens when every file is ready, and a failed one is followed by putting
 * back those before it.
 *
 * @param root absolute.
 * @returns undefined when all is done; else why nothing was: a file that is no longer as it was planned on, one that can't
 * be written, or one that a symbolic link leads out of the project.
 */
export function applyChanges(root: string, changes: readonly Change[]): Diagnostic | undefined {
  const folders: string[] = [];
  const staged: Staged[] = [];
  for (const change of changes.filter(({ before, after }) => before !== after)) {
    const problem = stage(root, change, staged, folders);
    if (problem !== undefined) return discard(staged, folders, problem);
  }
  for (const one of staged) {
    const problem = checkUnchanged(one);
    if (problem !== undefined) return discard(staged, folders, problem);
  }
  return commit(staged, folders);
}

function stage(root: string, change: Change, staged: Staged[], folders: string[]): Diagnostic | undefined {
  const { file } = change;
  try {
    const target = realTarget(root, file);
    if (target === undefined) return refuse("FW623", { file });
    if (!isAsPlanned(target, change)) return refuse("FW621", { file });
    createFolders(dirname(target), folders);
    const beside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`);
    const one = {
      change,
      target,
      temporary: `${beside}.tmp`,
      backup: change.before === null ? null : `${beside}.old`,
    };
    staged.push(one);
    const mode = one.backup === null ? 0o666 : statSync(target).mode & 0o7777;
    writeDurably(one.temporary, change.after);
    if (one.backup === null) return undefined;
    chmodSync(one.temporary, mode);
    keep(one.target, one.backup, mode);
    return undefined;
  } catch (error) {
    return refuse("FW622", { file, why: explain(error) });
  }
}

/** Asked again when all is staged, since the first look may be a while ago by then. */
function checkUnchanged({ change, target }: Staged): Diagnostic | undefined {
  const { file } = change;
  try {
    return isAsPlanned(target, change) ? undefined : refuse("FW621", { file });
  } catch (error) {
    return refuse("FW622", { file, why: explain(error) });
  }
}

/** Where a file really lies: behind links inside the project; undefined if one leads out of it. */
function realTarget(root: string, file: string): string | undefined {
  if (isAbsolute(file) || file.split(/[/\\]/).includes("..")) return undefined;
  const path = resolve(root, file);
  const realRoot = realpathSync(root);
  const missing: string[] = [];
  let existing = path;
  while (!isThere(existing)) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  const real = join(realpathSync(existing), ...missing);
  const inside = relative(realRoot, real);
  return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : real;
}

/** A link counts as there even if it leads nowhere: then nothing is made at its far end. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isAsPlanned(target: string, { before }: Change): boolean {
  try {
    const bytes = readFileSync(target);
    return before !== null && bytes.equals(Buffer.from(before, "utf8"));
  } catch (error) {
    if (isMissing(error)) return before === null;
    throw error;
  }
}

function createFolders(folder: string, created: string[]): void {
  if (isThere(folder)) return;
  createFolders(dirname(folder), created);
  mkdirSync(folder);
  created.push(folder);
}

/** `wx`: a name that somebody else took meanwhile, even by a link, is an error and not overwritten. */
function writeDurably(path: string, text: string): void {
  const file = openSync(path, "wx", 0o666);
  try {
    writeFileSync(file, text, "utf8");
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function commit(staged: readonly Staged[], folders: readonly string[]): Diagnostic | undefined {
  const done: Staged[] = [];
  for (const one of staged) {
    try {
      renameSync(one.temporary, one.target);
      done.push(one);
    } catch (error) {
      const why = explain(error);
      const { file } = one.change;
      const stuck = done.filter((earlier) => !putBack(earlier));
      if (stuck.length === 0) return discard(staged, folders, refuse("FW622", { file, why }));
      // Their backups stay: they are all that is left of the old texts.
      const others = staged.filter((other) => !stuck.includes(other));
      return discard(others, folders, refuse("FW624", { file, why, left: stuck.map(describeStuck) }));
    }
  }
  for (const { backup } of staged) if (backup !== null) attempt(() => unlinkSync(backup));
  for (const folder of new Set(staged.map(({ target }) => dirname(target)))) syncFolder(folder);
  return undefined;
}

function describeStuck({ change, backup }: Staged): string {
  return backup === null ? change.file : `${change.file} (its old text is in ${basename(backup)} beside it)`;
}

/** A second name for the file as it is; where a file system has no links (some network and memory card ones), a copy. */
function keep(target: string, backup: string, mode: number): void {
  try {
    linkSync(target, backup);
  } catch {
    writeDurably(backup, readFileSync(target, "utf8"));
    chmodSync(backup, mode);
  }
}

/** @returns whether the file is again as it was. */
function putBack({ target, backup }: Staged): boolean {
  return attempt(() => (backup === null ? unlinkSync(target) : renameSync(backup, target)));
}

/** Removes what staging left: the temporary files and backups, and the folders that were made for them and are empty. */
function discard(staged: readonly Staged[], folders: readonly string[], problem: Diagnostic): Diagnostic {
  for (const { temporary, backup } of staged) {
    for (const path of [temporary, backup]) if (path !== null) attempt(() => unlinkSync(path));
  }
  for (const folder of folders.toReversed()) attempt(() => rmdirSync(folder));
  return problem;
}

/** A rename is on disk when its folder is; where folders can't be opened (Windows) the system sees to it. */
function syncFolder(folder: string): void {
  attempt(() => {
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

/** For clearing up, where a failure must not hide the first one. @returns whether it was done. */
function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EIO", "the disk reports an error"],
  ["EISDIR", "a folder has its name"],
  ["ENOTDIR", "a file has the name of its folder"],
  ["EEXIST", "a file has the name of its folder"],
  ["ENOENT", "a symbolic link leads to nothing"],
  ["ELOOP", "a symbolic link leads in a circle"],
  ["ENAMETOOLONG", "its name is too long"],
]);

/** In words where they are known; what else goes wrong is not expected, and its stack should be seen. */
function explain(error: unknown): string {
  const reason = REASONS.get(codeOf(error));
  if (reason !== undefined) return reason;
  if (codeOf(error) === undefined) throw error;
  return error instanceof Error ? error.message : String(error);
}
