/** The project's files as they are on disk, or as an overlay of planned text would make them. Each file and folder is read once. */

import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { compareText } from "#convention/diagnostics/order";
import { diagnose, startOf } from "../diagnostics/catalogue.ts";
import { codeOf, explainSystemError, isMissing } from "../diagnostics/system-error.ts";

/** Paths are relative to the project root, with forward slashes; "" is the root. */
export interface Files {
  /** The text without its byte order mark; undefined where there is no such file, or where `diagnostics` says why it can't be read. */
  read(file: string): string | undefined;
  /** Whether something of that name is there: it may still not be a file, or not be readable. */
  has(file: string): boolean;
  /** What a folder holds, sorted; empty where there is no such folder. */
  list(folder: string): readonly Entry[];
  /** A folder's place with all links followed, to compare two folders. */
  place(folder: string): string;
  /** Every file that was read, in order. */
  readonly seen: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
  /** It is a symbolic link; the kind is that of its target. */
  readonly link?: true;
}

/** Text that replaces what is on disk, or adds to it; null for a file that would be gone. */
export type Overlay = ReadonlyMap<string, string | null>;

/** Where files lie: on disk, or in a commit of git. What can't be read is a text that says why. */
export interface FileSource extends Pick<Files, "has" | "place"> {
  /** Undefined where there is no such file. */
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

/** Puts into a folder's listing what the overlay would make there. */
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

/** The bytes; undefined where there is no such file, or a text that says why it can't be read. */
function readBytes(path: string): Buffer | string | undefined {
  try {
    // A pipe or a device would never end.
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
    // An error that is thrown costs more than the look.
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

/** Line and column of the first bytes that are not UTF-8. */
function findMalformed(bytes: Buffer): { line: number; column: number } {
  let [line, start] = [1, 0];
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
    line++;
  }
  return { line, column: bytes.subarray(start).toString("utf8").indexOf("\ufffd") + 1 };
}
