/** The connections of `framework dev`: each is answered or closed, whatever becomes of the process that it was handed to. */

import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runs, sample } from "#runtime/random.fixture";
import { type Answer, ask, sendRaw } from "./harness/client.ts";
import { start } from "./harness/command.ts";
import { devOnce } from "./harness/dev.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { freePort } from "./harness/port.ts";
import { socketsOf, until as untilSo } from "./harness/processes.ts";
import { copyProject } from "./harness/project.ts";
import { DEV } from "./harness/server.ts";

const BROKEN = "export const get = (\n";
const SOUND = "export const get = () => 1;\n";

/** Where the system lists which connections a process has. */
const testOnLinux = process.platform === "linux" ? test : test.skip;

const DEATHS: readonly [how: string, code: string][] = [
  ["exits", "process.exit(3)"],
  ["aborts", "process.abort()"],
  ["is killed", 'process.kill(process.pid, "SIGKILL")'],
];

const dev = devOnce((project) => {
  project.write(
    "routes/loop.ts",
    'export function get() { console.log("blocked"); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }\n',
  );
  for (const [how, code] of DEATHS)
    project.write(`routes/${how.replace(" ", "_")}.ts`, `export function get() { ${code}; }\n`);
});

for (const [how] of sample("ways to die", DEATHS, 1)) {
  testOnLinux(
    `no request waits for ever, and no descriptor is left, where the process that serves ${how}`,
    async () => {
      const { server, until } = await dev();
      const before = socketsOf(server.pid);
      for (let round = 1; round <= runs(1, 3); round++) {
        const asked = [how.replace(" ", "_"), ...Array.from({ length: 20 }, () => "")];
        const outcomes = asked.map((path) => outcomeOf(ask(server.url, `GET /${path}`)));
        assert.is((await inTime(Promise.all(outcomes)))[0], "cut");
        await until("GET /", 200);
      }
      await untilSo(() => socketsOf(server.pid) <= before, "the supervisor has no more sockets than before");
    },
  );
}

testOnLinux(
  "requests that a blocked process has not taken are answered by the one that replaces it",
  async () => {
    const { project, server, until } = await dev();
    const before = socketsOf(server.pid);
    const taken = outcomeOf(ask(server.url, "GET /loop"));
    await server.waitFor(/blocked/);
    const waiting = [1, 2, 3, 4].map(() => outcomeOf(ask(server.url, "GET /loop")));
    await untilSo(() => socketsOf(server.pid) >= before + waiting.length, "all have been accepted");
    project.write("routes/loop.ts", SOUND);
    await until("GET /loop", "1");
    assert.equal(await inTime(Promise.all(waiting)), ["200", "200", "200", "200"]);
    assert.is(await inTime(taken), "cut");
  },
);

test("requests that arrive together are all answered, while a file changes and while the project is broken, too", async () => {
  const { project, server } = await dev();
  const request = "GET /items HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const answersUntil = async (isWanted: (answers: string) => boolean): Promise<Set<string>> => {
    const statuses = new Set<string>();
    for (let answers = ""; !isWanted(answers); ) {
      answers = await inTime(sendRaw(server.url, request.repeat(2)));
      statuses.add([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join());
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    return statuses;
  };
  project.write("routes/items.ts", SOUND);
  await answersUntil((answers) => answers.endsWith("\r\n\r\n1"));
  project.write("routes/items.ts", SOUND.replace("1", "2"));
  assert.equal([...(await answersUntil((answers) => answers.endsWith("\r\n\r\n2")))], ["200,200"]);
  project.write("routes/items.ts", BROKEN);
  const statuses = await answersUntil((answers) => answers.includes(" 500 "));
  assert.equal(
    [...statuses].filter((status) => status !== "200,200"),
    ["500,500"],
  );
});

test("a request on a connection that was opened while the project was broken is answered by what is served then", async () => {
  const { project, server, until } = await dev();
  project.write("routes/items.ts", BROKEN);
  await until("GET /", 500);
  const [first, second] = [await openConnection(server.url), await openConnection(server.url)];
  assert.match(await askOn(first), /^HTTP\/1\.1 500 /);
  project.write("routes/items.ts", SOUND);
  await until("GET /items", "1");
  assert.match(await askOn(second), /^HTTP\/1\.1 200 /);
});

test("an end does not wait for a client that asks nothing, or half of something, while the project is broken", async () => {
  const { project, server, until } = await dev();
  project.write("routes/items.ts", BROKEN);
  await until("GET /", 500);
  const sockets = [await openConnection(server.url), await openConnection(server.url)];
  sockets[1]?.write("GET / HTTP/1.1\r\nHost: localhost\r\n");
  // Accepted after the others, and so are they by then.
  assert.is((await ask(server.url, "GET /")).status, 500);
  const { status } = await inTime(server.stop());
  assert.is(status, 0);
  for (const socket of sockets) socket.destroy();
});

test("a connection that comes while the project is loaded for the first time waits for its answer", async () => {
  const project = await copyProject();
  const wait = 'while (!existsSync("go")) await setTimeout(10);\n';
  const imports =
    'import { existsSync } from "node:fs";\nimport { setTimeout } from "node:timers/promises";\n';
  project.write("app.ts", `${imports}${wait}${project.read("app.ts")}`);
  const port = await freePort();
  const env = { ...isolatedEnvironment(), HOST: "127.0.0.1", PORT: String(port) };
  const server = start(DEV, { cwd: project.folder, env });
  const socket = await connectUntilAccepted(`http://127.0.0.1:${port}`);
  const answered = askOn(socket);
  project.write("go", "");
  assert.match(await answered, /^HTTP\/1\.1 200 /);
  server.signal("SIGTERM");
  assert.is((await server.waitForEnd()).status, 0);
});

/** The status, or "cut" where the connection was closed instead. */
function outcomeOf(answer: Promise<Answer>): Promise<string> {
  return answer.then(
    ({ status }) => String(status),
    () => "cut",
  );
}

const LIMIT_MS = 20_000;

/** Fails where it takes so long that it is as good as for ever. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing within ${LIMIT_MS} ms.`)), LIMIT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on("error", reject);
  });
}

async function connectUntilAccepted(url: string): Promise<Socket> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      return await openConnection(url);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }
}

/** One request on a connection that is there. @returns all that comes back until it closes. */
async function askOn(socket: Socket): Promise<string> {
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  return inTime(text(socket));
}

test.run();
