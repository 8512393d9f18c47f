/**
 * That no spelling of a path reaches a guarded handler without its guard: each target is sent as it is, over a socket, with and without
 * the credential. It needs `dist/`.
 */

import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "#runtime/random.fixture";
import { type Loader, startLoader } from "./loader.fixture.ts";

const test = suite<{ loader: Loader; port: number }>("path tricks");

const GUARD = 'import type { Bearer } from "framework";\nexport function guard(_token: Bearer) {}\n';

test.before(async (context) => {
  context.loader = startLoader();
  const answer = await context.loader.load({
    "framework.toml": 'apps = ["vault"]\n',
    "apps/vault/app.toml": "",
    "apps/vault/_hooks.ts": GUARD,
    "apps/vault/views.ts":
      'export function get_index() { return "SECRET"; }\nexport function get_by_id(id: number) { return "SECRET" + id; }\n',
    "routes/open.ts": 'export function get() { return "open"; }\n',
    "routes/admin/_hooks.ts": GUARD,
    "routes/admin/index.ts": 'export function get() { return "SECRET"; }\n',
    "routes/admin/[name].ts": 'export function get(name: string) { return "SECRET" + name; }\n',
  });
  assert.is(answer.kind, "served", JSON.stringify(answer));
  context.port = answer.kind === "served" ? Number(new URL(answer.url).port) : 0;
});
test.after(({ loader }) => loader.stop());

const PATHS = ["/admin", "/admin/x", "/vault", "/vault/by/id/7"];

/** What people have tried on other routers. */
const TRICKS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => `//${path}`,
  (path) => `/.${path}`,
  (path) => `${path}/.`,
  (path) => `${path}/..${path}`,
  (path) => `/open/..${path}`,
  (path) => `/open/%2e%2e${path}`,
  (path) => `/open/..%2f${path.slice(1)}`,
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
  (path) => path.replace("a", "%2561"),
  (path) => path.replaceAll("/", "%2f"),
  (path) => path.replaceAll("/", "\\"),
  (path) => path.toUpperCase(),
  (path) => `${path};a=b`,
  (path) => path.replace(/(.)\//g, "$1;x/"),
  (path) => `${path}?/open`,
  (path) => `/open?${path}`,
  (path) => `/open#${path}`,
  (path) => `${path}#`,
  (path) => `${path}%00`,
  (path) => `${path}%0d%0a`,
  (path) => `${path}%20`,
  (path) => `${path}.json`,
  (path) => `http://localhost${path}`,
  (path) => `http://other.example${path}`,
  (path) => `HTTP://a@localhost:1${path}`,
  (path) => path.replace("a", "\u00e1"),
  (path) => path.replace("a", "%ff"),
  (path) => path.slice(1),
  (path) => `*${path}`,
];

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "get", "GET\t"];

const HEADERS: readonly string[] = ["", "X-HTTP-Method-Override: GET\r\n", "X-Original-URL: /open\r\n"];

/** @returns all that the server sends until it closes the connection. */
function send(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(Buffer.from(text, "latin1")));
    socket.on("data", (data) => {
      answer += data.toString("latin1");
    });
    socket.on("close", () => resolve(answer)).on("error", reject);
  });
}

function toRequest(method: string, target: string, headers: string): string {
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
}

test("without the credential, no spelling of a path shows what is guarded", async ({ port }) => {
  const targets = PATHS.flatMap((path) => TRICKS.map((trick) => trick(path)));
  const requests = targets.flatMap((target) =>
    METHODS.flatMap((method) =>
      HEADERS.map((headers) => ({ target, text: toRequest(method, target, headers) })),
    ),
  );
  for (const { target, text } of sample("spellings", requests, 600)) {
    const answer = await send(port, text);
    assert.not.match(answer, "SECRET", text);
    if (/^HTTP\/1\.1 200/.test(answer)) assert.match(target, /^\/open/, text);
  }
});

test("a request behind another one on the same connection is guarded, too", async ({ port }) => {
  const first = "GET /open HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n";
  for (const path of PATHS) {
    const answer = await send(port, first + toRequest("GET", path, ""));
    assert.match(answer, /open[\s\S]*HTTP\/1\.1 401/);
    assert.not.match(answer, "SECRET");
  }
});

test("with the credential, the spellings that name a route are served", async ({ port }) => {
  const served = await Promise.all(
    TRICKS.map(async (trick) => {
      const answer = await send(port, toRequest("GET", trick("/admin"), "Authorization: Bearer x\r\n"));
      return answer.includes("SECRET");
    }),
  );
  // As it is, with a slash, with encoded letters, with a query, and in absolute form.
  assert.is(served.filter(Boolean).length, 8);
});

test.run();
