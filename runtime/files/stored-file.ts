/** A file on the disk as an answer: whole, in part, or "not modified" (RFC 9110 sections 13 and 14). */

import { lookup } from "mrmime";
import { hasTag } from "../message/headers.ts";
import { type Answer, type Asking, emptyAnswer } from "../message/result.ts";
import type { Source } from "../message/stream.ts";

/** A file as it was when somebody looked. */
export interface StoredFile {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly tag: string;
  /** Of its `Last-Modified`. */
  readonly date: string;
  /** All that go out with it, but those of a part. */
  readonly headers: readonly string[];
  /** All of it, where it was read already. */
  readonly content?: Uint8Array | string;
}

/**
 * @param type the content type; by default that of the name's ending.
 * @param coding tells the tag from those of the same file in other codings, which may be as old and as long.
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

export function answerFile(file: StoredFile, asked: Asking): Answer<Source> {
  const { content, headers, size } = file;
  if (isOther(file, asked)) return emptyAnswer(412);
  if (isKnown(file, asked)) return emptyAnswer(304, headers);
  if (asked.method === "HEAD") {
    return content === undefined ? { status: 200, headers, body: null, length: size } : wholeFile(file);
  }
  const range = asked.header("range");
  if (range === undefined || !isSame(file, asked.header("if-range"))) return wholeFile(file);
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

/** True if the client wants the file only as it was (RFC 9110 sections 13.1.1 and 13.1.4). A weak tag is no such file. */
function isOther({ modified, tag }: StoredFile, asked: Asking): boolean {
  const tags = asked.header("if-match");
  if (tags !== undefined) return !hasTag(tags.replaceAll("W/", "not "), tag);
  return Date.parse(asked.header("if-unmodified-since") ?? "") < modified - (modified % 1000);
}

/** True if the client has it already. Tags count before times: a file may change twice in a second. */
function isKnown({ modified, tag }: StoredFile, asked: Asking): boolean {
  const tags = asked.header("if-none-match");
  if (tags !== undefined) return hasTag(tags, tag);
  // A time that can't be read is NaN, which is not later.
  return Date.parse(asked.header("if-modified-since") ?? "") >= modified - (modified % 1000);
}

/** RFC 9110 section 13.1.5: the parts that a client has are of this very file. */
function isSame({ date, tag }: StoredFile, validator: string | undefined): boolean {
  return validator === undefined || validator === tag || validator === date;
}

/**
 * @returns the first and the last byte; undefined for several parts, and for what is no range of bytes: then the whole file is the answer.
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

/** A file of a megabyte in four reads: with 64 KiB, it had 0.8 × the requests. */
const PIECE = 256 * 1024;

async function* readPart(path: string, first: number, length: number): AsyncGenerator<Uint8Array> {
  const { open } = process.getBuiltinModule("node:fs/promises");
  const file = await open(path);
  try {
    for (let at = first, left = length; left > 0; ) {
      // A new one each time: the server may still have the last one to send.
      const piece = Buffer.allocUnsafeSlow(Math.min(PIECE, left));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
      left -= bytesRead;
    }
  } finally {
    await file.close();
  }
}
