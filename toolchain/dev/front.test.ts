import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createCoreApp } from "#runtime/app";
import { bind } from "#runtime/bound.fixture";
import { gate } from "#runtime/gate.fixture";
import { type Server, useFront } from "#runtime/node/server";
import { DEFAULT_SETTINGS, type ServerSettings } from "#runtime/settings";
import { createFront, refuseHost } from "./front.ts";

const logged: unknown[] = [];
const called: string[] = [];
let started = gate();
let release = gate();

const ROUTES = [
  bind("GET /", () => {
    called.push("/");
    return { at: "/" };
  }),
  bind("GET /slow", async () => {
    started.open();
    await release.opened;
    return { at: "/slow" };
  }),
  bind("POST /", async (request: { json(): Promise<unknown> }) => request.json()),
];

async function withDev(
  use: (server: Server) => Promise<void>,
  hosts: readonly string[] = [],
  changed: Partial<ServerSettings> = {},
): Promise<void> {
  const settings = { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, health: "/healthz", ...changed };
  const log = { info: (event: object) => void logged.push(event), error: () => {} };
  useFront((app) => createFront(app, hosts));
  const server = await createCoreApp(ROUTES, { settings, dev: true, log }).listen();
  useFront((app) => app);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

/** @returns all that comes back until the connection closes. */
function sendRaw({ port }: Server, packet: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(packet);
  return text(socket);
}

function get(path: string, host = "localhost"): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}

const HOSTS = ["app.local", ".example.test", "MyBox"];

const ACCEPTED = [
  "localhost",
  "localhost:8000",
  "LOCALHOST",
  "localhost.",
  "localhost.:8000",
  "shop.localhost",
  "a.b.localhost:1",
  "127.0.0.1",
  "127.0.0.1:8000",
  "0.0.0.0",
  "192.168.1.5:8000",
  "[::1]",
  "[::1]:8000",
  "[FE80::1]",
  "[::ffff:127.0.0.1]:8000",
  "app.local",
  "App.Local.:8000",
  "example.test",
  "api.example.test",
  "a.b.example.test:3",
  "mybox",
];
const REFUSED = [
  "evil.test",
  "evil.test:8000",
  "localhost.evil.test",
  "evil-localhost",
  "xlocalhost",
  "127.0.0.1.evil.test",
  "127.1",
  "0x7f.1",
  "2130706433",
  "0177.0.0.1",
  "127.0.0.1.5",
  "1.2.3",
  "::1",
  "api.app.local",
  "xapp.local",
  "badexample.test",
  "test",
  "",
];

for (const host of ACCEPTED)
  test(`dev answers for the host ${host}`, () => assert.is(refuseHost(host, HOSTS), undefined));

for (const host of REFUSED)
  test(`dev refuses the host ${host || '""'}`, () => assert.is(refuseHost(host, HOSTS)?.status, 403));

test("a request that names no host, as HTTP/1.0 allows, does not come from a browser", async () => {
  assert.is(refuseHost(undefined, []), undefined);
  await withDev(async (server) => {
    assert.match(await sendRaw(server, "GET / HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /);
  });
});

test("a trusted proxy's header opens nothing: the host of the request itself counts", () =>
  withDev(
    async (server) => {
      const request = get("/", "evil.test").replace("Host:", "X-Forwarded-Host: localhost\r\nHost:");
      assert.match(await sendRaw(server, request), /^HTTP\/1\.1 403 /);
    },
    [],
    { trustProxy: ["loopback"] },
  ));

const FOREIGN: readonly [what: string, request: string][] = [
  ["a route", get("/", "evil.test")],
  ["a path without a route", get("/nowhere", "evil.test:8000")],
  ["the health path", get("/healthz", "evil.test")],
  ["a method without a route", get("/", "evil.test").replace("GET", "DELETE")],
  ["OPTIONS", get("*", "evil.test").replace("GET", "OPTIONS")],
  ["HEAD", get("/", "evil.test").replace("GET", "HEAD")],
  ["a target with the host in it", get("http://evil.test/", "localhost")],
  ["a forwarded name", "GET / HTTP/1.1\r\nX-Forwarded-Host: localhost\r\nHost: evil.test\r\n\r\n"],
  ["an upgrade", "GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: h2c\r\nHost: evil.test\r\n\r\n"],
  [
    "a body that waits for 100",
    "POST / HTTP/1.1\r\nExpect: 100-continue\r\nHost: evil.test\r\nContent-Length: 2\r\n\r\n",
  ],
];
for (const [what, request] of FOREIGN)
  test(`a foreign host gets 403 for ${what}, and the answer says what to do`, () =>
    withDev(async (server) => {
      called.length = 0;
      logged.length = 0;
      const answer = await sendRaw(server, request);
      const final = answer.replace("HTTP/1.1 100 Continue\r\n\r\n", "");
      assert.match(final, /^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*Connection: close\r\n/);
      if (!request.startsWith("HEAD"))
        assert.match(answer, /the host evil\.test\..*hosts = \[\\"evil\.test\\"\]/);
      assert.equal(called, []);
      assert.is((logged[0] as { status: number }).status, 403);
    }));

test("what else a request says about its host changes nothing", () =>
  withDev(async (server) => {
    const forwarded = "GET / HTTP/1.1\r\nX-Forwarded-Host: evil.test\r\nHost: localhost\r\n\r\n";
    assert.match(await sendRaw(server, forwarded), /^HTTP\/1\.1 200 /);
    assert.match(await sendRaw(server, get("http://localhost/", "evil.test")), /^HTTP\/1\.1 200 /);
  }));

test("the next request needs a connection of its own: an answer closes its connection, and offers to keep none", () =>
  withDev(async (server) => {
    const answer = await sendRaw(server, get("/"));
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n/);
    assert.not.match(answer, /keep-alive/i);
  }));

test("requests that arrive together are all answered, in their order, and the last answer closes the connection", () =>
  withDev(async (server) => {
    const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 13\r\n\r\n{"at":"post"}';
    const answers = await sendRaw(server, get("/") + get("/none") + post + get("/", "evil.test") + get("/"));
    assert.equal(
      [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ["200", "404", "200", "403", "200"],
    );
    assert.is(answers.match(/Connection: close/g)?.length, 1);
    assert.match(answers, /Connection: close\r\n[^{]*\{"at":"\/"\}$/);
  }));

test("a request that arrives while the one before it is being answered is answered, too", () =>
  withDev(async (server) => {
    started = gate();
    release = gate();
    const socket = connect(server.port, "127.0.0.1");
    socket.write(get("/slow"));
    await started.opened;
    called.length = 0;
    socket.write(get("/"));
    while (called.length === 0) await new Promise((resolve) => setImmediate(resolve));
    release.open();
    assert.match(
      await text(socket),
      /\{"at":"\/slow"\}HTTP\/1\.1 200[^{]*Connection: close\r\n[^{]*\{"at":"\/"\}$/,
    );
  }));

test.run();
