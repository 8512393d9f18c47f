/** What several routes share, to be added to a created project: providers, `_hooks.ts`, CORS; and what each request is answered. */

import type { Question } from "./client.ts";

export const SHARED_FILES: Readonly<Record<string, string>> = {
  "framework.toml": `apps = ["products", "users", "notes"]

[server]
health = "/healthz"

[cors]
origins = ["https://shop.example"]
`,
  "lib/auth.ts": `import { type Bearer, HttpError } from "framework";

export interface User {
  id: number;
  name: string;
}

export function currentUser(token: Bearer): User {
  if (token !== "ada-token") throw new HttpError(401, "The token is not valid");
  return { id: 1, name: "Ada" };
}
`,
  "lib/index.ts": 'export { currentUser as requireUser } from "./auth.ts";\nexport * from "./journal.ts";\n',
  "lib/journal.ts": `import type { From } from "framework";
import type { requireUser } from "./index.ts";

export const journal: string[] = [];

export interface Journal {
  write(line: string): void;
}

/** Open for as long as the request needs it. */
export async function* openJournal(): AsyncGenerator<Journal> {
  journal.push("open");
  try {
    yield { write: (line) => void journal.push(line) };
    journal.push("commit");
  } catch (error) {
    journal.push("rollback");
    throw error;
  }
}

export const ownJournal = (user: From<typeof requireUser>, all: From<typeof openJournal>): Journal => ({
  write: (line) => all.write(\`\${user.name}: \${line}\`),
});
`,
  "lib/notes.ts": `import { type From, HttpError, type int, type Query } from "framework";
import type { requireUser } from "./index.ts";

const notes = [{ id: 1, owner: 1, text: "Call Charles" }];

export async function noteById(id: int, user: From<typeof requireUser>, loud: Query<boolean> = false) {
  const note = notes.find((one) => one.id === id && one.owner === user.id);
  if (note === undefined) throw new HttpError(404, \`There is no note \${id}\`);
  return { ...note, text: loud ? note.text.toUpperCase() : note.text };
}
`,
  "_hooks.ts": `import type { Next, Request } from "framework";

export async function middleware(request: Request, next: Next) {
  const response = await next();
  response.headers.set("x-seen", \`\${request.method} \${request.path} \${response.status}\`);
  return response;
}
`,
  "apps/notes/app.toml": '[app]\nprefix = "/notes"\n',
  "apps/notes/_hooks.ts": `import type { From } from "framework";
import type { requireUser } from "../../lib/index.ts";

export function guard(user: From<typeof requireUser>) {
  return { isAdmin: user.id === 1 };
}
`,
  "apps/notes/views.ts": `import type { Body, From, MinLength, Request } from "framework";
import type { ownJournal, requireUser } from "../../lib/index.ts";
import type { noteById } from "../../lib/notes.ts";
import type { guard } from "./_hooks.ts";

export function get_index(user: From<typeof requireUser>, rights: From<typeof guard>) {
  return { user: user.name, rights };
}

export function get_$id(request: Request, note: From<typeof noteById>) {
  return { note, path: request.path };
}

export function post_index({ text }: Body<{ text: string & MinLength<1> }>, mine: From<typeof ownJournal>) {
  mine.write(text);
  if (text === "bad") throw new RangeError("bad");
  return [{ text }, 201];
}
`,
  "routes/journal.ts": `import type { From } from "framework";
import { journal, type openJournal } from "../lib/index.ts";

/** What was written since the last time. */
export const get = () => journal.splice(0).join();

export async function* post(all: From<typeof openJournal>) {
  yield "one,";
  all.write("one");
  yield "two";
}
`,
  "routes/failing/_hooks.ts": `import { HttpError, type Next, type Request } from "framework";

export async function middleware(_request: Request, next: Next) {
  const response = await next();
  return new Response(response.body, { status: response.status, headers: { ...JSON_TYPE, "x-failing": "yes" } });
}

const JSON_TYPE = { "content-type": "application/json" };

export function error(thrown: unknown, request: Request) {
  if (thrown instanceof RangeError) return [{ title: thrown.message, path: request.path }, 409];
  return thrown instanceof HttpError ? { title: thrown.message } : undefined;
}
`,
  "routes/failing/[what].ts": `import { HttpError, type int, type Query } from "framework";

export function get(what: string, page: Query<int> = 1) {
  if (what === "range") throw new RangeError(\`page \${page}\`);
  throw what === "http" ? new HttpError(418, "a teapot") : new TypeError("secret");
}
`,
};

