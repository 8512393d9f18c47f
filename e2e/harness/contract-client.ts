/** A project with routes of every kind, and a program that calls each by the written client. What TypeScript refuses in it is a test, too. */

export const CLIENT_FILES: Readonly<Record<string, string>> = {
  "framework.toml": 'apps = ["shop"]\n',
  "apps/shop/app.toml": '[app]\nprefix = "/shop"\n',
  "apps/shop/views.ts": String.raw`import { type ApiKey, type Basic, type Bearer, type Body, type Cookie, type Credential, type Form, type Header, HttpError, type MinLength, type Query, type Reply, type Request, event, events, type int, reply } from "framework";

export interface Line { sku: string; qty: int }
export interface Order { id: int; due: Date; lines: Line[]; "odd-name"?: string; note: string | null }
interface Error { why: string }

/** Finds an order. */
export function get_orders(order_id: int): Order {
  if (order_id > 99) throw new HttpError(404, "There is no such order");
  return { id: order_id, due: new Date(0), lines: [{ sku: "a", qty: 2 }], note: null };
}
export function get_$slug_parts_$constructor(slug: string, constructor: string): { slug: string; constructor: string } { return { slug, constructor }; }
export function post_orders(order: Body<{ due: Date; lines: Line[]; name: string & MinLength<1>; "odd-name"?: string; more?: Order }>): [{ isDate: boolean; name: string; odd: string; more: boolean }, 201] {
  return [{ isDate: order.due instanceof Date, name: order.name, odd: order["odd-name"] ?? "", more: order.more?.due instanceof Date }, 201];
}
/** @param limit how many of them */
export function get_search(q: Query<string>, tag: Query<string[]> = [], since?: Query<Date>, limit: Query<int> = 20, exact: Query<boolean> = false): { q: string; tag: string[]; since: string | null; limit: int; exact: boolean } {
  return { q, tag, since: since?.toISOString() ?? null, limit, exact };
}
export function get_rest(rest: Query<Record<string, string>>): Record<string, string> { return { ...rest }; }
export function get_headers(if_none_match: Header<string> = "", x_list: Header<string[]> = [], flavour: Cookie<string> = ""): { etag: string; list: string[]; flavour: string } { return { etag: if_none_match, list: x_list, flavour }; }
export function post_fields(form: Form<{ title: string; at: Date; n?: int; tags: string[] }>): { title: string; at: string; n: int | null; tags: string[] } { return { title: form.title, at: form.at.toISOString(), n: form.n ?? null, tags: form.tags }; }
export async function post_photo(form: Form<{ title: string; photo: File; more?: File[] }>): Promise<{ title: string; name: string; text: string; more: string[] }> { return { title: form.title, name: form.photo.name, text: await form.photo.text(), more: (form.more ?? []).map((file) => file.name) }; }
export function get_text(): string { return "\ufeffplain é"; }
export async function* get_stream(): AsyncGenerator<Uint8Array> { yield new Uint8Array([1, 2]); yield new Uint8Array([3]); }
let ended = 0;
export function get_events(): ReturnType<typeof ticks> { return ticks(); }
function ticks() {
  return events((async function* () { try { for (let n = 0; ; n++) { yield event({ id: n, event: "tick", data: { n, text: "a\nb" } }); await new Promise((resolve) => setTimeout(resolve, 5)); } } finally { ended += 1; } })());
}
export function get_ended(): { ended: int } { return { ended }; }
export function delete_orders(order_id: int): void {}
export function get_me(token: Bearer): { token: string } { return { token }; }
export function get_user(user: Basic): { name: string; password: string } { return { name: user.username, password: user.password }; }
export function get_key(key: ApiKey<"x-key">): { key: string } { return { key }; }
export function get_session(session: ApiKey<"session", "cookie">, flavour?: Cookie<string>): { session: string; flavour: string | null } { return { session, flavour: flavour ?? null }; }
export function get_asked(key: ApiKey<"key", "query">): { key: string } { return { key }; }
export function get_token(token: Credential<"Token">): { token: string } { return { token }; }
export function get_bad(): { a: int } { throw new TypeError("secret"); }
export async function get_slow(): Promise<{ done: boolean }> { await new Promise((resolve) => setTimeout(resolve, 3000)); return { done: true }; }
export function head_thing(): void {}
export function get_moved(): Reply<undefined, 303> { return reply(undefined, 303, { location: "/shop/text" }); }
export function get_maybe(what: Query<"json" | "text">): { a: int } | string { return what === "json" ? { a: 1 } : "text"; }
export function get_any(request: Request) { return new Response("any", { status: 207 }); }
export function get_lie(): { a: int } { return new Response("no json") as never; }
export function get_error(): Error { return { why: "x" }; }
`,
};

