import { connect } from "node:net";
import { request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type App, type BoundRoute, createCoreApp, type Handler } from "./app.ts";
import type { LogEvent } from "./log/log.ts";
import { HttpError } from "./message/errors.ts";
import type { Server } from "./node/server.ts";
import { onceAsked } from "./node/time-outs.fixture.ts";
import { DEFAULT_SETTINGS, type ServerSettings } from "./settings.ts";

const location = { file: "routes/x.ts", line: 1, column: 1 };

function bind(path: string, handler: Handler, rest: Partial<BoundRoute["route"]> = {}): BoundRoute {
  const route = { handler: "get", module: "routes/x.ts", app: null, convention: "routes", location } as const;
  return {
    handler,
    route: { ...route, method: "GET", pattern: `/${path}`, segments: [path], arguments: [], ...rest },
  };
}

let release = (): void => {};

const ROUTES: readonly BoundRoute[] = [
  bind("now", () => "now"),
  bind("read", (request: { text(): Promise<string> }) => request.text(), {
    method: "POST",
    arguments: ["request"],
  }),
  bind("later", async () => "later"),
  bind("stream", async function* () {
    yield "streamed";
  }),
  bind("refused", () => {
    throw new HttpError(409, "taken");
  }),
  bind("broken", () => {
    throw new Error("broken");
  }),
  bind(
    "overdue",
    () =>
      new Promise((resolve) => {
        release = () => resolve("too late");
      }),
  ),
  bind("own", () => new Response(null, { headers: { "x-request-id": "of the handler" } })),
];

interface Logged extends LogEvent {
  readonly level: "info" | "error";
}

function createApp(settings: Partial<ServerSettings> = {}): { app: App; logged: Logged[] } {
  const logged: Logged[] = [];
  const log = {
    info: (event: LogEvent) => void logged.push({ level: "info", ...event }),
    error: (event: LogEvent) => void logged.push({ level: "error", ...event }),
  };
  const all = {
    ...DEFAULT_SETTINGS,
    host: "127.0.0.1",
    port: 0,
    accessLog: true,
    health: "/healthz",
    ...settings,
  };
  return { app: createCoreApp(ROUTES, { settings: all, log }), logged };
}

/** Over a socket and over fetch. */
async function askBoth(
  line: string,
  id?: string,
  settings: Partial<ServerSettings> = {},
): Promise<{ ids: string[]; logged: Logged[] }[]> {
  const [method = "", path = ""] = line.split(" ");
  const headers = id === undefined ? {} : { "X-Request-ID": id };
  const [one, other] = [createApp(settings), createApp(settings)];
  const server: Server = await one.app.listen();
  const overSocket = await send(server.url + path, { method: method as "GET", headers, reset: true });
  await overSocket.body.dump();
  await server.close();
  const overFetch = await other.app.fetch(new Request(`http://a.example${path}`, { method, headers }));
  await overFetch.body?.cancel();
  return [
    {
      ids: [overSocket.headers["x-request-id"] ?? []].flat(),
      logged: one.logged.filter(({ message }) => !message.startsWith("Listening")),
    },
    { ids: [overFetch.headers.get("x-request-id") ?? []].flat(), logged: other.logged },
  ];
}

for (const [line, status, route] of [
  ["GET /now", 200, "/now"],
  ["GET /later?secret=1", 200, "/later"],
  ["GET /stream", 200, "/stream"],
  ["GET /refused", 409, "/refused"],
  ["GET /nowhere", 404, undefined],
  ["DELETE /now", 405, undefined],
  ["OPTIONS /now", 204, undefined],
] as const) {
  test(`${line} is one line, with method, path, route, status, duration and the id that the client gets`, async () => {
    for (const { ids, logged } of await askBoth(line)) {
      assert.is(logged.length, 1);
      const [{ duration = -1, id = "", ...rest } = { level: "error", message: "" }] = logged;
      const [method, path = ""] = line.split(" ");
      const where = { method, path: path.replace(/\?.*/, ""), ...(route && { route }) };
      assert.equal(rest, { level: "info", message: "", ...where, status });
      assert.ok(duration >= 0 && duration < 10_000);
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.equal(ids, [id]);
    }
  });
}

