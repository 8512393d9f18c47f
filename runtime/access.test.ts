import { request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { gate } from "./gate.fixture.ts";
import { createHookedApp, type HookedApp, type HookedRoute, sendRaw } from "./hooked.fixture.ts";
import { HttpError } from "./message/errors.ts";
import type { Request } from "./message/request.ts";
import { onceAsked } from "./node/time-outs.fixture.ts";
import type { ServerSettings } from "./settings.ts";

const overdue = gate<string>();

const ROUTES: Readonly<Record<string, HookedRoute>> = {
  "GET /now": [() => "now"],
  "GET /later": [async () => "later"],
  "GET /stream": [() => ReadableStream.from(["streamed"])],
  "GET /refused": [() => Promise.reject(new HttpError(409, "taken"))],
  "GET /broken": [() => assert.unreachable()],
  "GET /overdue": [() => overdue.opened],
  "GET /own": [() => new Response(null, { headers: { "x-request-id": "of the handler" } })],
  "POST /read": [(request: Request) => request.text()],
};

function createApp(settings: Partial<ServerSettings> = {}): HookedApp {
  return createHookedApp(ROUTES, [], { settings: { accessLog: true, health: "/healthz", ...settings } });
}

interface Asked extends Pick<HookedApp, "logged" | "requests"> {
  /** Those that the client gets. */
  readonly ids: readonly string[];
}

/** Over a socket and by fetch. */
async function askBoth(line: string, id?: string, settings?: Partial<ServerSettings>): Promise<Asked[]> {
  const [method = "", path = ""] = line.split(" ");
  const headers = id === undefined ? {} : { "X-Request-ID": id };
  const [one, other] = [createApp(settings), createApp(settings)];
  const server = await one.listen();
  const answered = await send(server.url + path, { method: method as "GET", headers, reset: true });
  await answered.body.dump();
  await server.close();
  const response = await other.fetch(path, { method, headers });
  await response.body?.cancel();
  return [
    { ...one, ids: [answered.headers["x-request-id"] ?? []].flat() },
    { ...other, ids: [response.headers.get("x-request-id") ?? []].flat() },
  ];
}

const MADE = /^[0-9a-f-]{36}$/;

for (const [line, status, route] of [
  ["GET /now", 200, "/now"],
  ["GET /later?secret=1", 200, "/later"],
  ["GET /stream", 200, "/stream"],
  ["GET /refused", 409, "/refused"],
  ["GET /broken", 500, "/broken"],
  ["GET /nowhere", 404, undefined],
  ["DELETE /now", 405, undefined],
  ["OPTIONS /now", 204, undefined],
] as const) {
  test(`${line} is one line, with method, path, route, status, duration and the id that the client gets, and that its failure has`, async () => {
    for (const { ids, logged, requests } of await askBoth(line)) {
      assert.is(requests.length, 1);
      const [{ duration = -1, id = "", ...rest } = { message: "" }] = requests;
      const [method, path] = line.replace(/\?.*/, "").split(" ");
      assert.equal(rest, { message: "", method, path, ...(route && { route }), status });
      assert.ok(duration >= 0 && duration < 10_000);
      assert.match(id, MADE);
      assert.equal(ids, [id]);
      const failed = logged.map((event) => [event.id, event.route]);
      assert.equal(failed, status === 500 ? [[id, route]] : []);
    }
  });
}

test("a handler that is given up is one line, though its result comes later", async () => {
  const app = createApp({ handlerTimeout: 0.02 });
  const server = await app.listen();
  const { statusCode, body } = await send(`${server.url}/overdue`, { reset: true });
  await body.dump();
  assert.is(statusCode, 503);
  overdue.open("too late");
  await server.close();
  assert.is(app.logged.length, 1);
  assert.equal(
    app.requests.map(({ status }) => status),
    [503],
  );
});

/** The client's own ids. */
const WELL_FORMED = [
  "a",
  "00-4bf92f3577b34da6-01",
  "Root=1-67891233-abcdef",
  "a/b:c@d+e.f_g",
  "x".repeat(128),
];
const OTHERS = ["", "a b", '"', "a,b", "a;b", "<script>", "x".repeat(129), "\u00e9"];

test("the client's own id is taken when it is well formed, and replaced when it could be taken for something else", async () => {
  for (const given of [...WELL_FORMED, ...OTHERS])
    for (const { ids, requests } of await askBoth("GET /now", given)) {
      if (WELL_FORMED.includes(given)) assert.equal(ids, [given]);
      else assert.match(ids[0] ?? "", MADE);
      assert.is(requests[0]?.id, ids[0]);
    }
});

test("an id that the handler gives stays", async () => {
  for (const { ids } of await askBoth("GET /own", "req-7")) assert.equal(ids, ["of the handler"]);
});

test("health is not logged, and has no id; without access_log nothing is but a failure, and none has an id", async () => {
  for (const [line, settings, failures] of [
    ["GET /healthz", {}, 0],
    ["GET /now", { accessLog: false }, 0],
    ["GET /broken", { accessLog: false }, 1],
  ] as const)
    for (const { ids, logged, requests } of await askBoth(line, "req-7", settings)) {
      assert.equal([ids, requests], [[], []], line);
      assert.is(logged.length, failures, line);
      assert.is(logged[0]?.id, undefined);
    }
});

/** What is refused once its head has been read, or never comes whole. */
const REFUSED: readonly [title: string, text: string, status: number, route?: string][] = [
  ["a request that the guard refuses", "POST /read HTTP/1.1\r\nHost: a/b\r\n\r\n", 400],
  [
    "a malformed body",
    "POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    400,
    "/read",
  ],
  [
    "a body that does not come in time",
    "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n",
    408,
    "/read",
  ],
];

for (const [title, text, status, route] of REFUSED)
  test(`${title} is one line, with the id that the client gets`, () =>
    onceAsked(async () => {
      const app = createApp({ requestTimeout: 0.2, headersTimeout: 0.1 });
      const server = await app.listen();
      const received = await sendRaw(server, text);
      await server.close();
      assert.is(app.requests.length, 1);
      const [{ id, duration: _, ...rest } = { message: "" }] = app.requests;
      assert.equal(rest, { message: "", method: "POST", path: "/read", ...(route && { route }), status });
      assert.ok(received.startsWith(`HTTP/1.1 ${status} `), received);
      assert.ok(received.includes(`X-Request-Id: ${id}\r\n`), received);
    }));

test.run();
