/** Reads the project's files from disk or a git commit, with planned changes on top. Caches each file and folder. */

import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { compareText } from "#convention/diagnostics/order";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import { codeOf, explainSystemError, isMissing } from "../diagnostics/system-error.ts";

/** Paths are relative to the project root, with forward slashes; "" is the root. */
export interface Files {
  /** The text without its byte order mark; undefined for a missing file, and for an unreadable one, which `diagnostics` reports. */
  read(file: string): string | undefined;
  /** True if the path exists, even if it is not a file or can't be read. */
  has(file: string): boolean;
  /** The sorted entries of a folder; empty for a missing one. */
  list(folder: string): readonly Entry[];
  /** The real path of a folder, with symbolic links resolved. */
  place(folder: string): string;
  /** The files that were read, in order. */
  readonly seen: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
  /** True for a symbolic link; `kind` is that of its target. */
  readonly link?: true;
}

/** Planned file contents by path; null deletes a file. */
export type Overlay = ReadonlyMap<string, string | null>;

/** The storage of the files: the disk, or a git commit. A string result explains a read error. */
export interface FileSource extends Pick<Files, "has" | "place"> {
  /** Undefined for a missing file. */
  bytes(file: string): Buffer | string | undefined;
  list(folder: string): readonly Entry[] | string;
}

export function createFiles(root: string, overlay?: Overlay): Files {
  return createFilesOf(createDisk(root), overlay);
}

export function createFilesOf(source: FileSource, overlay: Overlay = new Map()): Files {
  const texts = new Map<string, string | undefined>();
  const listings = new Map<string, readonly Entry[]>();
  const seen: string[] = [];
  const diagnostics: Diagnostic[] = [];

  function load(file: string): string | undefined {
    const planned = overlay.get(file);
    if (planned !== undefined) return planned?.replace(/^\ufeff/, "");
    const bytes = source.bytes(file);
    if (bytes === undefined) return undefined;
    if (typeof bytes !== "string" && isUtf8(bytes)) return bytes.toString("utf8").replace(/^\ufeff/, "");
    const [why, place] =
      typeof bytes === "string"
        ? [bytes, startOf(file)]
        : ["it is not UTF-8 text", { file, ...findMalformed(bytes) }];
    diagnostics.push(diagnose("FW113", { file, why }, place));
    return undefined;
  }

  function listEntries(folder: string): readonly Entry[] {
    const found = source.list(folder);
    if (typeof found === "string")
      diagnostics.push(diagnose("FW113", { file: `${folder}/`, why: found }, startOf(folder)));
    const entries = new Map((typeof found === "string" ? [] : found).map((entry) => [entry.name, entry]));
    for (const [file, text] of overlay) addPlanned(entries, folder, file, text);
    return [...entries.values()].sort((one, other) => compareText(one.name, other.name));
  }

  return {
    read(file) {
      if (texts.has(file)) return texts.get(file);
      const text = load(file);
      texts.set(file, text);
      if (text !== undefined) seen.push(file);
      return text;
    },
    has(file) {
      const planned = overlay.get(file);
      return planned === undefined ? source.has(file) : planned !== null;
    },
    list(folder) {
      const entries = listings.get(folder) ?? listEntries(folder);
      listings.set(folder, entries);
      return entries;
    },
    place: source.place,
    seen,
    diagnostics,
  };
}

export function createDisk(root: string): FileSource {
  return {
    bytes: (file) => readBytes(join(root, file)),
    has: (file) => isThere(join(root, file)),
    list: (folder) => listFolder(join(root, folder)),
    place: (folder) => realPlaceOf(join(root, folder)),
  };
}

/** Applies one planned change to a folder's listing. */
function addPlanned(entries: Map<string, Entry>, folder: string, file: string, text: string | null): void {
  const start = folder === "" ? "" : `${folder}/`;
  if (!file.startsWith(start)) return;
  const [name = "", ...below] = file.slice(start.length).split("/");
  if (below.length > 0) {
    if (text !== null && !entries.has(name)) entries.set(name, { name, kind: "folder" });
  } else if (text === null) {
    entries.delete(name);
  } else {
    entries.set(name, { name, kind: "file" });
  }
}

const LINE_FEED = 0x0a;

/** @returns the bytes; undefined for a missing file; a string that explains a read error. */
function readBytes(path: string): Buffer | string | undefined {
  try {
    // Reading a pipe or a device would never end.
    if (!statSync(path).isFile()) return "it is not a file";
    return readFileSync(path);
  } catch (error) {
    return isMissing(error) ? undefined : explainSystemError(error);
  }
}

function listFolder(path: string): readonly Entry[] | string {
  try {
    return readdirSync(path, { withFileTypes: true }).map((entry) => toEntry(path, entry));
  } catch (error) {
    return codeOf(error) === "ENOENT" ? [] : explainSystemError(error);
  }
}

function toEntry(folder: string, entry: Dirent): Entry {
  const { name } = entry;
  if (!entry.isSymbolicLink()) return { name, kind: kindOf(entry) };
  try {
    return { name, kind: kindOf(statSync(join(folder, name))), link: true };
  } catch {
    return { name, kind: "other", link: true };
  }
}

function kindOf(found: Dirent | Stats): Entry["kind"] {
  return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
}

function isThere(path: string): boolean {
  try {
    // `throwIfNoEntry: false`, because creating the error would take longer than the system call.
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return !isMissing(error);
  }
}

function realPlaceOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The line and column of the first bytes that are not UTF-8. */
function findMalformed(bytes: Buffer): { line: number; column: number } {
  let [line, start] = [1, 0];
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
    line++;
  }
  return { line, column: bytes.subarray(start).toString("utf8").indexOf("\ufffd") + 1 };
}
