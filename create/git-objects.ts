/**
 * The framework as git stores it. Each project has the same, so the build records what git would have to compute of every byte: git
 * then finds each file in a pack, and in its index the state in which the file is on the disk.
 *
 * The record is the Adler-32 of each file, in the order of the files, then git's own index of the pack (gitformat-pack, version 2), and
 * then what the pack has besides the files: the trees of their folders, which git would write one by one.
 * That it is what git makes: `create.test.ts` compares both trees, and has git check every object.
 */

import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  writevSync,
} from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import type { Files } from "./archive.ts";

/** A folder of a project as it was written. */
export interface Written {
  /** Relative to the project, with forward slashes. */
  readonly folder: string;
  readonly files: Files;
  /** What {@link recordObjects} has made of the files. */
  readonly record: Buffer;
  /** When each file was changed last, in whole seconds. A file with another time has been changed since. */
  readonly time: number;
}

/** What is put into a repository: the pieces of files by their paths in it. */
export type Objects = ReadonlyMap<string, readonly Buffer[]>;

const ID_LENGTH = 20;
const SUM_LENGTH = 4;
/** In the index of a pack: what is before the ids. */
const IDS_START = 8 + 4 * 256;
/** At its end: the pack's checksum, and its own. */
const TRAILER_LENGTH = 2 * ID_LENGTH;

const TREE = 2;
const BLOB = 3;
/** Of a zlib stream that is not compressed. */
const ZLIB_HEADER = Buffer.from([0x78, 0x01]);
const LARGEST_BLOCK = 0xffff;

const EXECUTABLE = 0o100755;
const PLAIN = 0o100644;
const FOLDER = 0o40000;

/**
 * The build calls this.
 *
 * @param executables those of the files that can be run
 */
export function recordObjects(files: Files, executables: readonly string[]): Buffer {
  const sums = [...files.values()].map(toSum);
  const blobs = [...files].map(([path, bytes]) => ({
    path,
    mode: executables.includes(path) ? EXECUTABLE : PLAIN,
    id: toId("blob", bytes),
    entry: Buffer.concat(toEntry(BLOB, bytes, toSum(bytes))),
  }));
  const trees = toTrees(blobs).map((tree) => ({
    id: toId("tree", tree),
    entry: Buffer.concat(toEntry(TREE, tree, toSum(tree))),
  }));
  const objects = [...blobs, ...trees];
  const checksum = hash(toPackHeader(objects.length), ...objects.map(({ entry }) => entry));
  return Buffer.concat([...sums, formatPackIndex(objects, checksum), ...trees.map(({ entry }) => entry)]);
}

interface PackedObject {
  readonly id: Buffer;
  /** What the pack has of it. */
  readonly entry: Buffer;
}

function formatPackIndex(packed: readonly PackedObject[], checksum: Buffer): Buffer {
  let offset = toPackHeader(packed.length).length;
  const objects = packed.map(({ id, entry }) => {
    const object = { id, crc: crc32(entry), offset };
    offset += entry.length;
    return object;
  });
  objects.sort((one, other) => one.id.compare(other.id));
  const counts = Array.from(
    { length: 256 },
    (_, byte) => objects.filter(({ id }) => id.readUInt8() <= byte).length,
  );
  const index = Buffer.concat([
    Buffer.from("\xfftOc", "latin1"),
    toNumbers(2, ...counts),
    ...objects.map(({ id }) => id),
    toNumbers(...objects.map(({ crc }) => crc)),
    toNumbers(...objects.map((object) => object.offset)),
    checksum,
  ]);
  return Buffer.concat([index, hash(index)]);
}

interface Leaf {
  readonly path: string;
  readonly mode: number;
  readonly id: Buffer;
}

