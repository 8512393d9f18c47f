/** Watches single paths anywhere: what comes, goes or changes there, even if a folder above is replaced. */

import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

export interface PathWatch {
  /** Watches a path, whether something is there or not. Adding it again does nothing. */
  add(path: string): void;
  close(): void;
}

export interface PathWatchEvents {
  /** Something may have changed at this path, which was added. */
  onEvent(path: string): void;
  onBlind(folder: string, error: NodeJS.ErrnoException): void;
}

interface Folder {
  readonly names: Set<string>;
  watcher: FSWatcher | undefined;
}

/** @param root watching ends at the folders above it, because nobody replaces those while the project is served. */
export function createPathWatch(root: string, { onEvent, onBlind }: PathWatchEvents): PathWatch {
  const folders = new Map<string, Folder>();
  const added = new Set<string>();
  return {
    add(path) {
      added.add(path);
      watchName(path);
    },
    close() {
      for (const { watcher } of folders.values()) watcher?.close();
    },
  };

  function watchName(path: string): void {
    const place = dirname(path);
    const folder = folders.get(place);
    if (folder) folder.names.add(basename(path));
    else {
      folders.set(place, { names: new Set([basename(path)]), watcher: open(place) });
      if (!`${root}${sep}`.startsWith(place.endsWith(sep) ? place : place + sep)) watchName(place);
    }
  }

  function open(place: string): FSWatcher | undefined {
    try {
      return watch(place, (_event, name) => inspect(place, name)).on("error", () => {});
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The watcher of the folder above reports when this one is there.
      if (code !== "ENOENT" && code !== "ENOTDIR") onBlind(place, error as NodeJS.ErrnoException);
      return undefined;
    }
  }

  /** @param changed the name in the folder; undefined or null if it can be any. */
  function inspect(place: string, changed?: string | null): void {
    for (const name of folders.get(place)?.names ?? []) {
      if (changed && changed !== name) continue;
      const path = join(place, name);
      if (added.has(path)) onEvent(path);
      reopen(path);
    }
  }

  /** Another folder may be at this path now. */
  function reopen(place: string): void {
    const folder = folders.get(place);
    if (folder === undefined) return;
    folder.watcher?.close();
    folder.watcher = open(place);
    inspect(place);
  }
}