/** It takes the address of the server, and runs on every platform. */
export const CALLER: string = String.raw`/** Drives the client against a running server; its types are the expectations, too. */
import assert from "node:assert/strict";
import { type AnswerOf, type Client, createClient, type InputOf, type Order, UnexpectedAnswer } from "./api.ts";

declare const process: { readonly argv: readonly string[] };

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
function hasType<Wanted>(): <Given>(_: Given, isSame: Same<Given, Wanted>) => void {
  return () => undefined;
}

const baseUrl = process.argv[2] ?? "";
let token = "one";
const api: Client = createClient({
  baseUrl: baseUrl + "/",
  bearer: async () => token,
  basic: { username: "ada", password: "pä:ss" },
  apiKeys: { "x-key": () => "k" },
});

const found = await api.getShopOrdersByOrderId({ path: { order_id: 7 } });
hasType<200 | 404>()(found.status, true);
if (found.status === 200) {
  hasType<Order>()(found.body, true);
  hasType<true>()(found.ok, true);
  hasType<string>()(found.body.due, true);
  assert.deepEqual(found.body, { id: 7, due: "1970-01-01T00:00:00.000Z", lines: [{ sku: "a", qty: 2 }], note: null });
} else assert.fail();
assert.equal(found.headers.get("content-type"), "application/json; charset=utf-8");

const missing = await api.getShopOrdersByOrderId({ path: { order_id: 100 } });
if (missing.ok) assert.fail();
hasType<404>()(missing.status, true);
hasType<{ error: string }["error"]>()(missing.body.error, true);
assert.equal(missing.body.error, "There is no such order");
// @ts-expect-error
void missing.body.id;

// @ts-expect-error
const wrong = (): unknown => api.getShopOrdersByOrderId();
// @ts-expect-error
const wrongType = (): unknown => api.getShopOrdersByOrderId({ path: { order_id: "7" } });
// @ts-expect-error
const unknownPart = (): unknown => api.getShopOrdersByOrderId({ path: { order_id: 7 }, query: {} });
// @ts-expect-error
const unknownKey = (): unknown => api.getShopSearch({ query: { q: "", tags: [] } });
// @ts-expect-error
const nothingTaken = (): unknown => api.getShopText({ query: {} });
void [wrong, wrongType, unknownPart, unknownKey, nothingTaken];

const slugs = ["a/b", "é ü", "%2F", "a?b#c", "..a", "😀", "a\\b"];
for (const slug of slugs) {
  const { body } = await api.getShopBySlugPartsByConstructor({ path: { slug, constructor: slug } });
  assert.deepEqual(body, { slug, constructor: slug });
}
for (const slug of [".", "..", ""])
  await assert.rejects(api.getShopBySlugPartsByConstructor({ path: { slug, constructor: "a" } }), TypeError);

const search = await api.getShopSearch({ query: { q: "a&b=c +%", tag: ["x", "y,z"] as const, since: new Date(5), exact: true, limit: undefined } });
if (search.status !== 200) assert.fail();
hasType<string[]>()(search.body.tag, true);
assert.deepEqual(search.body, { q: "a&b=c +%", tag: ["x", "y,z"], since: "1970-01-01T00:00:00.005Z", limit: 20, exact: true });
const refused = await api.getShopSearch({ query: { q: "a", since: "no date" } });
assert.equal(refused.status, 422);
if (refused.status === 422) assert.deepEqual(refused.body.issues.map(({ in: place, pointer }) => [place, pointer]), [["query", "/since"]]);
assert.deepEqual((await api.getShopRest({ query: { a: "1", constructor: "3" } })).body, { a: "1", constructor: "3" });
assert.equal((await api.getShopRest({ query: { ["__proto__"]: "2" } })).status, 400);
assert.deepEqual((await api.getShopRest()).body, {});

const headers = await api.getShopHeaders({ headers: { "if-none-match": '"1"', "x-list": ["a", "b"] }, cookies: { flavour: "oat milk; é" } });
assert.deepEqual(headers.body, { etag: '"1"', list: ["a", "b"], flavour: "oat milk; é" });
const overriding = await api.getShopHeaders({ headers: { "if-none-match": "input" } }, { headers: { "If-None-Match": "call" } });
assert.deepEqual(overriding.body, { etag: "call", list: [], flavour: "" });

const order: InputOf<"postShopOrders">["body"] = { due: new Date(9), lines: [{ sku: "a", qty: 1 }], name: "n", "odd-name": "o", more: { id: 1, due: "2026-11-23T00:00:00Z", lines: [], note: null } };
const created = await api.postShopOrders({ body: order });
if (created.status !== 201) assert.fail(JSON.stringify(created.body));
assert.deepEqual(created.body, { isDate: true, name: "n", odd: "o", more: true });
const invalid = await api.postShopOrders({ body: { ...order, name: "" } });
assert.equal(invalid.status, 422);
hasType<AnswerOf<"postShopOrders">["status"]>()(invalid.status as 201 | 400 | 413 | 415 | 422, true);

const fields = { title: "é&=", at: new Date(1), tags: ["a", "b"] };
const sent = { title: "é&=", at: "1970-01-01T00:00:00.001Z", n: null, tags: ["a", "b"] };
assert.deepEqual((await api.postShopFields({ body: fields })).body, sent);
const form = new FormData();
for (const [name, value] of [["title", "é&="], ["at", sent.at], ["tags", "a"], ["tags", "b"]] as const) form.append(name, value);
assert.deepEqual((await api.postShopFields({ body: form })).body, sent);

const photo = await api.postShopPhoto({ body: { title: "t", photo: new File(["bytes"], "é.png"), more: [new File([], "a.txt"), new Blob(["b"])] } });
assert.deepEqual(photo.body, { title: "t", name: "é.png", text: "bytes", more: ["a.txt", "blob"] });

const text = await api.getShopText();
hasType<string>()(text.body, true);
assert.equal(text.body, "plain é");

const stream = await api.getShopStream();
const bytes: number[] = [];
const reader = stream.body.getReader();
for (;;) {
  const { done, value } = await reader.read();
  if (done) break;
  bytes.push(...value);
}
assert.deepEqual(bytes, [1, 2, 3]);
assert.deepEqual(await (await api.getShopAny()).response.text(), "any");

const ticks: unknown[] = [];
const events = await api.getShopEvents();
for await (const { id, event, data } of events.body) {
  ticks.push([id, event, data]);
  if (ticks.length === 2) break;
}
assert.deepEqual(ticks, [["0", "tick", { n: 0, text: "a\nb" }], ["1", "tick", { n: 1, text: "a\nb" }]]);
for (let tries = 0; (await api.getShopEnded()).body.ended < 1; tries++) {
  if (tries > 100) assert.fail("the server still sends events");
  await new Promise((resolve) => setTimeout(resolve, 20));
}

const gone = await api.deleteShopOrdersByOrderId({ path: { order_id: 1 } });
assert.deepEqual([gone.status, gone.body], [204, undefined]);
if (gone.status === 204) hasType<undefined>()(gone.body, true);
assert.equal((await api.headShopThing()).body, undefined);

assert.deepEqual((await api.getShopMe()).body, { token: "one" });
token = "two";
assert.deepEqual((await api.getShopMe()).body, { token: "two" });
token = "";
assert.equal((await api.getShopMe()).status, 401);
assert.deepEqual((await api.getShopUser()).body, { name: "ada", password: "pä:ss" });
assert.deepEqual((await api.getShopKey()).body, { key: "k" });
assert.equal((await createClient({ baseUrl }).getShopKey()).status, 401);
const keyed = createClient({ baseUrl, apiKeys: { session: () => "s; t", key: "a b" }, credentials: { token: async () => "t" } });
assert.deepEqual((await keyed.getShopSession({ cookies: { flavour: "oat" } })).body, { session: "s; t", flavour: "oat" });
assert.deepEqual((await keyed.getShopAsked()).body, { key: "a b" });
assert.deepEqual((await keyed.getShopToken()).body, { token: "t" });
for (const call of [api.getShopSession, api.getShopAsked, api.getShopToken]) assert.equal((await call()).status, 401);

const unexpected = await api.getShopBad().catch((error: unknown) => error);
assert.ok(unexpected instanceof UnexpectedAnswer);
assert.deepEqual([unexpected.name, unexpected.status, unexpected.message], ["UnexpectedAnswer", 500, "GET /shop/bad answered 500, which its contract does not have"]);
assert.deepEqual(unexpected.body, { error: "Internal Server Error" });
const lie = await api.getShopLie().catch((error: unknown) => error);
assert.ok(lie instanceof UnexpectedAnswer);
assert.deepEqual([lie.status, lie.body, lie.message], [200, "no json", "GET /shop/lie answered 200 without JSON"]);

await assert.rejects(api.getShopSlow({}, { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
const moved = await api.getShopMoved();
assert.deepEqual([moved.status, moved.headers.get("location")], [303, "/shop/text"]);
hasType<{ a: number } | string>()((await api.getShopMaybe({ query: { what: "json" } }) as Extract<AnswerOf<"getShopMaybe">, { status: 200 }>).body, true);
assert.deepEqual((await api.getShopMaybe({ query: { what: "json" } })).body, { a: 1 });
assert.equal((await api.getShopMaybe({ query: { what: "text" } })).body, "text");

const asked: string[] = [];
const faked = createClient({ baseUrl: "https://x.test/v1", fetch: async (url, { method }) => { asked.push(method + " " + url); return new Response("t"); } });
await faked.getShopText();
assert.deepEqual(asked, ["GET https://x.test/v1/shop/text"]);
console.log("all is as expected");
`;
