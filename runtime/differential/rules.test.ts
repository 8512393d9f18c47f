/** One example of each difference between our server and a plain one on node:http. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { check, closeLanes, type Lanes, openLanes, show } from "./check.fixture.ts";
import { RULES, TAKES_SPACES } from "./rules.fixture.ts";

interface Example {
  readonly sent: string;
  readonly halfCloses?: boolean;
  /** Other rules that it shows, too. */
  readonly with?: readonly string[];
  readonly cuts?: readonly number[];
}

const HOST = "Host: a\r\n\r\n";
const GET = `GET /once/nothing/text HTTP/1.1\r\n${HOST}`;
const LATER = `GET /later/nothing/text HTTP/1.1\r\n${HOST}`;
const NONSENSE = "nonsense\r\n\r\n";
const POST = "POST /once/whole/text HTTP/1.1\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const EXPECT = "Expect: 100-continue\r\n";

const EXAMPLES: Readonly<Record<string, Example>> = {
  "no version": { sent: `GET /once/nothing/text\r\n${HOST}` },
  "another version": { sent: `GET /once/nothing/text HTTP/2.0\r\n${HOST}` },
  "a header's name that is none": { sent: `GET /once/nothing/text HTTP/1.1\r\nX A: 1\r\n${HOST}` },
  "several hosts": { sent: `GET /once/nothing/text HTTP/1.1\r\nHost: b\r\n${HOST}` },
  "a host that is none": { sent: "GET /once/nothing/text HTTP/1.1\r\nHost: a@b\r\n\r\n" },
  "another coding": { sent: `${POST}Transfer-Encoding: gzip, chunked\r\n${HOST}0\r\n\r\n${GET}` },
  "a target that is none": { sent: `GET * HTTP/1.1\r\n${HOST}` },
  "a WebSocket": {
    sent: `GET /once/nothing/text HTTP/1.1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n${HOST}`,
  },
  "no host": { sent: "GET /once/nothing/text HTTP/1.1\r\n\r\n" },
  "another expectation": { sent: `${POST}Expect: 200-ok\r\n${HOST}` },
  "bytes that can't be read": { sent: NONSENSE },
  "a body that breaks before its answer": {
    sent: `POST /once/nothing/echo HTTP/1.1\r\n${CHUNKED}${HOST}2\r\nbozz\r\n`,
  },
  "a path that can't be read": { sent: `GET /x% HTTP/1.1\r\n${HOST}` },
  "a body that is too large": {
    sent: `${POST}Content-Length: 4097\r\n${HOST}${"x".repeat(4097)}`,
    with: ["a body that is left"],
  },
  "a stream in one piece": {
    sent: `POST /later/nothing/echo HTTP/1.1\r\nContent-Length: 4\r\n${HOST}body`,
  },
  "a stream to a client that has ended its side": {
    sent: `GET /once/nothing/flood HTTP/1.1\r\n${HOST}`,
    halfCloses: true,
  },
  "a stream of a body that is too large": {
    sent: `POST /once/nothing/echo HTTP/1.1\r\n${CHUNKED}${HOST}800\r\n${"x".repeat(2048)}\r\n900\r\n${"x".repeat(2304)}\r\n0\r\n\r\n`,
    cuts: [2150],
    with: ["a body that is left"],
  },
  "a body that is left": { sent: `PUT /once/whole/text HTTP/1.1\r\n${CHUNKED}${HOST}0\r\n\r\n${GET}` },
  "an expectation without an invitation": {
    sent: `${LATER}POST /once/nothing/text HTTP/1.1\r\nContent-Length: 4\r\n${EXPECT}${HOST}body${GET}`,
    with: ["no invitation"],
  },
  "no invitation": {
    sent: `${LATER}POST /once/nothing/text HTTP/1.1\r\n${CHUNKED}${EXPECT}${HOST}0\r\n\r\n`,
    with: ["an expectation without an invitation"],
  },
  "an invitation within an answer": {
    sent: `${LATER}POST /once/whole/echo HTTP/1.1\r\nContent-Length: 4\r\n${EXPECT}${HOST}body`,
    with: ["an expectation without an invitation", "no invitation"],
  },
  "answers that are due": { sent: `${LATER}${GET}${NONSENSE}` },
  "no tunnel": { sent: `CONNECT a:80 HTTP/1.1\r\n${HOST}what the client sends through it` },
  "a body that is cut off behind its answer": {
    sent: `POST /once/nothing/text HTTP/1.1\r\nContent-Length: 9\r\n${HOST}body`,
    halfCloses: true,
  },
  "an upgrade that is cut off": {
    sent: `${POST}Content-Length: 9\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n${HOST}body`,
  },
};

let lanes: Lanes;
test.before(async () => {
  lanes = await openLanes();
});
test.after(() => closeLanes(lanes));

test("each named difference has an example", () => {
  assert.equal(Object.keys(EXAMPLES).sort(), Object.keys(RULES).sort());
});

for (const [name, { sent, halfCloses = false, with: others = [], cuts = [] }] of Object.entries(EXAMPLES)) {
  test(`${name}: ${RULES[name]?.reason}`, async () => {
    const requests = [{ text: sent, faults: [] }];
    const { rules, difference, ours, raw } = await check(lanes, { requests, cuts, halfCloses });
    const shown = `${difference}\n${ours && show(ours)}\nnode:http\n${raw && show(raw)}`;
    const own = name === "a header's name that is none" && !TAKES_SPACES ? "bytes that can't be read" : name;
    assert.equal([...rules].sort(), [own, ...others].sort(), shown);
  });
}

test.run();
