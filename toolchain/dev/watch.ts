/** Watches the files that the served project may be made of, and reports which have changed. */

import { type FSWatcher, lstatSync, readFileSync, watch } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { isIgnored, isSource } from "../load/sources.ts";
import { isBelow, isInScope, mayHold, readTree, type Scope, type Stamp, statOf, type Tree } from "./tree.ts";

/** Elsewhere Node watches folder by folder, and loses a file that an editor replaces by renaming. */
const HAS_RECURSIVE_WATCH = process.platform === "darwin" || process.platform === "win32";

/** Editors write a file in several steps. A burst of changes ends when none has come for so many milliseconds. */
const QUIET_MS = 15;
/** So many if one file has another text, which is what a person does all day. */
const QUIET_ALONE_MS = 5;
/** A file that is cut off is believed to be empty if nothing is written to it for so long. */
const CUT_MS = 50;
/** A burst that would never end is cut off. */
const LONGEST_BURST_MS = 200;

/** Without events, the pause before the files are looked at again is so long, or a few times as long as looking takes. */
const POLL_MS = 200;
const POLL_SHARE = 4;

/** Where the convention finds source. The folders of what modules import are added. */
const SOURCE_FOLDERS = ["apps", "routes", "vendor"];

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

export class ProjectWatcher {
  readonly #root: string;
  readonly #options: WatchOptions;
  readonly #burst: Burst;
  #scope: Scope;
  #tree: Tree = { files: new Map(), folders: new Map() };
  readonly #seen = new Map<string, Seen>();
  readonly #watched = new Map<string, Watched>();
  /** Folders that can't be watched. */
  readonly #blind = new Set<string>();
  /** Somebody may have cut these files off to write them again. */
  readonly #cut = new Set<string>();
  /** Something may have changed. */
  #isDirty = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(root: string, options: WatchOptions) {
    this.#root = root;
    this.#options = options;
    this.#burst = new Burst(options.onChange);
    const folders = options.everywhere ? undefined : new Set(SOURCE_FOLDERS);
    this.#scope = { root, folders, files: new Set(), patterns: [], output: undefined };
    this.#look(() => false);
    if (options.polls) this.#timer = setTimeout(() => this.#poll(), POLL_MS);
  }

  /** Looks at once for what has changed so far. */
  check(): void {
    if (this.#isDirty) this.#look(() => true);
  }

  /** Watches these files too, whether they exist or not, because the program is made of them. Paths are absolute and without links. */
  follow(paths: readonly string[]): void {
    const others = paths.filter((path) => !isInScope(this.#scope, path));
    if (others.length === 0) return;
    const [files, folders] = [new Set(this.#scope.files), new Set(this.#scope.folders)];
    for (const path of others) {
      const top = sourceFolderOf(this.#root, path);
      if (top === undefined || path === this.#scope.output) files.add(path);
      else folders.add(top);
    }
    this.#extend({ ...this.#scope, files, folders: this.#scope.folders && folders });
  }

  /** @param patterns of files to watch, too. @param output see {@link Scope}. */
  configure(patterns: readonly string[], output: string | undefined): void {
    const before = this.#scope;
    if (patterns.join() !== before.patterns.join() || output !== before.output)
      this.#extend({ ...before, patterns, output });
  }

  close(): void {
    this.#isClosed = true;
    this.#isDirty = false;
    clearTimeout(this.#timer);
    this.#burst.close();
    for (const { watcher } of this.#watched.values()) watcher.close();
  }

  /** Called for each event. */
  #suspect(): void {
    if (this.#isClosed) return;
    if (!this.#isDirty) setImmediate(() => this.check());
    this.#isDirty = true;
  }

  #poll(): void {
    const began = performance.now();
    this.#look(() => true);
    const pause = Math.max(POLL_MS, POLL_SHARE * (performance.now() - began));
    this.#timer = setTimeout(() => this.#poll(), pause);
  }

  /** A file has not changed by coming into the scope, or by leaving it. */
  #extend(next: Scope): void {
    const before = this.#scope;
    this.#scope = next;
    this.#look((path) => isInScope(before, path) && isInScope(next, path));
  }

  /** @param counts tells whether a file that has changed is reported. */
  #look(counts: (path: string) => boolean): void {
    this.#isDirty = false;
    this.#tree = readTree(this.#scope);
    const { files } = this.#tree;
    const gone = [...this.#seen.keys()].filter((path) => !files.has(path));
    for (const path of gone) this.#seen.delete(path);
    const other = [...files]
      .filter(([path, stamp]) => this.#isOther(path, stamp, counts(path)))
      .map(([path]) => path);
    if (!this.#options.polls) this.#watchFolders();
    const changed = [...gone, ...other].filter(counts);
    if (changed.length === 0) return;
    this.#options.onNotice();
    this.#burst.add(
      changed.map((path) => this.#toProjectPath(path)),
      gone.length > 0,
    );
  }

  /** @returns whether the file is new, or has another text than before. @param counts whether it was in the scope before, too. */
  #isOther(path: string, stamp: Stamp, counts: boolean): boolean {
    const before = this.#seen.get(path);
    if (before?.text === stamp.text && !before.isYoung) return false;
    const content = before || counts || stamp.isYoung ? readContent(path) : undefined;
    const hasWaited = this.#cut.delete(path);
    if (before?.size && content?.length === 0 && !hasWaited) {
      this.#cut.add(path);
      setTimeout(() => this.#suspect(), CUT_MS);
      return false;
    }
    this.#seen.set(path, { ...stamp, content });
    return before?.content === undefined ? before?.text !== stamp.text : !content?.equals(before.content);
  }

  #watchFolders(): void {
    const { folders } = this.#tree;
    for (const [path, { identity, watcher }] of this.#watched) {
      if (folders.get(path)?.identity === identity) continue;
      watcher.close();
      this.#watched.delete(path);
    }
    for (const [path, { identity }] of folders) {
      const isInRoot = HAS_RECURSIVE_WATCH && path !== this.#root && isBelow(this.#root, path);
      if (!this.#watched.has(path) && !this.#blind.has(path) && !isInRoot) this.#open(path, identity);
    }
  }

  #open(folder: string, identity: string): void {
    try {
      const recursive = HAS_RECURSIVE_WATCH && folder === this.#root;
      const watcher = watch(folder, { recursive }, (_event, name) => {
        if (name === null || this.#matters(folder, name)) this.#suspect();
      });
      watcher.on("error", () => {
        this.#watched.delete(folder);
        this.#suspect();
      });
      this.#watched.set(folder, { identity, watcher });
      // Something may have come into the folder since it was read.
      this.#suspect();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      this.#blind.add(folder);
      this.#options.onBlind(this.#toProjectPath(folder), error as NodeJS.ErrnoException);
    }
  }

  /** False for what a program writes all the time, such as a log. */
  #matters(folder: string, name: string): boolean {
    const known = this.#tree.folders.get(folder);
    if (known?.names.has(name)) return true;
    if (!known?.isWhole) return false;
    const path = join(folder, name);
    if (isInScope(this.#scope, path) || isSource(basename(name)) || this.#watched.has(path)) return true;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink()) return true;
    return found.isDirectory() && mayHold(this.#scope, path);
  }

  #toProjectPath(path: string): string {
    return relative(this.#root, path).split(sep).join("/") || ".";
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
class Burst {
  readonly #onEnd: (files: readonly string[]) => void;
  #files = new Set<string>();
  #began = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onEnd: (files: readonly string[]) => void) {
    this.#onEnd = onEnd;
  }

  /** @param isGone whether one of the files is gone: it may come back. */
  add(files: readonly string[], isGone: boolean): void {
    const now = performance.now();
    if (this.#files.size === 0) this.#began = now;
    for (const file of files) this.#files.add(file);
    clearTimeout(this.#timer);
    const rest = Math.max(0, this.#began + LONGEST_BURST_MS - now);
    const quiet = this.#files.size === 1 && !isGone ? QUIET_ALONE_MS : QUIET_MS;
    this.#timer = setTimeout(() => this.#end(), Math.min(quiet, rest));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    const ended = [...this.#files];
    this.#files = new Set();
    this.#onEnd(ended);
  }
}
