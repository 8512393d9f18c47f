/** From what somebody has filled in to the request that is sent, shown as `curl`, and shown as a call of the client. */

import type { Operation, Parameter, Schema } from "./document.ts";

/** A parameter with its texts: none is not sent, and a list has several. */
export interface Given {
  readonly parameter: Parameter;
  /** Those of an object are pairs, as in `key=value`. */
  readonly texts: readonly string[];
  readonly isObject: boolean;
}

export interface FormField {
  readonly name: string;
  readonly value: string | File;
  /** Of all values of its name. */
  readonly schema?: Schema;
}

export type GivenBody =
  | { readonly media: string; readonly text: string }
  | { readonly media: string; readonly fields: readonly FormField[] };

/** An operation with all that was filled in. */
export interface Draft {
  readonly operation: Operation;
  /** A URL without a slash at its end. */
  readonly server: string;
  readonly given: readonly Given[];
  /** Headers with credentials. */
  readonly credentials: readonly HeaderPair[];
  readonly body: GivenBody | undefined;
}

export type HeaderPair = readonly [name: string, value: string];

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderPair[];
  /** A browser sends its own cookies instead. */
  readonly cookies: readonly HeaderPair[];
  readonly body: string | readonly FormField[] | undefined;
}

const MULTIPART = "multipart/form-data";

export function toRequest({ operation, server, given, credentials, body }: Draft): Sent {
  const pairs = given.flatMap(({ parameter, texts, isObject }) =>
    texts.map((text) => ({ in: parameter.in, pair: toPair(parameter.name, text, isObject) })),
  );
  const placed = (place: Parameter["in"]): HeaderPair[] =>
    pairs.flatMap((one) => (one.in === place ? [one.pair] : []));
  const path = fillPath(operation.path, given);
  const query = new URLSearchParams(placed("query").map(([name, value]) => [name, value])).toString();
  const isBare = body === undefined || body.media === MULTIPART;
  const type: HeaderPair[] = isBare ? [] : [["content-type", body.media]];
  return {
    method: operation.method,
    url: `${server}${path}${query === "" ? "" : `?${query}`}`,
    headers: [...credentials, ...placed("header"), ...type],
    cookies: placed("cookie"),
    body: body && toBody(body),
  };
}

function toPair(name: string, text: string, isObject: boolean): HeaderPair {
  if (!isObject) return [name, text];
  const [key = "", ...value] = text.split("=");
  return [key.trim(), value.join("=")];
}

function fillPath(path: string, given: readonly Given[]): string {
  return path.replace(/\{([^{}]+)\}/g, (written, name: string) => {
    const found = given.find(({ parameter }) => parameter.in === "path" && parameter.name === name);
    const [text] = found?.texts ?? [];
    if (found === undefined || text === undefined) return written;
    return segmentsOf(found.parameter, text).map(encodeSegment).join("/");
  });
}

function segmentsOf({ "x-whole-path": isWhole }: Parameter, text: string): readonly string[] {
  return isWhole ? text.replace(/^\/|\/$/g, "").split("/") : [text];
}

/** A segment of dots would be another path (WHATWG URL, "double-dot path segment"). */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/^\.+$/, encodeDots);
}

function encodeDots(dots: string): string {
  return dots.replaceAll(".", "%2E");
}

function toBody(body: GivenBody): Sent["body"] {
  if ("text" in body) return body.text;
  if (body.media === MULTIPART) return body.fields;
  const pairs = body.fields.map(({ name, value }) => [name, typeof value === "string" ? value : value.name]);
  return new URLSearchParams(pairs).toString();
}

