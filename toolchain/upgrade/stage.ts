/**
 * `.framework/upgrade` in a project: an upgrade that is under way. It holds the complete newer framework, and beside it each file
 * in which both sides changed the same lines. Nothing of the project's own is touched until all of them are resolved: it runs, and so
 * do its commands, on the version that it has.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { MANIFEST_FILE, VENDORED_FOLDER } from "#convention/layout";
import { isRecord } from "#convention/source/record";
import { hashOf, isInside, isNoManifest, isSameFramework, readBytes, readManifest } from "../vendored.ts";
import type { Plan } from "./plan.ts";
import { copyUnpacked, toUnpacked, type Unpacked } from "./unpacked.ts";

/** From the project's root. */
export const STAGE_FOLDER = ".framework/upgrade";
/** Written last and removed first: without it, nothing is under way. */
const NOTE = "note.json";

/** Where a file's conflict is laid out, from the project's root. */
export function toConflictFile(file: string): string {
  return `${STAGE_FOLDER}/conflicts/${file}`;
}

/** What an upgrade that is under way was begun with. */
interface Note {
  readonly from: string;
  readonly to: string;
  /** By file of the framework: the hash of what the user had there. */
  readonly conflicts: Readonly<Record<string, string>>;
}

export interface Stage extends Note {
  readonly unpacked: Unpacked;
  /** True where the note can't be read, so that no conflict is known. */
  readonly isDamaged: boolean;
}

/** @returns undefined where no upgrade is under way, nor one that was killed after its last step. */
export function readStage(root: string): Stage | undefined {
  const unpacked = toUnpacked(join(root, STAGE_FOLDER));
  const bytes = readBytes(join(unpacked.folder, NOTE));
  if (bytes === undefined) return undefined;
  const vendored = join(root, VENDORED_FOLDER);
  const isWhole = readBytes(join(unpacked.framework, MANIFEST_FILE)) !== undefined;
  if (!isWhole || isSameFramework(vendored, unpacked.framework)) return undefined;
  const note = parseNote(bytes.toString("utf8"));
  if (note !== undefined) return { ...note, unpacked, isDamaged: false };
  const [from, to] = [versionOf(vendored), versionOf(unpacked.framework)];
  return { from, to, conflicts: {}, unpacked, isDamaged: true };
}

function versionOf(framework: string): string {
  const manifest = readManifest(framework);
  return isNoManifest(manifest) ? "another version" : manifest.version;
}

/** What the user has resolved is theirs, so an upgrade with a damaged note neither continues nor begins again. */
export function findDamage({ isDamaged, to }: Stage): Diagnostic | undefined {
  if (!isDamaged) return undefined;
  return diagnose("FW809", { note: `${STAGE_FOLDER}/${NOTE}`, conflicts: toConflictFile(""), to });
}

/**
 * Begins an upgrade, or goes on with one: a conflict that is laid out already stays as the user left it. The caller has the project's
 * lock.
 */
export function writeStage(root: string, { from, to, files }: Plan, unpacked: Unpacked): void {
  const begun = readStage(root);
  const folder = join(root, STAGE_FOLDER);
  if (begun === undefined) {
    removeStage(root);
    copyUnpacked(unpacked, folder);
  }
  const added = files.filter(({ fate }) => fate === "conflict");
  for (const { file, after } of added) {
    if (readConflict(root, file) === undefined) write(join(root, toConflictFile(file)), after ?? "");
  }
  const hashes = added.map(({ file, before }) => [file, hashOf(before ?? Buffer.of())]);
  const conflicts = { ...begun?.conflicts, ...Object.fromEntries(hashes) };
  // In one step: without a readable note, the next command would begin again.
  write(join(folder, `${NOTE}.tmp`), JSON.stringify({ from, to, conflicts }));
  renameSync(join(folder, `${NOTE}.tmp`), join(folder, NOTE));
}

export function removeStage(root: string): void {
  const folder = join(root, STAGE_FOLDER);
  rmSync(join(folder, NOTE), { force: true });
  rmSync(folder, { recursive: true, force: true });
}

/** What the user made of the conflicts, by file of the framework; one that they removed is laid out again. */
export function readResolved(root: string, { conflicts }: Stage): Map<string, Buffer> {
  const files = Object.keys(conflicts).map((file) => [file, readConflict(root, file)] as const);
  return new Map(files.filter((entry): entry is [string, Buffer] => entry[1] !== undefined));
}

/** A file whose conflict was made from another text than the user has there now. */
export function findEditedSince(root: string, { conflicts, to }: Stage): Diagnostic | undefined {
  const edited = Object.entries(conflicts).find(([file, hash]) => {
    const now = readBytes(join(root, VENDORED_FOLDER, file));
    return now === undefined || hashOf(now) !== hash;
  });
  return edited && diagnose("FW807", { file: `${VENDORED_FOLDER}/${edited[0]}`, to });
}

function readConflict(root: string, file: string): Buffer | undefined {
  return readBytes(join(root, toConflictFile(file)));
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** It is a file like any other in a project that somebody may have sent: what it names must not lead out of the stage. */
function parseNote(text: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(text);
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

function isNote(value: unknown): value is Note {
  return (
    isRecord(value) &&
    typeof value.from === "string" &&
    typeof value.to === "string" &&
    isRecord(value.conflicts) &&
    Object.entries(value.conflicts).every(([file, hash]) => isInside(file) && typeof hash === "string")
  );
}
