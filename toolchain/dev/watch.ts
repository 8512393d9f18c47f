/** Watches the files that the served project may be made of, and reports which have changed. */

import { type FSWatcher, lstatSync, readFileSync, watch } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { isIgnored, isSource } from "../load/sources.ts";
import { isBelow, isInScope, mayHold, readTree, type Scope, type Stamp, statOf, type Tree } from "./tree.ts";

/** Elsewhere Node watches folder by folder, and loses a file that an editor replaces by renaming. */
const HAS_RECURSIVE_WATCH = process.platform === "darwin" || process.platform === "win32";

/** Editors write a file in several steps. A burst of changes ends when none has come for so many milliseconds. */
const QUIET_MS = 15;
/** A burst that would never end is cut off. */
const LONGEST_BURST_MS = 200;

/** Without events, the pause before the files are looked at again is so long, or a few times as long as looking takes. */
const POLL_MS = 200;
const POLL_SHARE = 4;

/** Where the convention finds source. The folders of what modules import are added. */
const SOURCE_FOLDERS = ["apps", "routes", "vendor"];

export interface ProjectWatcher {
  /** Looks at once for what has changed so far. */
  check(): void;
  /** Watches these files too, whether they exist or not, because the program is made of them. Paths are absolute and without links. */
  follow(paths: readonly string[]): void;
  /** Watches these files, too. @param patterns as in {@link Scope}. */
  followPatterns(patterns: readonly string[]): void;
  close(): void;
}

export interface WatchOptions {
  /** Source in every folder counts. Otherwise only in those that the program has modules of. */
  readonly everywhere?: boolean;
  /** The file system sends no events. */
  readonly polls?: boolean;
  /** Something has changed, and more may follow. */
  readonly onNotice: () => void;
  /** Called once for each burst of changes. @param files relative to the root, with forward slashes. */
  readonly onChange: (files: readonly string[]) => void;
  /** A folder can't be watched. */
  readonly onBlind: (folder: string, error: NodeJS.ErrnoException) => void;
}

/** A file as it was seen last. */
interface Seen extends Stamp {
  /** Missing as long as the file has not changed. A program may write its own sources, and only another text is a change. */
  readonly content: Buffer | undefined;
}

interface Watched {
  readonly identity: string;
  readonly watcher: FSWatcher;
}

