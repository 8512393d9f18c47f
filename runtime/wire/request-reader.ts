/** Reads the inputs of a request: query, headers, cookies, form fields, credentials. */

import { HttpError } from "../message/errors.ts";
import type { Exchange } from "../message/exchange.ts";
import { type Fields, parseCookies, parseFields, withoutPrototype } from "../message/form.ts";
import { type Request, requestOf } from "../message/request.ts";
import type { ParamValue } from "../routing/param.ts";
import type { KeyPlace } from "./credentials.ts";
import type { Place } from "./inputs.ts";
import type { Basic } from "./marks.ts";

/** A text or an uploaded file; a list if the request repeats the key. */
export type Raw = string | File | readonly (string | File)[] | undefined;

export type TextPlace = "query" | "header" | "cookie" | "form";

const NO_FIELDS: Fields = new URLSearchParams();

/** RFC 6750 section 2.1. */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;
/** RFC 7617 section 2, with base64 as in RFC 4648 section 4. */
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads each part of the request at its first use. */
export class RequestReader {
  /** The values of the path's params, in order. */
  readonly values: readonly ParamValue[];
  readonly exchange: Exchange;
  /** The results of the guards and providers called so far. */
  readonly results: unknown[];
  /** The parsed JSON, once the body is read; undefined without a body. */
  body: unknown = undefined;
  /** The fields of a form, once the body is read. */
  form: Fields = NO_FIELDS;
  #query: Fields | undefined;
  #cookies: Readonly<Record<string, string>> | undefined;

  constructor(exchange: Exchange, results: unknown[]) {
    this.exchange = exchange;
    this.results = results;
    this.values = exchange.values;
  }

  get request(): Request {
    return requestOf(this.exchange);
  }

  /** @param key the key; for a header its name in lower case. */
  raw(place: TextPlace, key: string): Raw {
    if (place === "header") return this.exchange.header(key);
    if (place === "cookie") return this.#cookieValues[key];
    const values = this.#fields(place).getAll(key);
    return values.length < 2 ? values[0] : values;
  }

  /** @returns all values of a place by key, without a prototype: for shapes with unknown keys. */
  all(place: TextPlace): Readonly<Record<string, Raw>> {
    if (place === "header") return withoutPrototype([...this.exchange.headers]);
    if (place === "cookie") return this.#cookieValues;
    const groups = withoutPrototype<Raw>([]);
    for (const [name, value] of this.#fields(place)) {
      const group = groups[name];
      if (Array.isArray(group)) group.push(value);
      else groups[name] = group === undefined ? value : [group as string | File, value];
    }
    return groups;
  }

  /** @returns undefined if the credential is missing or malformed. @param key the input's key. @param from the place of an API key. */
  credential(place: Place, key = "", from: KeyPlace = "header"): Basic | string | undefined {
    if (place === "api-key") {
      const value = this.raw(from, key);
      return typeof value === "string" && value !== "" ? value : undefined;
    }
    const header = this.exchange.header("authorization") ?? "";
    if (place === "bearer") return BEARER.exec(header)?.[1];
    if (place === "basic") return parseBasic(header);
    return this.scheme === key.toLowerCase() ? header.slice(key.length).trim() || undefined : undefined;
  }

  /** The scheme of `Authorization` in lower case. */
  get scheme(): string | undefined {
    return this.exchange.header("authorization")?.split(/[ \t]/, 1)[0]?.toLowerCase();
  }

  #fields(place: "query" | "form"): Fields {
    if (place === "form") return this.form;
    const { target, path } = this.exchange;
    try {
      this.#query ??= parseFields(target.slice(path.length + 1));
    } catch (cause) {
      throw new HttpError(400, "The query is not valid UTF-8.", { cause });
    }
    return this.#query;
  }

  get #cookieValues(): Readonly<Record<string, string>> {
    this.#cookies ??= parseCookies(this.exchange.header("cookie") ?? "");
    return this.#cookies;
  }
}

function parseBasic(header: string): Basic | undefined {
  const [, encoded] = BASIC.exec(header) ?? [];
  const pair = encoded === undefined ? undefined : decodeBase64(encoded);
  const colon = pair?.indexOf(":") ?? -1;
  // Section 2 forbids control characters, which could split a log line or a header.
  if (pair === undefined || colon === -1 || /[\x00-\x1f\x7f]/.test(pair)) return undefined;
  return { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function decodeBase64(encoded: string): string | undefined {
  try {
    return strictUtf8.decode(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
