/** The response of `next()` beside one of the platform with the same content: each member gives the same. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Handler } from "../app.ts";
import { createHookedApp, type Received, receive, withMiddleware } from "../hooked.fixture.ts";
import { events } from "../message/events.ts";
import { reply } from "../message/reply.ts";
import { sample } from "../random.fixture.ts";
import type { Next } from "./hooks.ts";
import type { NextResponse } from "./next-response.ts";

const COOKIE = "set-cookie";

async function* count(): AsyncGenerator<string> {
  yield "one ";
  await new Promise((resolve) => setTimeout(resolve, 2));
  yield "two";
}

const typed = (body: string | Uint8Array<ArrayBuffer>, type: string, status = 200) =>
  new Response(body, { status, headers: { "content-type": type } });
const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";
const BYTES_TYPE = "application/octet-stream";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** The results of handlers, and the same as a response of the platform. */
const RESULTS: readonly [string, () => unknown, () => Response][] = [
  ["an object", () => ({ a: "ö" }), () => typed('{"a":"ö"}', JSON_TYPE)],
  ["a text", () => "größer", () => typed("größer", TEXT_TYPE)],
  ["nothing", () => undefined, () => new Response(null, { status: 204 })],
  ["an error's status", () => [{ a: 1 }, 404], () => typed('{"a":1}', JSON_TYPE, 404)],
  ["bytes", () => new Uint8Array([1, 255]), () => typed(new Uint8Array([1, 255]), BYTES_TYPE)],
  ["a stream", count, () => typed("one two", TEXT_TYPE)],
  ["a response with cookies", () => withCookies("made"), () => withCookies("made")],
  ["a redirect", () => new Response(null, { status: 300 }), () => new Response(null, { status: 300 })],
  ["a stream whose length is known", withLength, withLength],
  ["a form", () => reply("a=1", 200, { "content-type": FORM_TYPE }), () => typed("a=1", FORM_TYPE)],
];

function withLength(): Response {
  return new Response(new Blob(["made"]).stream(), { headers: { "content-length": "4" } });
}

function withCookies(body: string): Response {
  const response = new Response(body, { status: 202, headers: { "content-type": "a/b" } });
  response.headers.append(COOKIE, "a=1; Path=/");
  response.headers.append(COOKIE, "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT");
  return response;
}

/** What can be asked of a response. */
const MEMBERS: Readonly<Record<string, (response: Response) => unknown>> = {
  "instanceof Response": (response) => response instanceof Response,
  "its tag": (response) => Object.prototype.toString.call(response),
  "its head": ({ status, ok, statusText, type, url, redirected, headers }) => {
    return [status, ok, statusText, type, url, redirected, [...headers]];
  },
  "the same headers and body each time": (one) => {
    return [new Set([one.headers, one.headers]).size, new Set([one.body, one.body]).size];
  },
  bodyUsed: (response) => response.bodyUsed,
  text: (response) => response.text(),
  json: (response) => response.json(),
  bytes: async (response) => [...(await (response as NextResponse).bytes())],
  arrayBuffer: async (response) => [...new Uint8Array(await response.arrayBuffer())],
  blob: async (response) => {
    const blob = await response.blob();
    return [blob.type, await blob.text()];
  },
  formData: async (response) => [...(await response.formData())],
  body: async (response) => {
    const parts: Uint8Array[] = [];
    for await (const part of response.body ?? []) parts.push(part);
    return [Buffer.concat(parts).toString(), response.bodyUsed];
  },
  "bodyUsed after text()": async (response) => [await response.text(), response.bodyUsed],
  "bodyUsed once body is looked at": (response) => response.body !== null && response.bodyUsed,
  "text() twice": async (response) => [await response.text(), await response.text()],
  "text() of a locked stream": (response) => {
    response.body?.getReader();
    return response.text();
  },
  "clone() after text()": async (response) => [await response.text(), await response.clone().text()],
  "a clone": async (response) => {
    const clone = response.clone();
    const { status, headers } = clone;
    return [status, [...headers], await clone.text(), await response.text(), clone instanceof Response];
  },
  "a clone of a clone": (response) => response.clone().clone().text(),
  "a new Response of it": async (response) => {
    const { status, headers, body } = new Response(response.body, response);
    return [status, [...headers], await new Response(body).text()];
  },
  "new Headers of its headers": ({ headers }) => [...new Headers(headers)],
  "its cookies": ({ headers }) => headers.getSetCookie(),
};

/** Node 20 has no `bytes`, and no `Response.prototype.bytes` to compare with. */
const COMPARED = Object.keys(MEMBERS).filter((name) => name !== "bytes" || "bytes" in Response.prototype);

async function ask(response: Response, member: string): Promise<unknown> {
  try {
    return { gives: await MEMBERS[member]?.(response) };
  } catch (error) {
    return { rejects: error instanceof Error && error.name };
  }
}

