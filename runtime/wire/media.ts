/** What a request says that its body is. What the handler does not take is refused before it is read. */

import { HttpError } from "../message/errors.ts";
import type { Exchange } from "../message/exchange.ts";

/** A kind of body that a handler can take. */
export interface Media {
  /** For people, as in "JSON". */
  readonly name: string;
  /** Of the content type. */
  readonly pattern: RegExp;
  /** For clients (RFC 9110 section 15.5.16). */
  readonly accept: string;
}

export const JSON_MEDIA: Media = {
  name: "JSON",
  pattern: /^application\/(?:[^\s;/]+\+)?json[ \t]*(?:;|$)/i,
  accept: "application/json",
};

export const FORM_MEDIA: Media = {
  name: "a form",
  pattern: /^(?:application\/x-www-form-urlencoded|multipart\/form-data)[ \t]*(?:;|$)/i,
  accept: "application/x-www-form-urlencoded, multipart/form-data",
};

/** What most clients send. */
const PLAIN_JSON = "application/json";

/**
 * @returns the content type.
 * @throws {HttpError} 415 for another content type, for text that is not UTF-8, and for a body that is compressed.
 */
export function requireMedia(media: Media, exchange: Exchange): string {
  const encoding = exchange.header("content-encoding") ?? "";
  if (encoding !== "" && encoding.toLowerCase() !== "identity")
    throw unsupported("The request body must not be compressed.", { "Accept-Encoding": "identity" });
  const type = exchange.header("content-type") ?? "";
  if (type === PLAIN_JSON && media === JSON_MEDIA) return type;
  if (!media.pattern.test(type))
    throw unsupported(
      `The request body must be ${media.name}: Content-Type ${media.accept.replace(",", " or")}.`,
      {
        Accept: media.accept,
      },
    );
  if (!isUtf8(type)) throw unsupported("The request body must be in UTF-8.", { Accept: media.accept });
  return type;
}

export function isUrlencoded(type = ""): boolean {
  return /^application\/x-www-form-urlencoded/i.test(type);
}

/** The parts of a multipart body have charsets of their own. */
function isUtf8(type: string): boolean {
  if (/^multipart/i.test(type)) return true;
  const [, charset = "utf-8"] = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]*)/i.exec(type) ?? [];
  return /^utf-?8$/i.test(charset);
}

function unsupported(message: string, headers: Readonly<Record<string, string>>): HttpError {
  return new HttpError(415, message, { headers });
}
