import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Agent, request as send } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { toArguments } from "#runtime/program.fixture";
import { sample } from "#runtime/random.fixture";
import { refusesConnections } from "#runtime/refused-connections.fixture";

const START = `
  import { createCoreApp } from "#runtime/app";
  import { bind } from "#runtime/bound.fixture";
  import { DEFAULT_SETTINGS } from "#runtime/settings";
  const settings = { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0 };`;

/** What a project may leave open: nothing of it is a request. */
const PROGRAM = `${START}
  settings.shutdownTimeout = 1;
  // Of two timers the earlier one runs first, however slow the machine is.
  process.once("SIGTERM", () => setTimeout(() => process.exit(1), settings.shutdownTimeout * 1000));
  const server = await createCoreApp([], { settings }).listen();
  setInterval(() => {}, 1000);`;

/** `closed` is waited for by what a project closes then: it writes to stdout, and takes a while. */
const CLOSES = `${START}
  let answer;
  const handler = () => new Promise((resolve) => { answer = resolve; console.log("begun"); });
  const server = await createCoreApp([bind("GET /", handler)], { settings }).listen();
  server.closed.then(async () => {
    console.log("closing");
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log("closed");
  });
  process.once("SIGUSR2", () => { console.log("answered"); answer({}); });
  process.once("SIGHUP", () => void server.close());`;

/** A process of its own, because signals and uncaught errors concern the whole of it. */
const SERVES = `${START}
  let release;
  await createCoreApp([
    bind("GET /slow", () => new Promise((resolve) => { release = resolve; console.log("started"); })),
    bind("GET /reject", () => { Promise.reject(new Error("nobody awaits")); return {}; }),
    bind("GET /write", () => { process.stdout.write("a line\\n"); console.error("another"); return {}; }),
    bind("GET /throw", () => { setImmediate(() => { throw new Error("outside"); }); return {}; }),
  ], { settings }).listen();
  process.once("SIGUSR2", () => release({ slow: true }));`;

for (const signal of sample("ways to stop a server", ["SIGTERM", "SIGINT", "SIGHUP"] as const, 1)) {
  const how = signal === "SIGHUP" ? "its own close()" : signal;
  test(`closed resolves after the last answer when a server is stopped by ${how}, and what follows it is finished`, async () => {
    const program = spawn(process.execPath, toArguments(CLOSES), {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(program, "exit");
    const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
    const [, url = ""] = /(http:\S+)/.exec((await lines.next()).value ?? "") ?? [];
    const response = fetch(url);
    assert.is((await lines.next()).value, "begun");
    program.kill(signal);
    await refusesConnections(url);
    program.kill("SIGUSR2");
    assert.is((await response).status, 200);
    const rest: string[] = [];
    for await (const line of { [Symbol.asyncIterator]: () => lines }) rest.push(line);
    assert.equal(rest, ["answered", "closing", "closed"]);
    assert.equal(await exit, [0, null]);
  });
}

test("SIGTERM ends a process within the shutdown time-out with 0, though something else keeps it alive, and though what waits for closed never ends", async () => {
  const forever = `${PROGRAM}
    server.closed.then(() => { console.log("closing"); return new Promise(() => {}); });`;
  const program = spawn(process.execPath, toArguments(forever), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  await lines.next();
  program.kill("SIGTERM");
  assert.is((await lines.next()).value, "closing");
  assert.equal(await once(program, "exit"), [0, null]);
});

async function withProcess(
  use: (
    program: ReturnType<typeof spawn>,
    url: string,
    line: () => Promise<string>,
    errors: () => string,
  ) => Promise<void>,
): Promise<void> {
  const program = spawn(process.execPath, toArguments(SERVES), {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  program.stderr.on("data", (text) => {
    errors += text;
  });
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => (await lines.next()).value ?? "";
  try {
    const [, url = ""] = /^Listening on (http:\S+)$/.exec(await line()) ?? [];
    assert.ok(url, "the first line tells where it listens");
    await use(program, url, line, () => errors);
  } finally {
    program.kill("SIGKILL");
  }
}

test("a second signal ends the process at once", () =>
  withProcess(async (program, url, line) => {
    const slow = send(`${url}/slow`).catch((error: Error) => error);
    await line();
    program.kill("SIGTERM");
    await refusesConnections(url);
    program.kill("SIGTERM");
    assert.equal(await once(program, "exit"), [null, "SIGTERM"]);
    assert.instance(await slow, Error);
  }));

test("a server whose output nobody reads any more goes on, and stops as ever", () =>
  withProcess(async (program, url) => {
    program.stdout?.destroy();
    program.stderr?.destroy();
    for (let count = 0; count < 3; count++) assert.is((await send(`${url}/write`)).statusCode, 200);
    program.kill("SIGTERM");
    assert.equal(await once(program, "exit"), [0, null]);
  }));

test("a rejection that nobody awaits is logged, and the server goes on; an error that nobody catches, too, and it ends with status 1", () =>
  withProcess(async (program, url, line, errors) => {
    await (await send(`${url}/reject`)).body.dump();
    const slow = send(`${url}/slow`, { dispatcher: new Agent() });
    await line();
    assert.match(errors(), /is an await missing\?\n +Error: nobody awaits/);
    await (await send(`${url}/throw`, { dispatcher: new Agent() })).body.dump();
    await refusesConnections(url);
    program.kill("SIGUSR2");
    assert.equal(await (await slow).body.json(), { slow: true });
    assert.equal(await once(program, "exit"), [1, null]);
    assert.match(errors(), /its requests\.\n +Error: outside/);
  }));

test("an error that nobody catches ends the process although something else keeps it alive, and although a status was set", async () => {
  const throws = `${PROGRAM}
    setImmediate(() => { throw new Error("outside"); });
    process.exitCode = 0;`;
  const program = spawn(process.execPath, toArguments(throws), {
    stdio: "ignore",
  });
  assert.equal(await once(program, "exit"), [1, null]);
});

test.run();
