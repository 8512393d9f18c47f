/** The files that a program may be made of, as they are on the disk at one moment. */

import { type Dirent, readdirSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isIgnored, isSource } from "../load/sources.ts";

/** Which files count. Paths are absolute. */
export interface Scope {
  readonly root: string;
  /** Folders directly in the project that have source. What is in others may be served, or written by the program. */
  readonly folders: ReadonlySet<string>;
  /** Single files, whether they exist or not. */
  readonly files: ReadonlySet<string>;
  /** As in `web/*.html`, relative to the root. */
  readonly patterns: readonly string[];
  /** The client that `framework dev` itself writes. It counts only if the program imports it. */
  readonly output: string | undefined;
}

export interface Stamp {
  /** Another one if the file was written, unless it was written twice within one tick of the file system's clock. */
  readonly text: string;
  /** The file may be written again within the same tick. */
  readonly isYoung: boolean;
}

export interface Folder {
  /** Another folder at the same path has another one, although file systems use the numbers of files again. */
  readonly identity: string;
  /** What matters in it. */
  readonly names: Set<string>;
  /** Source in it matters, too. */
  isWhole: boolean;
}

export interface Tree {
  readonly files: ReadonlyMap<string, Stamp>;
  /** Where changes show, by paths without links. */
  readonly folders: ReadonlyMap<string, Folder>;
}

/** A tick of most file systems is shorter. */
const YOUNG_MS = 30;
/** The most links that Linux follows in one path. */
const MOST_HOPS = 40;

export function readTree(scope: Scope): Tree {
  const files = new Map<string, Stamp>();
  const folders = new Map<string, Folder>();
  walk(scope.root);
  watchPath(scope.root);
  for (const path of scope.files) {
    stamp(path);
    watchPath(path);
  }
  return { files, folders };

  function walk(folder: string): void {
    const place = attempt(() => realpathSync(folder));
    const whole = place === undefined ? undefined : addFolder(place);
    // A link may lead back to where the walk has been.
    if (whole === undefined || whole.isWhole) return;
    whole.isWhole = true;
    const entries: Dirent[] = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) watchTarget(path);
      if (isInScope(scope, path)) stamp(path);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && statOf(path)?.isDirectory());
      if (isFolder && mayHold(scope, path)) walk(path);
    }
  }

  function stamp(path: string): void {
    const found = statOf(path);
    if (found === undefined) return;
    const { ino, mode, size, mtimeMs } = found;
    files.set(path, { text: `${ino} ${mode} ${size} ${mtimeMs}`, isYoung: Date.now() - mtimeMs < YOUNG_MS });
  }

  /** Each folder above may be replaced by another one, except those that the project is in: nobody replaces these meanwhile. */
  function watchPath(path: string): void {
    for (let at = path; ; at = dirname(at)) {
      const above = dirname(at);
      addFolder(above)?.names.add(basename(at));
      if (above === at || isBelow(above, scope.root)) return;
    }
  }

  /** The target may be another link, and what it names may come only later. */
  function watchTarget(link: string, hops = 0): void {
    const target = attempt(() => resolve(realpathSync(dirname(link)), readlinkSync(link)));
    if (target === undefined || hops === MOST_HOPS) return;
    watchPath(target);
    watchTarget(target, hops + 1);
  }

  /** @returns undefined if it is not there. */
  function addFolder(path: string): Folder | undefined {
    const known = folders.get(path);
    const found = known ? undefined : statOf(path);
    if (found === undefined) return known;
    const added = { identity: `${found.ino} ${found.birthtimeMs}`, names: new Set<string>(), isWhole: false };
    folders.set(path, added);
    return added;
  }
}

/** True if a change of the file reloads the project. */
export function isInScope({ root, folders, files, patterns, output }: Scope, path: string): boolean {
  if (files.has(path)) return true;
  if (path === output) return false;
  const names = relative(root, path).split(sep);
  const [top = ""] = names;
  const name = names.pop() ?? "";
  if (names.some(isIgnored)) return false;
  if (isSource(name) && (names.length === 0 || folders.has(top))) return true;
  return patterns.some((pattern) => toExpression(pattern).test([...names, name].join("/")));
}

/** True if files in the folder may be in the scope. */
function mayHold({ root, folders, patterns }: Scope, path: string): boolean {
  const [top = "", ...more] = relative(root, path).split(sep);
  if (isIgnored(more.at(-1) ?? top)) return false;
  if (folders.has(top)) return true;
  return patterns.some((pattern) => toExpression(pattern.split("/")[0] ?? "").test(top));
}

/** `*` is any part of a name, and `**` any number of folders. */
function toExpression(pattern: string): RegExp {
  const text = pattern
    .replace(/[\\^$.|?+()[\]{}]/g, "\\$&")
    .replace(/\*\*\/?|\*/g, (stars) => (stars === "*" ? "[^/]*" : ".*"));
  return new RegExp(`^${text}$`);
}

/** @returns whether the folder is one of those above the path, or the path itself. */
export function isBelow(folder: string, path: string): boolean {
  return `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** @returns undefined if nothing is there. */
export function statOf(path: string): Stats | undefined {
  return attempt(() => statSync(path));
}

/** @returns undefined where the file system refuses: files come and go meanwhile. */
export function attempt<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
