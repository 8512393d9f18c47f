/** Reads a tarball as npm makes it (POSIX ustar in gzip), so that an upgrade needs no program beside Node. */

import { gunzipSync } from "node:zlib";

const BLOCK = 512;
/** Many times what the package is, and nothing that a small file blown up by its compression gets past. */
const LARGEST = 64 * 1024 * 1024;

/**
 * @returns each file by its path in the package (npm puts all below one folder, which is left out), or why it can't be read, as the
 * end of a sentence.
 * @see POSIX.1-2017, pax, "ustar Interchange Format" and "pax Header Block"
 */
export function readTarball(bytes: Uint8Array): ReadonlyMap<string, Buffer> | { readonly why: string } {
  let tar: Buffer;
  try {
    tar = gunzipSync(bytes, { maxOutputLength: LARGEST });
  } catch {
    return { why: "it is not a complete gzip file" };
  }
  const files = new Map<string, Buffer>();
  let longPath: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const header = tar.subarray(at, at + BLOCK);
    const size = octal(header, 124, 12);
    const content = tar.subarray(at + BLOCK, at + BLOCK + size);
    // A length below nothing would lead back to this header, for ever.
    if (!hasChecksum(header) || !(size >= 0 && content.length >= size))
      return { why: "it is not a complete tarball" };
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === "x") longPath = /^\d+ path=(.*)$/m.exec(content.toString())?.[1];
    if (type === "0" || type === "\0") {
      const path = (longPath ?? pathOf(header)).split("/").slice(1).join("/");
      if (path === "" || path.split(/[/\\]/).includes(".."))
        return { why: "it has a file with a path outside of it" };
      files.set(path, content);
    }
    if (type !== "x") longPath = undefined;
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function pathOf(header: Buffer): string {
  const prefix = text(header, 345, 155);
  return prefix === "" ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
}

function text(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? length : end);
}

function octal(header: Buffer, from: number, length: number): number {
  return Number.parseInt(text(header, from, length).trim() || "0", 8);
}

/** The sum of the header's bytes, with blanks in the place of the sum itself. */
function hasChecksum(header: Buffer): boolean {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  return sum === octal(header, 148, 8);
}
