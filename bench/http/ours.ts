/** Our server: a small project as `npm create` lays it out, built by `framework build`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../e2e/harness/workspace.ts";
import { buildServer } from "../built-server.ts";

const PEERS = join(REPOSITORY, "bench/http/peers");

/** How often a client of `/ticks` gets an event; `peers/raw.mjs` has the same. */
export const TICK_MS = 200;

const FILES: Readonly<Record<string, string>> = {
  "framework.toml": 'apps = ["users"]\n',
  "apps/users/app.toml": '[app]\nprefix = "/users"\n',
  "apps/users/views.ts": `import type { int } from "framework";

export function get_by_id(id: int) {
  return { user: { id, name: "Ada" } };
}
`,
  "routes/index.ts": `export function get() {
  return { message: "Hello, world" };
}
`,
  "routes/page.ts": `import { page } from "../page.mjs";

export function get() {
  return page;
}
`,
  "routes/items.ts": `import type { Request } from "framework";

export async function post(request: Request) {
  const { name } = await request.json();
  return [{ message: \`Item \${name} created\` }, 201];
}
`,
  "routes/signups.ts": `import type { Body, int, Max, MaxLength, Min, MinLength } from "framework";
import { toSignupAnswer } from "../signup.mjs";

type Text<Least extends number, Most extends number> = string & MinLength<Least> & MaxLength<Most>;

interface Address {
  street: Text<1, 200>;
  city: Text<1, 100>;
  postcode: Text<1, 20>;
}

interface Signup {
  name: Text<1, 80>;
  email: Text<3, 254>;
  age: int & Min<0> & Max<150>;
  newsletter: boolean;
  plan: "free" | "team" | "business";
  tags: string[];
  address: Address;
  credit: number;
  language: string;
  referrer?: string;
}

export function post(body: Body<Signup>) {
  return [toSignupAnswer(body), 201];
}
`,
  "routes/signups/unchecked.ts": `import type { Request } from "framework";
import { toSignupAnswer } from "../../signup.mjs";

export async function post(request: Request) {
  return [toSignupAnswer(await request.json()), 201];
}
`,
  "routes/documents.ts": `import type { Request } from "framework";

export async function post(request: Request) {
  const { lines } = await request.json();
  return { lines: lines.length };
}
`,
  "routes/open/account.ts": `export function get() {
  return { user: { id: 1, name: "Ada" } };
}
`,
  "user.ts": `import { type Bearer, HttpError } from "framework";

export function currentUser(token: Bearer) {
  if (token !== "secret") throw new HttpError(401, "The token is not valid");
  return { id: 1, name: "Ada" };
}
`,
  "routes/guarded/_hooks.ts": `import type { From } from "framework";
import type { currentUser } from "../../user.ts";

export function guard(_user: From<typeof currentUser>) {}
`,
  "routes/guarded/account.ts": `import type { From } from "framework";
import type { currentUser } from "../../user.ts";

export function get(user: From<typeof currentUser>) {
  return { user };
}
`,
  "routes/wrapped/_hooks.ts": `import type { Next, Request } from "framework";

export async function middleware(_request: Request, next: Next) {
  const response = await next();
  response.headers.set("X-Served-By", "bench");
  return response;
}
`,
  "routes/wrapped/account.ts": `export function get() {
  return { user: { id: 1, name: "Ada" } };
}
`,
  "routes/uploads.ts": `import type { Request } from "framework";

export async function post(request: Request) {
  return { bytes: (await request.bytes()).length };
}
`,
  "routes/uploads/pieces.ts": `import type { Request } from "framework";

export async function post(request: Request) {
  let bytes = 0;
  for await (const piece of request.body ?? []) bytes += piece.length;
  return { bytes };
}
`,
  "routes/stream.ts": `const piece = new Uint8Array(64 * 1024).fill(120);

export async function* get() {
  for (let count = 0; count < 160; count++) yield piece;
}
`,
  "routes/ticks.ts": `import { setTimeout } from "node:timers/promises";
import { events } from "framework";

async function* ticks() {
  for (let count = 0; ; count++) {
    yield { count };
    await setTimeout(${TICK_MS});
  }
}

export function get() {
  return events(ticks());
}
`,
  "routes/ticks/signal.ts": `import { setTimeout } from "node:timers/promises";
import { events, type Request } from "framework";

async function* ticks(signal: AbortSignal) {
  for (let count = 0; ; count++) {
    yield { count };
    await setTimeout(${TICK_MS}, null, { signal });
  }
}

export function get(request: Request) {
  return events(ticks(request.signal));
}
`,
};

const LOGGED = { "framework.toml": `${FILES["framework.toml"]}\n[server]\naccess_log = true\n` };

/** @param framework a folder with the runtime that the project gets. @returns the file to run. */
export async function buildOurs(framework: string, isLogged: boolean): Promise<string> {
  const shared = ["page.mjs", "signup.mjs"].map((file) => [file, readFileSync(join(PEERS, file), "utf8")]);
  return buildServer(framework, { ...FILES, ...(isLogged && LOGGED), ...Object.fromEntries(shared) });
}
