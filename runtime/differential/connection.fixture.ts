/** Random connections: well-formed requests one behind the other, and where their bytes are cut into packets. */

import { createRandom, pick, type Random } from "../random.fixture.ts";
import { GIVES, READS, WHEN } from "./plan.fixture.ts";

export interface Connection {
  readonly packets: readonly string[];
  /** The client ends its side behind the last byte. */
  readonly halfCloses: boolean;
}

/** Behind all others, so that the server closes. */
const LAST = "GET /once/nothing/text HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

export function makeConnection(seed: number): Connection {
  const random = createRandom(seed);
  const requests: string[] = [];
  for (let count = pick(random, [1, 1, 2, 2, 3, 4, 6]); count > 0; count--) {
    requests.push(makeRequest(random, requests.length === 0));
    // What comes behind a request that ends its connection is read or not.
    if (/ HTTP\/1\.0\r\n|\r\nConnection: .*close/i.test(requests.at(-1) ?? "")) break;
  }
  const isLast = / HTTP\/1\.0\r\n|\r\nConnection: .*close/i.test(requests.at(-1) ?? "");
  const text = requests.join("") + (isLast ? "" : LAST);
  // The end of its side is all that shows that a client has left, so ours stops what streams.
  const halfCloses = random(3) === 0 && !/\/(?:stream|sized|flood)\b/.test(text);
  return { packets: toPackets(text, makeCuts(random, text, requests)), halfCloses };
}

/** Longer bytes one by one take long. */
const LONGEST_SINGLE = 400;

function makeCuts(random: Random, text: string, requests: readonly string[]): readonly number[] {
  const kind = random(8);
  if (kind < 2) return [];
  if (kind === 2 && text.length <= LONGEST_SINGLE) return Array.from(text, (_, at) => at);
  // Around what a parser has to look at twice.
  if (kind === 3)
    return [...text.matchAll(/[\r\n:;]/g)].map(({ index }) => index + 1).filter(() => random(3) > 0);
  if (kind === 4) return requests.map((_, index) => requests.slice(0, index).join("").length);
  return Array.from({ length: 1 + random(8) }, () => random(text.length));
}

function toPackets(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set([0, ...cuts.slice(0, LONGEST_SINGLE), text.length])].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

const METHODS = ["GET", "GET", "GET", "POST", "POST", "POST", "HEAD", "OPTIONS", "PUT", "DELETE"];
const CONNECTIONS = ["close", "keep-alive", "Close", "close, x", "keep-alive, close", "x", "TE"];
const HEADERS = [
  ...["Accept: */*", "X-One: 1", "x-one: 2", "Cookie: a=1", "Cookie: b=2", "Content-Type: text/plain"],
  ...["X-Empty:", "X-Spaces: \t a \t b \t ", "X-Latin: \xe4\xff", "Referer: http://a/b", "If-None-Match: *"],
  ...["Referer: http://a/c", "Upgrade: websocket", "TE: trailers", "Range: bytes=0-1", "Set-Cookie: c=3"],
  ...["Authorization: Basic YTpi", "__proto__: x", "Keep-Alive: timeout=1"],
];

function makeRequest(random: Random, isFirst: boolean): string {
  const method = pick(random, METHODS);
  const isOld = random(8) === 0;
  const isRead = method === "GET" || method === "POST";
  const reads = pick(random, READS);
  const gives = random(3) === 0 ? pick(random, GIVES) : pick(random, ["object", "text", "created"]);
  const path = `/${pick(random, WHEN)}/${reads}/${gives}${random(4) === 0 ? `?q=${random(10)}` : ""}`;
  const isServed = random(12) > 0;
  const headers = ["Host: a", ...Array.from({ length: random(3) }, () => pick(random, HEADERS))];
  if (!isOld && random(6) === 0) headers.push(`Connection: ${pick(random, CONNECTIONS)}`);
  let body = "";
  if (random(4) === 0 ? method !== "POST" : method === "POST") {
    body = makeBody(random);
    const isTaken = isServed && isRead && reads !== "nothing" && !isOld;
    // Behind another request, ours invites no body.
    if (isTaken && isFirst && random(6) === 0) headers.push("Expect: 100-continue");
    // Ours closes rather than read a body of any length only to drop it.
    const isChunked = isTaken && random(2) === 0;
    const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
    headers.splice(random(headers.length + 1), 0, framing);
    if (isChunked) body = inChunks(random, body);
  }
  const target = isServed ? path : pick(random, ["/", "/no/such", "/a?b=c", "/no/such/path/here"]);
  const head = [`${method} ${target} HTTP/1.${isOld ? 0 : 1}`, ...headers].map((line) => `${line}\r\n`);
  return `${head.join("")}\r\n${body}`;
}

/** Some look like a request: a server that loses its place would serve it. */
function makeBody(random: Random): string {
  if (random(8) === 0) return "x".repeat(random(5000));
  return pick(random, [
    "GET /once/nothing/text HTTP/1.1\r\nHost: smuggled\r\n\r\n",
    ...['{"a":1}', "a=1&b=2", "\x00\x01\xfe\xff", "\r\n", "body", "0\r\n\r\n", ""],
  ]);
}

const EXTENSIONS = ["", "", "", "", ";a", ";a=b", ';a="b;c"', ";a=b;c=d"];
const TRAILERS = ["", "", "", "X-Trailer: 1\r\n", "Host: b\r\nX-One: 3\r\n"];

function inChunks(random: Random, body: string): string {
  let text = "";
  for (let at = 0; at < body.length; ) {
    const data = body.slice(at, at + 1 + random(random(2) === 0 && text.length < 200 ? 4 : 4000));
    at += data.length;
    const size = data.length.toString(16);
    text += `${pick(random, [size, size.toUpperCase(), `00${size}`])}${pick(random, EXTENSIONS)}\r\n${data}\r\n`;
  }
  return `${text}${pick(random, ["0", "000"])}${pick(random, EXTENSIONS)}\r\n${pick(random, TRAILERS)}\r\n`;
}
