/**
 * `framework start` under load: what a restart, a death and a stop cost. In short by default; LONG=1 takes a minute
 * of restarts behind nginx, 20 workers killed and 100 starts.
 */

import { once as firstEvent } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { Client } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG } from "../runtime/random.fixture.ts";
import { builtCopy } from "./harness/build.ts";
import { ask, askUntil } from "./harness/client.ts";
import { LIMIT_MS } from "./harness/limit.ts";
import { type Load, underLoad } from "./harness/load.ts";
import { hasNginx, startNginx } from "./harness/nginx.ts";
import { once } from "./harness/once.ts";
import { freePort, holdPort } from "./harness/port.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { type RunningServer, START, serve } from "./harness/server.ts";
import { createFolder, limitRun } from "./harness/workspace.ts";

const RESTART_SECONDS = IS_LONG ? 60 : 3;
const KILLS = IS_LONG ? 20 : 1;
const RENEWALS = IS_LONG ? 20 : 1;
const CYCLES = IS_LONG ? 100 : 1;
if (IS_LONG) limitRun(20);

const FILES: Readonly<Record<string, string>> = {
  "routes/pid.ts": "export const get = () => String(process.pid);\n",
  "routes/slow.ts": `let running = 0;
export async function get() {
  running += 1;
  await new Promise((resolve) => process.once("SIGUSR2", resolve));
  running -= 1;
  return "done";
}
export const post = () => String(running);
`,
  "routes/throw.ts": `export function get() {
  setImmediate(() => { throw new Error("outside"); });
  return String(process.pid);
}
`,
  "routes/memory.ts": `const kept: unknown[] = [];
export function get() {
  for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
}
`,
  // Where there is a pool, it ends only when it is told to.
  "app.ts": `import { createApp } from "framework";
export const app = await createApp();
const server = await app.listen();
if (process.env.POOL) {
  const pool = setInterval(() => {}, 1000);
  server.closed.then(async () => {
    const told = new Promise((resolve) => process.once("SIGUSR2", resolve));
    console.log("closing", process.pid);
    await told;
    clearInterval(pool);
    console.log("closed", process.pid);
  });
}
`,
};

const project = once("project with routes for production", async (): Promise<Project> => {
  const made = await copyProject();
  for (const [file, text] of Object.entries(FILES)) made.write(file, text);
  // Nothing is cut off because the machine is slow.
  made.edit("framework.toml", "[server]", "[server]\nshutdown_timeout = 120");
  return made;
});

/** A worker of it starts in a fifth of the time, and is stopped and replaced in the same way. */
const built = once("built project", () => builtCopy(FILES));

const TWO: readonly string[] = [...START, "--workers", "2"];
const ONE: readonly string[] = [...START, "--workers", "1"];
const ALONE: readonly string[] = [process.execPath, "dist/server.js"];

/** So small that a handler can use it up. */
const SMALL = { NODE_OPTIONS: "--max-old-space-size=48" };

/** Two workers of the built server, one after the other of which meets its death. */
const dying = once("server whose workers die", async () => serve((await built()).folder, TWO, SMALL));

/** Asks on new connections until so many workers have answered. */
async function findWorkers(url: string, count = 2): Promise<string[]> {
  const found = new Set<string>();
  await askUntil(url, "GET /pid", ({ text }) => found.add(text).size === count);
  return [...found];
}

function tell(what: string, { answered, failures }: Load): void {
  console.log(`${what}: ${answered} requests were answered, ${failures.length} were not.`);
}

function checkNothingLost({ failures }: Load, context = ""): void {
  assert.is(failures.length, 0, `${JSON.stringify(failures, null, 2)}\n${context}`);
}

/** A request that is answered when its process gets SIGUSR2. */
async function askSlowly(url: string): Promise<{ answer: ReturnType<typeof ask>; pid: number }> {
  const answer = ask(url, "GET /slow");
  // Whoever waits for it hears of a failure.
  answer.catch(() => {});
  await askUntil(url, "POST /slow", ({ text }) => text === "1");
  return { answer, pid: Number((await ask(url, "GET /pid")).text) };
}

test(`two workers from source, ${RENEWALS} × SIGHUP and Ctrl-C under load: no request is lost, and nothing is left`, async () => {
  const { folder, tree } = await project();
  const before = Object.keys(tree());
  const temporary = createFolder("temporary");
  const server = await serve(folder, TWO, { TMPDIR: temporary });
  const kinds = [
    { connections: 8, line: "GET /pid" },
    { connections: 4, line: "POST /items" },
  ];
  const renewed = await underLoad(server.url, kinds, async () => {
    for (let round = 0; round < RENEWALS; round++) {
      const old = await findWorkers(server.url);
      server.signal("SIGHUP");
      await server.waitFor(/All workers were restarted/);
      for (const pid of await findWorkers(server.url))
        assert.not.ok(old.includes(pid), `${pid} serves still`);
    }
  });
  tell(`${RENEWALS} restarts by SIGHUP`, renewed);
  checkNothingLost(renewed);
  // A connection that is made just when nobody listens any more may be reset, and is none that was drained.
  const kind = { connections: 4, line: "GET /pid", isLast: true };
  const drained = await underLoad(server.url, [kind], async ({ answers }) => {
    await answers(100);
    // It reaches every process, and drains like SIGTERM.
    assert.is((await server.stopGroup("SIGINT")).status, 0);
  });
  checkNothingLost(drained);
  assert.is(server.output().match(/Listening on/g)?.length, 1, server.output());
  await checkNothingLeft(server);
  assert.equal(Object.keys(tree()), before);
  assert.equal(readdirSync(temporary), []);
});

