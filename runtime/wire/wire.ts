/** A request as the code of a wire module asks it: each part is read when it is first asked for. */

import { parseCookies } from "../message/cookies.ts";
import type { Exchange } from "../message/exchange.ts";
import { withoutPrototype } from "../message/record.ts";
import { type Request, requestOf } from "../message/request.ts";
import type { ParamValue } from "../routing/param.ts";
import { parseBasic, parseBearer } from "./credentials.ts";
import { type Fields, groupFields, NO_FIELDS, pickField } from "./fields.ts";
import type { Raw, TextPlace, Wire } from "./taker.ts";

export class RequestWire implements Wire {
  readonly values: readonly ParamValue[];
  /** Of the body, once it is read. */
  form: Fields = NO_FIELDS;
  readonly exchange: Exchange;
  #query: Fields | undefined;
  #cookies: Readonly<Record<string, string>> | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.values = exchange.values;
  }

  get request(): Request {
    return requestOf(this.exchange);
  }

  raw(place: TextPlace, key: string): Raw {
    if (place === "query") return pickField(this.#queryFields, key);
    if (place === "form") return pickField(this.form, key);
    return place === "header" ? this.exchange.header(key) : this.#cookieValues[key];
  }

  all(place: TextPlace): Readonly<Record<string, Raw>> {
    if (place === "query") return groupFields(this.#queryFields);
    if (place === "form") return groupFields(this.form);
    return place === "header" ? withoutPrototype([...this.exchange.headers]) : this.#cookieValues;
  }

  get bearer(): string | undefined {
    return parseBearer(this.exchange.header("authorization"));
  }

  get basic(): Wire["basic"] {
    return parseBasic(this.exchange.header("authorization"));
  }

  apiKey(header: string): string | undefined {
    return this.exchange.header(header) || undefined;
  }

  get #queryFields(): Fields {
    const { target, path } = this.exchange;
    this.#query ??= new URLSearchParams(target.slice(path.length));
    return this.#query;
  }

  get #cookieValues(): Readonly<Record<string, string>> {
    this.#cookies ??= parseCookies(this.exchange.header("cookie") ?? "");
    return this.#cookies;
  }
}
