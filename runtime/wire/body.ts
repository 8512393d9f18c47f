/** Reads the body that a handler takes: JSON or a form. */

import { HttpError } from "../message/errors.ts";
import type { Exchange } from "../message/exchange.ts";
import { parseForm } from "../message/form.ts";
import { readJson } from "../message/json.ts";
import { takeBody } from "../message/request.ts";
import { parseFields } from "./fields.ts";
import { FORM_MEDIA, isUrlencoded, JSON_MEDIA, requireMedia } from "./media.ts";
import type { Take } from "./take.ts";
import type { RequestWire } from "./wire.ts";

/** As in WHATWG URL section 5.1: what is not UTF-8 is replaced. */
const lenientUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * @param use gets the JSON, or undefined where there is none, and is called where the body is parsed: a request then makes one promise.
 * @returns what `use` returns.
 * @throws {HttpError} 400, 413 or 415, or a promise that rejects with it.
 */
type BodyReader = (exchange: Exchange, wire: RequestWire, use: (json: unknown) => unknown) => unknown;

/** @returns undefined if nothing is taken from the body. */
export function toBodyReader(takes: readonly Take[]): BodyReader | undefined {
  const inBody = takes.filter(({ in: place }) => place === "body" || place === "form");
  if (inBody.length === 0) return undefined;
  const isOptional = inBody.every(({ optional }) => optional);
  return inBody.some(({ in: place }) => place === "form")
    ? toFormReader(isOptional)
    : toJsonReader(isOptional);
}

function toJsonReader(isOptional: boolean): BodyReader {
  return (exchange, _, use) => {
    if (!exchange.hasBody) {
      if (isOptional) return use(undefined);
      throw isEmpty("JSON");
    }
    requireMedia(JSON_MEDIA, exchange);
    return takeBody(exchange, (bytes) => use(bytes.length === 0 && isOptional ? undefined : readJson(bytes)));
  };
}

function toFormReader(isOptional: boolean): BodyReader {
  return (exchange, wire, use) => {
    if (!exchange.hasBody) {
      // A form without a field has no bytes.
      if (isOptional || isUrlencoded(exchange.header("content-type"))) return use(undefined);
      throw isEmpty("a form");
    }
    const type = requireMedia(FORM_MEDIA, exchange);
    return takeBody(exchange, (bytes) => {
      if (!isUrlencoded(type))
        return parseForm(bytes, type).then((form) => {
          wire.form = form;
          return use(undefined);
        });
      wire.form = parseFields(lenientUtf8.decode(bytes));
      return use(undefined);
    });
  };
}

function isEmpty(expected: string): HttpError {
  return new HttpError(400, `The request body is empty where ${expected} was expected.`);
}
