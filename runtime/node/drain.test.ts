/** SIGTERM under keep-alive load: not one request may be lost. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { toArguments } from "#runtime/program.fixture";
import { runs } from "#runtime/random.fixture";

const ROUNDS = runs(1, 50);
/** Seconds. One more round takes as long, because some clients stall; the others need some of it where the machine is busy. */
const TIMEOUT = 12;
const CONNECTIONS = 32;
/** Answers before the signal. */
const WARM = 1_000;

const PROGRAM = `
  import { createCoreApp } from "#runtime/app";
  import { DEFAULT_SETTINGS } from "#runtime/settings";
  import { bind } from "#runtime/bound.fixture";
  const app = createCoreApp([
    bind("GET /", () => ({ ok: true })),
    bind("GET /later", () => new Promise((resolve) => setTimeout(resolve, 5, { ok: true }))),
    bind("GET /large", () => "x".repeat(64 * 1024 * 1024)),
  ], { settings: { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0, shutdownTimeout: ${TIMEOUT} } });
  // Of two timers the earlier one runs first, however slow the machine is.
  process.once("SIGTERM", () => setTimeout(() => process.exit(1), ${TIMEOUT} * 1000).unref());
  await app.listen();
`;

async function startProgram(): Promise<{ program: ChildProcess; port: number }> {
  const program = spawn(process.execPath, toArguments(PROGRAM), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value } = await createInterface(program.stdout)[Symbol.asyncIterator]().next();
  return { program, port: Number(new URL(String(value).replace("Listening on ", "")).port) };
}

interface Load {
  answered: number;
  /** Requests that were sent and that no answer came to. */
  lost: number;
}

/** One connection that sends its next request as soon as it has an answer, until it is told that the connection closes. */
function sendForever(port: number, path: string, load: Load, onAnswer: () => void): Promise<void> {
  return new Promise((resolve) => {
    let received = "";
    let isWaiting = true;
    const socket = connect(port, "127.0.0.1").setEncoding("latin1").setNoDelay();
    const ask = (): void => void socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    socket.on("data", (text) => {
      received += text;
      if (!received.endsWith('{"ok":true}')) return;
      const isLast = received.includes("Connection: close");
      received = "";
      load.answered++;
      isWaiting = !isLast;
      if (!isLast) ask();
      onAnswer();
    });
    socket
      .on("error", () => {})
      .once("close", () => {
        if (isWaiting) load.lost++;
        resolve();
      });
    ask();
  });
}

function stall(port: number, text: string): void {
  connect(port, "127.0.0.1")
    .on("error", () => {})
    .pause()
    .write(text);
}

/** Ends a process while connections ask it without a pause. */
async function endUnderLoad(load: Load, annoy: (port: number) => void): Promise<void> {
  const { program, port } = await startProgram();
  annoy(port);
  const end = load.answered + WARM;
  await new Promise<void>((resolve) => {
    const onAnswer = (): void => {
      if (load.answered >= end) resolve();
    };
    for (let index = 0; index < CONNECTIONS; index++)
      void sendForever(port, index % 4 === 0 ? "/later" : "/", load, onAnswer);
  });
  program.kill("SIGTERM");
  assert.equal(await once(program, "exit"), [0, null]);
}

test(`${ROUNDS} × SIGTERM under load loses no request`, async () => {
  const load: Load = { answered: 0, lost: 0 };
  for (let round = 0; round < ROUNDS; round++) await endUnderLoad(load, () => {});
  console.log(`${load.answered} requests were answered, ${load.lost} lost.`);
  assert.is(load.lost, 0);
});

test("although clients stall, none is lost, and the process ends within the shutdown time-out", async () => {
  const load: Load = { answered: 0, lost: 0 };
  await endUnderLoad(load, (port) => {
    stall(port, "GET / HTTP/1.1\r\nHost: a\r\n");
    stall(port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    stall(port, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  });
  assert.is(load.lost, 0);
});

test.run();
