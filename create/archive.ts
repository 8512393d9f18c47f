/**
 * Many files in one: npm unpacks a package of ten files in a fraction of the time that it needs for two hundred, and what
 * is compressed better than by npm itself reaches the disk sooner.
 *
 * Brotli over a line of JSON, the index (each path with its length in bytes), and then the bytes of all files in that order.
 */

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** Path, relative to a folder and with forward slashes, to length in bytes. */
type Index = Readonly<Record<string, number>>;

const LINE_FEED = 0x0a;
/** Many times what there is, and an end to what a small file blown up by its compression can do. */
const LARGEST = 64 * 1024 * 1024;
/** Not 16 KiB, of which there would be a hundred to be joined. */
const CHUNK = 1024 * 1024;

/** Path, relative to a folder and with forward slashes, to bytes. */
export type Files = ReadonlyMap<string, Buffer>;

/** @param isIncluded asked with each file's path relative to the folder, with forward slashes. */
export function packFolder(folder: string, isIncluded: (file: string) => boolean = () => true): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter(isIncluded)
    .sort();
  return formatArchive(new Map(files.map((file) => [file, readFileSync(join(folder, file))])));
}

export function formatArchive(files: Files): Buffer {
  const index: Index = Object.fromEntries([...files].map(([file, { length }]) => [file, length]));
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...files.values()]);
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
}

/**
 * The inverse of {@link formatArchive}.
 *
 * @throws when it is no archive, or one that would be written outside of its folder: a project's own may come from anybody
 */
export function parseArchive(archive: Uint8Array): Files {
  const bytes = brotliDecompressSync(archive, { maxOutputLength: LARGEST, chunkSize: CHUNK });
  const body = bytes.indexOf(LINE_FEED) + 1;
  const index = JSON.parse(bytes.toString("utf8", 0, body)) as Index;
  const stray = Object.keys(index).find((file) => isAbsolute(file) || file.split(/[/\\]/).includes(".."));
  if (stray !== undefined) throw new Error(`The archive has a file that leads out of it: ${stray}`);
  let end = body;
  return new Map(
    Object.entries(index).map(([file, length]) => {
      const from = end;
      end += length;
      return [file, bytes.subarray(from, end)];
    }),
  );
}

/** @param folder made where it is missing, with the folders below it. */
export function writeFiles(files: Files, folder: string): void {
  for (const parent of new Set([...files.keys()].map((file) => dirname(file)))) {
    mkdirSync(join(folder, parent), { recursive: true });
  }
  for (const [file, bytes] of files) write(join(folder, file), bytes);
}

/** What Node's own `writeFileSync` does in twice the time. */
function write(path: string, bytes: Buffer): void {
  const file = openSync(path, "w");
  try {
    for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
  } finally {
    closeSync(file);
  }
}
