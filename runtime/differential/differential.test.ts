/**
 * Random connections with our server and with a plain one on node:http: in any packets, clients and handlers notice no difference. What
 * differs on purpose is a case of `node/server.test.ts`. A failure shows its seed, which as SEED comes first.
 */

import { connect } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runs, SEED } from "#runtime/random.fixture";
import { nextAccepted } from "../node/accepted.fixture.ts";
import { makeConnection } from "./connection.fixture.ts";
import { type Call, nextTurn } from "./plan.fixture.ts";
import { openOurs, openPlain, type TestServer } from "./servers.fixture.ts";

const COUNT = runs(150, 20_000);

interface Outcome {
  readonly answers: readonly string[];
  readonly calls: readonly Call[];
}

test(`on ${COUNT} connections, our server answers as a plain one does, and handlers see the same`, async () => {
  const [ours, plain] = [await openOurs(), await openPlain()];
  try {
    for (let seed = SEED; seed < SEED + COUNT; seed++) {
      const shown = `seed ${seed}: ${JSON.stringify(makeConnection(seed)).slice(0, 3000)}`;
      assert.equal(await converse(ours, seed), await converse(plain, seed), shown);
    }
  } finally {
    await Promise.all([ours.close(), plain.close()]);
  }
});

/** Sends each packet when the one before it has arrived, and reads until the server closes. */
async function converse({ port, calls }: TestServer, seed: number): Promise<Outcome> {
  const { packets, halfCloses } = makeConnection(seed);
  const accepted = nextAccepted();
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  let bytes = "";
  socket.setEncoding("latin1").on("data", (text) => {
    bytes += text;
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    socket
      .on("error", () => {})
      .once("end", () => {
        hasEnded = true;
        resolve();
      });
  });
  const theirs = await accepted;
  let sent = 0;
  for (const packet of packets) {
    socket.write(packet, "latin1");
    sent += packet.length;
    while (theirs.bytesRead < sent && !hasEnded) await nextTurn();
  }
  if (halfCloses) socket.end();
  await ended;
  socket.end();
  return { answers: parseAnswers(bytes), calls: calls.splice(0) };
}

/** Reads answers off their bytes, strictly (RFC 9112 sections 4 to 7). Each has its status, its headers in order, framing and body. */
function parseAnswers(bytes: string): string[] {
  const answers: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n\r\n", at) + 4;
    const [line = "", ...headers] = bytes.slice(at, end - 4).split("\r\n");
    assert.match(line, /^HTTP\/1\.1 \d{3} [A-Z][\x20-\x7e]*$/, bytes.slice(at, at + 300));
    const lines = headers.map((header) => header.replace(/^[\w-]+(?=: )/, (name) => name.toLowerCase()));
    const length = lines.find((header) => header.startsWith("content-length: "))?.slice(16);
    const rest = bytes.slice(end);
    let body = { text: "", size: 0 };
    // The answer to a HEAD can't be told from others. No body begins like an answer.
    if (/^HTTP\/1\.1 (?:1\d\d|204|304)/.test(line) || rest === "" || rest.startsWith("HTTP/1.1 ")) {
    } else if (lines.includes("transfer-encoding: chunked")) body = parseChunks(rest);
    else body = { text: rest.slice(0, Number(length ?? rest.length)), size: Number(length ?? rest.length) };
    const kept = lines.map((header) => header.replace(/^date: .* GMT$/, "date")).sort();
    answers.push([line, ...kept, "", body.text].join("\n"));
    at = end + body.size;
  }
  return answers;
}

function parseChunks(bytes: string): { text: string; size: number } {
  let text = "";
  for (let at = 0; ; ) {
    const [line = "", size = ""] = /^([0-9a-f]+)\r\n/.exec(bytes.slice(at, at + 16)) ?? [];
    const end = at + line.length + Number.parseInt(size, 16);
    assert.is(bytes.slice(end, end + 2), "\r\n", `no chunk: ${bytes.slice(at, at + 100)}`);
    text += bytes.slice(at + line.length, end);
    at = end + 2;
    if (size === "0") return { text, size: at };
  }
}

test.run();