test("a failure is an error line and a request line, of one id", async () => {
  for (const { ids, logged } of await askBoth("GET /broken")) {
    assert.equal(
      logged.map(({ level, status, id, route }) => [level, status, id, route]),
      [
        ["error", undefined, ids[0], "/broken"],
        ["info", 500, ids[0], "/broken"],
      ],
    );
  }
});

test("a handler that is given up is one line, though its result comes later", async () => {
  const { app, logged } = createApp({ handlerTimeout: 0.02 });
  const server = await app.listen();
  const { statusCode, body } = await send(`${server.url}/overdue`, { reset: true });
  await body.dump();
  assert.is(statusCode, 503);
  release();
  await server.close();
  assert.equal(
    logged.slice(1).map(({ level, status }) => [level, status]),
    [
      ["error", undefined],
      ["info", 503],
    ],
  );
});

test("the client's own id is taken when it is well formed", async () => {
  for (const id of ["a", "00-4bf92f3577b34da6-01", "Root=1-6789:a/b@d+e.f_g", "x".repeat(128)])
    for (const { ids, logged } of await askBoth("GET /now", id)) {
      assert.equal(ids, [id]);
      assert.is(logged[0]?.id, id);
    }
});

test("an id that could be taken for something else is replaced", async () => {
  for (const id of ["", "a b", '"', "a,b", "a;b", "<script>", "x".repeat(129), "\u00e9"])
    for (const { ids, logged } of await askBoth("GET /now", id)) {
      assert.match(ids[0] ?? "", /^[0-9a-f-]{36}$/);
      assert.is(logged[0]?.id, ids[0]);
    }
});

test("an id that the handler gives stays", async () => {
  for (const { ids } of await askBoth("GET /own", "req-7")) assert.equal(ids, ["of the handler"]);
});

test("health is not logged, and has no id", async () => {
  for (const answer of await askBoth("GET /healthz")) assert.equal(answer, { ids: [], logged: [] });
});

test("a request that the guard refuses is logged", async () => {
  const { app, logged } = createApp();
  const server = await app.listen();
  const { statusCode, body } = await send(`${server.url}/now`, { headers: { host: "a/b" } });
  await body.dump();
  await server.close();
  assert.is(statusCode, 400);
  assert.equal([logged.at(-1)?.status, logged.at(-1)?.path], [400, "/now"]);
});

for (const [title, text, status] of [
  ["is malformed", "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400],
  ["does not come in time", "Content-Length: 5\r\n\r\n", 408],
] as const) {
  test(`a request whose body ${title} is one line, with the id that the client gets`, () =>
    onceAsked(async () => {
      const { app, logged } = createApp({ requestTimeout: 0.2, headersTimeout: 0.1 });
      const server = await app.listen();
      const socket = connect(server.port, "127.0.0.1");
      socket.setEncoding("latin1").write(`POST /read HTTP/1.1\r\nHost: a\r\n${text}`);
      const received = (await socket.toArray()).join("");
      await server.close();
      const lines = logged.filter(({ level, message }) => level === "info" && message === "");
      assert.is(lines.length, 1);
      const { id, duration: _duration, ...rest }: Partial<Logged> = lines[0] ?? {};
      assert.equal(rest, {
        level: "info",
        message: "",
        method: "POST",
        path: "/read",
        route: "/read",
        status,
      });
      assert.ok(received.startsWith(`HTTP/1.1 ${status} `), received);
      assert.ok(received.includes(`X-Request-Id: ${id}\r\n`), received);
    }));
}

test("without access_log nothing is logged of a request but its failure, and none has an id", async () => {
  for (const answer of await askBoth("GET /now", "req-7", { accessLog: false }))
    assert.equal(answer, { ids: [], logged: [] });
  for (const { ids, logged } of await askBoth("GET /broken", "req-7", { accessLog: false })) {
    assert.equal(ids, []);
    assert.equal(
      logged.map(({ level, id }) => [level, id]),
      [["error", undefined]],
    );
  }
});

test.run();