for (let round = 1; round <= KILLS; round++) {
  test(`kill -9 of a worker under load, ${round} of ${KILLS}: only its own requests fail, and it is replaced`, async () => {
    const connections = 16;
    const server = await dying();
    await findWorkers(server.url);
    let killed = "";
    const load = await underLoad(server.url, [{ connections, line: "GET /pid" }], async ({ answers }) => {
      await answers(200);
      killed = (await ask(server.url, "GET /pid")).text;
      process.kill(Number(killed), "SIGKILL");
      await server.waitFor(new RegExp(`Worker ${killed} was ended by SIGKILL\\. Starting another one`));
      await findWorkers(server.url);
      await answers(200);
    });
    tell("kill -9", load);
    // A connection without an answer before may have been the killed one's too.
    const others = load.failures.filter(({ before }) => before !== "" && before !== killed);
    assert.equal(others, []);
    assert.ok(load.failures.length <= connections);
  });
}

test("a worker that throws outside a request loses no request, says what was thrown, and is replaced", async () => {
  const server = await dying();
  await checkThrow(server, 2);
  assert.match(server.output(), /so this process ends.*Error: outside|Error: outside.*so this process ends/);
});

test("a worker that runs out of memory is replaced, and the other one serves on", async () => {
  const server = await dying();
  const before = await findWorkers(server.url);
  await underLoad(server.url, [{ connections: 4, line: "GET /pid" }], async ({ answers }) => {
    await assertFails(ask(server.url, "GET /memory"));
    await server.waitFor(/Worker \d+ (?:was ended by SIGABRT|ended with status 134)\. Starting another one/);
    await answers(100);
    const after = await findWorkers(server.url);
    assert.is(after.filter((pid) => before.includes(pid)).length, 1);
  });
});

test("while no worker lives, connections wait for the next one, and SIGTERM ends all at once", async () => {
  const server = await dying();
  const killAll = async (): Promise<void> => {
    for (const pid of await findWorkers(server.url)) process.kill(Number(pid), "SIGKILL");
    await server.waitFor(/(?:was ended by SIGKILL[\s\S]*){2}/);
  };
  await killAll();
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(server.url, "GET /pid")));
  assert.ok(answers.every(({ status }) => status === 200));
  await killAll();
  const waiting = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => {});
  await firstEvent(waiting, "connect");
  assert.is((await server.stop()).status, 0);
  if (!waiting.closed) await firstEvent(waiting, "close");
  await checkNothingLeft(server);
});

test("one worker alone that throws outside a request loses none; SIGHUP to its group finishes what is in flight", async () => {
  const server = await serve((await built()).folder, ONE);
  await checkThrow(server, 1);
  const { answer, pid } = await askSlowly(server.url);
  server.signalGroup("SIGHUP");
  await askUntil(server.url, "GET /pid", ({ text }) => text !== String(pid));
  process.kill(pid, "SIGUSR2");
  assert.is((await answer).text, "done");
  await server.waitFor(/All workers were restarted/);
  const slow = await askSlowly(server.url);
  server.signal("SIGKILL");
  await untilRefused(server.url);
  process.kill(slow.pid, "SIGUSR2");
  assert.is(
    (await slow.answer).text,
    "done",
    "the primary was killed, and its worker finishes what is in flight",
  );
  // The worker has the streams of the primary, so that they are closed when both have ended.
  assert.is((await server.waitForEnd()).signal, "SIGKILL");
});

for (const [what, words] of [
  ["one process", ALONE],
  ["a worker", ONE],
] as const) {
  test(`while ${what} drains, health answers 503, and a second SIGTERM ends all at once`, async () => {
    const server = await serve((await built()).folder, words);
    const slow = assertFails((await askSlowly(server.url)).answer);
    const probe = new Client(server.url);
    const statusOfHealth = async (): Promise<number> => {
      const { body, statusCode } = await probe.request({ method: "GET", path: "/healthz" });
      await body.dump();
      return statusCode;
    };
    assert.is(await statusOfHealth(), 200);
    server.signal("SIGTERM");
    let status = 200;
    while (status === 200) status = await statusOfHealth();
    assert.is(status, 503);
    server.signal("SIGTERM");
    const { signal } = await server.waitForEnd();
    assert.is(signal, "SIGTERM");
    await slow;
    await checkNothingLeft(server);
  });
}

