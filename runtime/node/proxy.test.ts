import { request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createHookedApp } from "../hooked.fixture.ts";
import type { Request } from "../message/request.ts";
import type { ServerSettings } from "../settings.ts";
import { createFindClient, type FindClient } from "./proxy.ts";

type Trust = ServerSettings["trustProxy"];

/** @param lines as in "X-Forwarded-For: 1.2.3.4". */
function find(trust: Trust, peer: string, ...lines: string[]): ReturnType<FindClient> {
  const raw = lines.flatMap((line) => [
    line.slice(0, line.indexOf(":")),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return (createFindClient(trust) as FindClient)(peer, raw);
}

const PROXY = "10.0.0.1";
const PRIVATE = ["10.0.0.0/8", "loopback", "2001:db8::/32"];

const ADDRESSES: readonly [
  title: string,
  trust: Trust,
  peer: string,
  lines: readonly string[],
  ip: string,
][] = [
  ["a peer that is not trusted is the client", PRIVATE, "9.9.9.9", ["X-Forwarded-For: 1.2.3.4"], "9.9.9.9"],
  ["a trusted peer names the client", PRIVATE, PROXY, ["X-Forwarded-For: 1.2.3.4"], "1.2.3.4"],
  ["a trusted peer that names nobody is the client", PRIVATE, PROXY, [], PROXY],
  [
    "what a client has invented stands to the left",
    PRIVATE,
    PROXY,
    ["X-Forwarded-For: 6.6.6.6, 1.2.3.4"],
    "1.2.3.4",
  ],
  [
    "two lines are one list",
    PRIVATE,
    PROXY,
    ["X-Forwarded-For: 6.6.6.6", "x-forwarded-for: 1.2.3.4"],
    "1.2.3.4",
  ],
  [
    "trusted proxies in between are skipped",
    PRIVATE,
    PROXY,
    ["X-Forwarded-For: 6.6.6.6, 1.2.3.4, 10.2.3.4, ::1"],
    "1.2.3.4",
  ],
  [
    "if all are trusted, the farthest counts",
    PRIVATE,
    PROXY,
    ["X-Forwarded-For: 10.0.0.3, 10.0.0.2"],
    "10.0.0.3",
  ],
  [
    "an IPv4 address in IPv6 notation is the same one",
    PRIVATE,
    "::ffff:10.0.0.1",
    ["X-Forwarded-For: 1.2.3.4"],
    "1.2.3.4",
  ],
  ["a peer has a zone", ["linklocal"], "fe80::1%eth0", ["X-Forwarded-For: 1.2.3.4"], "1.2.3.4"],
  [
    "a private network has a name",
    ["uniquelocal"],
    "192.168.7.7",
    ["X-Forwarded-For: fd00::1, 172.32.0.1"],
    "172.32.0.1",
  ],
  ["one address is a network", ["10.0.0.1"], PROXY, ["X-Forwarded-For: 1.2.3.4, 10.0.0.2"], "10.0.0.2"],
  ["every network", ["0.0.0.0/0"], PROXY, ["X-Forwarded-For: 6.6.6.6, 1.2.3.4"], "6.6.6.6"],
  ["one proxy in front", 1, "9.9.9.9", ["X-Forwarded-For: 6.6.6.6, 1.2.3.4"], "1.2.3.4"],
  ["two proxies in front", 2, "9.9.9.9", ["X-Forwarded-For: 6.6.6.6, 1.2.3.4, 8.8.8.8"], "1.2.3.4"],
  ["more proxies than there are addresses", 9, "9.9.9.9", ["X-Forwarded-For: 1.2.3.4"], "1.2.3.4"],
  ["ports", 1, "", ["X-Forwarded-For: 1.2.3.4:5678"], "1.2.3.4"],
  ["IPv6", 1, "", ["X-Forwarded-For: 2001:db8::7"], "2001:db8::7"],
  ["IPv6 in brackets, with a port", 1, "", ["X-Forwarded-For: [2001:db8::7]:5678"], "2001:db8::7"],
  ["unknown", 2, PROXY, ["X-Forwarded-For: 1.2.3.4, unknown"], PROXY],
  ["an obfuscated identifier", 2, PROXY, ["Forwarded: for=1.2.3.4, for=_hidden"], PROXY],
  [
    "an unknown one behind a trusted one",
    PRIVATE,
    PROXY,
    ["Forwarded: for=1.2.3.4, for=unknown, for=10.0.0.2"],
    "10.0.0.2",
  ],
  ["an empty element", 3, PROXY, ["X-Forwarded-For: 1.2.3.4, , 10.0.0.2"], "10.0.0.2"],
  ["no address at all", 1, PROXY, ["X-Forwarded-For: 1.2.3.999"], PROXY],
  ["text that would split a log line", 1, PROXY, ["X-Forwarded-For: 1.2.3.4 x"], PROXY],
  ["Forwarded", 1, PROXY, ["Forwarded: for=6.6.6.6, For=1.2.3.4"], "1.2.3.4"],
  ["Forwarded, quoted", 1, PROXY, ['Forwarded: by=10.0.0.1; FOR = "[2001:db8:cafe::17]:4711"'], PROXY],
  [
    "Forwarded, quoted IPv6",
    1,
    PROXY,
    ['Forwarded: by=10.0.0.1; FOR="[2001:db8:cafe::17]:4711"'],
    "2001:db8:cafe::17",
  ],
  ["a comma in quotes", 2, PROXY, ['Forwarded: for=1.2.3.4;x="a, for=6.6.6.6", for=10.0.0.2'], "1.2.3.4"],
  [
    "a quote that a client leaves open",
    1,
    PROXY,
    ['Forwarded: for="6.6.6.6, for="[2001:db8::1]"'],
    "2001:db8::1",
  ],
  [
    "a quote that a client leaves open, before a bare one",
    1,
    PROXY,
    ['Forwarded: for="6.6.6.6, for=1.2.3.4'],
    "1.2.3.4",
  ],
  ["garbage to the left", 1, PROXY, ["Forwarded: ;;=,==, for=1.2.3.4"], "1.2.3.4"],
  [
    "a Forwarded of the client beside what the proxy sets",
    1,
    PROXY,
    ["Forwarded: for=6.6.6.6", "X-Forwarded-For: 1.2.3.4"],
    "1.2.3.4",
  ],
  [
    "a Forwarded of the client beside another header of the proxy",
    1,
    PROXY,
    ["Forwarded: for=6.6.6.6", "X-Forwarded-Proto: https"],
    PROXY,
  ],
];

for (const [title, trust, peer, lines, ip] of ADDRESSES)
  test(`the address: ${title}`, () => assert.is(find(trust, peer, ...lines).ip, ip));

const ORIGINS: readonly [title: string, trust: Trust, lines: readonly string[], origin: string][] = [
  ["one proxy", 1, ["X-Forwarded-Proto: https", "X-Forwarded-Host: shop.example"], "https shop.example"],
  ["a scheme in capitals", 1, ["X-Forwarded-Proto: HTTPS"], "https undefined"],
  ["what a client has invented stands to the left", 1, ["X-Forwarded-Proto: https, http"], "http undefined"],
  [
    "the farthest trusted proxy counts",
    2,
    ["X-Forwarded-For: 1.2.3.4, 10.0.0.2", "X-Forwarded-Proto: https, http"],
    "https undefined",
  ],
  [
    "the nearest one, where the others name none",
    2,
    ["X-Forwarded-For: 1.2.3.4, 10.0.0.2", "X-Forwarded-Host: a.example:8443"],
    "undefined a.example:8443",
  ],
  ["another scheme", 1, ["X-Forwarded-Proto: javascript"], "undefined undefined"],
  ["a host that moves the end of the host", 1, ["X-Forwarded-Host: a.example/b?c@d"], "undefined undefined"],
  [
    "Forwarded",
    1,
    ['Forwarded: host=evil.example;proto=http, for=1.2.3.4;host="shop.example:8443";proto=https'],
    "https shop.example:8443",
  ],
];

for (const [title, trust, lines, origin] of ORIGINS)
  test(`scheme and host: ${title}`, () => {
    const { scheme, host } = find(trust, PROXY, ...lines);
    assert.is(`${scheme} ${host}`, origin);
  });

const OWN = "http://own.example/a?b";
const SHOP = "https://shop.example/a?b";

const FORGED = {
  "x-forwarded-for": "6.6.6.6",
  "x-forwarded-proto": "https",
  "x-forwarded-host": "evil.example",
  forwarded: "for=6.6.6.6;proto=https;host=evil.example",
};

/** What a handler sees of a request over a socket of the loopback address. */
async function seen(trustProxy: Trust, headers: Record<string, string>): Promise<object> {
  const { listen } = createHookedApp(
    { "GET /a": [(request: Request) => ({ ip: request.ip, url: request.url, web: request.toWeb().url })] },
    [],
    { settings: { trustProxy } },
  );
  const server = await listen();
  const { body } = await send(`${server.url}/a?b`, {
    headers: { host: "own.example", ...headers },
    reset: true,
  });
  const text = await body.text();
  await server.close();
  return JSON.parse(text);
}

test("by default and from an untrusted peer, forged headers change nothing", async () => {
  for (const trust of [0, ["10.0.0.0/8"]])
    assert.equal(await seen(trust, FORGED), { ip: "127.0.0.1", url: OWN, web: OWN });
});

test("a trusted peer's headers give the address, the scheme and the host of request and toWeb()", async () => {
  const headers = {
    "x-forwarded-for": "6.6.6.6, 1.2.3.4",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "shop.example",
  };
  assert.equal(await seen(["loopback"], headers), { ip: "1.2.3.4", url: SHOP, web: SHOP });
});

test.run();
