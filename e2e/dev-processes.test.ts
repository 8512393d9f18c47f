/** The processes of `framework dev`: none outlives what it is for, however the project or the supervisor ends. */

import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask, askUntil } from "./harness/client.ts";
import { start } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { processesIn, processorTimeOf, until } from "./harness/processes.ts";
import { copyProject } from "./harness/project.ts";
import { DEV, serve } from "./harness/server.ts";

/** The supervisor, what serves, and two that are warm. */
const PROCESSES = 4;
const TIMER = "setInterval(() => {}, 1000);\n";

/** Where the system lists which processes there are. */
const testOnLinux = process.platform === "linux" ? test : test.skip;

testOnLinux("a process with a timer ends when it is replaced, and does not hold up the end", async () => {
  const project = await copyProject();
  const write = (round: number): void =>
    project.write("routes/timer.ts", `${TIMER}export const get = () => ${round};\n`);
  write(0);
  const server = await serve(project.folder, DEV);
  for (let round = 1; round <= 5; round++) {
    write(round);
    await askUntil(server.url, "GET /timer", ({ text }) => text === String(round));
  }
  await until(
    () => processesIn(project.folder).length <= PROCESSES,
    "those that were replaced have ended",
    5_000,
  );
  assert.is((await server.stopGroup("SIGINT")).status, 0);
  assert.not.match(server.output(), /Ctrl-C again/);
  assert.equal(processesIn(project.folder), []);
});

testOnLinux(
  "a process that throws outside a request says what, answers what is in flight, and is replaced",
  async () => {
    const project = await copyProject();
    project.write(
      "routes/throw.ts",
      `${TIMER}export const get = () => { setImmediate(() => { throw new Error("outside"); }); return process.pid; };
export const post = () => new Promise((resolve) => setTimeout(resolve, 500, process.pid));\n`,
    );
    const server = await serve(project.folder, DEV);
    const slow = ask(server.url, "POST /throw");
    const { text: pid } = await ask(server.url, "GET /throw");
    await server.waitFor(/Error: outside.*\(exit status 1\).*being restarted/s);
    assert.is((await slow).text, pid);
    await askUntil(server.url, "POST /throw", ({ status, text }) => status === 200 && text !== pid);
    assert.is((await server.stop()).status, 0);
  },
);

const LIVES: readonly [what: string, module: string][] = [
  ["a timer", `${TIMER}console.log("alive");\nexport const get = () => 1;\n`],
  ["a loop in a handler", 'export function get() { console.log("alive"); for (;;); }\n'],
  ["a loop in a module", 'console.log("alive");\nfor (;;);\nexport const get = () => 1;\n'],
];
for (const [what, module] of LIVES) {
  testOnLinux(`no process is left where the supervisor is killed and the project has ${what}`, async () => {
    const project = await copyProject();
    project.write("routes/alive.ts", module);
    const env = { ...isolatedEnvironment(), PORT: "0" };
    const command = start(DEV, { cwd: project.folder, env });
    if (module.includes("function")) {
      const [url] = await command.waitFor(/http:\/\/[^\s/]+:\d+/);
      ask(url, "GET /alive").catch(() => {});
    }
    await command.waitFor(/alive/);
    command.signal("SIGKILL");
    await until(() => processesIn(project.folder).length === 0, "all processes have ended");
  });
}

for (const streams of ["", "2>&1"]) {
  testOnLinux(
    `dev${streams && " 2>&1"} | head: where nobody reads its output any more, it serves on, and takes no more of the processor`,
    async () => {
      const project = await copyProject();
      project.write("routes/fail.ts", 'export function get() { console.log("x"); throw new Error("x"); }\n');
      const line = `${process.execPath} vendor/framework dev ${streams} | head -n 3`;
      const env = { ...isolatedEnvironment(), PORT: "0" };
      const command = start(["/bin/sh", "-c", line], { cwd: project.folder, env });
      const [url] = await command.waitFor(/http:\/\/[^\s/]+:\d+/);
      for (let count = 0; count < 5; count++) await ask(url, "GET /fail");
      project.write("routes/items.ts", "export const get = (\n");
      await askUntil(url, "GET /", ({ status }) => status === 500);
      project.write("routes/items.ts", "export const get = () => 1;\n");
      await askUntil(url, "GET /items", ({ text }) => text === "1");
      await ask(url, "GET /fail");
      const pids = processesIn(project.folder);
      const used = (): number => pids.reduce((sum, pid) => sum + processorTimeOf(pid), 0);
      await until(() => processesIn(project.folder).length >= PROCESSES, "there are spares again");
      const before = used();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      assert.ok(used() - before < 100, `${used() - before} hundredths of a second of 3 s`);
      command.signalGroup("SIGTERM");
      await until(() => processesIn(project.folder).length === 0, "all processes have ended");
    },
  );
}

test("a folder for temporary files that can't be written to is reported, with what to do", async () => {
  const project = await copyProject();
  const env = {
    ...isolatedEnvironment(),
    TMPDIR: join(project.folder, "nothing"),
    TEMP: join(project.folder, "nothing"),
  };
  const { status, stderr } = await project.spawnFramework(["dev"], { env });
  assert.is(status, 1);
  assert.match(stderr, /can't make a temporary folder in .*nothing: /);
  assert.match(stderr, /TMPDIR/);
  assert.not.match(stderr, /^ +at /m);
});

test.run();
