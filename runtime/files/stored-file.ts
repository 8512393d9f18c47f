/** Answers with a file on the disk: whole, a range, or 304 (RFC 9110 sections 13 and 14). */

import { lookup } from "mrmime";
import { hasTag } from "../message/headers.ts";
import { type Answer, type Asking, emptyAnswer } from "../message/result.ts";
import type { Source } from "../message/stream.ts";

/** The state of a file at the time of its last `stat`. */
export interface StoredFile {
  readonly path: string;
  readonly size: number;
  /** The time of the last change, in milliseconds since 1970. */
  readonly modified: number;
  readonly tag: string;
  /** The value of `Last-Modified`. */
  readonly date: string;
  /** All response headers except `Content-Range`. */
  readonly headers: readonly string[];
  /** The content, if it is in memory. */
  readonly content?: Uint8Array | string;
}

/**
 * @param type the content type; by default that of the extension.
 * @param coding the content coding. It makes the tag unique, because variants may have the same time and size.
 */
export function storedFile(
  path: string,
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
  more: readonly string[],
  type: string = typeOf(path),
  coding = "",
): StoredFile {
  const modified = Math.floor(mtimeMs);
  const tag = `"${modified.toString(36)}-${size.toString(36)}${coding}"`;
  const date = new Date(modified).toUTCString();
  const own = ["Content-Type", type, "ETag", tag, "Last-Modified", date, "Accept-Ranges", "bytes"];
  return { path, size, modified, tag, date, headers: [...own, ...more] };
}

/** @example typeOf("a.css") // "text/css; charset=utf-8" */
export function typeOf(name: string): string {
  const type = (/[^.\\/]\.\w+$/.test(name) && lookup(name)) || "application/octet-stream";
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}

export function answerFile(file: StoredFile, request: Asking): Answer<Source> {
  const { content, headers, size } = file;
  if (isOutdated(file, request)) return emptyAnswer(412);
  if (isCurrent(file, request)) return emptyAnswer(304, headers);
  if (request.method === "HEAD") {
    return content === undefined ? { status: 200, headers, body: null, length: size } : wholeFile(file);
  }
  const range = request.header("range");
  if (range === undefined || !matchesIfRange(file, request.header("if-range"))) return wholeFile(file);
  const part = parseRange(range, size);
  if (part === undefined) return wholeFile(file);
  if (part === "unsatisfiable") return emptyAnswer(416, ["Content-Range", `bytes */${size}`]);
  const [first, last] = part;
  const length = last - first + 1;
  const partial = [...headers, "Content-Range", `bytes ${first}-${last}/${size}`];
  const body = content?.slice(first, last + 1) ?? readPart(file.path, first, length);
  return { status: 206, headers: partial, body, length };
}

function wholeFile({ content, headers, path, size }: StoredFile): Answer<Source> {
  if (content !== undefined) return { status: 200, headers, body: content };
  return { status: 200, headers, body: size === 0 ? "" : readPart(path, 0, size), length: size };
}

/** True if a precondition fails (RFC 9110 sections 13.1.1 and 13.1.4). Weak tags never match. */
function isOutdated({ modified, tag }: StoredFile, request: Asking): boolean {
  const tags = request.header("if-match");
  if (tags !== undefined) return !hasTag(tags.replaceAll("W/", "not "), tag);
  return Date.parse(request.header("if-unmodified-since") ?? "") < modified - (modified % 1000);
}

/** True if the client has the current file. Tags override times, because a file may change twice in a second. */
function isCurrent({ modified, tag }: StoredFile, request: Asking): boolean {
  const tags = request.header("if-none-match");
  if (tags !== undefined) return hasTag(tags, tag);
  // An invalid time is NaN, so the comparison is false.
  return Date.parse(request.header("if-modified-since") ?? "") >= modified - (modified % 1000);
}

/** RFC 9110 section 13.1.5: the client's earlier parts belong to this version. */
function matchesIfRange({ date, tag }: StoredFile, validator: string | undefined): boolean {
  return validator === undefined || validator === tag || validator === date;
}

/**
 * @returns the first and the last byte; undefined (send the whole file) for several ranges or another unit.
 * @example parseRange("bytes=-5", 100) // [95, 99]
 */
export function parseRange(text: string, size: number): [number, number] | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*$/i.exec(text) ?? [];
  if (from === "" && to === "") return undefined;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < first) return undefined;
  return first >= size || last < first ? "unsatisfiable" : [first, last];
}

/** In bytes: a megabyte takes four reads. With 64 KiB, throughput was 0.8 ×. */
const PIECE = 256 * 1024;

async function* readPart(path: string, first: number, length: number): AsyncGenerator<Uint8Array> {
  const { open } = process.getBuiltinModule("node:fs/promises");
  const file = await open(path);
  try {
    for (let position = first, left = length; left > 0; ) {
      // A new buffer each time, because the server may still be sending the last one.
      const piece = Buffer.allocUnsafeSlow(Math.min(PIECE, left));
      const { bytesRead } = await file.read(piece, 0, piece.length, position);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
      position += bytesRead;
      left -= bytesRead;
    }
  } finally {
    await file.close();
  }
}
