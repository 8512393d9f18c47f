/** Tells when a project's files change. */

import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, join, relative, sep } from "node:path";

/** Folders whose files are no source of the project. */
const IGNORED = new Set(["node_modules", "dist", ".git"]);

/** What a project is made of: a data file that the app itself writes must not reload it. */
const SOURCE = /\.(?:[cm]?[jt]s|json|toml)$|^\.env/;

/** Editors write a file in several steps; what comes within this many milliseconds is one change. */
const QUIET_MS = 15;

/** Elsewhere Node watches folder by folder, and loses sight of a file that an editor replaces by renaming. */
const HAS_RECURSIVE_WATCH = process.platform === "darwin" || process.platform === "win32";

export interface ProjectWatcher {
  close(): void;
}

/** @param onChange is called once for each burst of changes, with the files, relative to the root with forward slashes. */
export function watchProject(root: string, onChange: (files: readonly string[]) => void): ProjectWatcher {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  watchFolder(root);
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };

  function watchFolder(folder: string): void {
    const watcher = watch(folder, { recursive: HAS_RECURSIVE_WATCH }, (_event, name) => {
      if (name !== null) inspect(join(folder, name));
    });
    watcher.on("error", () => forget(folder));
    watchers.set(folder, watcher);
    if (HAS_RECURSIVE_WATCH) return;
    for (const entry of readFolder(folder)) {
      if (entry.isDirectory() && !IGNORED.has(entry.name)) watchFolder(join(folder, entry.name));
    }
  }

  /** Something came, went or changed at this path: a file, or a folder with all that is in it. */
  function inspect(path: string): void {
    if (
      relative(root, path)
        .split(sep)
        .some((part) => IGNORED.has(part))
    )
      return;
    const wasFolder = watchers.has(path);
    if (wasFolder) forget(path);
    const isFolder = !HAS_RECURSIVE_WATCH && isDirectory(path);
    if (isFolder) watchFolder(path);
    if (wasFolder || isFolder || SOURCE.test(basename(path))) report(path);
  }

  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  function report(path: string): void {
    changed.add(relative(root, path).split(sep).join("/"));
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...changed];
      changed.clear();
      onChange(files);
    }, QUIET_MS);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A folder that went away meanwhile has nothing to watch. */
function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
