import { connect } from "node:net";
import { Request as OtherRequest, request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type App, type BoundRoute, createCoreApp, type Handler } from "../app.ts";
import { METHODS } from "../routing/route.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { Request } from "./request.ts";

const URL_TEXT = "http://a.example/items?word=a%20b&word=c";

test("a request is made as one of the platform's, and has what a handler asks for besides", async () => {
  const headers = { cookie: "theme=dark", "x-own": "1" };
  const request = new Request(URL_TEXT, { method: "POST", headers, body: '{"name":"lamp"}' });
  assert.equal([request.method, request.url, request.path], ["POST", URL_TEXT, "/items"]);
  assert.equal(request.query.getAll("word"), ["a b", "c"]);
  assert.equal({ ...request.cookies }, { theme: "dark" });
  assert.equal({ ...request.params }, {});
  assert.equal([request.headers.get("x-own"), request.ip], ["1", ""]);
  assert.equal([request.route.method, request.route.pattern], ["POST", "/items"]);
  assert.is(request.bodyUsed, false);
  assert.equal(await request.clone().json(), { name: "lamp" });
  assert.equal(await request.json(), { name: "lamp" });
  assert.is(request.bodyUsed, true);
});

test("a request without a body has none", async () => {
  const request = new Request(URL_TEXT);
  assert.equal([request.method, request.body, await request.text()], ["GET", null, ""]);
  assert.is(request.signal.aborted, false);
});

test("a request is made of a text, a URL, a request of the platform, or another one, and of what is said besides", async () => {
  const init = { method: "PUT", body: "x" };
  for (const input of [
    URL_TEXT,
    new URL(URL_TEXT),
    new globalThis.Request(URL_TEXT, init),
    new Request(URL_TEXT, init),
  ]) {
    const request = new Request(input, { method: "PATCH", body: "y" });
    assert.equal([request.method, request.url, await request.text()], ["PATCH", URL_TEXT, "y"]);
  }
  for (const input of [new globalThis.Request(URL_TEXT, init), new Request(URL_TEXT, init)]) {
    const request = new Request(input);
    assert.equal([request.method, request.url, await request.text()], ["PUT", URL_TEXT, "x"]);
  }
});

test("what the platform refuses is refused", async () => {
  const used = new Request(URL_TEXT, { method: "POST", body: "x" });
  await used.text();
  for (const make of [
    () => new Request("/items"),
    () => new Request(URL_TEXT, { body: "x" }),
    () => new Request(URL_TEXT, { method: "a b" }),
    () => new Request(used),
  ])
    assert.throws(make, (error: unknown) => error instanceof TypeError);
});

test("the signal that a request is made with is its own", () => {
  const controller = new AbortController();
  const request = new Request(URL_TEXT, { signal: controller.signal });
  controller.abort();
  assert.is(request.signal.aborted, true);
});

/** What a handler does with its request, and what it answers. */
const PROBES: [string, (request: Request) => unknown][] = [
  [
    "told",
    async (request) => {
      const web = request.toWeb();
      const isWeb = web instanceof globalThis.Request && !(web instanceof Request);
      const own = web.headers.get("x-own");
      return { isWeb, method: web.method, url: web.url, own, text: await web.text(), used: request.bodyUsed };
    },
  ],
  ["passed", (request) => new Response(request.toWeb().body)],
  [
    "web-first",
    async (request) => {
      const web = request.toWeb();
      return [await web.text(), request.bodyUsed, await request.text().catch((error: Error) => error.name)];
    },
  ],
  [
    "own-first",
    async (request) => {
      const web = request.toWeb();
      return [await request.text(), request.bodyUsed, await web.text().catch((error: Error) => error.name)];
    },
  ],
  [
    "stream-late",
    async (request) => {
      const { body } = request;
      return [await request.text(), await new Response(body).text().catch((error: Error) => error.name)];
    },
  ],
  [
    "used",
    async (request) => {
      await request.text();
      try {
        return request.toWeb().url;
      } catch (error) {
        return (error as Error).name;
      }
    },
  ],
  ["clone", async (request) => [await request.clone().toWeb().text(), await request.text()]],
  ["limit", (request) => request.toWeb().text()],
];

function bind(path: string, handler: (request: Request) => unknown): BoundRoute[] {
  const location = { file: "routes/x.ts", line: 1, column: 1 };
  const rest = { handler: "x", module: "routes/x.ts", app: null, convention: "routes", location } as const;
  return METHODS.map((method) => ({
    handler: handler as Handler,
    route: { method, pattern: `/${path}`, segments: [path], arguments: ["request"], ...rest },
  }));
}

const errors: unknown[] = [];
const log = { info: () => {}, error: (event: unknown) => void errors.push(event) };
const settings = { ...DEFAULT_SETTINGS, port: 0, host: "127.0.0.1", bodyLimit: 4096 };
const app: App = createCoreApp(
  PROBES.flatMap(([path, handler]) => bind(path, handler)),
  { settings, log },
);

