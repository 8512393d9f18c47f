import { test } from "uvu";
import * as assert from "uvu/assert";
import { createHookedApp, withError, withMiddleware } from "../hooked.fixture.ts";
import { formatLogEvent, type LogEvent, type Logger, toLog } from "../log/log.ts";
import { formatJsonLine } from "../log/production.ts";
import type { ServerSettings } from "../settings.ts";
import { Request } from "./request.ts";

type Line = readonly [level: string, fields: object, message: string];
type Use = (request: Request) => unknown;

/** @returns what the project's logger gets for one request of `/orders`, and the response's id. */
async function ask(use: Use, headers: Record<string, string> = {}, settings: Partial<ServerSettings> = {}) {
  const lines: Line[] = [];
  const logger: Logger = {
    info: (fields, message) => void lines.push(["info", fields, message]),
    error: (fields, message) => void lines.push(["error", fields, message]),
  };
  const app = createHookedApp({ "GET /orders": [use] }, [], { log: toLog(logger), settings });
  const response = await app.fetch("/orders", { headers });
  return { lines, id: response.headers.get("x-request-id"), body: await response.text() };
}

const OWN = { "x-request-id": "req-7" };
const PLACE = { method: "GET", path: "/orders", route: "/orders", id: "req-7" };

test("a line has the request's method, path, route and id, and what the handler adds", async () => {
  const { lines } = await ask((request) => {
    request.log.info("Paid.");
    request.log.info({ order: 7 }, "Paid.");
    request.log.info({ order: 7 });
    request.log.error("Refused.");
  }, OWN);
  assert.equal(lines, [
    ["info", PLACE, "Paid."],
    ["info", { ...PLACE, order: 7 }, "Paid."],
    ["info", { ...PLACE, order: 7 }, "request"],
    ["error", PLACE, "Refused."],
  ]);
});

test("an error is in err, alone or with other fields, and no field replaces what is the request's", async () => {
  const error = new Error("x");
  const { lines } = await ask((request) => {
    request.log.error(error, "Failed.");
    request.log.error({ err: error, order: 7, id: 8, path: "/forged" }, "Failed.");
  }, OWN);
  assert.equal(lines, [
    ["error", { ...PLACE, err: error }, "Failed."],
    ["error", { ...PLACE, order: 7, err: error }, "Failed."],
  ]);
});

test("the id is the client's own or a new one, the same for all who ask, in the response and in the request's other lines", async () => {
  for (const accessLog of [false, true])
    for (const headers of [{}, OWN, { "x-request-id": "a b" }]) {
      const { lines, id, body } = await ask(
        (request) => {
          request.log.info("Here.");
          throw new Error(request.id);
        },
        headers,
        { accessLog },
      );
      assert.is(body, '{"error":"Internal Server Error"}');
      assert.match(id ?? "", headers === OWN ? /^req-7$/ : /^[0-9a-f-]{36}$/);
      assert.equal(
        lines.map(([, fields]) => (fields as LogEvent).id),
        accessLog ? [id, id, id] : [id, id],
      );
    }
});

test("a request whose id nobody asks for has none", async () => {
  assert.is((await ask(() => "x", OWN)).id, null);
});

test("hooks and what no route serves have the log, too", async () => {
  const logged: LogEvent[] = [];
  const middleware = (request: Request, next: () => Promise<Response>): Promise<Response> => {
    request.log.info("before");
    return next();
  };
  const error = (_: unknown, request: Request): void => request.log.error("failed");
  const log = {
    info: (event: LogEvent) => logged.push(event),
    error: (event: LogEvent) => logged.push(event),
  };
  const root = { ...withMiddleware(middleware), ...withError(error) };
  const app = createHookedApp({}, [root], { log });
  await app.fetch("/nowhere", { headers: OWN });
  const { route: _, ...place } = PLACE;
  assert.equal(logged, [
    { message: "before", ...place, path: "/nowhere" },
    { message: "failed", ...place, path: "/nowhere" },
  ]);
});

test("a request of a test's own has an id and a log", () => {
  const request = new Request("http://localhost/", { headers: OWN });
  assert.is(request.id, "req-7");
  assert.type(request.log.info, "function");
});

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

const FIELDS: readonly [fields: object, text: string, json: string][] = [
  [{ order: 7 }, 'Paid. {"order":7}', '"order":7,"message":"Paid."'],
  [{}, "Paid.", '"path":"/a","message":"Paid."'],
  [{ level: "x", time: 1, message: "y", path: "/b" }, "Paid.", '"path":"/a","message":"Paid."'],
  [{ text: "\u001b[2J\n" }, 'Paid. {"text":"\\u001b[2J\\n"}', '"text":"\\u001b[2J\\n","message":"Paid."'],
  [cycle, 'Paid. {"fields":"[object Object]"}', '"fields":"[object Object]","message":"Paid."'],
  [{ a: 1, toJSON: () => 7 }, 'Paid. {"a":1}', '"a":1,"message":"Paid."'],
  [{ big: 1n }, 'Paid. {"fields":"[object Object]"}', '"fields":"[object Object]","message":"Paid."'],
];

for (const [fields, text, json] of FIELDS)
  test(`the server's own log shows ${Object.keys(fields).join() || "no fields"}`, () => {
    const event: LogEvent = { message: "Paid.", method: "GET", path: "/a", fields };
    assert.is(formatLogEvent(event), `GET /a: ${text}`);
    const line = formatJsonLine("info", event, 0);
    assert.ok(line.endsWith(`${json}}\n`), line);
    JSON.parse(line);
  });

test("fields that can't be read are logged with what they threw, and the request is answered", async () => {
  const hostile = {
    get order() {
      throw new RangeError("no order");
    },
  };
  const app = createHookedApp({
    "GET /": [
      (request: Request) => {
        request.log.info(hostile, "Paid.");
        return "paid";
      },
    ],
  });
  assert.is((await app.fetch("/")).status, 200);
});

test.run();
