/**
 * Many files in one: npm unpacks a package of ten files in a fraction of the time that it needs for two hundred, and what
 * is compressed better than by npm itself reaches the disk sooner.
 *
 * Brotli over a line of JSON, the index (each path with its length in bytes), and then the bytes of all files in that order.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** Path, relative to a folder and with forward slashes, to length in bytes. */
type Index = Readonly<Record<string, number>>;

const LINE_FEED = 0x0a;

/** @param isIncluded asked with each file's path relative to the folder, with forward slashes. */
export function packFolder(folder: string, isIncluded: (file: string) => boolean = () => true): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter(isIncluded)
    .sort();
  const contents = files.map((file) => readFileSync(join(folder, file)));
  const index: Index = Object.fromEntries(files.map((file, at) => [file, contents[at]?.length ?? 0]));
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents]);
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
}

/** The inverse of {@link packFolder}. @returns how many files were written. */
export function unpackArchive(
  archive: Uint8Array,
  folder: string,
  isIncluded: (file: string) => boolean = () => true,
): number {
  const bytes = brotliDecompressSync(archive);
  const body = bytes.indexOf(LINE_FEED) + 1;
  const index = JSON.parse(bytes.toString("utf8", 0, body)) as Index;
  const files = Object.keys(index).filter(isIncluded);
  for (const parent of new Set(files.map((file) => dirname(file)))) {
    mkdirSync(join(folder, parent), { recursive: true });
  }
  let from = body;
  for (const [file, length] of Object.entries(index)) {
    if (isIncluded(file)) writeFileSync(join(folder, file), bytes.subarray(from, from + length));
    from += length;
  }
  return files.length;
}