/** @returns the trees of all folders. The last one is that of the folder which the paths begin in. */
function toTrees(leaves: readonly Leaf[]): Buffer[] {
  const folders = new Set(leaves.flatMap(({ path }) => /^[^/]+\//.exec(path)?.[0] ?? []));
  const below = [...folders].map((folder) => {
    const inside = leaves.filter(({ path }) => path.startsWith(folder));
    const trees = toTrees(inside.map((leaf) => ({ ...leaf, path: leaf.path.slice(folder.length) })));
    return { path: folder, mode: FOLDER, id: toId("tree", ...trees.slice(-1)), trees };
  });
  const entries: Leaf[] = [...leaves.filter(({ path }) => !path.includes("/")), ...below];
  // git compares the name of a folder with its slash, and stores it without.
  entries.sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)));
  const tree = entries.flatMap(({ path, mode, id }) => [
    Buffer.from(`${mode.toString(8)} ${path.replace("/", "")}\0`),
    id,
  ]);
  return [...below.flatMap(({ trees }) => trees), Buffer.concat(tree)];
}

/**
 * @param directory of the project, absolute
 * @returns a pack of all files and their trees, and an index of those that nobody has changed since. `git add` adds the other ones.
 */
export function formatObjects(directory: string, { folder, files, record, time }: Written): Objects {
  const contents = [...files.values()];
  const sums = record.subarray(0, contents.length * SUM_LENGTH);
  const objects = record.readUInt32BE(sums.length + IDS_START - SUM_LENGTH);
  const trees = sums.length + IDS_START + objects * (ID_LENGTH + 2 * SUM_LENGTH) + TRAILER_LENGTH;
  const packIndex = record.subarray(sums.length, trees);
  const checksum = packIndex.subarray(-TRAILER_LENGTH, -ID_LENGTH);
  const ids = readIds(packIndex, objects);
  const entries = [...files.keys()].flatMap((file, at) => {
    const path = `${folder}/${file}`;
    const stat = lstatSync(join(directory, path), { bigint: true, throwIfNoEntry: false });
    const id = ids[at];
    if (!stat?.isFile() || stat.mtimeNs !== BigInt(time) * 1_000_000_000n || id === undefined) return [];
    return [{ path, stat, id }];
  });
  const pack = `objects/pack/pack-${checksum.toString("hex")}`;
  return new Map([
    [
      `${pack}.pack`,
      [
        toPackHeader(objects),
        ...contents.flatMap((bytes, at) => toEntry(BLOB, bytes, sums.subarray(at * SUM_LENGTH))),
        record.subarray(trees),
        checksum,
      ],
    ],
    // After the pack, because git looks for this one.
    [`${pack}.idx`, [packIndex]],
    ["index", [formatIndex(entries)]],
  ]);
}

/**
 * Without effect on a repository that is special in any way: git adds all files then. That is slower, and it has the same result.
 *
 * @param repository a new one, absolute
 * @returns true if the index there is ours
 * @throws the system's error. Each file is whole, or not there.
 */
export function putObjects(repository: string, objects: Objects): boolean {
  if (!isOrdinary(repository)) return false;
  for (const [file, pieces] of objects) {
    const path = join(repository, file);
    // git makes a pack so that nobody writes to it.
    write(`${path}.new`, pieces, file === "index" ? 0o666 : 0o444);
    renameSync(`${path}.new`, path);
  }
  return true;
}

/** Joining the pieces first would take more memory, and more time for it than for the rest. */
function write(path: string, pieces: readonly Buffer[], mode: number): void {
  const file = openSync(path, "w", mode);
  try {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (writevSync(file, pieces) < length) throw new Error(`${path} could only be written in part`);
  } finally {
    closeSync(file);
  }
}

