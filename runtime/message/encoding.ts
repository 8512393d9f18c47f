/** Compresses and tags answers that are not streams (`[server] compression` and `etag`). */

import { isServer } from "../platform.ts";
import type { ServerSettings } from "../settings.ts";
import { hasHeader, hasTag, overrideHeaders, readHeader } from "./headers.ts";
import { type Answer, type Asking, IS_JSON, isPlain } from "./result.ts";

/** RFC 9110 section 12.5.3. @param codings the preferred one first. @example preferCoding("gzip, br;q=0.5", ["br", "gzip"]) // "gzip" */
export function preferCoding(header: string, codings: readonly string[]): string | undefined {
  const weights = new Map(
    header.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
      return [name, Number(weight)] as const;
    }),
  );
  const weigh = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  // `identity` competes only if the client lists it.
  const identity = weights.get("identity") ?? 0;
  return codings
    .filter((coding) => weigh(coding) > 0 && weigh(coding) >= identity)
    .sort((a, b) => weigh(b) - weigh(a))[0];
}

/** @returns the answer to send, compressed and tagged. */
export type Encode = (answer: Answer, request: Asking) => Answer | Promise<Answer>;

const IS_TEXT =
  /^(?:text\/(?!event-stream)|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|wasm)\b)/i;
/** In bytes. A shorter body fits into one packet anyway. */
const MIN_LENGTH = 1024;
/** 4 is as fast as gzip's default, and smaller. 11, the default, takes a second for a megabyte. */
const BROTLI_QUALITY = 4;

/** @returns undefined if both settings are off, on platforms without zlib, and on Cloudflare. */
export function createEncode({ compression, etag }: ServerSettings): Encode | undefined {
  if (!isServer() || !(compression || etag)) return undefined;
  return (answer, request) => {
    const tagged = etag ? addTag(answer, request) : answer;
    return compression ? compress(tagged, request) : tagged;
  };
}

/** Adds a weak `ETag`, because the bytes of the same JSON may be compressed (RFC 9110 section 8.8.1). */
function addTag(answer: Answer, request: Asking): Answer {
  const { body, headers, status } = answer;
  const isTaggable = status === 200 && (request.method === "GET" || request.method === "HEAD");
  if (!isTaggable || body === null || !isPlain(body) || hasHeader(headers, "etag")) return answer;
  if (!IS_JSON.test(readHeader(headers, "content-type") ?? "")) return answer;
  const { createHash } = process.getBuiltinModule("node:crypto");
  const tag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  const tagged = [...headers, "ETag", `W/${tag}`];
  const isKnown = hasTag(request.header("if-none-match") ?? "", tag);
  return isKnown ? { status: 304, headers: tagged, body: null } : { ...answer, headers: tagged };
}

function compress(answer: Answer, request: Asking): Answer | Promise<Answer> {
  const { body, headers, length, status } = answer;
  // A small file may have arrived in one chunk, but it is still sent as a stream.
  const isFile = length !== undefined && hasHeader(headers, "accept-ranges");
  const whole = isPlain(body) && !isFile ? (body ?? "") : "";
  // 304 and 206 need the same `Vary` as the complete answer (RFC 9110 sections 15.3.7 and 15.4.5).
  if (status !== 304 && status !== 206 && whole.length < MIN_LENGTH) return answer;
  if (hasHeader(headers, "content-encoding")) return answer;
  if (!IS_TEXT.test(readHeader(headers, "content-type") ?? "")) return answer;
  if (/\bno-transform\b/i.test(readHeader(headers, "cache-control") ?? "")) return answer;
  const vary = readHeader(headers, "vary") ?? "";
  const varied = /accept-encoding|\*/i.test(vary)
    ? headers
    : overrideHeaders(headers, ["Vary", vary === "" ? "Accept-Encoding" : `${vary}, Accept-Encoding`]);
  const coding = preferCoding(request.header("accept-encoding") ?? "", ["br", "gzip"]);
  if (coding === undefined || status === 206) return { ...answer, headers: varied };
  if (whole === "") return { ...answer, headers: withoutRanges(varied) };
  const { brotliCompress, constants, gzip } = process.getBuiltinModule("node:zlib");
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return new Promise((resolve) => {
    const done = (error: Error | null, bytes: Uint8Array): void => {
      const coded = [...withoutRanges(varied), "Content-Encoding", coding];
      resolve(error ? { ...answer, headers: varied } : { ...answer, headers: coded, body: bytes });
    };
    if (coding === "br") brotliCompress(whole, { params }, done);
    else gzip(whole, done);
  });
}

/** Weakens a strong tag, because the compressed bytes differ. A weak tag does not permit range requests. */
function withoutRanges(headers: readonly string[]): readonly string[] {
  return headers.flatMap((text, at) => {
    const name = String(headers[at - (at % 2)]).toLowerCase();
    if (name === "accept-ranges") return [];
    return name === "etag" && text.startsWith('"') ? [`W/${text}`] : [text];
  });
}
