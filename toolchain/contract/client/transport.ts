/** The end of the client: what its functions share. Of the lines between `//#if` and `//#end` it has those that a route needs. */

import type { CredentialNeed } from "./options.ts";

/** What not every API has. */
export type Need = CredentialNeed | "cookies" | "events" | "form" | "kinds" | "others";

export function writeTransport(needs: ReadonlySet<Need>): string {
  const open: boolean[] = [];
  const lines = TRANSPORT.split("\n").filter((line) => {
    const [, names] = /^ *\/\/#if (.+)$/.exec(line) ?? [];
    if (names !== undefined) open.push(names.split(" ").some((name) => needs.has(name as Need)));
    else if (/^ *\/\/#end$/.test(line)) open.pop();
    else return open.every((isIn) => isIn);
    return false;
  });
  return lines.join("\n");
}

/** @returns each word of the code: the types of the project have other names. */
export function wordsOfTransport(): readonly string[] {
  const code = TRANSPORT.replace(/\/\*\*.*?\*\/|\/\/[^\n]*|"[^"\n]*"/gs, " ");
  return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

const TRANSPORT = String.raw`/** What a route answers: the status tells the members of a union apart. */
export interface Answer<Status extends number, Body> {
  readonly status: Status;
  /** True for 200 to 299. */
  readonly ok: \`\${Status}\` extends \`2\${string}\` ? true : false;
  readonly body: Body;
  readonly headers: Headers;
  readonly response: Response;
}
//#if others

/** An answer with a status that the contract does not name: none of the known ones. */
export interface OtherAnswer<Known extends number, Body> {
  readonly status: Exclude<AnyStatus, Known>;
  readonly ok: boolean;
  readonly body: Body;
  readonly headers: Headers;
  readonly response: Response;
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type AnyStatus = ToNumber<\`\${2 | 3 | 4 | 5}\${Digit}\${Digit}\`>;
type ToNumber<Text> = Text extends \`\${infer Value extends number}\` ? Value : never;
//#end
//#if events

/** One event of a stream. */
export interface ServerEvent<Data> {
  /** The last id that has come. Send it as last-event-id to go on from there. */
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: Data;
}
//#end

/** A value, or a function that gives it for each request: a fresh token. */
export type Source<Value> = Value | (() => Value | PromiseLike<Value>);

/** What a single call may have besides its input. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** In place of others of the same names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly init?: FetchOptions | undefined;
}

/** What else fetch takes. With { credentials: "include" } a browser sends its cookies to another site, too. */
export type FetchOptions = Omit<RequestInit, "method" | "headers" | "body" | "signal">;

/** Thrown for an answer that the contract does not have: another status, or no JSON where there should be JSON. */
export class UnexpectedAnswer extends Error {
  readonly status: number;
  /** The value of its JSON, or its text. */
  readonly body: unknown;
  /** Private, because whoever prints the error would print all of it. */
  readonly #response: Response;

  constructor(message: string, response: Response, text: string) {
    super(message);
    this.name = "UnexpectedAnswer";
    this.status = response.status;
    this.body = parseJson(text, text);
    this.#response = response;
  }

  get response(): Response {
    return this.#response;
  }
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly takes?: "json" | "form" | "multipart";
  readonly bearer?: true;
  readonly basic?: true;
  //#if schemes
  readonly schemes?: readonly string[];
  //#end
  //#if keys
  readonly keys?: readonly (readonly ["headers" | "cookies" | "query", string])[];
  readonly credentials?: "include";
  //#end
  readonly redirect?: "manual";
  /** The statuses of its answers, by what their bodies are. */
  readonly answers: { readonly [kind in Kind]?: readonly (number | "default")[] };
}

type Kind = "json" | "events" | "textEvents" | "anyEvents" | "text" | "stream" | "none";

interface Input {
  readonly path?: object;
  readonly query?: object;
  readonly headers?: object;
  readonly cookies?: object;
  readonly body?: unknown;
}

async function send(
  route: Route,
  options: ClientOptions,
  input: Input = {},
  { signal, headers = {}, init }: CallOptions = {},
): Promise<object> {
  //#if keys
  input = await withKeys(route, options, input);
  //#end
  const request: RequestInit = {
    ...(route.redirect && { redirect: route.redirect }),
    //#if keys
    ...(route.credentials && { credentials: route.credentials }),
    //#end
    ...options.init,
    ...init,
    ...(signal && { signal }),
    method: route.method,
    headers: await toHeaders(route, options, input, headers),
    ...toBody(route, input.body),
  };
  const response = await (options.fetch ?? fetch)(toUrl(route, options.baseUrl ?? SERVER, input), request);
  const body = await readBody(route, response);
  return { status: response.status, ok: response.ok, body, headers: response.headers, response };
}

//#if keys

/** A key is sent as an input of its name is, unless the call has one. */
async function withKeys({ keys = [] }: Route, options: ClientOptions, input: Input): Promise<Input> {
  const { headers, cookies, query } = input;
  const sources: { readonly [name: string]: Source<string | undefined> } = options.apiKeys ?? {};
  const all: Record<"headers" | "cookies" | "query", Record<string, unknown>> = {
    headers: { ...headers },
    cookies: { ...cookies },
    query: { ...query },
  };
  for (const [place, name] of keys) all[place][name] ??= await read(sources[name]);
  return { ...input, ...all };
}
//#end

function toUrl(route: Route, baseUrl: string | URL, { path = {}, query = {} }: Input): string {
  const place = route.path.replace(/\{(.+?)\}/g, (_, name: string) => {
    const texts = toTexts(path).flatMap(([key, text]) => (key === name ? toSegment(name, text) : []));
    return texts.length === 0 ? toSegment(name) : texts.join("/");
  });
  const search = new URLSearchParams(toTexts(query)).toString();
  return String(baseUrl).replace(/\/+$/, "") + place + (search && "?" + search);
}

/** A URL has no empty segment, and drops those of dots. */
function toSegment(name: string, value = ""): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(name + " can't be " + JSON.stringify(value) + " in a path");
  return encodeURIComponent(value);
}

/** Each value that is there, with its name; those of an array one by one. */
function toValues(given: object): [string, unknown][] {
  const all = Object.entries(given).flatMap(([name, value]: [string, unknown]): [string, unknown][] =>
    Array.isArray(value) ? value.map((one: unknown) => [name, one]) : [[name, value]],
  );
  return all.filter(([, value]) => value !== undefined && value !== null);
}

function toTexts(given: object): [string, string][] {
  const toText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));
  return toValues(given).map(([name, value]) => [name, toText(value)]);
}

/** Of two headers with one name, the call's own counts, then the input's, then a credential, then the client's. */
async function toHeaders(
  route: Route,
  options: ClientOptions,
  input: Input,
  own: Readonly<Record<string, string>>,
): Promise<Headers> {
  const headers = new Headers(own);
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined && !headers.has(name)) headers.set(name, value);
  };
  for (const [name, values] of Object.entries(input.headers ?? {})) {
    const texts = toTexts({ values }).map(([, text]) => text);
    if (texts.length > 0) add(name, texts.join(", "));
  }
  //#if cookies
  const cookies = toTexts(input.cookies ?? {}).map(([name, text]) => name + "=" + encodeURIComponent(text));
  if (cookies.length > 0) add("cookie", cookies.join("; "));
  //#end
  //#if bearer
  const token = route.bearer && (await read(options.bearer));
  if (token) add("authorization", "Bearer " + token);
  //#end
  //#if basic
  const user = route.basic && (await read(options.basic));
  if (user) add("authorization", "Basic " + toBase64(user.username + ":" + user.password));
  //#end
  //#if schemes
  const credentials: { readonly [scheme: string]: Source<string | undefined> } = options.credentials ?? {};
  for (const scheme of route.schemes ?? []) {
    const text = await read(credentials[scheme.toLowerCase()]);
    if (text) add("authorization", scheme + " " + text);
  }
  //#end
  if (route.takes === "json" && input.body !== undefined) add("content-type", "application/json");
  for (const [name, value] of Object.entries((await read(options.headers)) ?? {})) add(name, value);
  return headers;
}

function read<Value>(source: Source<Value>): Value | PromiseLike<Value> {
  return source instanceof Function ? source() : source;
}
//#if basic

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
//#end

function toBody(route: Route, body: unknown): { body?: string | URLSearchParams | FormData } {
  if (route.takes === undefined || body === undefined) return {};
  //#if form
  if (route.takes !== "json") return { body: toForm(route, body as object) };
  //#end
  return { body: JSON.stringify(body) };
}
//#if form

/** Fetch sets the content type of either. */
function toForm(route: Route, fields: object): URLSearchParams | FormData {
  if (fields instanceof FormData) return fields;
  if (route.takes === "form") return new URLSearchParams(toTexts(fields));
  const form = new FormData();
  for (const [name, value] of toValues(fields)) {
    if (value instanceof Blob) form.append(name, value, (value as { readonly name?: string }).name || "blob");
    else for (const [, text] of toTexts({ value })) form.append(name, text);
  }
  return form;
}
//#end

async function readBody(route: Route, response: Response): Promise<unknown> {
  const kind = findKind(route, response);
  if (kind === "stream") return response.body ?? new Blob([]).stream();
  if (kind === "none") return void (await response.body?.cancel());
  //#if events
  if (kind === "events" || kind === "textEvents" || kind === "anyEvents") return readEvents(route, response, kind);
  //#end
  const text = await response.text();
  if (kind === "text") return text;
  const value = parseJson(text, NOT_JSON);
  if (kind === "json" && value !== NOT_JSON) return value;
  const why = kind === "json" ? " without JSON" : ", which its contract does not have";
  throw new UnexpectedAnswer(route.method + " " + route.path + " answered " + response.status + why, response, text);
}

const NOT_JSON: unique symbol = Symbol();

function parseJson(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function findKind({ answers }: Route, response: Response): Kind | undefined {
  const all = Object.entries(answers) as [Kind, readonly (number | "default")[]][];
  const known = all.filter(([, statuses]) => statuses.includes(response.status));
  const others = all.filter(([, statuses]) => statuses.includes("default"));
  const kinds = (known.length > 0 ? known : others).map(([kind]) => kind);
  //#if kinds
  const type = response.headers.get("content-type") ?? "";
  if (kinds.length > 1) return kinds.find((kind) => TYPES[kind].test(type));
  //#end
  return kinds[0];
}
//#if kinds

/** The content types by which one of several kinds is chosen, in the order in which routes list them. */
const TYPES: Readonly<Record<Kind, RegExp>> = {
  json: /^application\/([^;]+\+)?json/i,
  events: /^text\/event-stream/i,
  textEvents: /^text\/event-stream/i,
  anyEvents: /^text\/event-stream/i,
  text: /^text\//i,
  stream: /(?:)/,
  none: /(?:)/,
};
//#end
//#if events

/** The body ends when nobody reads on: after a break in a loop over it. */
async function* readEvents(route: Route, response: Response, kind: Kind): AsyncGenerator<ServerEvent<unknown>> {
  let id: string | undefined;
  let event: string | undefined;
  let data: string | undefined;
  for await (const line of readLines(response)) {
    if (line === "") {
      if (data !== undefined) yield { id, event: event || undefined, data: toData(data) };
      event = data = undefined;
      continue;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "data") data = data === undefined ? value : data + "\n" + value;
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) id = value;
  }

  function toData(text: string): unknown {
    if (kind === "textEvents") return text;
    const value = parseJson(text, NOT_JSON);
    if (value !== NOT_JSON) return value;
    if (kind === "anyEvents") return text;
    throw new UnexpectedAnswer(route.method + " " + route.path + " sent an event without JSON", response, text);
  }
}

/** Lines end with CR, LF, or both. What does not end is left out. */
async function* readLines({ body }: Response): AsyncGenerator<string> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let wasReturn = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      const lines = (rest + (wasReturn ? text.replace(/^\n/, "") : text)).split(/\r\n|\r|\n/);
      if (text !== "") wasReturn = text.endsWith("\r");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
//#end
`
  .replaceAll("\\`", "`")
  .replaceAll("\\${", "${");
