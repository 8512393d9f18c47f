/** Tells when a project's files change. */

import { type FSWatcher, watch } from "node:fs";
import { sep } from "node:path";

/** Folders whose files are no source of the project. */
const IGNORED = new Set(["node_modules", "dist", ".git"]);

/** Editors write a file in several steps; what comes within this many milliseconds is one change. */
const QUIET_MS = 15;

/**
 * @param onChange is called once for each burst of changes, with the files relative to the root.
 * @returns the watcher, to be closed.
 */
export function watchProject(root: string, onChange: (files: readonly string[]) => void): FSWatcher {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  return watch(root, { recursive: true }, (_event, file) => {
    if (file === null || file.split(sep).some((part) => IGNORED.has(part))) return;
    changed.add(file.split(sep).join("/"));
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...changed];
      changed.clear();
      onChange(files);
    }, QUIET_MS);
  });
}