const ADA: Question = { headers: { authorization: "Bearer ada-token" } };

function post(text: string): Question {
  const headers = { ...ADA.headers, "content-type": "application/json" };
  return { body: JSON.stringify({ text }), headers };
}

const MISSING = { error: "A bearer token is missing." };
const ORIGIN = { origin: "https://shop.example" };
/** Of a program: a fallback of `[files]` answers pages alone. */
const JSON_ONLY = { accept: "application/json" };

export interface SharedCase {
  readonly line: string;
  readonly question?: Question;
  readonly status: number;
  /** The JSON of the answer, or its text. */
  readonly answer: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** In this order: what is written to the journal by one is read by another. */
export const SHARED_CASES: readonly SharedCase[] = [
  { line: "GET /journal", status: 200, answer: "", headers: { "x-seen": "GET /journal 200" } },
  { line: "GET /notes/", status: 401, answer: MISSING, headers: { "x-seen": "GET /notes/ 401" } },
  {
    line: "GET /notes/",
    question: { headers: { authorization: "Bearer wrong" } },
    status: 401,
    answer: { error: "The token is not valid" },
  },
  {
    line: "GET /notes/",
    question: ADA,
    status: 200,
    answer: { user: "Ada", rights: { isAdmin: true } },
    headers: { "x-seen": "GET /notes/ 200", "access-control-allow-origin": undefined },
  },
  { line: "HEAD /notes/", status: 401, answer: "", headers: { "x-seen": "HEAD /notes/ 401" } },
  {
    line: "GET /notes/1?loud=true",
    question: ADA,
    status: 200,
    answer: { note: { id: 1, owner: 1, text: "CALL CHARLES" }, path: "/notes/1" },
  },
  { line: "GET /notes/2", question: ADA, status: 404, answer: { error: "There is no note 2" } },
  {
    line: "GET /notes/1?loud=much",
    question: ADA,
    status: 422,
    answer: {
      error: "loud: true or false",
      issues: [{ in: "query", pointer: "/loud", code: "type", message: "true or false" }],
    },
  },
  { line: "GET /notes/1?loud=much", status: 401, answer: MISSING },
  { line: "POST /notes/", question: { body: "{" }, status: 401, answer: MISSING },
  { line: "POST /notes/", question: post("good"), status: 201, answer: { text: "good" } },
  { line: "GET /journal", status: 200, answer: "open,Ada: good,commit" },
  {
    line: "POST /notes/",
    question: post("bad"),
    status: 500,
    answer: { error: "Internal Server Error" },
    headers: { "x-seen": "POST /notes/ 500" },
  },
  { line: "GET /journal", status: 200, answer: "open,Ada: bad,rollback" },
  { line: "POST /journal", status: 200, answer: "one,two", headers: { "x-seen": "POST /journal 200" } },
  { line: "GET /journal", status: 200, answer: "open,one,commit" },
  { line: "GET /failing/range?page=2", status: 409, answer: { title: "page 2", path: "/failing/range" } },
  { line: "GET /failing/http", status: 418, answer: { title: "a teapot" } },
  { line: "GET /failing/range?page=x", status: 422, answer: { title: "page: a whole number" } },
  { line: "GET /failing/other", status: 500, answer: { error: "Internal Server Error" } },
  { line: "PUT /notes/", status: 405, answer: { error: "Method Not Allowed" } },
  {
    line: "GET /nowhere",
    question: { headers: JSON_ONLY },
    status: 404,
    answer: { error: "Not Found" },
    headers: { "x-seen": "GET /nowhere 404" },
  },
  { line: "OPTIONS /notes/", status: 204, answer: "", headers: { "x-seen": "OPTIONS /notes/ 204" } },
  { line: "GET /healthz", status: 200, answer: { status: "ok" }, headers: { "x-seen": undefined } },
  {
    line: "GET /nowhere",
    question: { headers: { ...ORIGIN, ...JSON_ONLY } },
    status: 404,
    answer: { error: "Not Found" },
    headers: { "access-control-allow-origin": ORIGIN.origin },
  },
  {
    line: "OPTIONS /notes/",
    question: { headers: { ...ORIGIN, "access-control-request-method": "POST" } },
    status: 204,
    answer: "",
    headers: { "access-control-allow-origin": ORIGIN.origin, "x-seen": undefined },
  },
];