/** As a shell takes it: every text in single quotes, in which nothing is special but the quote itself. */
export function formatCurl({ method, url, headers, cookies, body }: Sent): string {
  const cookie = cookies.map(([name, value]) => `${name}=${value}`).join("; ");
  const words = [
    quoteWord(url),
    ...(method === "HEAD" ? ["--head"] : method === "GET" ? [] : [`--request ${method}`]),
    // Without its value, a header that ends with a colon would be taken away.
    ...headers.map(
      ([name, value]) => `--header ${quoteWord(value === "" ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(cookie === "" ? [] : [`--header ${quoteWord(`cookie: ${cookie}`)}`]),
    ...(typeof body === "string" ? [`--data-raw ${quoteWord(body)}`] : (body ?? []).map(formatField)),
  ];
  return `curl ${words.join(" \\\n  ")}`;
}

function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** curl reads the file; `--form-string` takes a text as it is, even one that begins with `@`. */
function formatField({ name, value }: FormField): string {
  if (typeof value === "string") return `--form-string ${quoteWord(`${name}=${value}`)}`;
  const file = `"${value.name.replace(/[\\"]/g, "\\$&")}"`;
  return `--form ${quoteWord(`${name}=@${file}${value.type === "" ? "" : `;type=${value.type}`}`)}`;
}

/** As the client of `framework client` takes it: `await api.getUser({ path: { user_id: 7 } })`. */
export function formatCall(draft: Draft): string {
  const { operation, given, body } = draft;
  const places = { path: "path", query: "query", headers: "header", cookies: "cookie" } as const;
  const parts = Object.entries(places).flatMap(([key, place]) => {
    const entries = given.filter(({ parameter }) => parameter.in === place).flatMap(toEntries);
    return entries.length === 0 ? [] : [[key, Object.fromEntries(entries)] as const];
  });
  const whole = body === undefined ? parts : [...parts, ["body", toValue(body)] as const];
  const input = whole.length === 0 ? "" : formatLiteral(Object.fromEntries(whole));
  return `const answer = await api.${operation.id}(${input});`;
}

function toEntries({ parameter, texts, isObject }: Given): (readonly [string, unknown])[] {
  const { name, schema = {} } = parameter;
  const [text] = texts;
  if (text === undefined) return [];
  if (parameter["x-whole-path"]) return [[name, segmentsOf(parameter, text)]];
  return isObject ? texts.map((text) => toPair(name, text, true)) : [[name, readValues(texts, schema)]];
}

/** @returns a list where the schema has one, or where there are several values. */
function readValues(values: readonly (string | File)[], { type, items }: Schema): unknown {
  const isList = [type].flat().includes("array");
  const inner = isList ? typeof items === "object" && items.type : type;
  const read = values.map((value) => (typeof value === "string" ? readPlain(value, inner) : value));
  return isList || read.length > 1 ? read : read[0];
}

/** @returns a number or a boolean where the type takes one, else the text. */
function readPlain(text: string, type: unknown): unknown {
  const types = [type].flat();
  if (types.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  const isNumber = types.includes("integer") || types.includes("number");
  return isNumber && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text;
}

function toValue(body: GivenBody): unknown {
  if ("text" in body) {
    const value = parseJson(body.text);
    return value === undefined ? body.text : value;
  }
  const names = new Set(body.fields.map(({ name }) => name));
  const entries = Array.from(names, (name) => {
    const fields = body.fields.filter((field) => field.name === name);
    const values = fields.map(({ value }) => value);
    return [name, readValues(values, fields[0]?.schema ?? {})];
  });
  return Object.fromEntries(entries);
}

/** @returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As many characters as the column has. */
const LINE = 44;

/** JSON as TypeScript writes it. @example formatLiteral({ id: 7, "x-key": "a" }) // "{ id: 7, \"x-key\": \"a\" }" */
export function formatLiteral(value: unknown, margin = ""): string {
  // The call has it in a variable.
  if (value instanceof File) return "file";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const deeper = `${margin}  `;
  const items = Object.entries(value).map(([key, inner]) => {
    const name = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? key : JSON.stringify(key);
    return `${isList ? "" : `${name}: `}${formatLiteral(inner, deeper)}`;
  });
  const line = items.join(", ");
  if (items.length === 0) return open + close;
  if (margin.length + line.length <= LINE && !line.includes("\n"))
    return isList ? `[${line}]` : `{ ${line} }`;
  return `${open}\n${deeper}${items.join(`,\n${deeper}`)},\n${margin}${close}`;
}
