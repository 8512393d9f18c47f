/** Reads the body of a request as the JSON or form that its route declares. Refuses other content types before reading. */

import { HttpError } from "../message/errors.ts";
import type { Exchange } from "../message/exchange.ts";
import { type Fields, URLENCODED } from "../message/form.ts";
import { readJson } from "../message/json.ts";
import { takeBody, takeForm } from "../message/request.ts";
import type { DeclaredInput } from "./inputs.ts";
import type { RequestReader } from "./request-reader.ts";

/** A media type that a handler can declare. */
interface Media {
  /** The name in messages, such as "JSON". */
  readonly name: string;
  /** Matches the content type. */
  readonly pattern: RegExp;
  /** The value of `Accept` in a 415 (RFC 9110 section 15.5.16). */
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
 * @param next called right after parsing, so that a request creates one promise only.
 * @returns the result of `next`.
 * @throws {HttpError} 400, 413 or 415, or a promise that rejects with it.
 */
type BodyReader = (reader: RequestReader, next: () => unknown) => unknown;

/** @returns undefined if no input comes from the body. */
export function toBodyReader(takes: readonly DeclaredInput[]): BodyReader | undefined {
  const inBody = takes.filter(({ in: place }) => place === "body" || place === "form");
  if (inBody.length === 0) return undefined;
  const isOptional = inBody.every(({ optional }) => optional);
  const isForm = inBody.some(({ in: place }) => place === "form");
  const media = isForm ? FORM_MEDIA : JSON_MEDIA;
  return (reader, next) => {
    const { exchange } = reader;
    if (!exchange.hasBody) {
      // A urlencoded form without fields has no bytes.
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

/** Removes empty files without a name, which browsers send for file inputs without a chosen file. */
function withoutEmptyFiles(form: Fields): Fields {
  if (form instanceof URLSearchParams) return form;
  const chosen = new FormData();
  for (const [name, value] of form)
    if (typeof value === "string" || value.size > 0 || value.name !== "") chosen.append(name, value);
  return chosen;
}

/**
 * @throws {HttpError} 415 for another content type, another charset than UTF-8, and an unsupported content coding.
 */
function requireMedia({ name, pattern, accept }: Media, exchange: Exchange): void {
  const coding = exchange.header("content-encoding")?.toLowerCase() ?? "identity";
  const { decoders } = exchange.owner;
  if (coding !== "identity" && coding !== "" && !decoders.has(coding)) {
    const codings = [...decoders.keys(), "identity"];
    const rule = codings.length === 1 ? "not be compressed" : `have one of the codings ${codings.join(", ")}`;
    throw unsupported(`must ${rule}.`, { "Accept-Encoding": codings.join(", ") });
  }
  const type = exchange.header("content-type") ?? "";
  // Fast path: most clients send exactly this.
  if (type === accept) return;
  const headers = { Accept: accept };
  if (!pattern.test(type))
    throw unsupported(`must be ${name}: Content-Type ${accept.replace(",", " or")}.`, headers);
  const [, charset = "utf-8"] = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]*)/i.exec(type) ?? [];
  // The parts of a multipart body have charsets of their own.
  if (!/^multipart/i.test(type) && !/^utf-?8$/i.test(charset))
    throw unsupported("must be in UTF-8.", headers);
}

function unsupported(rule: string, headers: Readonly<Record<string, string>>): HttpError {
  return new HttpError(415, `The request body ${rule}`, { headers });
}
