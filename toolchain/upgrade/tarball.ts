/** Reads a tarball as npm makes it (POSIX ustar in gzip), so that an upgrade needs no program besides Node. */

import { gunzipSync } from "node:zlib";

const BLOCK = 512;
/** Many times the size of the package: a limit for a small file that expands without end. */
const LARGEST = 64 * 1024 * 1024;

/**
 * @returns each file by its path below npm's folder `package`, or why the tarball can't be read, as the end of a sentence.
 * @see POSIX.1-2017, pax, "ustar Interchange Format"
 */
export function readTarball(bytes: Uint8Array): ReadonlyMap<string, Buffer> | { readonly why: string } {
  let tar: Buffer;
  try {
    tar = gunzipSync(bytes, { maxOutputLength: LARGEST });
  } catch {
    return { why: "it is not a complete gzip file" };
  }
  const files = new Map<string, Buffer>();
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const header = tar.subarray(at, at + BLOCK);
    const size = Number.parseInt(text(header, 124, 12).trim() || "0", 8);
    const content = tar.subarray(at + BLOCK, at + BLOCK + size);
    // A length below zero would lead back to this header, for ever.
    if (text(header, 257, 5) !== "ustar" || !(size >= 0 && content.length >= size))
      return { why: "it is not a complete tarball" };
    if (header[156] === FILE || header[156] === 0) {
      const path = [text(header, 345, 155), text(header, 0, 100)].filter((part) => part !== "").join("/");
      const inside = path.split("/").slice(1).join("/");
      if (inside === "" || inside.split(/[/\\]/).includes(".."))
        return { why: "it has a file with a path outside of it" };
      files.set(inside, content);
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

const FILE = "0".charCodeAt(0);

function text(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? length : end);
}
