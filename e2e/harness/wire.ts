/** Handlers with marks, to be added to a created project, and what each is asked and answers. */

import type { Question } from "./client.ts";

export const WIRE_FILES: Readonly<Record<string, string>> = {
  "lib/orders.ts": `import type { int, Max, Min, MinLength } from "framework";

export interface Line {
  sku: string & MinLength<1>;
  qty: int & Min<1> & Max<100>;
}

export interface NewOrder {
  name: string & MinLength<1>;
  lines: Line[];
  due?: Date;
  extra?: Record<string, number>;
}
`,
  "lib/schema.ts": `interface Answer { value?: { word: string }; issues?: { message: string; path: string[] }[] }

export const Word = {
  "~standard": {
    version: 1,
    vendor: "ours",
    validate(input: unknown): Answer | Promise<Answer> {
      const word = (input as { word?: unknown } | null)?.word;
      if (typeof word !== "string") return { issues: [{ message: "a word is needed", path: ["word"] }] };
      return Promise.resolve({ value: { word: word.toUpperCase() } });
    },
    types: undefined as unknown as { input: unknown; output: { word: string } },
  },
} as const;
`,
  "routes/pages/[id].ts": `import type { int, Max, Request } from "framework";

type Id = int & Max<2147483647>;

export function get(id: Id, request: Request) {
  return { id, segments: request.route?.segments };
}
`,
  "routes/kinds/[kind]/[...path].ts": `import type { Pattern } from "framework";

export function get(kind: "book" | "film", path: (string & Pattern<"^[a-z]+$">)[]) {
  return { kind, path };
}
`,
  "routes/orders.ts": `import type { Body, int, Query, Request } from "framework";
import type { NewOrder } from "../lib/orders.ts";

export function post(body: Body<NewOrder>, page: Query<int> = 1) {
  return [{ body, page, isDate: body.due instanceof Date }, 201];
}

export async function put(request: Request, body: Body<NewOrder>) {
  const why = await request.text().catch(String);
  return { name: body.name, used: request.bodyUsed, why };
}

export function patch(body?: Body<NewOrder>) {
  return { given: body !== undefined };
}
`,
  "routes/search.ts": `import type { int, Max, MinLength, Query } from "framework";

export function get({ q, limit = 20 }: Query<{ q: string & MinLength<1>; limit?: int & Max<100> }>, tag: Query<string[]> = []) {
  return { q, limit, tag };
}
`,
  "routes/contact.ts": `import type { Form, int, MinLength } from "framework";

export function post({ name, age, files = [] }: Form<{ name: string & MinLength<1>; age?: int; files?: File[] }>) {
  return { name, age, files: files.map((file) => [file.name, file.type, file.size]) };
}
`,
  "routes/tastes.ts": `import type { Cookie, Header } from "framework";

export function get(theme: Cookie<"dark" | "light"> = "light", accept_language?: Header<string>) {
  return { theme, language: accept_language };
}
`,
  "routes/bearer.ts": `import type { Bearer } from "framework";

export const get = (token: Bearer) => ({ token });
`,
  "routes/basic.ts": `import type { Basic } from "framework";

export const get = ({ username, password }: Basic) => ({ username, password });
`,
  "routes/key.ts": `import type { ApiKey } from "framework";

export const get = (key: ApiKey<"x-key">) => ({ key });
export const post = (key?: ApiKey<"x-key">) => ({ has: key !== undefined });
`,
  "routes/keys/cookie.ts": `import type { ApiKey } from "framework";

export const get = (session: ApiKey<"session", "cookie">) => ({ session });
export const post = (session?: ApiKey<"session", "cookie">) => ({ has: session !== undefined });
`,
  "routes/keys/query.ts": `import type { ApiKey } from "framework";

export const get = (key: ApiKey<"key", "query">) => ({ key });
`,
  "routes/keys/token.ts": `import type { Credential } from "framework";

/** The token of a device */
type DeviceToken = Credential<"Token">;

export const get = (token: DeviceToken) => ({ token });
`,
  "routes/keys/_hooks.ts": `import { HttpError, reply, type ValidationIssue } from "framework";

export function error(error: unknown) {
  if (!(error instanceof HttpError) || error.credential === undefined) return undefined;
  const issues: readonly ValidationIssue[] = error.body.issues ?? [];
  return reply({ says: error.body.error, is: error.credential, issues }, error.status);
}
`,
  "routes/word.ts": `import type { Body } from "framework";
import type { Word } from "../lib/schema.ts";

export const post = (body: Body<typeof Word>) => body;
`,
};

