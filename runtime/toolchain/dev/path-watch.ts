/** Watches single paths, wherever they are: files and folders that come, go and change, also where a folder above them is replaced. */

import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

export interface PathWatch {
  /** Whether there is something at it or not. Asked twice, it does nothing. */
  add(path: string): void;
  close(): void;
}

export interface PathWatchEvents {
  /** Something may be another than before at this path, which was added. */
  onEvent(path: string): void;
  onBlind(folder: string, error: NodeJS.ErrnoException): void;
}

interface Folder {
  readonly names: Set<string>;
  watcher: FSWatcher | undefined;
}

/** @param root nobody replaces the folders above it while it is served: up to one of these a path is watched. */
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
      return watch(place, (_event, name) => notice(place, name)).on("error", () => {});
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Once it is there, the folder above it tells.
      if (code !== "ENOENT" && code !== "ENOTDIR") onBlind(place, error as NodeJS.ErrnoException);
      return undefined;
    }
  }

  /** @param changed undefined or null where it can be any. */
  function notice(place: string, changed?: string | null): void {
    for (const name of folders.get(place)?.names ?? []) {
      if (changed && changed !== name) continue;
      const path = join(place, name);
      if (added.has(path)) onEvent(path);
      renew(path);
    }
  }

  /** What was watched may be another folder now. */
  function renew(place: string): void {
    const folder = folders.get(place);
    if (folder === undefined) return;
    folder.watcher?.close();
    folder.watcher = open(place);
    notice(place);
  }
}
