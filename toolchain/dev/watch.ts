/** Watches the files that the served project may be made of, and reports which have changed. */

import { type FSWatcher, lstatSync, readFileSync, watch } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { isIgnored, isSource } from "../load/sources.ts";
import { attempt, isBelow, isInScope, readTree, type Scope, type Stamp, statOf, type Tree } from "./tree.ts";

/** Elsewhere Node watches folder by folder, and loses a file that an editor replaces by renaming. */
const HAS_RECURSIVE_WATCH = process.platform === "darwin" || process.platform === "win32";

/** A burst of changes ends when none has come for so many milliseconds: where one file has another text, as a person saves all day; */
const QUIET_ALONE_MS = 5;
/** where there are several; */
const QUIET_MS = 15;
/** and where one is gone or empty: an editor may be about to write it. */
const QUIET_DOUBT_MS = 50;
/** A burst that would never end is cut off. */
const LONGEST_BURST_MS = 200;

/** Without events, the pause before the files are looked at again is so long, or a few times as long as looking takes. */
const POLL_MS = 200;
const POLL_SHARE = 4;

/** Where the convention finds source. The folders of what modules import are added. */
const SOURCE_FOLDERS = ["apps", "routes", "vendor"];

export interface WatchOptions {
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
  #scope: Scope;
  #tree: Tree = { files: new Map(), folders: new Map() };
  readonly #seen = new Map<string, Seen>();
  readonly #watched = new Map<string, Watched>();
  /** Folders that can't be watched. */
  readonly #blind = new Set<string>();
  /** Something may have changed. */
  #isDirty = false;
  #isClosed = false;
  #pollTimer: NodeJS.Timeout | undefined;
  /** What has changed since the last report, and whether each file of it was gone or empty when it was seen last. */
  #burst = new Map<string, boolean>();
  #burstBegan = 0;
  #burstTimer: NodeJS.Timeout | undefined;

  constructor(root: string, options: WatchOptions) {
    this.#root = root;
    this.#options = options;
    this.#scope = {
      root,
      folders: new Set(SOURCE_FOLDERS),
      files: new Set(),
      patterns: [],
      output: undefined,
    };
    this.#look(undefined);
    if (options.polls) this.#pollTimer = setTimeout(() => this.#poll(), POLL_MS);
  }

  /** Looks at once for what has changed so far. */
  check(): void {
    if (this.#isDirty) this.#look(this.#scope);
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
    this.#extend({ ...this.#scope, files, folders });
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
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#burstTimer);
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
    this.#look(this.#scope);
    const pause = Math.max(POLL_MS, POLL_SHARE * (performance.now() - began));
    this.#pollTimer = setTimeout(() => this.#poll(), pause);
  }

  #extend(next: Scope): void {
    const before = this.#scope;
    this.#scope = next;
    this.#look(before);
  }

  /** @param before a file has not changed by coming into the scope, or by leaving it; undefined for the first look. */
  #look(before: Scope | undefined): void {
    this.#isDirty = false;
    this.#tree = readTree(this.#scope);
    const { files } = this.#tree;
    const counts = (path: string): boolean =>
      before !== undefined && isInScope(before, path) && isInScope(this.#scope, path);
    const gone = [...this.#seen.keys()].filter((path) => !files.has(path));
    for (const path of gone) this.#seen.delete(path);
    const other = [...files].flatMap(([path, stamp]) =>
      this.#isOther(path, stamp, before === undefined) ? path : [],
    );
    if (!this.#options.polls) this.#watchFolders();
    const changed = [...gone, ...other].filter(counts);
    if (changed.length > 0) this.#report(changed);
  }

  /** @returns whether the file is new, or has another text than before. */
  #isOther(path: string, stamp: Stamp, isFirst: boolean): boolean {
    const before = this.#seen.get(path);
    if (before?.text === stamp.text && !before.isYoung) return false;
    const content = isFirst && !stamp.isYoung ? undefined : readContent(path);
    this.#seen.set(path, { ...stamp, content });
    return before?.content === undefined ? before?.text !== stamp.text : !content?.equals(before.content);
  }

  /** Collects the changes that follow closely upon each other. */
  #report(changed: readonly string[]): void {
    const now = performance.now();
    if (this.#burst.size === 0) this.#burstBegan = now;
    for (const path of changed) this.#burst.set(path, !this.#seen.get(path)?.content?.length);
    this.#options.onNotice();
    const isDoubtful = [...this.#burst.values()].includes(true);
    const quiet = isDoubtful ? QUIET_DOUBT_MS : this.#burst.size === 1 ? QUIET_ALONE_MS : QUIET_MS;
    clearTimeout(this.#burstTimer);
    this.#burstTimer = setTimeout(
      () => {
        const paths = [...this.#burst.keys()];
        this.#burst.clear();
        this.#options.onChange(paths.map((path) => this.#toProjectPath(path)));
      },
      Math.min(quiet, Math.max(0, this.#burstBegan + LONGEST_BURST_MS - now)),
    );
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
    if (isInScope(this.#scope, path) || isSource(basename(name))) return true;
    return !lstatSync(path, { throwIfNoEntry: false })?.isFile();
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
  return statOf(path)?.isFile() ? attempt(() => readFileSync(path)) : undefined;
}