const JSON_TYPE = { "content-type": "application/json" };
const URLENCODED = { "content-type": "application/x-www-form-urlencoded" };
const MULTIPART = { "content-type": "multipart/form-data; boundary=b" };

const ORDER = { name: "Ada", lines: [{ sku: "a", qty: 2 }] };

function json(body: unknown, headers: Readonly<Record<string, string>> = {}): Question {
  return { body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } };
}

function part(head: string, text: string): string {
  return `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
}

const UPLOAD =
  part('name="name"', "Ada") +
  part('name="files"; filename="a.png"\r\nContent-Type: image/png', "hello") +
  part('name="files"; filename="b.bin"\r\nContent-Type: application/octet-stream', "\0") +
  "--b--\r\n";

/** An issue in the body. */
function issue(pointer: string, code: string, message: string, place = "body"): object {
  return { in: place, pointer, code, message };
}

export interface WireCase {
  readonly line: string;
  readonly question?: Question;
  readonly status: number;
  /** The JSON of the answer. */
  readonly answer: unknown;
  /** Some of its headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const WIRE_CASES: readonly WireCase[] = [
  {
    line: "POST /orders?page=3",
    question: json({ ...ORDER, due: "2026-11-22T10:00:00Z", isAdmin: true }),
    status: 201,
    answer: { body: { ...ORDER, due: "2026-11-22T10:00:00.000Z" }, page: 3, isDate: true },
  },
  {
    line: "POST /orders",
    question: json({
      lines: [
        { sku: "a", qty: 0 },
        { sku: "", qty: "1" },
      ],
      name: "",
    }),
    status: 422,
    answer: {
      error: "lines[0].qty: at least 1, and 3 more issues",
      issues: [
        issue("/lines/0/qty", "min", "at least 1"),
        issue("/lines/1/qty", "type", "a whole number"),
        issue("/lines/1/sku", "min_length", "at least 1 character"),
        issue("/name", "min_length", "at least 1 character"),
      ],
    },
  },
  {
    line: "POST /orders?page=x",
    question: json(ORDER),
    status: 422,
    answer: { error: "page: a whole number", issues: [issue("/page", "type", "a whole number", "query")] },
  },
  {
    line: "POST /orders",
    question: { body: '{"name":"a","lines":[],"extra":{"__proto__":1}}', headers: JSON_TYPE },
    status: 400,
    answer: { error: 'The key "__proto__" is refused, because it can poison prototypes.' },
  },
  {
    line: "POST /orders",
    status: 400,
    answer: { error: "The request body is empty where JSON was expected." },
  },
  {
    line: "POST /orders",
    question: { body: "{}", headers: { "content-type": "text/plain" } },
    status: 415,
    answer: { error: "The request body must be JSON: Content-Type application/json." },
    headers: { accept: "application/json" },
  },
  {
    line: "POST /orders",
    question: { body: "{}", headers: { ...JSON_TYPE, "content-encoding": "gzip" } },
    status: 415,
    answer: { error: "The request body must not be compressed." },
    headers: { "accept-encoding": "identity" },
  },
  {
    line: "PUT /orders",
    question: json(ORDER),
    status: 200,
    answer: {
      name: "Ada",
      used: true,
      why: "TypeError: The body has already been read. Use the Body or Form parameter, or call request.clone() before the first read.",
    },
  },
  { line: "PATCH /orders", status: 200, answer: { given: false } },
  { line: "PATCH /orders", question: json(ORDER), status: 200, answer: { given: true } },
  {
    line: "GET /search?q=a+%C3%A9&tag=x&tag=y",
    status: 200,
    answer: { q: "a é", limit: 20, tag: ["x", "y"] },
  },
  {
    line: "GET /search?q=a&q=b&limit=101",
    status: 422,
    answer: {
      error: "limit: at most 100, and 1 more issue",
      issues: [
        issue("/limit", "max", "at most 100", "query"),
        issue("/q", "repeated", "is given more than once", "query"),
      ],
    },
  },
  {
    line: "POST /contact",
    question: { body: "name=Ada+L&age=36", headers: URLENCODED },
    status: 200,
    answer: { name: "Ada L", age: 36, files: [] },
  },
  {
    line: "POST /contact",
    question: { body: UPLOAD, headers: MULTIPART },
    status: 200,
    answer: {
      name: "Ada",
      files: [
        ["a.png", "image/png", 5],
        ["b.bin", "application/octet-stream", 1],
      ],
    },
  },
  {
    line: "POST /contact",
    question: { body: "name=&age=x", headers: URLENCODED },
    status: 422,
    answer: {
      error: "age: a whole number, and 1 more issue",
      issues: [
        issue("/age", "type", "a whole number", "form"),
        issue("/name", "min_length", "at least 1 character", "form"),
      ],
    },
  },
  {
    line: "POST /contact",
    question: json({}),
    status: 415,
    answer: {
      error:
        "The request body must be a form: Content-Type application/x-www-form-urlencoded or multipart/form-data.",
    },
    headers: { accept: "application/x-www-form-urlencoded, multipart/form-data" },
  },
  {
    line: "GET /tastes",
    question: { headers: { cookie: "theme=dark; theme=light", "accept-language": "de" } },
    status: 200,
    answer: { theme: "dark", language: "de" },
  },
  { line: "GET /tastes", status: 200, answer: { theme: "light" } },
  {
    line: "GET /tastes",
    question: { headers: { cookie: "theme=blue" } },
    status: 422,
    answer: {
      error: "theme: one of dark, light",
      issues: [issue("/theme", "one_of", "one of dark, light", "cookie")],
    },
  },
  {
    line: "GET /pages/2147483647",
    status: 200,
    answer: { id: 2147483647, segments: ["pages", { name: "id", type: "int" }] },
  },
  {
    line: "GET /pages/2147483648",
    question: { headers: { accept: "application/json" } },
    status: 404,
    answer: { error: "Not Found" },
  },
  {
    line: "PUT /pages/7",
    status: 405,
    answer: { error: "Method Not Allowed" },
    headers: { allow: "GET, HEAD, OPTIONS" },
  },
  { line: "PUT /pages/2147483648", status: 404, answer: { error: "Not Found" } },
  { line: "GET /kinds/book/a/b", status: 200, answer: { kind: "book", path: ["a", "b"] } },
  { line: "POST /kinds/book/a/b", status: 405, answer: { error: "Method Not Allowed" } },
  { line: "POST /kinds/song/a/b", status: 404, answer: { error: "Not Found" } },
  { line: "POST /kinds/film/a/B", status: 404, answer: { error: "Not Found" } },
  {
    line: "GET /bearer",
    question: { headers: { authorization: "Bearer abc" } },
    status: 200,
    answer: { token: "abc" },
  },
  {
    line: "GET /bearer",
    status: 401,
    answer: { error: "A bearer token is missing." },
    headers: { "www-authenticate": 'Bearer realm="api"' },
  },
  {
    line: "GET /basic",
    question: { headers: { authorization: "Basic w6k6YTpi" } },
    status: 200,
    answer: { username: "é", password: "a:b" },
  },
  {
    line: "GET /basic",
    question: { headers: { authorization: "Basic ?" } },
    status: 401,
    answer: { error: "The username and the password are malformed." },
    headers: { "www-authenticate": 'Basic realm="api", charset="UTF-8"' },
  },
  { line: "GET /key", question: { headers: { "x-key": "k" } }, status: 200, answer: { key: "k" } },
  {
    line: "GET /key",
    status: 401,
    answer: { error: "The header x-key is missing." },
    headers: { "www-authenticate": 'ApiKey realm="api", header="x-key"' },
  },
  { line: "POST /key", status: 200, answer: { has: false } },
  {
    line: "GET /keys/cookie",
    question: { headers: { cookie: "a=b; session=s%20t" } },
    status: 200,
    answer: { session: "s t" },
  },
  {
    line: "GET /keys/cookie",
    question: { headers: { session: "s" } },
    status: 401,
    answer: { says: "The cookie session is missing.", is: "missing", issues: [] },
    headers: { "www-authenticate": 'ApiKey realm="api", cookie="session"' },
  },
  { line: "POST /keys/cookie", status: 200, answer: { has: false } },
  { line: "GET /keys/query?key=k", status: 200, answer: { key: "k" } },
  {
    line: "GET /keys/query",
    status: 401,
    answer: { says: "The query parameter key is missing.", is: "missing", issues: [] },
    headers: { "www-authenticate": 'ApiKey realm="api", query="key"' },
  },
  {
    line: "GET /keys/token",
    question: { headers: { authorization: "token a b" } },
    status: 200,
    answer: { token: "a b" },
  },
  {
    line: "GET /keys/token",
    question: { headers: { authorization: "Bearer a" } },
    status: 401,
    answer: { says: "A credential of the scheme Token is missing.", is: "wrong_scheme", issues: [] },
    headers: { "www-authenticate": 'Token realm="api"' },
  },
  { line: "POST /word", question: json({ word: "lamp" }), status: 200, answer: { word: "LAMP" } },
  {
    line: "POST /word",
    question: json({}),
    status: 422,
    answer: { error: "word: a word is needed", issues: [issue("/word", "schema", "a word is needed")] },
  },
];
