/** Watches all files that the served project may depend on, and reports their changes. */

import { type Dirent, type FSWatcher, lstatSync, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isIgnored, isSource } from "../load/sources.ts";
import { createBurst } from "./burst.ts";
import { createContents } from "./contents.ts";
import { findPlace, listHops } from "./links.ts";
import { createPathWatch } from "./path-watch.ts";

/** Elsewhere Node watches folder by folder, and loses a file that an editor replaces by renaming. */
const HAS_RECURSIVE_WATCH = process.platform === "darwin" || process.platform === "win32";

export interface ProjectWatcher {
  /** Watches this file too, whether it exists or not, because a module imports it. @param path without links. */
  follow(path: string): void;
  close(): void;
}

export interface WatchEvents {
  /** Something has changed, and more may follow. */
  onNotice(): void;
  /** Called once for each burst of changes. @param files relative to the root, with forward slashes. */
  onChange(files: readonly string[]): void;
  /** A folder can't be watched. */
  onBlind(folder: string, error: NodeJS.ErrnoException): void;
}

export function watchProject(root: string, { onNotice, onChange, onBlind }: WatchEvents): ProjectWatcher {
  /** By the folder's path in the project. */
  const watchers = new Map<string, FSWatcher>();
  /** The same paths by the folder's path without links: a link may lead back to one of them. */
  const places = new Map<string, string>();
  const imported = new Set<string>();
  /** The links by what they lead to, outside of the project. */
  const links = new Map<string, Set<string>>();
  const paths = createPathWatch(root, {
    onEvent: inspectPlace,
    onBlind: (folder, error) => onBlind(toProjectPath(folder), error),
  });
  const contents = createContents(report);
  const burst = createBurst(onChange);
  watchTree(root);
  paths.add(root);
  return {
    follow,
    close() {
      burst.close();
      contents.close();
      paths.close();
      for (const watcher of watchers.values()) watcher.close();
    },
  };

  /** Follows the links last: a target in the project itself is watched by then. */
  function watchTree(folder: string): void {
    for (const link of watchFolder(folder)) followLink(link);
  }

  /** @returns the links in the folder and below. */
  function watchFolder(folder: string): string[] {
    const place = findPlace(folder);
    if (place === undefined || places.has(place)) return [];
    places.set(place, folder);
    open(folder);
    if (HAS_RECURSIVE_WATCH) return [];
    return readFolder(folder).flatMap((entry) => {
      if (isIgnored(entry.name)) return [];
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) return [path];
      return entry.isDirectory() ? watchFolder(path) : [];
    });
  }

  function open(folder: string): void {
    try {
      const watcher = watch(folder, { recursive: HAS_RECURSIVE_WATCH }, (_event, name) =>
        name === null ? report(folder) : inspect(join(folder, name)),
      );
      watcher.on("error", () => forget(folder));
      watchers.set(folder, watcher);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT") onBlind(toProjectPath(folder), error as NodeJS.ErrnoException);
    }
  }

  function followLink(link: string): void {
    for (const hop of listHops(link)) {
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
    const isBelowRoot = path.startsWith(root + sep);
    return isBelowRoot && !relative(root, dirname(path)).split(sep).some(isIgnored);
  }

  function inspectPlace(path: string): void {
    if (path === root) replaceRoot();
    for (const link of links.get(path) ?? []) inspect(link);
    if (imported.has(path)) contents.compare(path);
  }

  /** The project's folder is gone, or another one is in its place. */
  function replaceRoot(): void {
    forget(root);
    watchTree(root);
    report(root);
  }

  /** Something came, went or changed at this path: a file, a link, or a folder with all that is in it. */
  function inspect(path: string): void {
    const parts = relative(root, path).split(sep);
    if (parts.slice(0, -1).some(isIgnored)) return;
    contents.forget(path);
    const wasFolder = watchers.has(path);
    if (wasFolder) forget(path);
    const entry = HAS_RECURSIVE_WATCH ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (entry?.isSymbolicLink()) followLink(path);
    else if (entry?.isDirectory() && !isIgnored(basename(path))) watchTree(path);
    if (wasFolder || (watchers.has(path) && hasSource(path))) report(path);
    else if (counts(path)) contents.compare(path);
  }

  function counts(path: string): boolean {
    if (isSource(basename(path))) return true;
    return imported.has(join(findPlace(dirname(path)) ?? dirname(path), basename(path)));
  }

  /** Closes the watchers of a folder and of all below it. */
  function forget(gone: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== gone && !path.startsWith(gone + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
    for (const [place, path] of places) if (!watchers.has(path)) places.delete(place);
  }

  function report(path: string): void {
    onNotice();
    burst.add(toProjectPath(path));
  }

  function toProjectPath(path: string): string {
    return relative(root, path).split(sep).join("/") || ".";
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A folder without any is one that the project makes for its data. */
function hasSource(folder: string): boolean {
  return readFolder(folder).some((entry) => {
    if (isIgnored(entry.name)) return false;
    if (entry.isDirectory()) return hasSource(join(folder, entry.name));
    return entry.isSymbolicLink() || isSource(entry.name);
  });
}

/** @returns nothing if the folder is gone. */
function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
