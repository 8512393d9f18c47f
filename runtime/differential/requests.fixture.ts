/** Random requests as a client might send them: most as they should be, and some with a fault in one place or two. */

import { pick, type Random } from "../random.fixture.ts";
import { GIVES, READS, WHEN } from "./plan.fixture.ts";

/** A request in its parts, each of which can be broken by itself. Characters are bytes. */
export interface Parts {
  before: string;
  line: string;
  headers: string[];
  body: string;
  /** What was changed about it. */
  readonly faults: string[];
}

/** A request as it is sent. */
export interface Sent {
  readonly text: string;
  readonly faults: readonly string[];
}

export function makeRequest(random: Random): Sent {
  const parts = makeValid(random);
  if (random(100) < 40) breakOne(random, parts);
  if (random(100) < 8) breakOne(random, parts);
  const text = `${parts.before}${parts.line}\r\n${parts.headers.map((line) => `${line}\r\n`).join("")}\r\n${parts.body}`;
  return breakBytes(random, { text, faults: parts.faults });
}

const METHODS = ["GET", "GET", "GET", "POST", "POST", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PROPFIND"];

function makeValid(random: Random): Parts {
  const method = pick(random, METHODS);
  const version = random(6) === 0 ? "1.0" : "1.1";
  const headers = ["Host: a"];
  for (let count = random(3); count > 0; count--) headers.push(pick(random, EXTRA));
  if (random(6) === 0) headers.push(`Connection: ${pick(random, CONNECTION)}`);
  const parts = {
    before: "",
    line: `${method} ${makeTarget(random)} HTTP/${version}`,
    headers,
    body: "",
    faults: [],
  };
  if (random(4) === 0 ? method !== "POST" : method === "POST") addBody(random, parts, version === "1.1");
  return parts;
}

const CONNECTION = [
  "close",
  "keep-alive",
  "Close",
  "close, x",
  "keep-alive, close",
  "x",
  "Upgrade",
  "upgrade, close",
  "TE",
];
const EXTRA = [
  "Accept: */*",
  "X-One: 1",
  "x-one: 2",
  "Cookie: a=1",
  "Cookie: b=2",
  "Content-Type: text/plain",
  "Content-Type: application/json",
  "User-Agent: fuzz",
  "X-Empty:",
  "X-Spaces: \t a \t b \t ",
  "X-Latin: \xe4\xff",
  "Referer: http://a/b",
  "Referer: http://a/c",
  "If-None-Match: *",
  "Upgrade: websocket",
  "Upgrade: h2c",
  "TE: trailers",
  "Range: bytes=0-1",
  "Authorization: Basic YTpi",
  "Set-Cookie: c=3",
  "__proto__: x",
  "Keep-Alive: timeout=1",
  "Proxy-Connection: close",
];

function makeTarget(random: Random): string {
  if (random(12) === 0) return pick(random, ["/", "/no/such", "/a?b=c", "/no/such/path/here"]);
  const gives =
    random(3) === 0 ? pick(random, GIVES) : pick(random, ["object", "text", "created", "echo"] as const);
  const path = `/${pick(random, WHEN)}/${pick(random, READS)}/${gives}`;
  return random(4) === 0 ? `${path}?q=${random(10)}` : path;
}

function addBody(random: Random, parts: Parts, isChunkable: boolean): void {
  const body = makeBody(random);
  if (random(6) === 0)
    parts.headers.push(`Expect: ${pick(random, ["100-continue", "100-continue", "100-Continue"])}`);
  if (isChunkable && random(2) === 0) {
    parts.headers.push(pick(random, ["Transfer-Encoding: chunked", "transfer-encoding: Chunked"]));
    parts.body = inChunks(random, body);
  } else {
    parts.headers.splice(random(parts.headers.length + 1), 0, `Content-Length: ${body.length}`);
    parts.body = body;
  }
}

/** Some look like a request: a server that loses its place would serve it. */
function makeBody(random: Random): string {
  const kind = random(10);
  if (kind === 0) return "";
  if (kind === 1) return "GET /once/nothing/text HTTP/1.1\r\nHost: smuggled\r\n\r\n";
  if (kind === 2) return "x".repeat(random(3000));
  if (kind === 3) return "y".repeat(4090 + random(12));
  if (kind === 4) return "0\r\n\r\n";
  return pick(random, ['{"a":1}', "a=1&b=2", "\x00\x01\xfe\xff", "\r\n", "body"]);
}

const EXTENSIONS = ["", "", "", "", ";a", ";a=b", ';a="b;c"', ";a=b;c=d"];
const TRAILERS = ["", "", "", "X-Trailer: 1\r\n", "Content-Length: 7\r\n", "Host: b\r\nX-One: 3\r\n"];

function inChunks(random: Random, body: string): string {
  let text = "";
  for (let at = 0; at < body.length; ) {
    const piece = body.slice(at, at + 1 + random(random(2) === 0 ? 4 : 4000));
    at += piece.length;
    // Few pieces: a long body byte by byte would take long, and tell nothing more.
    const rest = text.length > 200 ? body.slice(at) : "";
    at += rest.length;
    text += chunk(random, piece + rest);
  }
  return `${text}${pick(random, ["0", "0", "000"])}${pick(random, EXTENSIONS)}\r\n${pick(random, TRAILERS)}\r\n`;
}

function chunk(random: Random, data: string): string {
  const size = data.length.toString(16);
  const spelled = pick(random, [size, size, size.toUpperCase(), `00${size}`]);
  return `${spelled}${pick(random, EXTENSIONS)}\r\n${data}\r\n`;
}

/** A fault by its name, and the parts that have it. */
type Faults = Readonly<Record<string, (parts: Parts, random: Random) => void>>;

const inLine =
  (...pairs: readonly [RegExp, string][]) =>
  (parts: Parts, random: Random): void => {
    const [from, to] = pick(random, pairs);
    parts.line = parts.line.replace(from, () => to);
  };

const withHeader =
  (...lines: readonly string[]) =>
  (parts: Parts, random: Random): void => {
    parts.headers.splice(random(parts.headers.length + 1), 0, pick(random, lines));
  };

const inHost =
  (...lines: readonly string[]) =>
  (parts: Parts, random: Random): void => {
    parts.headers = [pick(random, lines), ...parts.headers.slice(1)].filter((line) => line !== "");
  };

const inBody =
  (from: RegExp, ...texts: readonly string[]) =>
  (parts: Parts, random: Random): void => {
    const to = pick(random, texts);
    parts.body = parts.body.replace(from, (match) => to.replace("$", () => match));
  };

const METHOD = /^\S+/;
const TARGET = / \S+ /;
const VERSION = /HTTP\/1\.[01]$/;

const FAULTS: Faults = {
  "method in lower case": inLine([METHOD, "get"], [METHOD, "post"], [METHOD, "Get"]),
  "unknown method": inLine(
    [METHOD, "FOO"],
    [METHOD, "G"],
    [METHOD, ""],
    [METHOD, "M-SEARCH"],
    [METHOD, "PRI"],
    [METHOD, "SOURCE"],
  ),
  connect: inLine([/^\S+ \S+/, "CONNECT a:80"], [METHOD, "CONNECT"]),
  "odd version": inLine(
    ...[
      "HTTP/1.2",
      "HTTP/2.0",
      "HTTP/0.9",
      "HTTP/1.10",
      "HTTP/11",
      "HTTP/1",
      "http/1.1",
      "HTTP/3.0",
      "ICE/1.0",
      "RTSP/1.0",
      "HTTP/1.1 x",
      "HTTP/1.1 ",
      "HTTP/ 1.1",
      "",
    ].map((version): [RegExp, string] => [VERSION, version]),
  ),
  "no version": inLine([/ HTTP\/1\.[01]$/, ""]),
  "spaces in the line": inLine(
    [/ /, "  "],
    [/ /, "\t"],
    [/ HTTP/, "  HTTP"],
    [/^/, " "],
    [/ HTTP/, " x HTTP"],
    [/ HTTP/, "\tHTTP"],
    [/ /, "\r"],
  ),
  "target in another form": inLine(
    ...[
      "http://b/once/nothing/text",
      "http://b:81",
      "HTTP://b/once/nothing/object?x",
      "http://u@b/",
      "http://b#f",
      "https://b/x",
      "ftp://b/x",
      "http:///x",
      "b:80",
      "*",
      "//b/x",
      "?x",
      "#",
      "x",
    ].map((target): [RegExp, string] => [TARGET, ` ${target} `]),
  ),
  "odd path": inLine(
    ...[
      "/once/../x",
      "/%2e%2e/x",
      "/x%",
      "/x%zz",
      "/x%00",
      "/a\\b",
      "/a#b",
      "/\xff",
      "/a\x01b",
      "/a\x7fb",
      "/a\x00b",
      "//",
      "/once//text",
      "/once/nothing/text/",
      "/a b",
      "/a|b",
      '/a"b<>',
    ].map((target): [RegExp, string] => [TARGET, ` ${target} `]),
  ),
  "options of all": inLine([/^\S+ \S+/, "OPTIONS *"]),
  "long target": (parts) => {
    parts.line = parts.line.replace(TARGET, () => ` /${"x".repeat(17_000)} `);
  },
  "no host": inHost(""),
  "odd host": inHost(
    "Host:",
    "Host: a/b",
    "Host: a@b",
    "Host: a:99999",
    "Host: a b",
    "Host: [::1]",
    "Host: a,b",
    "Host: a:",
    "HOST: A",
    "Host: \xff",
    "Host: a?b",
    "Host: [a",
    "Host: 1.2.3.4:80",
    "Host: a\tb",
  ),
  "second host": withHeader("Host: a", "Host: b", "host: c", "Host:"),
  "broken header": withHeader(
    ...'X-A : 1|X A: 1|X-A|: 1|X-\xe4: 1|X-A:\x001|X-A: a\rb|X-A: a\nX-B: b|X-A: \x01|X-A: \x7f| X-A: 1|\tX-A: 1|X-A: 1\r\n folded|X-A: 1\r\n\tfolded|X-A: 1\r\n \r\n|X(: 1|"X": 1|\r|X-A: 1\r|Host: a\r\n b|X-A:\x0b1|X\x00: 1|X-A: 1\n| : 1|X-A\t: 1|X@: 1'.split(
      "|",
    ),
  ),
  "large header": (parts) => void parts.headers.push(`X: ${"x".repeat(20_000)}`),
  "many headers": (parts) => void parts.headers.push(...("a:".repeat(2100).match(/../g) ?? [])),
  "odd length": withHeader(
    ..."0|3|3|4|+3|-1|3 |0x3|3,3|3, 3|3,4||99999999999999999999|1e1|3.0|3a|\t3|٣|00003|4097|18446744073709551616|3 3"
      .split("|")
      .map((value) => `Content-Length: ${Buffer.from(value).toString("latin1")}`),
    "content-length: 5",
    "Content-Length : 3",
    "Content_Length: 3",
  ),
  "two lengths": (parts) => void parts.headers.push("Content-Length: 3", "Content-Length: 3"),
  "odd coding": withHeader(
    ...'gzip|chunked|chunked, chunked|gzip, chunked|chunked, gzip|identity|xchunked|chunked;q=1|"chunked"||,chunked|chunked,|\x0bchunked|chunked\x00|CHUNKED|chun ked|identity, chunked|x\r\n chunked'
      .split("|")
      .map((value) => `Transfer-Encoding: ${value}`),
    "Transfer-Encoding : chunked",
    "Transfer_Encoding: chunked",
    "Transfer-Encoding:chunked",
    "Transfer-Encoding\t: chunked",
    "X: y\nTransfer-Encoding: chunked",
  ),
  "length and coding": (parts, random) => {
    parts.headers.push("Transfer-Encoding: chunked");
    parts.headers.splice(
      random(parts.headers.length),
      0,
      `Content-Length: ${pick(random, ["0", "5", `${parts.body.length}`])}`,
    );
  },
  "odd expectation": withHeader(
    "Expect: 100-continue",
    "Expect: 200-ok",
    "Expect:",
    "Expect: 100-continue, x",
    "Expect: x, 100-continue",
  ),
  "odd chunk size": inBody(
    /^[0-9a-f]+/i,
    ..."zz||0x$|-1|+$| $|$ |$\t|g$|$g|ffffffffffffffffff|10000000000000000|7fffffffffffffff|1$|$1|$\n|$\r|$;|$ ;a|$\x00|٣"
      .split("|")
      .map((text) => Buffer.from(text).toString("latin1")),
  ),
  "odd chunk end": inBody(/\r\n(?=[0-9a-f]+\r\n)/i, "\n", "\r", "", "x\r\n", "\r\n\r\n", "\rx"),
  "odd extension": inBody(
    /\r\n/,
    ";a\x00\r\n",
    ";\n\r\n",
    ';a="\r\n"\r\n',
    ` ; a = b\r\n`,
    `;${"x".repeat(18_000)}\r\n`,
    ";a\rb\r\n",
    ";;\r\n",
    ";=b\r\n",
    ';a="b\r\n',
    "\n",
    "\r",
  ),
  "odd trailer": inBody(
    /\r\n$/,
    "X\r\n\r\n",
    " X: 1\r\n\r\n",
    "X : 1\r\n\r\n",
    "\n",
    "X: 1\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\n",
    `X: ${"x".repeat(20_000)}\r\n\r\n`,
    "X: 1\r\n f\r\n\r\n",
    "X: \x00\r\n\r\n",
    "",
    "\r",
  ),
  "body too short": inBody(/(?<=.).{1,4}$/s, ""),
  "body too long": inBody(/$/, "x", "\r\n", "\r\n\r\n", "\n", "0\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"),
  "something before": (parts, random) => {
    parts.before = pick(random, [
      "\r\n",
      "\r\n\r\n",
      "\n",
      "\r",
      "\n\n\r\n",
      " ",
      "\x00",
      "\t",
      "\x16\x03\x01\x02\x00",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "GET /x\r\n",
      "x",
    ]);
  },
  "bare line feeds": (parts) => {
    parts.headers = [parts.headers.join("\n")];
  },
  upgrade: (parts, random) =>
    void parts.headers.push(
      "Connection: Upgrade",
      pick(random, ["Upgrade: websocket", "Upgrade: h2c", "Upgrade: x"]),
    ),
};

const NAMES = Object.keys(FAULTS);

function breakOne(random: Random, parts: Parts): void {
  const name = pick(random, NAMES);
  FAULTS[name]?.(parts, random);
  parts.faults.push(name);
}

const BYTES = '\0\t\n\r :;,0aZ/\x7f\xff"=%#?';

/** Changes bytes wherever they are, or leaves out the end. */
function breakBytes(random: Random, { text, faults }: Sent): Sent {
  const kind = random(40);
  const at = random(text.length);
  if (kind === 0) return { text: text.slice(0, at), faults: [...faults, "truncated"] };
  if (kind > 3) return { text, faults };
  const byte = kind === 1 ? "" : pick(random, [...BYTES]);
  const changed = `${text.slice(0, at)}${byte}${text.slice(kind === 2 ? at : at + 1)}`;
  return {
    text: changed,
    faults: [...faults, kind === 1 ? "byte left out" : kind === 2 ? "byte added" : "byte changed"],
  };
}
