/**
 * The framework's files as git keeps them, in one pack: `git add` then finds them in the repository, where making an object of each
 * file would be half of what a project takes. What of the pack can't be had without time from the files is recorded in the build
 * (`git-pack-record.ts`). Nothing relies on the pack: git makes what it does not find, and what it finds is what it would have made,
 * except that this stays uncompressed until `git repack -F`.
 *
 * The formats: https://git-scm.com/docs/gitformat-pack and, for an object's bytes, RFC 1950 and RFC 1951.
 */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "./archive.ts";

export interface PackRecord {
  /** The objects in the pack's order, each as a file that has its bytes and the Adler-32 of these. */
  readonly blobs: readonly (readonly [file: string, adler32: number])[];
  /** Of the pack, in bytes. */
  readonly length: number;
  /** The pack's index, which ends with the pack's own checksum and with that of the index. */
  readonly index: Buffer;
}

/** Where the record lies in the published package, beside the bundle. */
const RECORD_FILE = "template/framework.pack-record";
const CHECKSUM_LENGTH = 20;
const LINE_FEED = 0x0a;
/** Of the pack. */
export const HEADER_LENGTH = 12;
const PACK_VERSION = 2;
const BLOB = 3;
/** Says that a window of 32 KiB suffices, and that the compression was the fastest. */
const ZLIB_HEADER = Buffer.of(0x78, 0x01);
/** A block that is not compressed has its length in 16 bits. */
const LARGEST_BLOCK = 0xffff;

/**
 * As a line of JSON, and then the index as it is.
 *
 * @param to the folder of the bundle
 */
export function savePackRecord(to: string, { index, ...rest }: PackRecord): void {
  writeFileSync(join(to, RECORD_FILE), Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), index]));
}

/** The inverse of {@link savePackRecord}. */
function loadPackRecord(source: string): PackRecord {
  const bytes = readFileSync(join(source, RECORD_FILE));
  const end = bytes.indexOf(LINE_FEED) + 1;
  return { ...JSON.parse(bytes.toString("utf8", 0, end)), index: bytes.subarray(end) };
}

/**
 * Puts the pack into a new repository, unless that one names its objects in another way. Never fails: git does without.
 *
 * @param source the folder of the bundle
 */
export function writePack(repository: string, files: Files, source: string): void {
  const folder = join(repository, "objects", "pack");
  if (!existsSync(folder)) return;
  const written: string[] = [];
  const write = (file: string, bytes: Buffer): void => {
    written.push(file);
    writeFileSync(file, bytes, { mode: 0o444 });
  };
  try {
    if (hasOtherNames(repository)) return;
    const record = loadPackRecord(source);
    const checksum = record.index.subarray(-2 * CHECKSUM_LENGTH, -CHECKSUM_LENGTH);
    const name = join(folder, `pack-${checksum.toString("hex")}`);
    // In this order: git reads a pack when it sees its index.
    write(`${name}.pack`, formatPack(files, record, checksum));
    write(`${name}.idx`, record.index);
  } catch {
    for (const file of written) remove(file);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true });
  } catch {
    // Whatever of it git can't read, `git add` tells.
  }
}

/** By SHA-256, which is a choice of the user's settings. */
function hasOtherNames(repository: string): boolean {
  return /^\s*objectformat\s*=\s*(?!sha1\b)/im.test(readFileSync(join(repository, "config"), "utf8"));
}

function formatPack(files: Files, { blobs, length }: PackRecord, checksum: Buffer): Buffer {
  const pack = Buffer.allocUnsafe(length);
  let at = writePackHeader(pack, blobs.length);
  for (const [file, adler32] of blobs) {
    const bytes = files.get(file);
    if (bytes === undefined) throw new Error(`The pack's record names ${file}, which is not there`);
    at = writeBlob(pack, at, bytes, adler32);
  }
  checksum.copy(pack, at);
  return pack;
}

/** @returns where it ends */
export function writePackHeader(pack: Buffer, objects: number): number {
  pack.write("PACK", "latin1");
  pack.writeUInt32BE(PACK_VERSION, 4);
  return pack.writeUInt32BE(objects, 8);
}

/** @returns where it ends */
export function writeBlob(pack: Buffer, from: number, bytes: Buffer, adler32: number): number {
  let at = writeBlobHeader(pack, from, bytes.length);
  at += ZLIB_HEADER.copy(pack, at);
  at = writeBlocks(pack, at, bytes);
  return pack.writeUInt32BE(adler32, at);
}

/** The length: four bits beside the type, then seven in each byte, the lowest first; the highest bit says that more follow. */
function writeBlobHeader(pack: Buffer, from: number, length: number): number {
  let at = from;
  let byte = (BLOB << 4) | (length & 0xf);
  for (let rest = length >>> 4; rest > 0; rest >>>= 7) {
    pack[at++] = byte | 0x80;
    byte = rest & 0x7f;
  }
  pack[at++] = byte;
  return at;
}

function writeBlocks(pack: Buffer, from: number, bytes: Buffer): number {
  let at = from;
  for (let start = 0; start === 0 || start < bytes.length; start += LARGEST_BLOCK) {
    const end = Math.min(start + LARGEST_BLOCK, bytes.length);
    at = pack.writeUInt8(end === bytes.length ? 1 : 0, at);
    at = pack.writeUInt16LE(end - start, at);
    at = pack.writeUInt16LE((end - start) ^ 0xffff, at);
    at += bytes.copy(pack, at, start, end);
  }
  return at;
}