for (const [how, words, count] of [
  ["dist/server.js", ALONE, 1],
  ["two workers of dist/server.js", TWO, 2],
] as const) {
  test(`${how}: what follows server.closed is finished before the process ends with 0`, async () => {
    const server = await serve((await built()).folder, words, { POOL: "1" });
    if (count > 1) await findWorkers(server.url);
    server.signal("SIGTERM");
    await server.waitFor(new RegExp("closing (\\d+)[^]*".repeat(count)));
    const pids = [...server.output().matchAll(/closing (\d+)/g)].map(([, pid]) => Number(pid));
    for (const pid of pids) {
      // A worker may be told a second time, by its group.
      if (count > 1) process.kill(pid, "SIGTERM");
      process.kill(pid, "SIGUSR2");
    }
    const { status, signal } = await server.waitForEnd();
    assert.equal([status, signal], [0, null]);
    for (const pid of pids) assert.match(server.output(), `closed ${pid}`);
  });
}

for (const [how, make, words] of [
  ["framework start", project, START],
  ["dist/server.js", built, ALONE],
] as const) {
  test(`${how}: an error outside a request ends it with status 1, after what is in flight`, async () => {
    const server = await serve((await make()).folder, words);
    const { answer, pid } = await askSlowly(server.url);
    await ask(server.url, "GET /throw");
    await server.waitFor(/Error: outside/);
    process.kill(pid, "SIGUSR2");
    assert.is((await answer).text, "done");
    assert.is((await server.waitForEnd()).status, 1);
  });
}

if (CYCLES > 1)
  test(`${CYCLES} starts and stops leave no port and no process behind`, async () => {
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const server = await serve((await project()).folder, TWO);
      await ask(server.url, "GET /");
      assert.is((await server.stop()).status, 0);
      await checkNothingLeft(server);
    }
  });

if (hasNginx())
  test(`nginx in front of two servers, one restarted each second for ${RESTART_SECONDS} s: no GET fails`, async () => {
    const { folder } = await project();
    const ports = [await freePort(), await freePort()];
    const launch = (port: number): Promise<RunningServer> =>
      serve(folder, START, { HOST: "127.0.0.1", PORT: String(port) });
    const servers = await Promise.all(ports.map(launch));
    const nginx = await startNginx(ports);
    let restarts = 0;
    // A POST, on a connection that is made just before nobody listens any more, is one that nginx does not send again.
    const kind = { connections: 16, line: "GET /pid" };
    const load = await underLoad(nginx.url, [kind], async () => {
      restarts = await restartInTurn(servers, ports, launch);
    });
    await nginx.stop();
    for (const server of servers) await server.stop();
    tell(`nginx, ${restarts} restarts`, load);
    checkNothingLost(load, nginx.errors());
  });
else
  console.log(
    "Skipped: nginx is not installed (apt-get install nginx-light), so nothing is restarted behind it.",
  );

/** Each second one of them, as long as the test takes. @returns how many restarts there were. */
async function restartInTurn(
  servers: RunningServer[],
  ports: readonly number[],
  launch: (port: number) => Promise<RunningServer>,
): Promise<number> {
  const begin = performance.now();
  let restarts = 0;
  for (; performance.now() - begin < RESTART_SECONDS * 1000; restarts++) {
    const index = restarts % servers.length;
    const second = new Promise((resolve) => setTimeout(resolve, 1000));
    assert.is((await servers[index]?.stop())?.status, 0);
    servers[index] = await launch(ports[index] ?? 0);
    await second;
  }
  return restarts;
}

async function assertFails(answer: Promise<unknown>): Promise<void> {
  const failed = await answer.then(
    () => false,
    () => true,
  );
  assert.ok(failed, "It was answered.");
}

/** Until nothing listens there any more. */
async function untilRefused(url: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  const isRefused = (): Promise<boolean> =>
    ask(url, "GET /").then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED",
    );
  while (!(await isRefused())) assert.ok(performance.now() < deadline, `${url} listens still.`);
}

/** Neither the process nor any that it started, nor the port. */
async function checkNothingLeft({ pid = 0, url }: RunningServer): Promise<void> {
  assert.throws(() => process.kill(-pid, 0), /ESRCH/);
  await (await holdPort(Number(new URL(url).port))).release();
}

/** A worker is told to throw outside a request, under load. */
async function checkThrow(server: RunningServer, count: number): Promise<void> {
  await findWorkers(server.url, count);
  const load = await underLoad(server.url, [{ connections: 16, line: "GET /pid" }], async ({ answers }) => {
    await answers(200);
    const { text: pid } = await ask(server.url, "GET /throw");
    await server.waitFor(new RegExp(`Worker ${pid} ended with status 1\\. Starting another one`));
    await findWorkers(server.url, count);
    await answers(200);
  });
  tell("an error outside a request", load);
  checkNothingLost(load, server.output());
}

test.run();