export function watchProject(root: string, options: WatchOptions): ProjectWatcher {
  const folders = options.everywhere ? undefined : new Set(SOURCE_FOLDERS);
  let scope: Scope = { root, folders, files: new Set(), patterns: [] };
  let tree: Tree = { files: new Map(), folders: new Map() };
  const seen = new Map<string, Seen>();
  const watched = new Map<string, Watched>();
  const blind = new Set<string>();
  /** Somebody may have cut these files off to write them again. */
  const cut = new Set<string>();
  const burst = createBurst(options.onChange);
  let isDirty = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  look(() => false);
  if (options.polls) timer = setTimeout(poll, POLL_MS);
  return {
    check,
    follow,
    followPatterns(patterns) {
      if (patterns.join() !== scope.patterns.join()) extend({ ...scope, patterns });
    },
    close() {
      isClosed = true;
      isDirty = false;
      clearTimeout(timer);
      burst.close();
      for (const { watcher } of watched.values()) watcher.close();
    },
  };

  /** Called for each event. */
  function suspect(): void {
    if (isClosed) return;
    if (!isDirty) setImmediate(check);
    isDirty = true;
  }

  function check(): void {
    if (isDirty) look(() => true);
  }

  function poll(): void {
    const began = performance.now();
    look(() => true);
    timer = setTimeout(poll, Math.max(POLL_MS, POLL_SHARE * (performance.now() - began)));
  }

  /** @param counts tells whether a file that comes or goes is a change. */
  function look(counts: (path: string) => boolean): void {
    isDirty = false;
    tree = readTree(scope);
    const gone = [...seen.keys()].filter((path) => !tree.files.has(path));
    for (const path of gone) seen.delete(path);
    const other = [...tree.files].filter(([path, stamp]) => (seen.has(path) ? isOther : isNew)(path, stamp));
    if (!options.polls) watchFolders();
    const changed = [...gone, ...other.map(([path]) => path)].filter(counts);
    if (changed.length === 0) return;
    options.onNotice();
    burst.add(changed.map(toProjectPath));
  }

  function isNew(path: string, stamp: Stamp): true {
    seen.set(path, { ...stamp, content: stamp.isYoung ? readContent(path) : undefined });
    return true;
  }

  function isOther(path: string, stamp: Stamp): boolean {
    const before = seen.get(path);
    if (before?.text === stamp.text && !before.isYoung) return false;
    const content = readContent(path);
    const hasWaited = cut.delete(path);
    if (before?.size && content?.length === 0 && !hasWaited) {
      cut.add(path);
      setTimeout(suspect, QUIET_MS);
      return false;
    }
    seen.set(path, { ...stamp, content });
    return before?.content === undefined ? before?.text !== stamp.text : !content?.equals(before.content);
  }

  function follow(paths: readonly string[]): void {
    const others = paths.filter((path) => !isInScope(scope, path));
    if (others.length === 0) return;
    const [files, folders] = [new Set(scope.files), new Set(scope.folders)];
    for (const path of others) {
      const top = sourceFolderOf(root, path);
      if (top === undefined) files.add(path);
      else folders.add(top);
    }
    extend({ ...scope, files, folders: scope.folders && folders });
  }

  /** What was not in the scope before has not changed by coming into it. */
  function extend(next: Scope): void {
    const before = scope;
    scope = next;
    look((path) => isInScope(before, path));
  }

  function watchFolders(): void {
    for (const [path, { identity, watcher }] of watched) {
      if (tree.folders.get(path)?.identity === identity) continue;
      watcher.close();
      watched.delete(path);
    }
    for (const [path, { identity }] of tree.folders) {
      const isInRoot = HAS_RECURSIVE_WATCH && path !== root && isBelow(root, path);
      if (!watched.has(path) && !blind.has(path) && !isInRoot) open(path, identity);
    }
  }

  function open(folder: string, identity: string): void {
    try {
      const recursive = HAS_RECURSIVE_WATCH && folder === root;
      const watcher = watch(folder, { recursive }, (_event, name) => {
        if (name === null || matters(folder, name)) suspect();
      });
      watcher.on("error", () => {
        watched.delete(folder);
        suspect();
      });
      watched.set(folder, { identity, watcher });
      // Something may have come into the folder since it was read.
      suspect();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      blind.add(folder);
      options.onBlind(toProjectPath(folder), error as NodeJS.ErrnoException);
    }
  }

  /** False for what a program writes all the time, such as a log. */
  function matters(folder: string, name: string): boolean {
    const known = tree.folders.get(folder);
    if (known?.names.has(name)) return true;
    if (!known?.isWhole) return false;
    const path = join(folder, name);
    if (isInScope(scope, path) || isSource(basename(name)) || watched.has(path)) return true;
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined || found.isSymbolicLink() || (found.isDirectory() && mayHold(scope, path));
  }

  function toProjectPath(path: string): string {
    return relative(root, path).split(sep).join("/") || ".";
  }
}

/** @returns the folder directly in the project that the source is in; undefined for other files, and outside of such folders. */
function sourceFolderOf(root: string, path: string): string | undefined {
  const names = relative(root, path).split(sep);
  const name = names.pop() ?? "";
  const [top] = names;
  return top === ".." || names.some(isIgnored) || !isSource(name) ? undefined : top;
}

/** @returns undefined if it can't be read, or is not a file: to read a pipe is to wait. */
function readContent(path: string): Buffer | undefined {
  try {
    return statOf(path)?.isFile() ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Collects what follows closely upon each other into one. */
function createBurst(onEnd: (files: readonly string[]) => void): {
  add(files: readonly string[]): void;
  close(): void;
} {
  const files = new Set<string>();
  let began = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    add(more) {
      if (files.size === 0) began = performance.now();
      for (const file of more) files.add(file);
      clearTimeout(timer);
      timer = setTimeout(end, Math.min(QUIET_MS, Math.max(0, began + LONGEST_BURST_MS - performance.now())));
    },
    close: () => clearTimeout(timer),
  };

  function end(): void {
    const ended = [...files];
    files.clear();
    onEnd(ended);
  }
}
