// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are handlers.
/** For tests: handlers that write no return type, with what they answer. */

const IMPORTS = `import { type ApiKey, type Bearer, type Body, event, events, file, type From, HttpError, type int, type Min, type Query, type Reply, type Request, reply } from "framework";
`;

const SCHEMA = `import { z } from "zod"; import type { InferInput } from "valibot"; export const Book = z.object({ title: z.string() });`;

/** Places in the handlers count the lines of this. */
export const TYPES: string = `${IMPORTS}${SCHEMA}
interface User { id: int; name: string }
type Circle = { kind: "circle"; r: number };
type Square = { kind: "square"; a: number };
type Figure = Circle | Square;
type Maybe<T> = T | null;
type Made<T> = [T, 201] | [{ error: string }, 400];
`;

export const DECLARED: string = `${TYPES}
const USERS: User[] = [];
const LIMIT = 10;
async function find(id: int): Promise<User | undefined> { return undefined; }
function count(): number { return USERS.length; }
function page<T>(items: T[]): { items: T[] } { return { items }; }
async function* prices() { yield event({ id: 1, data: { eur: 5 } }); }
class Point { x = 1 }
export function currentUser(token: Bearer) { return { token, admin: USERS[0]!.id as int }; }
`;

/** The handler, the answers, and those that TypeScript infers where they are others. */
export const SAID: readonly (readonly [handler: string, answers: string, inferred?: string])[] = [
  // Literals widen as TypeScript widens them
  [
    'function get_all() { return { id: 8, name: "Ada", ok: true, no: null }; }',
    "200 { id: number, name: string, ok: boolean, no: null }",
  ],
  ['function get_all() { return { id: 8, kind: "a" } as const; }', '200 { id: 8, kind: "a" }'],
  ['function get_all() { return { kind: "a" as const }; }', '200 { kind: "a" }'],
  ["function get_all() { return 8; }", "200 number"],
  ['function get_all() { return "hello"; }', "200 text/plain string"],
  ["function get_all() { return true; }", "200 boolean"],
  ['function get_all(page: Query<int>) { return page > 1 ? "a" : "b"; }', '200 text/plain "a" | "b"'],
  ['function get_all(page: Query<int>) { return { kind: page > 1 ? "a" : "b" }; }', "200 { kind: string }"],
  ["function get_all(name: string) { return `Hello, ${name}`; }", "200 text/plain string"],
  ["function get_all() { return [1, 2, 3]; }", "200 number[]"],
  ['function get_all() { return [1, "a"]; }', '200 [number, "a"]', "200 (string | 1)[]"],
  ["function get_all() { return { LIMIT }; }", "200 { LIMIT: number }"],
  // Statuses
  ["function get_all() { return [{ id: 8 }, 201]; }", "201 { id: number }"],
  [
    "function get_all() { return [{ id: 8 }, LIMIT + 191]; }",
    "default */* unknown; FW900 18:36",
    "default { id: number }",
  ],
  ["function get_all() { const status = 202; return [{ id: 8 }, status]; }", "202 { id: number }"],
  [
    "function get_all(page: Query<int>) { return [{ id: 8 }, page > 1 ? 200 : 404]; }",
    "200 { id: number } · 404 { id: number }",
  ],
  ["function get_all() { return [[1], 201]; }", "200 [number[], 201]"],
  ['function get_all() { return ["a", 201]; }', "200 [string, 201]", '200 (number | "a")[]'],
  ["function get_all() { return [{ id: 8 }, make()]; }", "default */* unknown; FW900 18:36"],
  ["const get_all = () => [{ id: 8 }, 201];", "201 { id: number }"],
  // Names that mean something else, and functions that call themselves
  [
    'function get_all(page: Query<int>) { if (page > 1) { const LIMIT = "a"; console.log(LIMIT); } return { LIMIT }; }',
    "200 { LIMIT?: unknown }; FW900 18:67",
    "200 { LIMIT: number }",
  ],
  [
    'function get_all(name: Query<string | undefined>) { if (name === undefined) throw new HttpError(404, ""); name = undefined; return { name }; }',
    "200 { name?: unknown }; FW900 18:141",
    "200 {  }",
  ],
  [
    "function get_all() { class User { pages = [1]; } return { user: new User() }; }",
    "200 { user?: unknown }; FW900 18:72",
    "200 { user: { pages: number[] } }",
  ],
  [
    "function get_all(page: Query<int>) { if (page > 1) return get_all(page - 1); return { done: true }; }",
    "200 { done: boolean }",
  ],
  [
    "function get_all(page: Query<int>) { return page > 1 ? get_all(page - 1) || get_all(page - 2) : { done: true }; }",
    "200 { done: boolean }",
  ],
  // Replies and events
  [
    'function get_all() { return reply({ id: 8 }, 201, { Location: "/x", ETag: make() }); }',
    "201 { id: number } (etag, location)",
  ],
  [
    'function get_all() { return reply("a,b", 200, { "content-type": "text/csv; charset=utf-8" }); }',
    "200 text/csv string",
  ],
  [
    'function get_all(type: Query<string>) { return reply("a,b", 200, { "content-type": type }); }',
    "200 */* string",
  ],
  [
    'function get_all(type: string) { return reply("a,b", 200, { "content-type": type }); }',
    "200 */* string",
  ],
  [
    'function get_all(type: string) { return reply("a,b", 200, { "content-type": `text/${type}` }); }',
    "200 */* string",
  ],
  [
    'function get_all() { const headers = { "Content-Type": "text/csv", etag: "1" }; return reply("a,b", 200, headers); }',
    "200 text/csv string (etag)",
  ],
  ['function get_all() { return reply("a,b", 200, [["content-type", "text/csv"]]); }', "200 text/csv string"],
  [
    'function get_all() { const csv = reply("a,b", 200, new Headers({ "content-type": "text/csv" })); return csv; }',
    "200 text/csv string",
  ],
  [
    'function get_all(page: Query<int>) { return reply("a,b", 200, page > 1 ? { "content-type": "text/csv" } : { etag: "1" }); }',
    "200 text/csv string or text/plain string (etag)",
  ],
  [
    'function get_all(): Reply<User, 201> { return reply(USERS[0], 201, { location: "/x" }); }',
    "201 #User (location); User = { id: int, name: string }",
  ],
  ["function get_all() { return reply(undefined, 202); }", "202 -"],
  ["function get_all() { return reply(find(1), 201); }", "default */* unknown; FW901 18:36"],
  ["function get_all() { return [find(1), 201]; }", "default */* unknown; FW901 18:36"],
  ["function get_all() { return reply(USERS, 200); }", "200 #User[]; User = { id: int, name: string }"],
  [
    "function get_all() { return events(prices()); }",
    "200 text/event-stream unknown; FW900 18:36",
    "200 text/event-stream { eur: number }",
  ],
  ["function get_all() { return events(make()); }", "200 text/event-stream unknown; FW900 18:36"],
  ['async function* get_all() { yield "a"; yield "b"; }', "200 text/plain string"],
  ['function get_all() { return new Response("hello"); }', "default */* unknown"],
  ['async function get_all() { return file("a.pdf"); }', "200 */* file"],
  ["function get_all() { return new Uint8Array(5); }", "200 application/octet-stream file"],
  // Nothing
  ["function get_all() {}", "204 -"],
  ["async function get_all() { await find(1); }", "204 -"],
  ["function get_all(page: Query<int>) { if (page > 1) return { page }; }", "200 { page: int } · 204 -"],
  [
    "function get_all(page: Query<int>) { if (page > 1) return; return { page }; }",
    "200 { page: int } · 204 -",
  ],
  [
    'function get_all(page: Query<int>) { if (page > 1) { return { page }; } else { throw new HttpError(404, ""); } }',
    "200 { page: int }",
  ],
  [
    "function get_all(page: Query<int>) { switch (page) { case 1: return { page }; default: return { none: true }; } }",
    "200 { page: int } | { none: boolean }",
    "200 { page: 1 } | { none: boolean }",
  ],
  [
    "function get_all() { try { return { a: 1 }; } catch { return { b: 1 }; } }",
    "200 { a: number } | { b: number }",
  ],
  ["function get_all() { while (true) { if (make()) return { a: 1 }; } }", "200 { a: number }"],
  ['function get_all() { throw new HttpError(404, ""); }', ""],
  // Names
  ["function get_all(id: int, part: string) { return { id, part }; }", "200 { id: int, part: string }"],
  [
    "function post_all(body: Body<User>) { return { name: body.name, body }; }",
    "200 { name: string, body: #User }; User = { id: int, name: string }",
  ],
  [
    "function post_all({ name, id: number }: Body<User>) { return { name, number }; }",
    "200 { name: string, number: int }; User = { id: int, name: string }",
  ],
  ["function get_all({ limit = 20 }: Query<{ limit?: int }>) { return { limit }; }", "200 { limit: number }"],
  ["function get_all(limit: Query<int> = 20) { return { limit }; }", "200 { limit: int }"],
  ["function get_all(limit?: Query<int>) { return { limit }; }", "200 { limit?: int }"],
  [
    'function get_all(token: Bearer, key: ApiKey<"x-key">) { return { token, key }; }',
    "200 { token: string, key: string }",
  ],
  [
    "function get_all(me: From<typeof currentUser>) { return { me }; }",
    "200 { me: { token: string, admin: int } }",
  ],
  [
    "function get_all() { return { users: USERS }; }",
    "200 { users: #User[] }; User = { id: int, name: string }",
  ],
  ["function get_all() { const user = { id: 8 }; return user; }", "200 { id: number }"],
  [
    "function get_all() { const { id, name }: User = make(); return { id, name }; }",
    "200 { id: int, name: string }",
  ],
  [
    "function get_all() { let user: User = make(); return user; }",
    "200 #User; User = { id: int, name: string }",
  ],
  [
    "function get_all() { let id = 8; id = make(); return { id }; }",
    "200 { id?: unknown }; FW900 18:41",
    "200 { id: number }",
  ],
  [
    "function get_all() { const user: User = make(); { const user = 5; } return { user }; }",
    "200 { user?: unknown }; FW900 18:64",
    "200 { user: #User }; User = { id: int, name: string }",
  ],
  // Calls
  [
    "async function get_all(id: int) { return await find(id); }",
    "200 #User · 204 -; User = { id: int, name: string }",
  ],
  ["function get_all(id: int) { return find(id); }", "200 #User · 204 -; User = { id: int, name: string }"],
  ["function get_all() { return { count: count() }; }", "200 { count: number }"],
  [
    "function get_all() { return page(USERS); }",
    "200 { items: unknown[] }",
    "200 { items: #User[] }; User = { id: int, name: string }",
  ],
  ["function get_all() { return { at: new Date() }; }", "200 { at: date }"],
  ["function get_all() { return get_all(); }", "default */* unknown; FW900 18:36", "default */* unknown"],
  ["function get_all() { return new Point(); }", "200 #Point; Point = { x: number }"],
  [
    "function get_all(page: Query<int>) { return page > 1 ? { page } : make(); }",
    "200 */* unknown · default */* unknown; FW900 18:74",
  ],
  ["function get_all() { return make(); }", "default */* unknown; FW900 18:36"],
  [
    "function get_all() { return { a: make(), b: make(), c: 1 }; }",
    "200 { a?: unknown, b?: unknown, c: number }; FW900 18:41",
  ],
  // What a spread has is not known, and it may override what comes before it
  [
    "function get_all(id: int) { const user: User = make(); return { ...user, id, more: 1 }; }",
    "200 { id: int, more: number, ...: unknown }; FW900 18:72",
    "200 { id: int, name: string, more: number }",
  ],
  [
    "function get_all() { return { a: 1, ...make() }; }",
    "200 { ...: unknown }; FW900 18:44",
    "200 { ...: unknown }",
  ],
  [
    "function get_all() { const pair = [{ id: 8 }, 201]; return pair; }",
    "200 ({ id: number } | number)[] · default { id: number }",
  ],
  [
    'function get_all() { return { of: 8, toJSON() { return "a"; } }; }',
    "200 unknown; FW900 18:45",
    "200 string",
  ],
  [
    "function get_all() { return { [make()]: 1, a: 2 }; }",
    "200 { a: number, ...: unknown }; FW900 18:38",
    "200 { a: number }",
  ],
  [
    "function get_all() { return { a: 1, get b() { return 2; }, c() {}, d: () => 1 }; }",
    "200 { a: number, b?: unknown }; FW900 18:44",
    "200 { a: number, b: number }",
  ],
  // What is computed has a type that only TypeScript knows
  [
    "function get_all(id: int) { return { n: USERS.length, sum: id + 1, names: USERS.map(({ name }) => name) }; }",
    "200 { n?: unknown, sum?: unknown, names?: unknown }; FW900 18:48",
    "200 { n: number, sum: number, names: string[] }",
  ],
  [
    "async function get_all(id: int) { const user = await find(id); return { name: user?.name }; }",
    "200 { name?: unknown }; FW900 18:86",
    "200 { name?: string }",
  ],
  // Operators
  [
    'function get_all(q?: Query<string>) { return { q: q ?? "none", r: q ?? null }; }',
    "200 { q: string, r: string | null }",
  ],
  [
    "async function get_all(id: int) { const user = (await find(id))!; return user; }",
    "200 #User; User = { id: int, name: string }",
  ],
  // What an `if` at the top of a function says of what follows
  [
    'async function get_all(id: int) { const user = await find(id); if (!user) throw new HttpError(404, ""); return user; }',
    "200 #User; User = { id: int, name: string }",
  ],
  [
    'async function get_all(id: int) { const user = await find(id); if (user === undefined) return [{ error: "none" }, 404]; return { user }; }',
    "200 { user: #User } · 404 { error: string }; User = { id: int, name: string }",
  ],
  [
    'async function get_all(id: int) { const user = await find(id); if (user) return user; throw new HttpError(404, ""); }',
    "200 #User · 204 -; User = { id: int, name: string }",
    "200 #User; User = { id: int, name: string }",
  ],
  [
    'async function get_all(id: int) { const user = await find(id); return user ? { user } : [{ error: "none" }, 404]; }',
    "200 { user?: #User } · 404 { error: string }; User = { id: int, name: string }",
    "200 { user: #User } · 404 { error: string }; User = { id: int, name: string }",
  ],
];
