/** The response of `next()` beside one of the platform with the same content: each member gives the same. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Handler } from "../app.ts";
import { createHookedApp, type Received, receive, withMiddleware } from "../hooked.fixture.ts";
import { events } from "../message/events.ts";
import { reply } from "../message/reply.ts";
import { sample } from "../random.fixture.ts";

async function* count(): AsyncGenerator<string> {
  yield "one ";
  await new Promise((resolve) => setTimeout(resolve, 2));
  yield "two";
}

/** The results of handlers, and the same as a response of the platform. */
const RESULTS: readonly [string, () => unknown, () => Response][] = [
  [
    "an object",
    () => ({ a: "ö" }),
    () => Response.json({ a: "ö" }, { headers: { "content-type": "application/json; charset=utf-8" } }),
  ],
  [
    "a text",
    () => "größer",
    () => new Response("größer", { headers: { "content-type": "text/plain; charset=utf-8" } }),
  ],
  ["nothing", () => undefined, () => new Response(null, { status: 204 })],
  [
    "an error's status",
    () => [{ a: 1 }, 404],
    () =>
      Response.json(
        { a: 1 },
        { status: 404, headers: { "content-type": "application/json; charset=utf-8" } },
      ),
  ],
  [
    "bytes",
    () => new Uint8Array([1, 255]),
    () => new Response(new Uint8Array([1, 255]), { headers: { "content-type": "application/octet-stream" } }),
  ],
  [
    "a stream",
    count,
    () => new Response("one two", { headers: { "content-type": "text/plain; charset=utf-8" } }),
  ],
  ["a response with cookies", () => withCookies("made"), () => withCookies("made")],
  [
    "a form",
    () => reply("a=1&b=2", 200, { "content-type": "application/x-www-form-urlencoded" }),
    () => new Response("a=1&b=2", { headers: { "content-type": "application/x-www-form-urlencoded" } }),
  ],
];

