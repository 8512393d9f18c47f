/** What an upgrade does to each vendored file: from the project's folder, the newer one, and what the project's was made from. */

import { join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { MANIFEST_FILE, VENDORED_FOLDER } from "#convention/layout";
import { compareVendored, hashOf, isNoManifest, type Manifest, readBytes } from "../vendored.ts";
import { findMarks, mergeTexts, type Versions, withLayoutOf } from "./merge.ts";
import { BASE_FILE, type Unpacked } from "./unpacked.ts";

/**
 * - `replaced`, `created`, `removed`: untouched by the user, and now as in the newer version
 * - `restored`: missing in the project; the framework does not load without it
 * - `merged`: with the user's edit and the newer text
 * - `conflict`: where both changed the same lines, with marks
 * - `kept`: edited by the user, and not changed by the newer version
 * - `left`: edited by the user, and not in the newer version
 * - `aside`: the user's edit of a file that can't be merged line by line, under another name; the file itself is replaced
 */
export type Fate =
  | "replaced"
  | "created"
  | "removed"
  | "restored"
  | "merged"
  | "conflict"
  | "kept"
  | "left"
  | "aside";

export interface FilePlan {
  /** Relative to the vendored folder, with forward slashes. */
  readonly file: string;
  readonly fate: Fate;
  /** What is there; null for nothing. */
  readonly before: Buffer | null;
  /** What will be there. */
  readonly after: Buffer | null;
  /** The lines, from 1, at which conflicts begin. */
  readonly conflicts: readonly number[];
}

export interface Plan {
  readonly from: string;
  readonly to: string;
  /** All but the files that stay as they are without a word: those that are the same, and the user's own. */
  readonly files: readonly FilePlan[];
}

/** The three folders that a plan is made from, and what the user made of earlier conflicts. */
interface Sides {
  readonly vendored: string;
  readonly unpacked: Unpacked;
  readonly manifest: Manifest;
  readonly edited: ReadonlySet<string>;
  readonly next: Manifest;
  readonly resolved: ReadonlyMap<string, Buffer>;
}

/**
 * @param root of the project, absolute.
 * @param resolved by file, what the user made of a conflict: without marks, it counts as merged.
 */
export function planUpgrade(
  root: string,
  unpacked: Unpacked,
  resolved: ReadonlyMap<string, Buffer> = new Map(),
): Plan | Diagnostic {
  const vendored = join(root, VENDORED_FOLDER);
  const now = compareVendored(vendored);
  if (isNoManifest(now))
    return diagnose("FW808", { file: `${VENDORED_FOLDER}/${MANIFEST_FILE}`, why: now.why });
  const next = readNext(unpacked);
  if ("severity" in next) return next;
  const { manifest, extra } = now;
  const sides = { vendored, unpacked, manifest, edited: new Set(now.edited), next, resolved };
  const names = new Set([
    MANIFEST_FILE,
    ...Object.keys(manifest.files),
    ...extra,
    ...Object.keys(next.files),
  ]);
  const files: FilePlan[] = [];
  for (const file of [...names].sort()) {
    const planned = planFile(sides, file);
    if ("severity" in planned) return planned;
    files.push(...planned);
  }
  return { from: manifest.version, to: next.version, files };
}

/** Otherwise a file that is missing would look like one that the newer version no longer has. */
function readNext({ framework }: Unpacked): Manifest | Diagnostic {
  const next = compareVendored(framework);
  if (isNoManifest(next))
    return diagnose("FW802", { from: framework, why: `its manifest can't be used: ${next.why}` });
  const [wrong] = [...next.missing, ...next.edited];
  if (wrong === undefined) return next.manifest;
  return diagnose("FW802", { from: framework, why: `${wrong} is not as its manifest says` });
}

function planFile(sides: Sides, file: string): readonly FilePlan[] | Diagnostic {
  const { vendored, unpacked, manifest, edited, next } = sides;
  const yours = read(vendored, file);
  const theirs =
    file === MANIFEST_FILE || Object.hasOwn(next.files, file) ? read(unpacked.framework, file) : null;
  if (yours === null ? theirs === null : theirs?.equals(yours)) return [];
  if (RECORDS.includes(file)) return [plain(file, "replaced", yours, theirs)];
  const listed = Object.hasOwn(manifest.files, file) ? manifest.files[file] : undefined;
  if (yours === null) return [plain(file, listed === undefined ? "created" : "restored", null, theirs)];
  if (listed !== undefined && !edited.has(file)) return planUntouched(file, yours, theirs);
  if (theirs === null) return listed === undefined ? [] : [plain(file, "left", yours, yours)];
  if (next.files[file] === listed) return [plain(file, "kept", yours, yours)];
  if (!isMergeable(file, yours, theirs))
    return [plain(file, "replaced", yours, theirs), setAside(sides, file, yours)];
  if (listed === undefined) return merge(sides, file, yours, Buffer.of(), theirs);
  const base = read(unpacked.base, file);
  if (base === null || hashOf(base) !== listed) {
    const record = `${VENDORED_FOLDER}/${BASE_FILE}`;
    return diagnose("FW804", { file: `${VENDORED_FOLDER}/${file}`, version: manifest.version, record });
  }
  return merge(sides, file, yours, base, theirs);
}

/** What belongs to the version as a whole, and nobody edits. */
const RECORDS: readonly string[] = [MANIFEST_FILE, BASE_FILE];

function planUntouched(file: string, yours: Buffer, theirs: Buffer | null): readonly FilePlan[] {
  if (theirs === null) return [plain(file, "removed", yours, null)];
  const areTexts = isText(yours) && isText(theirs);
  const after = areTexts ? Buffer.from(withLayoutOf(yours.toString(), theirs.toString())) : theirs;
  return after.equals(yours) ? [] : [plain(file, "replaced", yours, after)];
}

function merge(sides: Sides, file: string, yours: Buffer, base: Buffer, theirs: Buffer): readonly FilePlan[] {
  const texts = { yours: yours.toString(), base: base.toString(), theirs: theirs.toString() };
  const resolved = sides.resolved.get(file);
  if (resolved !== undefined) return [toMerged(file, yours, resolved, findLeft(resolved, texts))];
  const { text, conflicts } = mergeTexts(texts, sides.next.version);
  return [toMerged(file, yours, Buffer.from(text), conflicts)];
}

/** What is no text can't be searched for marks, nor run: an editor may have saved it as UTF-16. */
function findLeft(resolved: Buffer, { yours, theirs }: Versions): readonly number[] {
  return isText(resolved) ? findMarks(resolved.toString(), [yours, theirs]) : [1];
}

function toMerged(file: string, before: Buffer, after: Buffer, conflicts: readonly number[]): FilePlan {
  return { file, fate: conflicts.length === 0 ? "merged" : "conflict", before, after, conflicts };
}

/** Its name is made of its content, so that an edit that is set aside twice is there once; a longer one where that was edited since. */
function setAside(sides: Sides, file: string, yours: Buffer, length = 8): FilePlan {
  const hash = hashOf(yours);
  const name = `${file}.yours-${hash.slice(0, length)}`;
  const there = read(sides.vendored, name);
  const isFree = there === null || there.equals(yours) || length >= hash.length;
  return isFree ? plain(name, "aside", there, yours) : setAside(sides, file, yours, length + 8);
}

/** Third-party code has one line a file: merged, it would be one conflict. */
function isMergeable(file: string, ...contents: readonly Buffer[]): boolean {
  return !file.startsWith("deps/") && contents.every(isText);
}

function isText(content: Buffer): boolean {
  return !content.includes(0) && Buffer.from(content.toString()).equals(content);
}

function plain(file: string, fate: Fate, before: Buffer | null, after: Buffer | null): FilePlan {
  return { file, fate, before, after, conflicts: [] };
}

function read(folder: string, file: string): Buffer | null {
  return readBytes(join(folder, file)) ?? null;
}

/** Whether there is something to be written or removed. */
export function isChanging({ before, after }: FilePlan): boolean {
  return before === null || after === null ? before !== after : !before.equals(after);
}
