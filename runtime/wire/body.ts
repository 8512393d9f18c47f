/** Reads the body that a route takes: JSON or a form. Another content type is refused before the body is read. */

import { HttpError } from "../message/errors.ts";
import type { Exchange } from "../message/exchange.ts";
import { type Fields, URLENCODED } from "../message/form.ts";
import { readJson } from "../message/json.ts";
import { takeBody, takeForm } from "../message/request.ts";
import type { DeclaredInput } from "./inputs.ts";
import type { RequestReader } from "./request-reader.ts";

/** A kind of body that a handler can take. */
interface Media {
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

const FORM_MEDIA: Media = {
  name: "a form",
  pattern: /^(?:application\/x-www-form-urlencoded|multipart\/form-data)[ \t]*(?:;|$)/i,
  accept: "application/x-www-form-urlencoded, multipart/form-data",
};

/**
 * Reads the body into the reader of the request.
 *
 * @param next is called where the body is parsed: a request then makes one promise.
 * @returns what `next` returns.
 * @throws {HttpError} 400, 413 or 415, or a promise that rejects with it.
 */
type BodyReader = (reader: RequestReader, next: () => unknown) => unknown;

/** @returns undefined if nothing is taken from the body. */
export function toBodyReader(takes: readonly DeclaredInput[]): BodyReader | undefined {
  const inBody = takes.filter(({ in: place }) => place === "body" || place === "form");
  if (inBody.length === 0) return undefined;
  const isOptional = inBody.every(({ optional }) => optional);
  const isForm = inBody.some(({ in: place }) => place === "form");
  const media = isForm ? FORM_MEDIA : JSON_MEDIA;
  return (reader, next) => {
    const { exchange } = reader;
    if (!exchange.hasBody) {
      // An urlencoded form without a field has no bytes.
      const isEmptyForm = isForm && URLENCODED.test(exchange.header("content-type") ?? "");
      if (isOptional || isEmptyForm) return next();
      throw new HttpError(400, `The request body is empty where ${media.name} was expected.`);
    }
    requireMedia(media, exchange);
    if (isForm)
      return takeForm(exchange, (form) => {
        reader.form = withoutEmptyFiles(form);
        return next();
      });
    return takeBody(exchange, (bytes) => {
      if (bytes.length > 0 || !isOptional) reader.body = readJson(bytes);
      return next();
    });
  };
}

/** A browser sends an empty file without a name for an input in which no file was chosen. */
function withoutEmptyFiles(form: Fields): Fields {
  if (form instanceof URLSearchParams) return form;
  const chosen = new FormData();
  for (const [name, value] of form)
    if (typeof value === "string" || value.size > 0 || value.name !== "") chosen.append(name, value);
  return chosen;
}

/**
 * @throws {HttpError} 415 for another content type, for text that is not UTF-8, and for a body whose compression is not taken.
 */
function requireMedia({ name, pattern, accept }: Media, exchange: Exchange): void {
  const coding = exchange.header("content-encoding")?.toLowerCase() ?? "identity";
  const { decoders } = exchange.owner;
  if (coding !== "identity" && coding !== "" && !decoders.has(coding)) {
    const codings = [...decoders.keys(), "identity"];
    const what = codings.length === 1 ? "not be compressed" : `have one of the codings ${codings.join(", ")}`;
    throw unsupported(`must ${what}.`, { "Accept-Encoding": codings.join(", ") });
  }
  const type = exchange.header("content-type") ?? "";
  // What most clients send needs no regular expression.
  if (type === accept) return;
  const headers = { Accept: accept };
  if (!pattern.test(type))
    throw unsupported(`must be ${name}: Content-Type ${accept.replace(",", " or")}.`, headers);
  const [, charset = "utf-8"] = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]*)/i.exec(type) ?? [];
  // The parts of a multipart body have charsets of their own.
  if (!/^multipart/i.test(type) && !/^utf-?8$/i.test(charset))
    throw unsupported("must be in UTF-8.", headers);
}

function unsupported(what: string, headers: Readonly<Record<string, string>>): HttpError {
  return new HttpError(415, `The request body ${what}`, { headers });
}
