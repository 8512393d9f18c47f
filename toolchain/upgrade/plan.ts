/** What an upgrade does to each vendored file. */

import { join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import { VENDORED_FOLDER } from "#convention/layout";
import {
  compareVendored,
  hasDatabase,
  isNoManifest,
  type Manifest,
  readBytes,
  type Vendored,
  withoutDatabase,
} from "../vendored.ts";
import { findMarks, mergeTexts } from "./merge.ts";
import type { Originals } from "./originals.ts";
import { UpgradeRefusal } from "./package.ts";

/** What becomes of a file, as the user sees it. Files that the user did not edit are counted. */
export const FATES = {
  aside: "your text, which the new version does not have",
  merged: "your edit and the new version",
  conflict: "your edit and the new version changed the same lines",
  unmerged: "your edit, which could not be merged",
  kept: "your edit; nothing new",
  restored: "was missing",
  replaced: undefined,
  created: undefined,
  removed: undefined,
} as const;

export interface FilePlan {
  /** Relative to the vendored folder, with forward slashes. */
  readonly file: string;
  readonly fate: keyof typeof FATES;
  /** The user's text, if it is edited. */
  readonly before?: Buffer;
  /** What is written in place of the newer version's file. */
  readonly after?: Buffer;
  /** Why an edit is not merged, as a sentence. */
  readonly why?: string;
  /** Whether that is because its original was not found. */
  readonly isLost?: boolean;
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

/** Its files are bundled and not for reading, so they are replaced whole. */
const SEALED = "tools/";

/** @throws {UpgradeRefusal} if a file is missing: it would look like one that the newer version no longer has. */
export function readNewer(folder: string): Newer {
  const found = compareVendored(folder);
  const wrong = isNoManifest(found) ? undefined : [...found.missing, ...found.edited][0];
  if (!isNoManifest(found) && wrong === undefined) return { folder, manifest: found.manifest };
  const why = isNoManifest(found)
    ? `its manifest can't be used: ${found.why}`
    : `${wrong} is not as its manifest says`;
  throw new UpgradeRefusal(diagnose("FW802", { from: folder, why, option: "--from" }));
}

/**
 * A project has the newer version's files of a database only if it has files of one now.
 *
 * @param vendored absolute path of the project's framework.
 */
export function planUpgrade(vendored: string, now: Vendored, whole: Newer, originals: Originals): Plan {
  const newer = hasDatabase(vendored) ? whole : { ...whole, manifest: withoutDatabase(whole.manifest) };
  const { manifest, missing } = now;
  const listed = [...Object.keys(manifest.files), ...Object.keys(newer.manifest.files), ...now.extra];
  const [edited, own, gone] = [now.edited, now.extra, missing].map((files) => new Set(files));
  const files = [...new Set(listed)].sort().flatMap((file): readonly FilePlan[] => {
    const [was, coming] = [hashIn(manifest, file), hashIn(newer.manifest, file)];
    if (gone?.has(file)) return coming === undefined ? [] : [{ file, fate: "restored" }];
    if (own?.has(file) && coming === undefined) return planName(vendored, newer, file);
    if (own?.has(file) || edited?.has(file)) return planEdit(vendored, newer, originals, file, was);
    if (was === coming) return [];
    return [{ file, fate: was === undefined ? "created" : coming === undefined ? "removed" : "replaced" }];
  });
  const isChange = missing.length > 0 || JSON.stringify(manifest) !== JSON.stringify(newer.manifest);
  return { from: manifest.version, to: newer.manifest.version, isChange, files };
}

/**
 * The user's own file stays, but for a name that is a folder's in the newer version.
 *
 * @throws {UpgradeRefusal} if it is in a folder whose name is a file's there.
 */
function planName(vendored: string, { manifest }: Newer, file: string): readonly FilePlan[] {
  const names = Object.keys(manifest.files);
  const taken = names.find((name) => file.startsWith(`${name}/`));
  const before = readBytes(join(vendored, file));
  const isFolder = names.some((name) => name.startsWith(`${file}/`));
  if (taken === undefined && !isFolder) return [];
  if (taken === undefined && before !== undefined) return [setAside([vendored], file, before)];
  const [name, yours, theirs] = taken === undefined ? [file, "link", "folder"] : [taken, "folder", "file"];
  const why = `${VENDORED_FOLDER}/${name} is a ${yours} of yours, and ${manifest.version} has a ${theirs} of that name`;
  throw new UpgradeRefusal(diagnose("FW810", { why, away: undefined }));
}

/** @param was the file's hash in the manifest; undefined for the user's own file. */
function planEdit(
  vendored: string,
  newer: Newer,
  originals: Originals,
  file: string,
  was: string | undefined,
): readonly FilePlan[] {
  const coming = hashIn(newer.manifest, file);
  const before = readBytes(join(vendored, file)) ?? Buffer.of();
  const theirs = coming === undefined ? undefined : readBytes(join(newer.folder, file));
  if (theirs === undefined) return [{ file, fate: "removed" }, setAside([vendored], file, before)];
  if (theirs.equals(before)) return [];
  const isSealed = file.startsWith(SEALED);
  if (was === coming && !isSealed) return [{ file, fate: "kept", before, after: before }];
  if (was === undefined || isSealed) return [{ file, fate: "replaced" }, setAside([vendored], file, before)];
  const base = originals.find(file, was);
  if (base === undefined) return [{ file, fate: "unmerged", before, why: originals.why(), isLost: true }];
  const after = mergeTexts({ yours: before, base, theirs }, newer.manifest.version);
  if ("why" in after) return [{ file, fate: "unmerged", before, why: after.why }];
  const isConflict = findMarks(after.toString(), before.toString()).length > 0;
  return [{ file, fate: isConflict ? "conflict" : "merged", before, after }];
}

function hashIn({ files }: Manifest, file: string): string | undefined {
  return Object.hasOwn(files, file) ? files[file] : undefined;
}

/** @param folders in each of which the name is free, or taken by the same bytes. */
export function setAside(folders: readonly string[], file: string, after: Buffer): FilePlan {
  for (let number = 1; ; number++) {
    const name = `${file}.edited${number === 1 ? "" : `-${number}`}`;
    const found = folders.map((folder) => readBytes(join(folder, name)));
    if (found.every((bytes) => bytes?.equals(after) ?? true)) return { file: name, fate: "aside", after };
  }
}
