/** Tells when a file changes that what is served may depend on. */

import {
  type Dirent,
  type FSWatcher,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  watch,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isIgnored, isSource } from "../load/sources.ts";
import { createPathWatch } from "./path-watch.ts";

/** Editors write a file in several steps; what comes within this many milliseconds is one change. */
const QUIET_MS = 15;
/** Where they never end, this much is one change. */
const LONGEST_BURST_MS = 200;

/** Elsewhere Node watches folder by folder, and loses sight of a file that an editor replaces by renaming. */
const HAS_RECURSIVE_WATCH = process.platform === "darwin" || process.platform === "win32";

export interface ProjectWatcher {
  /** From here on this file counts, which a module imports, whether it is there or not. @param path without links. */
  follow(path: string): void;
  close(): void;
}

export interface WatchEvents {
  /** Something has changed; more may be on its way. */
  onNotice(): void;
  /** Once for each burst of changes, with the files, relative to the root with forward slashes. */
  onChange(files: readonly string[]): void;
  /** A folder can't be watched. */
  onBlind(folder: string, error: NodeJS.ErrnoException): void;
}

export function watchProject(root: string, { onNotice, onChange, onBlind }: WatchEvents): ProjectWatcher {
  /** By the path in the project. */
  const watchers = new Map<string, FSWatcher>();
  /** The same of folders, by the place that is left when all links are followed: a link may lead back to one of them. */
  const places = new Map<string, string>();
  const imported = new Set<string>();
  /** The links by where they lead to, outside of the project. */
  const links = new Map<string, Set<string>>();
  const paths = createPathWatch(root, {
    onEvent: inspectPlace,
    onBlind: (folder, error) => onBlind(toProjectPath(folder), error),
  });
  const changed = new Set<string>();
  /** What was in each file that has changed before. */
  const contents = new Map<string, Buffer | undefined>();
  let timer: NodeJS.Timeout | undefined;
  let began = 0;
  let isClosed = false;
  watchTree(root);
  return {
    follow,
    close() {
      isClosed = true;
      clearTimeout(timer);
      paths.close();
      for (const watcher of watchers.values()) watcher.close();
    },
  };

  /** Links come last: what they lead to may be in the project itself, and is then watched where it stands. */
  function watchTree(folder: string): void {
    for (const link of watchFolder(folder)) followLink(link);
  }

  /** @returns the links in it and below. */
  function watchFolder(folder: string): string[] {
    const place = placeOf(folder);
    if (place === undefined || places.has(place)) return [];
    places.set(place, folder);
    keep(folder, folder, (name) => (name === null ? report(folder) : inspect(join(folder, name))));
    if (HAS_RECURSIVE_WATCH) return [];
    return readFolder(folder).flatMap((entry) => {
      if (isIgnored(entry.name)) return [];
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) return [path];
      return entry.isDirectory() ? watchFolder(path) : [];
    });
  }

  /** What is watched where it stands needs no other watch. */
  function followLink(link: string): void {
    for (const hop of hopsFrom(link)) {
      if (isInTree(hop)) continue;
      const leading = links.get(hop) ?? new Set();
      links.set(hop, leading.add(link));
      paths.add(hop);
    }
    if (isDirectory(link)) watchTree(link);
  }

  function follow(path: string): void {
    if (imported.has(path)) return;
    imported.add(path);
    if (!isInTree(path)) paths.add(path);
  }

  function isInTree(path: string): boolean {
    if (!HAS_RECURSIVE_WATCH) return places.has(dirname(path));
    return isBelowRoot(path) && !relative(root, dirname(path)).split(sep).some(isIgnored);
  }

  function isBelowRoot(path: string): boolean {
    return `${path}${sep}`.startsWith(root + sep);
  }

  function inspectPlace(path: string): void {
    for (const link of links.get(path) ?? []) inspect(link);
    if (imported.has(path)) compare(path);
  }

  function keep(path: string, folder: string, onEvent: (name: string | null) => void): void {
    try {
      const watcher = watch(folder, { recursive: HAS_RECURSIVE_WATCH }, (_event, name) => onEvent(name));
      watcher.on("error", () => forget(path));
      watchers.set(path, watcher);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT") onBlind(toProjectPath(folder), error as NodeJS.ErrnoException);
    }
  }

  /** Something came, went or changed at this path: a file, a link, or a folder with all that is in it. */
  function inspect(path: string): void {
    const parts = relative(root, path).split(sep);
    if (parts.slice(0, -1).some(isIgnored)) return;
    for (const file of contents.keys()) if (file.startsWith(path + sep)) contents.delete(file);
    const wasFolder = isWatchedFolder(path);
    if (watchers.has(path)) forget(path);
    const entry = HAS_RECURSIVE_WATCH ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (entry?.isSymbolicLink()) followLink(path);
    else if (entry?.isDirectory() && !isIgnored(basename(path))) watchTree(path);
    if (wasFolder || isWatchedFolder(path)) report(path);
    else if (counts(path)) compare(path);
  }

  /** A project may write its own sources whenever it is loaded: only what differs is a change. */
  function compare(path: string): void {
    const before = contents.get(path);
    const content = readContent(path);
    if (contents.has(path) && isSame(before, content)) return;
    if (before?.length && content?.length === 0) {
      // It may be half-way through being written again.
      setTimeout(() => compareEmpty(path), QUIET_MS);
      return;
    }
    contents.set(path, content);
    report(path);
  }

  function compareEmpty(path: string): void {
    if (isClosed) return;
    if (readContent(path)?.length === 0) contents.delete(path);
    compare(path);
  }

  function isWatchedFolder(path: string): boolean {
    return watchers.has(path) && [...places.values()].includes(path);
  }

  function counts(path: string): boolean {
    if (isSource(basename(path))) return true;
    return imported.has(join(placeOf(dirname(path)) ?? dirname(path), basename(path)));
  }

  /** With all that is in it. */
  function forget(gone: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== gone && !path.startsWith(gone + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
    for (const [place, path] of places) if (!watchers.has(path)) places.delete(place);
  }

  function report(path: string): void {
    if (changed.size === 0) began = performance.now();
    changed.add(toProjectPath(path));
    onNotice();
    clearTimeout(timer);
    const wait = Math.min(QUIET_MS, Math.max(0, began + LONGEST_BURST_MS - performance.now()));
    timer = setTimeout(() => {
      const files = [...changed];
      changed.clear();
      onChange(files);
    }, wait);
  }

  function toProjectPath(path: string): string {
    return relative(root, path).split(sep).join("/") || ".";
  }
}

/** @returns undefined where there is no file. */
function readContent(path: string): Buffer | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** So many links may follow each other, as for the system. */
const MOST_HOPS = 40;

/** @returns where the link leads to, which may be a link, too, and so on. */
function hopsFrom(link: string): string[] {
  const hops: string[] = [];
  for (let at: string | undefined = link; hops.length < MOST_HOPS; ) {
    at = targetOf(at);
    if (at === undefined) break;
    hops.push(at);
  }
  return hops;
}

/** @returns undefined where there is no link. */
function targetOf(link: string): string | undefined {
  try {
    const folder = dirname(link);
    return resolve(placeOf(folder) ?? folder, readlinkSync(link));
  } catch {
    return undefined;
  }
}

/** @returns undefined where nothing is there any more. */
function placeOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A folder that went away meanwhile has nothing to watch. */
function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
