/** What `[server] compression` and `etag` do to an answer that is sent whole. */

import { isServer } from "../platform.ts";
import type { ServerSettings } from "../settings.ts";
import { hasHeader, hasTag, overrideHeaders, readHeader } from "./headers.ts";
import { type Answer, type Asking, IS_JSON, isPlain } from "./result.ts";

/** RFC 9110 section 12.5.3. @param codings the best one first. @example preferCoding("gzip, br;q=0.5", ["br", "gzip"]) // "gzip" */
export function preferCoding(header: string, codings: readonly string[]): string | undefined {
  const weights = new Map(
    header.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
      return [name, Number(weight)] as const;
    }),
  );
  const weigh = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  // No coding counts only if the client weighs it.
  const plain = weights.get("identity") ?? 0;
  return codings
    .filter((one) => weigh(one) > 0 && weigh(one) >= plain)
    .sort((one, other) => weigh(other) - weigh(one))[0];
}

/** @returns what is sent instead of the answer. */
export type Encode = (answer: Answer, asked: Asking) => Answer | Promise<Answer>;

const IS_TEXT =
  /^(?:text\/(?!event-stream)|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|wasm)\b)/i;
/** In bytes. A shorter body fits into one packet anyway. */
const SHORTEST = 1024;
/** 4 is as fast as gzip's default, and smaller. 11, the default, takes a second for a megabyte. */
const BROTLI_QUALITY = 4;

/** @returns undefined where neither is on, on a platform without zlib, and on Cloudflare. */
export function createEncode({ compression, etag }: ServerSettings): Encode | undefined {
  if (!isServer() || !(compression || etag)) return undefined;
  return (answer, asked) => {
    const tagged = etag ? addTag(answer, asked) : answer;
    return compression ? compress(tagged, asked) : tagged;
  };
}

/** Weak: the same JSON, though its bytes on the wire may be compressed (RFC 9110 section 8.8.1). */
function addTag(answer: Answer, asked: Asking): Answer {
  const { body, headers, status } = answer;
  const isRead = status === 200 && (asked.method === "GET" || asked.method === "HEAD");
  if (!isRead || body === null || !isPlain(body) || hasHeader(headers, "etag")) return answer;
  if (!IS_JSON.test(readHeader(headers, "content-type") ?? "")) return answer;
  const { createHash } = process.getBuiltinModule("node:crypto");
  const tag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  const tagged = [...headers, "ETag", `W/${tag}`];
  const isKnown = hasTag(asked.header("if-none-match") ?? "", tag);
  return isKnown ? { status: 304, headers: tagged, body: null } : { ...answer, headers: tagged };
}

function compress(answer: Answer, asked: Asking): Answer | Promise<Answer> {
  const { body, headers, length, status } = answer;
  // A file that is read while it is sent is a stream, although all of it may have come at once.
  const isFile = length !== undefined && hasHeader(headers, "accept-ranges");
  const whole = isPlain(body) && !isFile ? (body ?? "") : "";
  // What is not modified, and a part, vary as the whole answer does (RFC 9110 sections 15.3.7 and 15.4.5).
  if (status !== 304 && status !== 206 && whole.length < SHORTEST) return answer;
  if (hasHeader(headers, "content-encoding")) return answer;
  if (!IS_TEXT.test(readHeader(headers, "content-type") ?? "")) return answer;
  if (/\bno-transform\b/i.test(readHeader(headers, "cache-control") ?? "")) return answer;
  const vary = readHeader(headers, "vary") ?? "";
  const varied = /accept-encoding|\*/i.test(vary)
    ? headers
    : overrideHeaders(headers, ["Vary", vary === "" ? "Accept-Encoding" : `${vary}, Accept-Encoding`]);
  const coding = preferCoding(asked.header("accept-encoding") ?? "", ["br", "gzip"]);
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

/** Other bytes need another strong tag, so it becomes a weak one, which no part can be asked for by. */
function withoutRanges(headers: readonly string[]): readonly string[] {
  return headers.flatMap((text, at) => {
    const name = String(headers[at - (at % 2)]).toLowerCase();
    if (name === "accept-ranges") return [];
    return name === "etag" && text.startsWith('"') ? [`W/${text}`] : [text];
  });
}