function withCookies(body: string): Response {
  const response = new Response(body, { status: 202, headers: { "content-type": "a/b" } });
  response.headers.append("set-cookie", "a=1; Path=/");
  response.headers.append("set-cookie", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT");
  return response;
}

/** What can be asked of a response. */
const MEMBERS: Readonly<Record<string, (response: Response) => unknown>> = {
  "instanceof Response": (response) => response instanceof Response,
  "its tag": (response) => Object.prototype.toString.call(response),
  status: (response) => response.status,
  ok: (response) => response.ok,
  statusText: (response) => response.statusText,
  type: (response) => response.type,
  url: (response) => response.url,
  redirected: (response) => response.redirected,
  headers: (response) => [...response.headers],
  "the same headers each time": (response) => isSame(() => response.headers),
  "the same body each time": (response) => isSame(() => response.body),
  bodyUsed: (response) => response.bodyUsed,
  text: (response) => response.text(),
  json: (response) => response.json(),
  bytes: async (response) => [...(await (response as Response & { bytes(): Promise<Uint8Array> }).bytes())],
  arrayBuffer: async (response) => [...new Uint8Array(await response.arrayBuffer())],
  blob: async (response) => {
    const blob = await response.blob();
    return [blob.type, await blob.text()];
  },
  formData: async (response) => [...(await response.formData())],
  body: async (response) => {
    const parts: Uint8Array[] = [];
    for await (const part of response.body ?? []) parts.push(part);
    return Buffer.concat(parts).toString();
  },
  "bodyUsed after text()": async (response) => {
    await response.text();
    return response.bodyUsed;
  },
  "bodyUsed once the stream is read": async (response) => {
    for await (const _ of response.body ?? []);
    return response.bodyUsed;
  },
  "bodyUsed once body is looked at": (response) => response.body !== null && response.bodyUsed,
  "text() twice": async (response) => [await response.text(), await response.text()],
  "text() of a locked stream": (response) => {
    response.body?.getReader();
    return response.text();
  },
  "clone() after text()": async (response) => {
    await response.text();
    return response.clone().text();
  },
  "a clone": async (response) => {
    const clone = response.clone();
    return [
      clone.status,
      [...clone.headers],
      await clone.text(),
      await response.text(),
      clone instanceof Response,
    ];
  },
  "a clone of a clone": async (response) => response.clone().clone().text(),
  "a new Response of it": async (response) => {
    const { status, headers, body } = new Response(response.body, response);
    return [status, [...headers], await new Response(body).text()];
  },
  "new Headers of its headers": ({ headers }) => [...new Headers(headers)],
  "its cookies": ({ headers }) => headers.getSetCookie(),
};

function isSame(read: () => unknown): boolean {
  const first = read();
  return read() === first;
}

/** Node 20 has no `bytes`, and no `Response.prototype.bytes` to compare with. */
const COMPARED = Object.keys(MEMBERS).filter((name) => name !== "bytes" || "bytes" in Response.prototype);

async function ask(response: Response, member: string): Promise<unknown> {
  try {
    return { gives: await MEMBERS[member]?.(response) };
  } catch (error) {
    return { rejects: error instanceof Error && error.name };
  }
}

for (const [title, handler, toPeer] of RESULTS) {
  for (const member of COMPARED) {
    test(`next() for ${title}: ${member} is what the platform gives`, async () => {
      let seen: unknown;
      const middleware = async (_: unknown, next: () => Promise<Response>) => {
        seen = await ask(await next(), member);
        return "done";
      };
      const app = createHookedApp({ "GET /": [handler as Handler, withMiddleware(middleware)] });
      assert.is(await (await app.fetch("/")).text(), "done");
      assert.equal(seen, await ask(toPeer(), member));
    });
  }
}

type Use = (response: Response) => unknown;

/** What a middleware does with the response of `next()` before it returns it. All of it is sent. */
const LOOKS: Readonly<Record<string, Use>> = {
  "does nothing": () => {},
  "reads the text": (response) => response.text(),
  "reads the bytes": (response) => response.arrayBuffer(),
  "looks at the body": (response) => void response.body,
  "reads a clone": (response) => response.clone().text(),
  "begins to read a clone": (response) => void response.clone().text(),
};

/** What it returns or throws instead. The client gets the same. */
const COPIES: Readonly<Record<string, Use>> = {
  "returns a clone": (response) => response.clone(),
  "returns a new Response": (response) => new Response(response.body, response),
  "returns a new Response of its parts": ({ body, status, headers }) =>
    new Response(body, { status, headers }),
  "throws it": (response) => Promise.reject(response),
  "throws a new Response": (response) => Promise.reject(new Response(response.body, response)),
};

type Pairs = readonly (readonly [string, string])[];

/** How it changes the headers, and what the client then gets. */
const CHANGES: Readonly<Record<string, readonly [(headers: Headers) => void, (headers: Pairs) => Pairs]>> = {
  "sets a header": [(headers) => headers.set("x-own", "1"), (headers) => [...headers, ["x-own", "1"]]],
  "adds cookies": [
    (headers) => {
      headers.append("set-cookie", "c=3");
      headers.append("set-cookie", "d=4");
    },
    (headers) => [...headers, ["set-cookie", "c=3"], ["set-cookie", "d=4"]],
  ],
  "deletes a header": [
    (headers) => headers.delete("content-type"),
    (headers) => headers.filter(([name]) => name !== "content-type"),
  ],
  "sets a wrong length": [(headers) => headers.set("content-length", "1"), (headers) => headers],
};

const USES: readonly [string, Use, (headers: Pairs) => Pairs][] = [
  ...Object.entries(LOOKS).map(([title, look]): [string, Use, (headers: Pairs) => Pairs] => [
    `${title} and returns it`,
    async (response) => {
      await look(response);
      return response;
    },
    (headers) => headers,
  ]),
  ...Object.entries(COPIES).map(([title, copy]): [string, Use, (headers: Pairs) => Pairs] => [
    title,
    copy,
    (headers) => headers,
  ]),
  ...Object.entries(CHANGES).map(([title, [change, expect]]): [string, Use, (headers: Pairs) => Pairs] => [
    title,
    (response) => {
      change(response.headers);
      return response;
    },
    expect,
  ]),
];

/** Two more kinds, and those that have no text to compare with. */
const HANDLERS: readonly (readonly [string, () => unknown])[] = [
  ...RESULTS.map(([title, handler]) => [title, handler] as const),
  ["304", () => new Response(null, { status: 304, headers: { etag: '"1"' } })],
  ["a Blob", () => new Blob(["made"], { type: "a/b" })],
  ["a length", () => new Response(new Blob(["made"]).stream(), { headers: { "content-length": "4" } })],
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

for (const [title, use, change] of sample("middleware", USES, 6)) {
  test(`a middleware that ${title}: each kind of answer arrives, by fetch and by socket, for GET and HEAD`, async () => {
    const routes = HANDLERS.flatMap(([, handler], index) => [
      [`GET /plain/${index}`, [handler as Handler]] as const,
      [
        `GET /used/${index}`,
        [handler as Handler, withMiddleware(async (_, next) => use(await next()))],
      ] as const,
    ]);
    const app = createHookedApp(Object.fromEntries(routes));
    const server = await app.listen();
    const bySocket = (path: string, init: RequestInit): Promise<Response> => fetch(server.url + path, init);
    for (const [index, [name]] of HANDLERS.entries()) {
      for (const send of [app.fetch, bySocket]) {
        for (const method of ["GET", "HEAD"]) {
          const plain = await receive(await send(`/plain/${index}`, { method }));
          const used = await receive(await send(`/used/${index}`, { method }));
          assert.is(used.status, plain.status, name);
          assert.is(used.body, plain.body, name);
          assert.equal(toContent(used), toContent({ ...plain, headers: change(plain.headers) }), name);
          if (method === "GET" && used.status === 200 && lengthOf(used) !== undefined)
            assert.is(lengthOf(used), String(used.body.length), name);
          if (lengthOf(plain) !== undefined)
            assert.is(lengthOf(used) ?? lengthOf(plain), lengthOf(plain), name);
        }
      }
    }
    await server.close();
    assert.equal(app.logged, []);
  });
}

test.run();
