/** The processes of `framework dev`: how they begin and end, and that none outlives what it is for. */

import { once as firstEvent } from "node:events";
import { readdirSync, renameSync, rmdirSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { WebSocket } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "#runtime/random.fixture";
import { ask, askUntil } from "./harness/client.ts";
import { start } from "./harness/command.ts";
import { devOnce } from "./harness/dev.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { freePort, holdPort } from "./harness/port.ts";
import { processesIn, readSeconds, until as untilSo } from "./harness/processes.ts";
import { copyProject } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { ADDRESS, DEV, serve } from "./harness/server.ts";
import { KEY, startAtTerminal, whyNoTerminal } from "./harness/terminal.ts";
import { createFolder } from "./harness/workspace.ts";

/** Where the system lists which processes there are. */
const testOnLinux = process.platform === "linux" ? test : test.skip;
const testAtTerminal = whyNoTerminal() === undefined ? test : test.skip;

/** The supervisor, what serves, and what is warm. */
const PROCESSES = 3;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const debuggerPort = await freePort();
const temporary = createFolder("temporary");
const dev = devOnce(
  (project) => {
    project.write("routes/pid.ts", "export const get = () => process.pid;\n");
    project.write(
      "routes/hoard.ts",
      "const kept: unknown[] = [];\nexport function get() { for (;;) kept.push(new Array(1e4).fill({})); }\n",
    );
  },
  {
    words: [`--inspect=${debuggerPort}`],
    settings: { TMPDIR: temporary, NODE_OPTIONS: "--max-old-space-size=48" },
  },
);

test("a debugger is attached at one port, before and after a change, and reaches the process that serves", async () => {
  const { server, settle } = await dev();
  const debuggedPid = async (): Promise<unknown> => {
    const listed = (await ask(`http://127.0.0.1:${debuggerPort}`, "GET /json/list")).json as {
      webSocketDebuggerUrl: string;
    }[];
    assert.is(new URL(listed[0]?.webSocketDebuggerUrl ?? "").port, String(debuggerPort));
    return evaluate(listed[0]?.webSocketDebuggerUrl ?? "", "process.pid");
  };
  const servingPid = async (): Promise<number> => Number((await ask(server.url, "GET /pid")).text);
  const first = await servingPid();
  assert.is(await debuggedPid(), first);
  await settle();
  const second = await servingPid();
  assert.is.not(second, first);
  assert.is(await debuggedPid(), second);
  assert.not.match(server.output(), /Debugger (?:listening|ending)|Waiting for the debugger/);
});

test("it lives on where the system clears the folder for temporary files", async () => {
  const { server, settle } = await dev();
  rmSync(temporary, { recursive: true });
  for (let round = 1; round <= 3; round++) await settle();
  assert.not.match(server.output(), /warm\.mts/);
});

test("a process that runs out of memory is reported and replaced", async () => {
  const { server, until } = await dev();
  await ask(server.url, "GET /hoard").catch(() => undefined);
  await server.waitFor(/ran out of memory[\s\S]*It is being restarted/);
  await until("GET /items/7", 200);
  assert.is((await server.stop()).status, 0);
});

test("a debugger's port that is in use is reported with what to do", async () => {
  const project = await copyProject();
  const taken = await holdPort(0);
  const inUse = await project.spawnFramework(["dev", `--inspect=${taken.port}`]);
  await taken.release();
  assert.is(inUse.status, 1);
  assert.match(inUse.stderr, /No debugger[\s\S]*--inspect=/);
});

testAtTerminal(
  "at a terminal keys reload, list the routes, help and quit, and the terminal is given back",
  async () => {
    const project = await copyProject();
    project.edit("apps/users/app.toml", 'name = "users"', 'name = "People"');
    const shell = `stty -a | grep -o " -*icanon"; ${process.execPath} vendor/framework dev --port 0; stty -a | grep -o " -*icanon"`;
    for (const end of sample("keys that end it", ["q", KEY.ctrlC], 1)) {
      const command = startAtTerminal(shell, { cwd: project.folder, env: isolatedEnvironment() });
      await command.waitFor(/ icanon[\s\S]*r reload {3}l list routes {3}q quit/);
      command.write("r");
      await command.waitFor(/reloaded: 10 routes/);
      command.write("l");
      await command.waitFor(/METHOD[\s\S]*get_by_username[\s\S]*users {2}People/);
      command.write("?");
      await command.waitFor(/r reload/);
      command.write(end);
      await command.waitFor(/ icanon/);
      assert.is((await command.ended).status, 0);
    }
  },
);

testAtTerminal(
  "in the background of a terminal it serves, and leaves the keys to whoever is in front",
  async () => {
    const project = await copyProject();
    const shell = `set -m; ${process.execPath} vendor/framework dev --port 0 & wait`;
    const command = startAtTerminal(shell, { cwd: project.folder, env: isolatedEnvironment() });
    const [url] = await command.waitFor(ADDRESS);
    await checkSamples(url);
    for (const pid of processesIn(project.folder)) terminate(pid);
    await command.ended;
  },
);

for (const signal of sample("signals", SIGNALS, 1)) {
  test(`${signal} to the whole group lets a request end, and the project hears of one SIGTERM`, async () => {
    const project = await copyProject();
    const slow =
      'console.log("Begun."); return new Promise((done) => setTimeout(() => done({ slow: true }), 500));';
    project.write("routes/slow.ts", `export function get() { ${slow} }\n`);
    project.write(
      "app.ts",
      `${project.read("app.ts")}process.on("SIGTERM", () => console.log("The project hears it."));\n`,
    );
    const server = await serve(project.folder, DEV);
    const answered = ask(server.url, "GET /slow");
    await server.waitFor(/Begun\./);
    const { status, stdout } = await server.stopGroup(signal);
    assert.equal((await answered).json, { slow: true });
    assert.is(status, 0);
    assert.is(stdout.split("The project hears it.").length - 1, 1);
  });

  test(`${signal} before anything is served ends it with status 0 and leaves no file behind`, async () => {
    const project = await copyProject();
    const folder = createFolder("temporary");
    const env = { ...isolatedEnvironment(), PORT: "0", TMPDIR: folder };
    const watcher = watch(folder);
    const command = start(DEV, { cwd: project.folder, env });
    await firstEvent(watcher, "change");
    watcher.close();
    command.signalGroup(signal);
    assert.is((await command.ended).status, 0);
    assert.equal(readdirSync(folder), []);
  });
}

test("an end that waits for a request is explained, and comes at once when asked for again", async () => {
  const project = await copyProject();
  project.write("routes/wait.ts", "export const get = () => new Promise(() => console.log('asked'));\n");
  const server = await serve(project.folder, DEV);
  const cut = ask(server.url, "GET /wait").catch(() => "cut");
  await server.waitFor(/asked/);
  server.signalGroup("SIGINT");
  await server.waitFor(/Ctrl-C again/);
  assert.is((await server.stopGroup("SIGINT")).status, 0);
  assert.is(await cut, "cut");
});

const LISTENS = `import { createApp } from "framework";
export const app = await createApp();
const server = await app.listen();
const pool = setInterval(() => {}, 1000);
`;
/** Each is the main file in turn, and closed when the next one is saved. */
const MAINS: readonly [what: string, main: string, prints: RegExp][] = [
  [
    "what a project closes at SIGTERM",
    `process.once("SIGTERM", async () => {
  await server.close();
  await new Promise((resolve) => setTimeout(resolve, 400));
  clearInterval(pool);
  console.log("Closed at SIGTERM.");
});
`,
    /Closed at SIGTERM\./,
  ],
  [
    "what leaves a timer running",
    'process.once("SIGTERM", () => {});\nprocess.once("exit", () => console.log("The process has ended."));\n',
    /The process has ended\./,
  ],
  [
    "what a project closes after server.closed",
    `server.closed.then(async () => {
  await new Promise((resolve) => setTimeout(resolve, 800));
  clearInterval(pool);
  console.log("Closed after server.closed.");
});
`,
    /Closed after server\.closed\./,
  ],
];

test("what a project closes is closed to its end when its process is replaced, and at the end, also where a stream has kept the server open", async () => {
  const project = await copyProject();
  const write = (main: string): void => project.write("app.ts", `${LISTENS}${main}`);
  const stream = 'export const get = () => new ReadableStream({ start: (it) => it.enqueue("begun") });\n';
  project.write("routes/stream.ts", stream);
  write(MAINS[0]?.[1] ?? "");
  const server = await serve(project.folder, DEV);
  for (const [index, [, , prints]] of MAINS.entries()) {
    write(MAINS[(index + 1) % MAINS.length]?.[1] ?? "");
    await server.waitFor(prints);
  }
  write(MAINS[2]?.[1] ?? "");
  await server.waitFor(MAINS[0]?.[2] ?? /-/);
  const { body } = await fetch(`${server.url}/stream`);
  await body?.getReader().read();
  const { status, stdout } = await server.stop();
  assert.is(status, 0);
  assert.is(stdout.split("Closed after server.closed.").length - 1, 2);
});

test("a project folder that is renamed, replaced or removed is reported, and ends nothing; what is there then is served", async () => {
  const [project, other] = [await copyProject(), await copyProject()];
  const { folder } = project;
  const server = await serve(folder, DEV);
  const serves = (text: string) => askUntil(server.url, "GET /", (answer) => answer.text === text);
  renameSync(folder, `${folder}-away`);
  await server.waitFor(/folder is gone/);
  assert.is((await ask(server.url, "GET /")).status, 500);
  renameSync(`${folder}-away`, folder);
  await askUntil(server.url, "GET /", ({ status }) => status === 200);
  project.write("routes/index.ts", "export const get = () => 2;\n");
  await serves("2");
  other.write("routes/index.ts", "export const get = () => 'the other';\n");
  renameSync(folder, `${folder}-before`);
  renameSync(other.folder, folder);
  await serves("the other");
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  await server.waitFor(/error /);
  rmdirSync(folder);
  await server.waitFor(/folder is gone/);
  assert.is((await server.stop()).status, 0);
});

const LIVES: readonly [what: string, module: string][] = [
  ["a timer", 'setInterval(() => {}, 1000);\nconsole.log("alive");\nexport const get = () => 1;\n'],
  ["a loop in a handler", 'export function get() { console.log("alive"); for (;;); }\n'],
  ["a loop in a module", 'console.log("alive");\nfor (;;);\nexport const get = () => 1;\n'],
];
for (const [what, module] of sample("ways to live on", LIVES, 1)) {
  testOnLinux(`no process is left where the supervisor is killed and the project has ${what}`, async () => {
    const project = await copyProject();
    project.write("routes/alive.ts", module);
    const env = { ...isolatedEnvironment(), PORT: "0" };
    const command = start(DEV, { cwd: project.folder, env });
    if (module.includes("function")) {
      const [url] = await command.waitFor(ADDRESS);
      ask(url, "GET /alive").catch(() => {});
    }
    await command.waitFor(/alive/);
    command.signal("SIGKILL");
    await untilSo(() => processesIn(project.folder).length === 0, "all processes have ended");
  });
}

for (const streams of sample("streams", ["", "2>&1"], 1)) {
  testOnLinux(
    `dev${streams && " 2>&1"} | head: where nobody reads its output any more, it serves on, and takes no more of the processor`,
    async () => {
      const project = await copyProject();
      project.write("routes/fail.ts", 'export function get() { console.log("x"); throw new Error("x"); }\n');
      const line = `${process.execPath} vendor/framework dev ${streams} | head -n 3`;
      const env = { ...isolatedEnvironment(), PORT: "0" };
      const command = start(["/bin/sh", "-c", line], { cwd: project.folder, env });
      const [url] = await command.waitFor(ADDRESS);
      for (let count = 0; count < 5; count++) await ask(url, "GET /fail");
      project.write("routes/items.ts", "export const get = (\n");
      await askUntil(url, "GET /", ({ status }) => status === 500);
      project.write("routes/items.ts", "export const get = () => 1;\n");
      await askUntil(url, "GET /items", ({ text }) => text === "1");
      await untilSo(() => processesIn(project.folder).length >= PROCESSES, "there are spares again");
      await untilSo(createQuietCheck(processesIn(project.folder)), "the processes are quiet");
      command.signalGroup("SIGTERM");
      await untilSo(() => processesIn(project.folder).length === 0, "all processes have ended");
    },
  );
}

/** @returns tells whether the processes hardly used the processor in the last half second. One that turns in a circle never is quiet. */
function createQuietCheck(pids: readonly number[]): () => boolean {
  const use = (): number => pids.reduce((sum, pid) => sum + readSeconds(pid).own, 0);
  let [at, used] = [performance.now(), use()];
  return () => {
    if (performance.now() - at < 500) return false;
    const before = used;
    [at, used] = [performance.now(), use()];
    return used - before <= 0.02;
  };
}

/** What an expression is in the process that the debugger is attached to. */
async function evaluate(url: string, expression: string): Promise<unknown> {
  const socket = new WebSocket(url);
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error(`No debugger at ${url}.`)));
    });
    const answered = new Promise<string>((resolve) => {
      socket.addEventListener("message", ({ data }) => resolve(String(data)));
    });
    socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } }));
    return JSON.parse(await answered).result.result.value;
  } finally {
    socket.close();
  }
}

function terminate(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It has ended with one that was signalled before.
  }
}

test.run();
