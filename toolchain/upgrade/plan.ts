/** What an upgrade does to each vendored file: from the project's folder, the newer one, and the originals of edited files. */

import { join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { compareVendored, isNoManifest, type Manifest, readBytes, type Vendored } from "../vendored.ts";
import { BASE_FILE, type Bases } from "./bases.ts";
import { mergeTexts } from "./merge.ts";

/**
 * - `replaced`, `created`, `removed`: not edited, and now as in the newer version
 * - `restored`: missing in the project
 * - `merged`: the user's edit and the newer text
 * - `conflict`: both changed the same lines, which are between marks
 * - `unmerged`: edited, and without an original to merge against
 * - `kept`: edited, and not changed by the newer version
 * - `aside`: the user's edit under another name, since the newer version replaces the file or has no such file
 */
export type Fate =
  | "replaced"
  | "created"
  | "removed"
  | "restored"
  | "merged"
  | "conflict"
  | "unmerged"
  | "kept"
  | "aside";

export interface FilePlan {
  /** Relative to the vendored folder, with forward slashes. */
  readonly file: string;
  readonly fate: Fate;
  /** The user's edited text. */
  readonly before?: Buffer;
  /** What is written in place of the newer version's file. */
  readonly after?: Buffer;
  /** The lines, from 1, at which conflicts begin. */
  readonly conflicts?: readonly number[];
}

export interface Plan {
  readonly from: string;
  readonly to: string;
  /** False if the project has this framework already. */
  readonly isChange: boolean;
  /** All files but those that stay as they are, and the user's own. */
  readonly files: readonly FilePlan[];
}

/** The newer framework, as its package unpacked it. */
export interface Newer {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Below it, nobody merges: the files are bundled, and replaced whole. */
const SEALED = "tools/";

/** A file that is missing there would look like one that the newer version no longer has. */
export function readNewer(folder: string): Newer | Diagnostic {
  const compared = compareVendored(folder);
  if (isNoManifest(compared))
    return diagnose("FW802", { from: folder, why: `its manifest can't be used: ${compared.why}` });
  const [wrong] = [...compared.missing, ...compared.edited];
  if (wrong === undefined) return { folder, manifest: compared.manifest };
  return diagnose("FW802", { from: folder, why: `${wrong} is not as its manifest says` });
}

/** The edited files that can be merged only with their originals, by their hashes in the manifest. */
export function listMerges({ manifest, edited }: Vendored, newer: Newer): (readonly [string, string])[] {
  return edited.flatMap((file) => {
    const [was, coming] = [hashIn(manifest, file), hashIn(newer.manifest, file)];
    const isMerge = was !== undefined && coming !== undefined && was !== coming && !file.startsWith(SEALED);
    return isMerge ? [[file, was] as const] : [];
  });
}

/** @param vendored absolute path of the project's framework. */
export function planUpgrade(vendored: string, now: Vendored, newer: Newer, bases: Bases): Plan {
  const { manifest, missing, edited, extra } = now;
  const listed = [...Object.keys(manifest.files), ...Object.keys(newer.manifest.files), ...extra];
  const [edits, own, gone] = [new Set(edited), new Set(extra), new Set(missing)];
  const files = [...new Set(listed)].sort().flatMap((file): readonly FilePlan[] => {
    const [was, coming] = [hashIn(manifest, file), hashIn(newer.manifest, file)];
    if (gone.has(file)) return coming === undefined ? [] : [{ file, fate: "restored" }];
    if (own.has(file) && coming === undefined) return [];
    if (own.has(file) || (edits.has(file) && file !== BASE_FILE))
      return planEdit({ vendored, newer, bases, was, coming }, file);
    if (was === coming) return [];
    return [{ file, fate: was === undefined ? "created" : coming === undefined ? "removed" : "replaced" }];
  });
  const isChange = missing.length > 0 || JSON.stringify(manifest) !== JSON.stringify(newer.manifest);
  return { from: manifest.version, to: newer.manifest.version, isChange, files };
}

interface Sides {
  readonly vendored: string;
  readonly newer: Newer;
  readonly bases: Bases;
  /** Its hash as it came, and as it comes. */
  readonly was: string | undefined;
  readonly coming: string | undefined;
}

function planEdit({ vendored, newer, bases, was, coming }: Sides, file: string): readonly FilePlan[] {
  const before = readBytes(join(vendored, file)) ?? Buffer.of();
  const theirs = coming === undefined ? undefined : readBytes(join(newer.folder, file));
  if (theirs === undefined) return [{ file, fate: "removed" }, setAside(vendored, file, before)];
  if (theirs.equals(before)) return [];
  if (was === coming && !file.startsWith(SEALED)) return [{ file, fate: "kept", before, after: before }];
  if (was === undefined || file.startsWith(SEALED) || !isText(before) || !isText(theirs))
    return [{ file, fate: "replaced" }, setAside(vendored, file, before)];
  const base = bases.find(file, was);
  if (base === undefined) return [{ file, fate: "unmerged", before }];
  const texts = { yours: before.toString(), base: base.toString(), theirs: theirs.toString() };
  const { text, conflicts } = mergeTexts(texts, newer.manifest.version);
  const fate = conflicts.length === 0 ? "merged" : "conflict";
  return [{ file, fate, before, after: Buffer.from(text), conflicts }];
}

function hashIn({ files }: Manifest, file: string): string | undefined {
  return Object.hasOwn(files, file) ? files[file] : undefined;
}

/** @param folder in which the name must be free, or taken by the same bytes. */
export function setAside(folder: string, file: string, after: Buffer): FilePlan {
  for (let number = 1; ; number++) {
    const name = `${file}.edited${number === 1 ? "" : `-${number}`}`;
    const found = readBytes(join(folder, name));
    if (found === undefined || found.equals(after)) return { file: name, fate: "aside", after };
  }
}

/** An editor may have saved a file as UTF-16: lines and marks can't be found in it. */
export function isText(content: Buffer): boolean {
  return !content.includes(0) && Buffer.from(content.toString()).equals(content);
}