for (const [title, handler, toPeer] of RESULTS)
  test(`next() for ${title}: each member is what the platform gives`, async () => {
    for (const member of COMPARED) {
      let seen: unknown;
      const middleware = async (_: unknown, next: Next) => {
        seen = await ask(await next(), member);
        return "done";
      };
      const app = createHookedApp({ "GET /": [handler as Handler, withMiddleware(middleware)] });
      assert.is(await (await app.fetch("/")).text(), "done");
      assert.equal(seen, await ask(toPeer(), member), member);
    }
  });

type Pairs = readonly (readonly [string, string])[];

/** What a middleware does with the response of `next()`, and returns: the response, if nothing else. All of it is sent. */
const USES: readonly [string, (response: Response) => unknown, change?: (headers: Pairs) => Pairs][] = [
  ["does nothing", () => {}],
  ["reads the text", async (response) => void (await response.text())],
  ["reads the bytes", async (response) => void (await response.arrayBuffer())],
  ["changes the bytes", async (response) => void new Uint8Array(await response.arrayBuffer()).fill(0)],
  ["looks at the body", (response) => void response.body],
  ["reads a clone", async (response) => void (await response.clone().text())],
  ["begins to read a clone", (response) => void response.clone().text()],
  ["returns a clone", (response) => response.clone()],
  ["returns a new Response", (response) => new Response(response.body, response)],
  ["returns one of its parts", ({ body, status, headers }) => new Response(body, { status, headers })],
  ["throws it", (response) => Promise.reject(response)],
  ["throws a new Response", (response) => Promise.reject(new Response(response.body, response))],
  ["sets a header", ({ headers }) => headers.set("x-own", "1"), (sent) => [...sent, ["x-own", "1"]]],
  ["adds a cookie", ({ headers }) => headers.append(COOKIE, "c=3"), (sent) => [...sent, [COOKIE, "c=3"]]],
  [
    "deletes a header",
    ({ headers }) => headers.delete("content-type"),
    (sent) => sent.filter(([name]) => name !== "content-type"),
  ],
  ["sets a wrong length", ({ headers }) => headers.set("content-length", "1")],
];

/** Two more kinds, and those that have no text to compare with. */
const HANDLERS: readonly (readonly [string, () => unknown])[] = [
  ...RESULTS.map(([title, handler]) => [title, handler] as const),
  ["304", () => new Response(null, { status: 304, headers: { etag: '"1"' } })],
  ["a Blob", () => new Blob(["made"], { type: "a/b" })],
  ["events", () => events([1, 2], { heartbeat: 0 })],
  ["a thrown response", () => Promise.reject(withCookies("thrown"))],
];

const FRAMING = /^(?:content-length|transfer-encoding)$/;

/** A stream that was read has become one piece, whose length is known. */
function toContent({ headers }: Received): Pairs {
  return headers
    .filter(([name]) => !FRAMING.test(name))
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
}

function lengthOf({ headers }: Received): string | undefined {
  return headers.find(([name]) => name === "content-length")?.[1];
}

for (const [title, use, change = (sent: Pairs) => sent] of sample("middleware", USES, 6)) {
  test(`a middleware that ${title}: each kind of answer arrives, by fetch and by socket, for GET and HEAD`, async () => {
    const middleware = withMiddleware(async (_, next) => {
      const response = await next();
      return (await use(response)) ?? response;
    });
    const routes = HANDLERS.flatMap(([, handler], index) => [
      [`GET /plain/${index}`, [handler as Handler]] as const,
      [`GET /used/${index}`, [handler as Handler, middleware]] as const,
    ]);
    const app = createHookedApp(Object.fromEntries(routes));
    const server = await app.listen();
    const bySocket = (path: string, init: RequestInit): Promise<Response> => fetch(server.url + path, init);
    const ways = [app.fetch, bySocket].flatMap((send) => [
      { send, method: "GET" },
      { send, method: "HEAD" },
    ]);
    for (const [index, [name]] of HANDLERS.entries()) {
      for (const { send, method } of ways) {
        const plain = await receive(await send(`/plain/${index}`, { method }));
        const used = await receive(await send(`/used/${index}`, { method }));
        assert.equal([used.status, used.body], [plain.status, plain.body], name);
        assert.equal(toContent(used), toContent({ ...plain, headers: change(plain.headers) }), name);
        const length = lengthOf(used);
        if (method === "GET" && used.status === 200 && length !== undefined)
          assert.is(length, String(used.body.length), name);
        if (lengthOf(plain) !== undefined) assert.is(length ?? lengthOf(plain), lengthOf(plain), name);
      }
    }
    await server.close();
    assert.equal(app.logged, []);
  });
}

test.run();
