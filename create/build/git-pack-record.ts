/** What the build records of the pack that `git-pack.ts` writes: the names and checksums of what is in it. */

import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { Files } from "../archive.ts";
import { readFramework } from "../framework.ts";
import { HEADER_LENGTH, type PackRecord, savePackRecord, writeBlob, writePackHeader } from "../git-pack.ts";

interface Entry {
  readonly name: Buffer;
  readonly file: string;
  readonly adler32: number;
  readonly bytes: Buffer;
  /** Where it begins in the pack. */
  readonly offset: number;
}

/**
 * @param to the folder of the bundle, with the packed framework
 */
export function recordPack(to: string): void {
  savePackRecord(to, createPackRecord(readFramework(to)));
}

/** One after the other in the order of the files; what is in several files is one object. */
export function createPackRecord(files: Files): PackRecord {
  const entries = toEntries(files);
  const blobs = entries.map(({ file, adler32 }) => [file, adler32] as const);
  const header = Buffer.alloc(HEADER_LENGTH);
  writePackHeader(header, entries.length);
  const pack = [header, ...entries.map(({ bytes }) => bytes)];
  const checksum = hash(...pack);
  return { blobs, length: Buffer.concat([...pack, checksum]).length, index: formatIndex(entries, checksum) };
}

function toEntries(files: Files): Entry[] {
  const entries = new Map<string, Entry>();
  let offset = HEADER_LENGTH;
  for (const [file, content] of files) {
    const name = hash(Buffer.from(`blob ${content.length}\0`), content);
    if (entries.has(name.toString("hex"))) continue;
    // Node has Adler-32 nowhere but at the end of what it compresses.
    const adler32 = deflateSync(content).subarray(-4).readUInt32BE();
    const room = Buffer.alloc(2 * content.length + 64);
    const bytes = room.subarray(0, writeBlob(room, 0, content, adler32));
    entries.set(name.toString("hex"), { name, file, adler32, bytes, offset });
    offset += bytes.length;
  }
  return [...entries.values()];
}

/** Version 2: how many names begin with each byte or a lower one, and, by name, the names, the CRC-32s and the offsets. */
function formatIndex(entries: readonly Entry[], packChecksum: Buffer): Buffer {
  const sorted = entries.toSorted((left, right) => left.name.compare(right.name));
  const counts = Array.from({ length: 256 }, (_, byte) =>
    sorted.filter(({ name }) => (name[0] ?? 0) <= byte),
  );
  const index = Buffer.concat([
    Buffer.of(0xff, 0x74, 0x4f, 0x63),
    ...[2, ...counts.map(({ length }) => length)].map(toUInt32),
    ...sorted.map(({ name }) => name),
    ...sorted.map(({ bytes }) => toUInt32(crc32(bytes))),
    ...sorted.map(({ offset }) => toUInt32(offset)),
    packChecksum,
  ]);
  return Buffer.concat([index, hash(index)]);
}

function toUInt32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function hash(...pieces: readonly Buffer[]): Buffer {
  const digest = createHash("sha1");
  for (const piece of pieces) digest.update(piece);
  return digest.digest();
}