/** Its ids are SHA-1, modes count, nobody shares it, and no attribute of its own overrides our .gitattributes. */
function isOrdinary(repository: string): boolean {
  const config = readFileSync(join(repository, "config"), "utf8");
  const isPlain = /^\s*repositoryformatversion = 0$/m.test(config) && /^\s*filemode = true$/m.test(config);
  const isTaken = ["index", "info/attributes"].some((file) => existsSync(join(repository, file)));
  return isPlain && !isTaken && !/sharedrepository|\[include/i.test(config);
}

function toPackHeader(objects: number): Buffer {
  return Buffer.concat([Buffer.from("PACK"), toNumbers(2, objects)]);
}

/**
 * Not compressed: other versions of Node would compress to other bytes.
 *
 * @param sum begins with that of the bytes
 */
function toEntry(type: number, bytes: Buffer, sum: Buffer): Buffer[] {
  const header = toEntryHeader(type, bytes.length);
  return [header, ZLIB_HEADER, ...toBlocks(bytes), sum.subarray(0, SUM_LENGTH)];
}

/** The Adler-32, which zlib puts at the end. */
function toSum(bytes: Buffer): Buffer {
  return deflateSync(bytes).subarray(-SUM_LENGTH);
}

/** The type and four bits of the length, then seven bits of it a byte. A byte that is not the last has the highest bit. */
function toEntryHeader(type: number, length: number): Buffer {
  const bytes = [(type << 4) | (length & 0xf)];
  for (let rest = length >> 4; rest > 0; rest >>= 7) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** As RFC 1951 stores bytes, section 3.2.4. */
function toBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let from = 0; from === 0 || from < bytes.length; from += LARGEST_BLOCK) {
    const block = bytes.subarray(from, from + LARGEST_BLOCK);
    const header = Buffer.alloc(5);
    header.writeUInt8(from + LARGEST_BLOCK < bytes.length ? 0 : 1);
    header.writeUInt16LE(block.length, 1);
    header.writeUInt16LE(LARGEST_BLOCK - block.length, 3);
    blocks.push(header, block);
  }
  return blocks;
}

/** In the order of the pack, which is that of the files. */
function readIds(packIndex: Buffer, length: number): Buffer[] {
  const offsetsStart = IDS_START + length * (ID_LENGTH + SUM_LENGTH);
  const objects = Array.from({ length }, (_, at) => {
    const start = IDS_START + at * ID_LENGTH;
    return {
      id: packIndex.subarray(start, start + ID_LENGTH),
      offset: packIndex.readUInt32BE(offsetsStart + at * SUM_LENGTH),
    };
  });
  return objects.sort((one, other) => one.offset - other.offset).map(({ id }) => id);
}

interface IndexEntry {
  readonly path: string;
  readonly stat: BigIntStats;
  readonly id: Buffer;
}

/** As gitformat-index says, version 2. */
function formatIndex(entries: readonly IndexEntry[]): Buffer {
  const sorted = entries.toSorted((one, other) =>
    Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)),
  );
  const header = Buffer.concat([Buffer.from("DIRC"), toNumbers(2, sorted.length)]);
  // No checksum: `git add` computes one, and only `git fsck` would miss it before. Loading `node:crypto` takes longer than all the rest.
  return Buffer.concat([header, ...sorted.map(formatIndexEntry), Buffer.alloc(ID_LENGTH)]);
}

function formatIndexEntry({ path, stat, id }: IndexEntry): Buffer {
  const mode = stat.mode & 0o100n ? EXECUTABLE : PLAIN;
  const state = toNumbers(
    ...toTime(stat.ctimeNs),
    ...toTime(stat.mtimeNs),
    stat.dev,
    stat.ino,
    mode,
    stat.uid,
    stat.gid,
    stat.size,
  );
  const name = Buffer.from(path);
  const entry = Buffer.concat([state, id, Buffer.from([name.length >> 8, name.length]), name]);
  // At least one zero, to a multiple of eight.
  return Buffer.concat([entry, Buffer.alloc(8 - (entry.length % 8))]);
}

function toTime(nanoseconds: bigint): [seconds: bigint, rest: bigint] {
  return [nanoseconds / 1_000_000_000n, nanoseconds % 1_000_000_000n];
}

/** Each in four bytes: of a larger one, git keeps the lower bits. */
function toNumbers(...numbers: (number | bigint)[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [at, number] of numbers.entries())
    bytes.writeUInt32BE(Number(BigInt.asUintN(32, BigInt(number))), 4 * at);
  return bytes;
}

function toId(type: "blob" | "tree", ...pieces: Buffer[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return hash(`${type} ${length}\0`, ...pieces);
}

function hash(...pieces: (string | Buffer)[]): Buffer {
  const sha1 = createHash("sha1");
  for (const piece of pieces) sha1.update(piece);
  return sha1.digest();
}
