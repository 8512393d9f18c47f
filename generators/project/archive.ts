/** Many files in one: npm unpacks a package of ten files in a fraction of the time that it needs for two hundred. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Path, relative to a folder and with forward slashes, to content: text as it is, other bytes in base64. */
export type Archive = Readonly<Record<string, string | { readonly base64: string }>>;

/** @param isIncluded asked with each file's path relative to the folder, with forward slashes. */
export function packFolder(folder: string, isIncluded: (file: string) => boolean = () => true): Archive {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter(isIncluded)
    .sort();
  return Object.fromEntries(files.map((file) => [file, toContent(readFileSync(join(folder, file)))]));
}

/** The inverse of {@link packFolder}. @returns how many files were written. */
export function unpackArchive(
  archive: Archive,
  folder: string,
  isIncluded: (file: string) => boolean = () => true,
): number {
  const files = Object.entries(archive).filter(([file]) => isIncluded(file));
  for (const parent of new Set(files.map(([file]) => dirname(file)))) {
    mkdirSync(join(folder, parent), { recursive: true });
  }
  for (const [file, content] of files) writeFileSync(join(folder, file), toBytes(content));
  return files.length;
}

function toContent(bytes: Buffer): string | { base64: string } {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : { base64: bytes.toString("base64") };
}

function toBytes(content: string | { readonly base64: string }): string | Buffer {
  return typeof content === "string" ? content : Buffer.from(content.base64, "base64");
}