const ASKED: [line: string, body: string | null, status: number, answer: (origin: string) => string][] = [
  [
    "POST /told?a=%20b",
    "two\nlines",
    200,
    (origin) =>
      `{"isWeb":true,"method":"POST","url":"${origin}/told?a=%20b","own":"1","text":"two\\nlines","used":true}`,
  ],
  [
    "GET /told",
    null,
    200,
    (origin) => `{"isWeb":true,"method":"GET","url":"${origin}/told","own":"1","text":"","used":false}`,
  ],
  ["PUT /passed", "piece by piece", 200, () => "piece by piece"],
  ["POST /web-first", "x", 200, () => '["x",true,"TypeError"]'],
  ["POST /own-first", "x", 200, () => '["x",true,"TypeError"]'],
  ["POST /stream-late", "x", 200, () => '["x","TypeError"]'],
  ["POST /used", "x", 200, () => "TypeError"],
  ["POST /clone", "x", 200, () => '["x","x"]'],
  ["POST /limit", "x".repeat(4097), 413, () => '{"error":"The request body is larger than 4096 bytes."}'],
];

for (const [line, body, status, answer] of ASKED) {
  const [method = "", path = ""] = line.split(" ");
  const init = { method, body, headers: { "x-own": "1" } };

  test(`toWeb over a socket: ${line}`, async () => {
    const { url, close } = await app.listen();
    const response = await send(url + path, { ...init, method: method as "GET", reset: true });
    const text = await response.body.text();
    await close();
    assert.equal([response.statusCode, text], [status, answer(url.replace("localhost", "127.0.0.1"))]);
    assert.equal(errors.splice(0), []);
  });

  test(`toWeb over fetch: ${line}`, async () => {
    const response = await app.fetch(`http://a.example${path}`, init);
    assert.equal([response.status, await response.text()], [status, answer("http://a.example")]);
    assert.equal(errors.splice(0), []);
  });
}

test("the signal of toWeb aborts when the client leaves", async () => {
  let begun = (): void => {};
  const asked = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const aborted = new Promise<string>((resolve) => {
    const handler = (request: Request): Promise<void> => {
      const { signal } = request.toWeb();
      begun();
      return new Promise((answer) => {
        signal.addEventListener("abort", () => {
          resolve(String(signal.reason.name));
          answer();
        });
      });
    };
    void createCoreApp(bind("wait", handler), { settings, log })
      .listen()
      .then(async ({ port, close }) => {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        socket.write("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
        await asked;
        socket.destroy();
        await close();
      });
  });
  assert.is(await aborted, "AbortError");
});

const echo: App = createCoreApp(
  bind("echo", async (request) => ({ method: request.method, url: request.url, text: await request.text() })),
  { settings, log },
);
const EMPTY = { method: "GET", url: "http://a.example/echo", text: "" };
const SENT = { method: "PUT", url: "http://a.example/echo", text: "x" };
const init = { method: "PUT", body: "x" };
const address = "http://a.example/echo";

const TAKEN: [string, () => Promise<Response>, object][] = [
  ["a URL as text, with more", () => echo.fetch(address, init), SENT],
  ["a path", () => echo.fetch("/echo", init), { ...SENT, url: "http://localhost/echo" }],
  ["a request of the platform", () => echo.fetch(new globalThis.Request(address, init)), SENT],
  [
    "a request of the platform, with more",
    () => echo.fetch(new globalThis.Request(address), { method: "PUT", body: "x" }),
    SENT,
  ],
  ["a request of ours, with more", () => echo.fetch(new Request(address), init), SENT],
  [
    "a request of another implementation",
    () => echo.fetch(new OtherRequest(address, init) as unknown as globalThis.Request),
    SENT,
  ],
  // What Bun, Deno and Cloudflare give besides.
  ...[
    { port: 80, stop() {} },
    { remoteAddr: {} },
    { CACHE: {}, cache: {}, credentials: 1 },
    null,
    "a text",
  ].map((second): [string, () => Promise<Response>, object] => [
    `a request and a platform's own ${JSON.stringify(second)}`,
    () => echo.fetch(new globalThis.Request(address), second as RequestInit),
    EMPTY,
  ]),
];
for (const [title, ask, expected] of TAKEN) {
  test(`app.fetch takes ${title}`, async () => {
    assert.equal(await (await ask()).json(), expected);
  });
}

test("app.fetch rejects where fetch would, and does not throw", async () => {
  for (const ask of [() => echo.fetch("http://"), () => echo.fetch(address, { body: "x" })]) {
    const error = await ask().catch((thrown: unknown) => thrown);
    assert.instance(error, TypeError);
  }
});

test("app.fetch rejects what is neither a URL nor a request, and says so", async () => {
  for (const [input, name] of [
    [undefined, "undefined"],
    [null, "null"],
    [7, "7"],
  ] as const) {
    const error = await echo.fetch(input as unknown as string).catch((thrown: unknown) => thrown);
    assert.instance(error, TypeError);
    assert.is((error as Error).message, `app.fetch takes a URL, a path or a Request, not ${name}.`);
  }
});

test("app.fetch rejects a request whose body has been read, as fetch does", async () => {
  for (const request of [
    new globalThis.Request(address, init),
    new Request(address, init),
    new OtherRequest(address, init) as unknown as globalThis.Request,
  ]) {
    await request.text();
    const error = await echo.fetch(request).catch((thrown: unknown) => thrown);
    assert.instance(error, TypeError);
    assert.match((error as Error).message, /^The body has already been read\. /);
  }
});

test.run();
