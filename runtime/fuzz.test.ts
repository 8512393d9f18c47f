/**
 * Raw requests that a seed makes out of good ones. A failure names the seed of its one request.
 */

import { connect } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "./app.ts";
import { bind } from "./bound.fixture.ts";
import type { LogEvent } from "./log/log.ts";
import type { Request } from "./message/request.ts";
import { createRandom, runs, SEED } from "./random.fixture.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

const REQUESTS = runs(500, 1_000_000);
const FIRST_SEED = SEED;
const AT_ONCE = 64;
const HANGS_MS = 120_000;

async function* repeat(text: string): AsyncGenerator<string> {
  for (let index = 0; index < 3; index++) yield text;
}

const ROUTES = [
  bind("GET /", (request: Request) => ({ url: request.url, cookies: request.cookies })),
  bind("GET /a/<id:int>/<rest:str>", (request: Request) => ({
    params: request.params,
    query: [...request.query],
    headers: [...request.headers],
  })),
  bind("GET /stream", (request: Request) => repeat(request.path)),
  bind("POST /json", async (request: Request) => [{ got: await request.json() }, 201]),
  bind("POST /form", async (request: Request) => [...(await request.formData()).keys()]),
  bind("PUT /echo", (request: Request) => request.body),
  bind("DELETE /unread", () => undefined),
];

const TEMPLATES: readonly string[] = [
  "GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1; b=%20\r\n\r\n",
  "GET /a/12/b%20c?x=1&y=%C3%BC HTTP/1.1\r\nHost: a:80\r\nAccept: */*\r\n\r\n",
  "HEAD /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  "GET /stream HTTP/1.0\r\n\r\n",
  'POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 13\r\n\r\n{"a":[1,"b"]}',
  'POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\nX: y\r\n\r\n',
  "POST /json HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
  "POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\na=1&b=2",
  'POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 61\r\n\r\n--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n\r\n',
  "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "DELETE /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET http://b.example/a/1/x HTTP/1.1\r\nHost: a\r\n\r\n",
];

const PIECES: readonly string[] = [
  ...'\r\n|\n|\r|\0| |\t|/|//|\\|%|%00|%2f|%2e%2e|../|./|?|#|*|:|;|,|@|\xff|\x80|\x1b|[|]|{|}|"|-1|0|99999999999999999999'.split(
    "|",
  ),
  "Host: b\r\n",
  "Content-Length: 1\r\n",
  "Content-Length: -1\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip\r\n",
  "Connection: close\r\n",
  "Connection: keep-alive, upgrade\r\nUpgrade: h2c\r\n",
  "Expect: 100-continue\r\n",
  "HTTP/1.1",
  "HTTP/1.0",
  "HTTP/2.0",
  "CONNECT ",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "0\r\n\r\n",
  "fffffffffffffffff\r\n",
  '{"__proto__":1}',
  "[".repeat(3000),
  "x".repeat(20_000),
];

function makeRequest(seed: number): string {
  const random = createRandom(seed);
  const pick = (texts: readonly string[]): string => texts[random(texts.length)] ?? "";
  let text = pick(TEMPLATES);
  for (let changes = random(5); changes > 0; changes--) {
    const at = random(text.length + 1);
    const end = at + 1 + random(random(4) === 0 ? 40 : 3);
    const changed = [
      pick(PIECES),
      String.fromCharCode(random(256)),
      "",
      text.slice(at, end).repeat(2),
      pick(TEMPLATES).slice(random(40)),
    ][random(5)];
    text = text.slice(0, at) + changed + text.slice(random(2) === 0 ? at : end);
  }
  return text;
}

/** @returns what came until the server closed; undefined when it did not. */
function talk(port: number, text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    const timer = setTimeout(() => {
      resolve(undefined);
      socket.destroy();
    }, HANGS_MS);
    socket.on("data", (part) => {
      received += part;
    });
    socket
      .on("error", () => {})
      .once("close", () => {
        clearTimeout(timer);
        resolve(received);
      });
    socket.end(text, "latin1");
  });
}

/** 501 and 505 tell of the request; every other 5xx would tell of us. */
function judge(answer: string | undefined): string | undefined {
  if (answer === undefined) return "the server hangs";
  if (answer !== "" && !answer.startsWith("HTTP/1.1 ")) return "the answer is no HTTP";
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (5\d\d) /g)].map(([, status]) => status);
  return statuses.find((status) => status !== "501" && status !== "505");
}

test(`${REQUESTS} broken requests crash nothing, hang nowhere and are no 5xx`, async () => {
  const logged: LogEvent[] = [];
  const log = { info: () => {}, error: (event: LogEvent) => void logged.push(event) };
  const settings = { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, requestTimeout: 5, headersTimeout: 5 };
  const server = await createCoreApp(ROUTES, { settings, log }).listen();
  const failures: string[] = [];
  let seed = FIRST_SEED;
  const work = async (): Promise<void> => {
    while (seed < FIRST_SEED + REQUESTS && failures.length < 5) {
      const own = seed++;
      const problem = judge(await talk(server.port, makeRequest(own)));
      if (problem !== undefined) failures.push(`SEED=${own}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  assert.match(String(await talk(server.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")), /^HTTP\/1\.1 200/);
  await server.close();
  assert.equal(failures, []);
  assert.equal(logged, []);
});

test.run();
