/** `framework dev` while a person writes: a change is served, a mistake is shown and fixed, and no request is lost meanwhile. */

import { once as firstEvent } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { WebSocket } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask, askUntil } from "./harness/client.ts";
import { run, start } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { freePort, holdPort } from "./harness/port.ts";
import { processesIn } from "./harness/processes.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { DEV, type RunningServer, serve } from "./harness/server.ts";
import { KEY, startAtTerminal, whyNoTerminal } from "./harness/terminal.ts";
import { createFolder } from "./harness/workspace.ts";

const testOnLinux = process.platform === "linux" ? test : test.skip;

interface Dev {
  readonly project: Project;
  readonly server: RunningServer;
}

const dev = once("server", async (): Promise<Dev> => {
  const project = await copyProject();
  return { project, server: await serve(project.folder, DEV) };
});

test("it serves the samples", async () => {
  await checkSamples((await dev()).server.url);
});

test("an edited handler is served, and until then the old one is: no request fails", async () => {
  const { project, server } = await dev();
  for (let round = 1; round <= 5; round++) {
    project.write("routes/index.ts", `export const get = () => ({ round: ${round} });\n`);
    const answers = await askUntil(server.url, "GET /", ({ text }) => text === `{"round":${round}}`);
    assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
  }
});

test("a change in a file that a handler imports is served", async () => {
  const { project, server } = await dev();
  project.write("apps/users/names.ts", 'export const name: string = "first";\n');
  project.write(
    "routes/name.ts",
    'import { name } from "../apps/users/names.ts";\nexport const get = () => ({ name });\n',
  );
  await askUntil(server.url, "GET /name", ({ text }) => text === '{"name":"first"}');
  project.write("apps/users/names.ts", 'export const name: string = "second";\n');
  await askUntil(server.url, "GET /name", ({ text }) => text === '{"name":"second"}');
});

test("a new route file and a new app are served without a restart, and a removed one no more", async () => {
  const { project, server } = await dev();
  assert.is((await ask(server.url, "GET /fresh")).status, 404);
  project.write("routes/fresh.ts", "export const get = () => ({ fresh: true });\n");
  await askUntil(server.url, "GET /fresh", ({ status }) => status === 200);
  const { status } = await project.framework(["generate", "app", "orders"]);
  assert.is(status, 0);
  await askUntil(server.url, "GET /orders/", (answer) => answer.status === 200);
  project.write("routes/fresh.ts", "export const post = () => ({});\n");
  await askUntil(server.url, "GET /fresh", (answer) => answer.status === 405);
});

const SAVES: readonly [how: string, save: (path: string, text: string) => void][] = [
  ["written over", writeFileSync],
  [
    "cut off and written in pieces",
    (path, text) => {
      truncateSync(path);
      for (const piece of text.match(/[\s\S]{1,9}/g) ?? []) appendFileSync(path, piece);
    },
  ],
  [
    "written beside and renamed over",
    (path, text) => {
      writeFileSync(`${path}~`, text);
      renameSync(`${path}~`, path);
    },
  ],
  [
    "renamed away and written again",
    (path, text) => {
      renameSync(path, `${path}~`);
      writeFileSync(path, text);
      rmSync(`${path}~`);
    },
  ],
  [
    "deleted and created",
    (path, text) => {
      rmSync(path);
      writeFileSync(path, text);
    },
  ],
];

/** The watcher waits a little longer than this for more of a change. A test that is held up meanwhile has shown it one half. */
const AT_ONCE_MS = 10;

/** @returns whether it was done so fast that nobody can have seen half of it. */
function doAtOnce(work: () => void): boolean {
  const start = performance.now();
  work();
  return performance.now() - start < AT_ONCE_MS;
}

for (const [how, save] of SAVES) {
  test(`a file that an editor saves so that it is ${how} is served, and no request fails`, async () => {
    const { project, server } = await dev();
    project.write("routes/saved.ts", "export const get = () => ({ saved: 0 });\n");
    await askUntil(server.url, "GET /saved", ({ status }) => status === 200);
    for (let time = 1; time <= 3; time++) {
      const isAtOnce = doAtOnce(() =>
        save(join(project.folder, "routes/saved.ts"), `export const get = () => ({ saved: ${time} });\n`),
      );
      const answers = await askUntil(server.url, "GET /saved", ({ text }) => text === `{"saved":${time}}`);
      if (isAtOnce) assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
    }
  });
}

test("renamed, deleted and linked folders and files, settings, data and modules anywhere are followed", async () => {
  const { project, server } = await dev();
  const at = (file: string): string => join(project.folder, file);
  const outside = createFolder("outside");
  const until = (line: string, wanted: number | string): Promise<unknown> =>
    askUntil(server.url, line, ({ status, text }) => status === wanted || text === wanted);

  project.write("routes/deep/er/leaf.ts", "export const get = () => 1;\n");
  await until("GET /deep/er/leaf", 200);
  renameSync(at("routes/deep"), at("routes/renamed"));
  await until("GET /renamed/er/leaf", 200);
  assert.is((await ask(server.url, "GET /deep/er/leaf")).status, 404);
  project.write("routes/renamed/er/leaf.ts", "export const get = () => 2;\n");
  await until("GET /renamed/er/leaf", "2");
  rmSync(at("routes/renamed"), { recursive: true });
  await until("GET /renamed/er/leaf", 404);

  project.write("lib/words/word.json", '{ "word": "one" }\n');
  project.write("lib/words.ts", 'export { default } from "./words/word.json" with { type: "json" };\n');
  project.write("routes/words.ts", 'import word from "../lib/words.ts";\nexport const get = () => word;\n');
  await until("GET /words", '{"word":"one"}');
  project.write("lib/words/word.json", '{ "word": "two" }\n');
  await until("GET /words", '{"word":"two"}');

  project.edit("apps/users/app.toml", "/users", "/people");
  await until("GET /people/by/id/7", 200);
  project.edit("apps/users/app.toml", "/people", "/users");
  await until("GET /users/by/id/7", 200);

  project.write("routes/env.ts", "export const get = () => ({ word: process.env.WORD });\n");
  project.write(".env", "WORD=one\n");
  await until("GET /env", '{"word":"one"}');
  rmSync(at(".env"));
  await until("GET /env", "{}");

  writeFileSync(join(outside, "linked.ts"), "export const get = () => 1;\n");
  symlinkSync(join(outside, "linked.ts"), at("routes/linked.ts"));
  await until("GET /linked", "1");
  writeFileSync(join(outside, "linked.ts"), "export const get = () => 2;\n");
  await until("GET /linked", "2");
  mkdirSync(join(outside, "folder"));
  symlinkSync(join(outside, "folder"), at("routes/folder"));
  writeFileSync(join(outside, "folder/file.ts"), "export const get = () => 1;\n");
  await until("GET /folder/file", "1");
  symlinkSync(project.folder, at("lib/again"));
  writeFileSync(join(outside, "folder/file.ts"), "export const get = () => 2;\n");
  await until("GET /folder/file", "2");
});

const NO_SOURCES: readonly string[] = [
  "node_modules/x/y.js",
  "dist/z.js",
  ".cache/z.ts",
  "routes/.#pid.ts",
  "routes/pid.ts~",
  "tests/pid.test.ts",
  "db.json",
  "data/app.db",
  "notes.toml",
];

test("what is no source does not reload: dependencies, builds, hidden folders, backups of editors, tests, data", async () => {
  const { project, server } = await dev();
  project.write("routes/pid.ts", "export const get = () => ({ pid: process.pid });\n");
  await askUntil(server.url, "GET /pid", ({ status }) => status === 200);
  const { text } = await ask(server.url, "GET /pid");
  for (const file of NO_SOURCES) project.write(file, "whatever\n");
  // A change that counts, to know that those before it have been seen.
  project.write("lib/counts.ts", "export {};\n");
  const { text: after } =
    (await askUntil(server.url, "GET /pid", (answer) => answer.text !== text)).at(-1) ?? {};
  await server.waitFor(/lib\/counts\.ts: /);
  assert.is((await ask(server.url, "GET /pid")).text, after);
  assert.not.match(server.output(), /\bdata\b.*: \d+ routes/);
  for (const file of NO_SOURCES) rmSync(join(project.folder, file));
});

test("data that a handler writes does not reload; what a module imports does, also where it was missing or malformed", async () => {
  const project = await copyProject();
  project.write(
    "routes/visits.ts",
    'import { writeFileSync } from "node:fs";\n\nlet visits = 0;\n\nexport function get() {\n' +
      '  writeFileSync("visits.json", String(++visits));\n  return { visits };\n}\n',
  );
  const server = await serve(project.folder, DEV);
  for (const visits of [1, 2, 3]) assert.equal((await ask(server.url, "GET /visits")).json, { visits });
  project.write(
    "routes/words.ts",
    'import words from "../lib/words.json" with { type: "json" };\nexport const get = () => words;\n',
  );
  await server.waitFor(/routes\/words\.ts could not be loaded/);
  project.write("lib/words.json", "{");
  await server.waitFor(/lib\/words\.json could not be loaded/);
  project.write("lib/words.json", '{ "word": "one" }\n');
  await askUntil(server.url, "GET /words", ({ text }) => text === '{"word":"one"}');
  project.write(
    "routes/words.ts",
    'import { createRequire } from "node:module";\n' +
      'const words = createRequire(import.meta.url)("../lib/words.json");\nexport const get = () => words;\n',
  );
  await server.waitFor(/routes\/words\.ts: /);
  project.write("lib/words.json", '{ "word": "two" }\n');
  await askUntil(server.url, "GET /words", ({ text }) => text === '{"word":"two"}');
  project.write(
    "routes/words.ts",
    'import words from "#lib/aliased.json" with { type: "json" };\nexport const get = () => words;\n',
  );
  await server.waitFor(/Cannot find module '[^']*aliased\.json'/);
  project.write("lib/aliased.json", '{ "word": "one" }\n');
  await askUntil(server.url, "GET /words", ({ text }) => text === '{"word":"one"}');
  project.write("lib/aliased.json", '{ "word": "two" }\n');
  await askUntil(server.url, "GET /words", ({ text }) => text === '{"word":"two"}');
  assert.equal((await ask(server.url, "GET /visits")).json, { visits: 1 });
  assert.equal((await ask(server.url, "GET /visits")).json, { visits: 2 });
  assert.is((await server.stop()).status, 0);
});

const MISTAKES: readonly [what: string, file: string, text: string, place: RegExp][] = [
  [
    "a syntax error",
    "routes/items.ts",
    "export const get = (item_id: string) => {\n",
    /routes\/items\.ts:\d+/,
  ],
  ["a bad signature", "routes/items.ts", "export const get = (when: Date) => 1;\n", /routes\/items\.ts:1/],
  [
    "a module that throws",
    "routes/items.ts",
    'export const get = () => 1;\nthrow new Error("at once");\n',
    /at once[\s\S]*routes\/items\.ts:2:7/,
  ],
  [
    "an import that is not there",
    "routes/items.ts",
    'import "./nothing.ts";\nexport const get = () => 1;\n',
    /nothing\.ts/,
  ],
  ["a broken framework.toml", "framework.toml", "apps = [\n", /framework\.toml:\d+/],
  ["a broken app.toml", "apps/users/app.toml", "[app]\nprefix = \n", /apps\/users\/app\.toml:2/],
];
for (const [what, file, text, place] of MISTAKES) {
  test(`${what} is a 500 that shows it, and the terminal too; once it is fixed, all is served again`, async () => {
    const { project, server } = await dev();
    const sound = project.read(file);
    project.write(file, text);
    const answers = await askUntil(server.url, "GET /users/by/id/7", ({ status }) => status === 500);
    const shown = answers.at(-1)?.text ?? "";
    assert.match(shown, place);
    await server.waitFor(place);
    project.write(file, sound);
    await askUntil(server.url, "GET /users/by/id/7", ({ status }) => status === 200);
  });
}

for (const [what, file, text, shown] of [
  [
    "ends its process while it loads",
    "routes/z.ts",
    "process.exit(3);\n",
    /exit status 3[\s\S]*routes\/z\.ts/,
  ],
  [
    "breaks the vendored framework",
    "vendor/framework/runtime/app.js",
    "this is no JavaScript(\n",
    /vendored framework has a syntax error: [\s\S]*vendor\/framework\/runtime\/app\.js:1/,
  ],
] as const) {
  test(`code that ${what} is a 500 that says so, never the old answer; once it is fixed, all is served again`, async () => {
    const project = await copyProject();
    const sound = file.startsWith("vendor") ? project.read(file) : "export const get = () => 1;\n";
    const server = await serve(project.folder, DEV);
    project.write(file, text);
    const answers = await askUntil(server.url, "GET /", ({ status }) => status === 500);
    assert.match(answers.at(-1)?.text ?? "", shown);
    await server.waitFor(shown);
    project.write(file, sound);
    await askUntil(server.url, "GET /", ({ status }) => status === 200);
    assert.is((await server.stop()).status, 0);
  });
}

test("a module that never finishes loading is named in the terminal, and in the answer to every request", async () => {
  const project = await copyProject();
  const server = await serve(project.folder, DEV);
  project.write("routes/z.ts", "await new Promise(() => {});\nexport const get = () => 1;\n");
  const answers = await askUntil(server.url, "GET /", ({ status }) => status === 500);
  assert.match(answers.at(-1)?.text ?? "", /Still being loaded[\s\S]*routes\/z\.ts/);
  await server.waitFor(/routes\/z\.ts/);
  assert.is((await server.stop()).status, 0);
});

test("the address of framework.toml is followed while it runs, and the old one kept where the new one can't be had", async () => {
  const project = await copyProject();
  const [first, second, taken] = [await freePort(), await freePort(), await holdPort(0)];
  const write = (host: string, port: number) =>
    project.write(
      "framework.toml",
      `apps = ["products", "users"]\n\n[server]\nhost = "${host}"\nport = ${port}\n`,
    );
  const answers = (port: number) =>
    askUntil(`http://127.0.0.1:${port}`, "GET /", ({ status }) => status === 200);
  write("127.0.0.1", first);
  const server = await serve(project.folder, DEV, { PORT: "" });
  assert.is(server.url, `http://127.0.0.1:${first}`);

  write("0.0.0.0", first);
  await server.waitFor(/framework\.toml: /);
  await answers(first);
  write("127.0.0.1", second);
  await server.waitFor(/framework\.toml: /);
  await answers(second);
  write("127.0.0.1", taken.port);
  await server.waitFor(new RegExp(`${taken.port} is in use[\\s\\S]*stays at 127\\.0\\.0\\.1:${second}`));
  await answers(second);
  write("127.0.0.1", 99999);
  await askUntil(`http://127.0.0.1:${second}`, "GET /", ({ status }) => status === 500);
  await taken.release();
  assert.is((await server.stop()).status, 0);
});

test("under load, through bursts of edits, every request is answered, and none by what was there before it was asked", async () => {
  const project = await copyProject();
  const source = (round: number): string =>
    `import { word } from "../lib/word.ts";\nexport const get = () => ({ round: ${round}, word });\n`;
  /** Those of which half could be seen. */
  const slow = new Set<number>();
  const save = (round: number): void => {
    const isAtOnce = doAtOnce(() => {
      project.write("lib/word.ts", `export const word: number = ${round};\n`);
      project.write("routes/round.ts", source(round));
    });
    if (!isAtOnce) slow.add(round);
  };
  save(0);
  const server = await serve(project.folder, DEV);
  let served = 0;
  const clients = [0, 1, 2].map(() => startClient(`${server.url}/round`, () => served));
  for (let round = 1; round <= 12; round++) {
    save(round);
    await askUntil(server.url, "GET /round", ({ text }) => text === `{"round":${round},"word":${round}}`);
    served = round;
  }
  const answers = (await Promise.all(clients.map((client) => client.stop()))).flat();
  assert.equal(
    answers.filter(({ status }) => status !== 200),
    [],
  );
  for (const { atLeast, round, word } of answers) {
    if (!slow.has(word)) assert.is(round, word, "half of a change");
    assert.ok(round >= atLeast, `asked after ${atLeast} was served, and answered by ${round}`);
  }
  assert.ok(answers.length > 12, `${answers.length} answers`);
  assert.is((await server.stop()).status, 0);
});

test("a project that is broken from the start is served once it is fixed", async () => {
  const project = await copyProject();
  const sound = project.read("routes/items.ts");
  project.write("routes/items.ts", "export const get = (\n");
  const server = await serve(project.folder, DEV);
  const answer = await ask(server.url, "GET /");
  assert.is(answer.status, 500);
  assert.match(answer.text, /routes\/items\.ts:\d+/);
  project.write("routes/items.ts", sound);
  await askUntil(server.url, "GET /items/7", ({ status }) => status === 200);
  assert.is((await server.stop()).status, 0);
});

test("a browser is shown a mistake as a page in which nothing of the source is markup", async () => {
  const project = await copyProject();
  project.write("routes/items.ts", 'export const get = (when: "<script>alert(1)</script>" & Date) => 1;\n');
  const server = await serve(project.folder, DEV);
  const page = await ask(server.url, "GET /", { headers: { accept: "text/html,*/*;q=0.8" } });
  assert.is(page.status, 500);
  assert.match(String(page.headers["content-type"]), /^text\/html/);
  assert.match(page.text, /&lt;script&gt;/);
  assert.not.match(page.text, /<script/);
  const { detail } = (await ask(server.url, "GET /")).json as { detail: string };
  assert.match(detail, /routes\/items\.ts:1[\s\S]*<script>/);
  const [, shown = ""] = /<pre>([\s\S]*)<\/pre>/.exec(page.text) ?? [];
  assert.is(decodeEntities(shown), detail);
  await server.stop();
});

testOnLinux("dev and start report an .env that is a pipe, and do not wait for it", async () => {
  const project = await copyProject();
  project.edit("framework.toml", "port = 8000", `port = ${await freePort()}`);
  const pipe = join(project.folder, ".env");
  assert.is((await run(["mkfifo", pipe], { cwd: project.folder, env: isolatedEnvironment() })).status, 0);
  const refused = await project.framework(["start"]);
  assert.is(refused.status, 1);
  assert.match(refused.stderr, /\.env could not be read: it is a pipe/);
  const server = await serve(project.folder, DEV);
  assert.match((await ask(server.url, "GET /")).text, /it is a pipe/);
  rmSync(pipe);
  project.write(".env", "WORD=one\n");
  await askUntil(server.url, "GET /", ({ status }) => status === 200);
  assert.is((await server.stop()).status, 0);
});

const ENVIRONMENTS: readonly [what: string, text: string | undefined, says: RegExp][] = [
  ["has a line that sets nothing", "# words\nA=1\n\nPASSWORD hunter2\n", /\.env:4 does not set a variable/],
  ["has a quote that nothing closes", 'A="1\nB=2\n', /\.env:1 begins with a quote/],
  ["can't be read", undefined, /\.env could not be read: it is a folder/],
  ["has a port that is none", "PORT=many\n", /PORT is "many"/],
];
for (const [what, text, says] of ENVIRONMENTS) {
  test(`dev and start report an .env that ${what}, but not what is in it`, async () => {
    const project = await copyProject();
    if (text === undefined) mkdirSync(join(project.folder, ".env"));
    else project.write(".env", text);
    project.edit("framework.toml", "port = 8000", `port = ${await freePort()}`);
    const refused = await project.framework(["start"]);
    assert.is(refused.status, 1);
    assert.match(refused.stderr, says);
    const server = start(DEV, { cwd: project.folder, env: isolatedEnvironment() });
    const [url] = await server.waitFor(/http:\/\/[^\s/]+:\d+/);
    const answer = await ask(url, "GET /");
    assert.is(answer.status, 500);
    assert.match((answer.json as { detail: string }).detail, says);
    assert.not.match(answer.text + server.output() + refused.stderr, /hunter2/);
    server.signal("SIGTERM");
    assert.is((await server.ended).status, 0);
  });
}

test("an .env may have comments, exports, quotes and values of several lines", async () => {
  const project = await copyProject();
  project.write(".env", "\ufeff# words\r\nexport ONE = 1 # one\r\nTWO='a # b'\nTHREE=\"x\ny\"\nFOUR=\n");
  project.write(
    "routes/env.ts",
    "const { ONE, TWO, THREE, FOUR } = process.env;\nexport const get = () => ({ ONE, TWO, THREE, FOUR });\n",
  );
  const server = await serve(project.folder, DEV);
  assert.equal((await ask(server.url, "GET /env")).json, { ONE: "1", TWO: "a # b", THREE: "x\ny", FOUR: "" });
  await server.stop();
});

test("a loop that never ends is reported; the next save is served all the same, and the end comes at once", async () => {
  const project = await copyProject();
  project.write("routes/loop.ts", "export function get() { for (;;); }\n");
  const server = await serve(project.folder, DEV);
  const blocked = ask(server.url, "GET /loop").catch(() => "cut");
  await server.waitFor(/has not answered for 5 seconds/);
  project.write("routes/loop.ts", "export const get = () => 1;\n");
  await askUntil(server.url, "GET /loop", ({ text }) => text === "1");
  assert.is(await blocked, "cut");
  project.write("routes/loop.ts", "for (;;);\nexport const get = () => 1;\n");
  const answers = await askUntil(server.url, "GET /", ({ status }) => status === 500);
  assert.match(answers.at(-1)?.text ?? "", /loop that never ends[\s\S]*routes\/loop\.ts/);
  assert.is((await server.stop()).status, 0);
  assert.equal(processesIn(project.folder), []);
});

test("a process that runs out of memory is reported and replaced", async () => {
  const project = await copyProject();
  project.write(
    "routes/hoard.ts",
    "const kept: unknown[] = [];\nexport function get() { for (;;) kept.push(new Array(1e4).fill({})); }\n",
  );
  const server = await serve(project.folder, DEV, { NODE_OPTIONS: "--max-old-space-size=48" });
  await ask(server.url, "GET /hoard").catch(() => undefined);
  await server.waitFor(/ran out of memory[\s\S]*It is being restarted/);
  await askUntil(server.url, "GET /items/7", ({ status }) => status === 200);
  assert.is((await server.stop()).status, 0);
});

test("it lives on where the system clears the folder for temporary files", async () => {
  const project = await copyProject();
  const temporary = createFolder("temporary");
  const server = await serve(project.folder, DEV, { TMPDIR: temporary });
  rmSync(temporary, { recursive: true });
  for (let round = 1; round <= 4; round++) {
    project.write("routes/index.ts", `export const get = () => ({ round: ${round} });\n`);
    await askUntil(server.url, "GET /", ({ text }) => text === `{"round":${round}}`);
  }
  assert.not.match(server.output(), /warm\.mts/);
  assert.is((await server.stop()).status, 0);
});

test("a debugger is attached at one port, before and after a change, and reaches the process that serves", async () => {
  const project = await copyProject();
  const port = await freePort();
  project.write("routes/pid.ts", "export const get = () => process.pid;\n");
  const server = await serve(project.folder, [...DEV, `--inspect=${port}`]);
  const debuggedPid = async (): Promise<unknown> => {
    const listed = (await ask(`http://127.0.0.1:${port}`, "GET /json/list")).json as {
      webSocketDebuggerUrl: string;
    }[];
    assert.is(new URL(listed[0]?.webSocketDebuggerUrl ?? "").port, String(port));
    return evaluate(listed[0]?.webSocketDebuggerUrl ?? "", "process.pid");
  };
  const servingPid = async (): Promise<number> => Number((await ask(server.url, "GET /pid")).text);
  const first = await servingPid();
  assert.is(await debuggedPid(), first);
  project.write("routes/index.ts", "export const get = () => 1;\n");
  await askUntil(server.url, "GET /", ({ text }) => text === "1");
  const second = await servingPid();
  assert.is.not(second, first);
  assert.is(await debuggedPid(), second);
  assert.is((await server.stop()).status, 0);
  assert.not.match(server.output(), /Debugger (?:listening|ending)|Waiting for the debugger/);
});

test("a debugger's port that is in use is reported, with what to do", async () => {
  const project = await copyProject();
  const taken = await holdPort(0);
  const { status, stderr } = await project.framework(["dev", `--inspect=${taken.port}`]);
  await taken.release();
  assert.is(status, 1);
  assert.match(stderr, /No debugger[\s\S]*--inspect=/);
  for (const wrong of ["x", "1:2:x", "99999"])
    assert.is((await project.framework(["dev", `--inspect=${wrong}`])).status, 2, wrong);
});

const testAtTerminal = whyNoTerminal() === undefined ? test : test.skip;

testAtTerminal(
  "at a terminal keys reload, list the routes, help and quit, and the terminal is given back",
  async () => {
    const project = await copyProject();
    project.edit("apps/users/app.toml", 'name = "users"', 'name = "People"');
    const shell = `stty -a | grep -o " -*icanon"; ${process.execPath} vendor/framework dev --port 0; stty -a | grep -o " -*icanon"`;
    for (const end of ["q", KEY.ctrlC]) {
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
    const [url] = await command.waitFor(/http:\/\/[^\s/]+:\d+/);
    await checkSamples(url);
    for (const pid of processesIn(project.folder)) terminate(pid);
    await command.ended;
  },
);

test("a 404 names near routes and why they do not match; a 500 has the stack", async () => {
  const project = await copyProject();
  project.write(
    "routes/failing.ts",
    'export function get(request: Request) {\n  throw (request as Request) && new Error("seen by the developer");\n}\n',
  );
  const server = await serve(project.folder, DEV);
  const miss = await ask(server.url, "GET /users/by/id/seven");
  assert.is(miss.status, 404);
  assert.match(miss.text, /user_id/);
  const failure = await ask(server.url, "GET /failing");
  assert.is(failure.status, 500);
  assert.match(failure.text, /seen by the developer/);
  assert.match(failure.text, /routes\/failing\.ts:2:33/);
  await server.stop();
});

test("each request is a line in the terminal", async () => {
  const { server } = await dev();
  await ask(server.url, "GET /users/by/username/seen-in-the-log");
  await server.waitFor(/GET.*\/users\/by\/username\/seen-in-the-log.*200|200.*seen-in-the-log/);
});

test("a handler that ends the process does not end the server", async () => {
  const project = await copyProject();
  project.write("routes/exit.ts", "export function get() { process.exit(3); }\n");
  const server = await serve(project.folder, DEV);
  await ask(server.url, "GET /exit").catch(() => undefined);
  await server.waitFor(/ended its own process \(exit status 3\)/);
  await askUntil(server.url, "GET /", ({ status }) => status === 200);
  assert.is((await server.stop()).status, 0);
});

test("a request that is being answered while a file changes is answered to its end", async () => {
  const project = await copyProject();
  project.write(
    "routes/slow.ts",
    "export const get = () => new Promise((done) => setTimeout(() => done({ slow: true }), 700));\n",
  );
  const server = await serve(project.folder, DEV);
  const slow = ask(server.url, "GET /slow");
  project.write("routes/index.ts", "export const get = () => ({ changed: true });\n");
  await askUntil(server.url, "GET /", ({ text }) => text === '{"changed":true}');
  assert.equal((await slow).json, { slow: true });
  await server.stop();
});

test("a request that keeps the processor busy while a file changes is answered, too", async () => {
  const project = await copyProject();
  project.write(
    "routes/busy.ts",
    `export function get() {
  console.log("Busy.");
  const end = performance.now() + 1_500;
  while (performance.now() < end);
  return { busy: true };
}
`,
  );
  const server = await serve(project.folder, DEV);
  const busy = ask(server.url, "GET /busy");
  await server.waitFor(/Busy\./);
  project.write("routes/index.ts", "export const get = () => ({ changed: true });\n");
  assert.equal((await busy).json, { busy: true });
  await server.stop();
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`${signal} to the whole group lets a request end, and the project hears of one SIGTERM`, async () => {
    const project = await copyProject();
    project.write(
      "routes/slow.ts",
      `export function get() {
  console.log("Begun.");
  return new Promise((done) => setTimeout(() => done({ slow: true }), 500));
}
`,
    );
    project.write(
      "app.ts",
      `import { createApp } from "framework";
export const app = await createApp();
await app.listen();
process.on("SIGTERM", () => console.log("The project hears it."));
`,
    );
    const server = await serve(project.folder, DEV);
    const slow = ask(server.url, "GET /slow");
    await server.waitFor(/Begun\./);
    const { status, stdout } = await server.stopGroup(signal);
    assert.equal((await slow).json, { slow: true });
    assert.is(status, 0);
    assert.is(stdout.split("The project hears it.").length - 1, 1);
  });
}

test("what a project closes after server.closed is closed to its end, also when a stream has kept the server open", async () => {
  const project = await copyProject();
  project.write("app.ts", CLOSES_A_POOL);
  project.write(
    "routes/stream.ts",
    'export const get = () => new ReadableStream({ start: (it) => it.enqueue("begun") });\n',
  );
  const server = await serve(project.folder, DEV);
  const { body } = await fetch(`${server.url}/stream`);
  await body?.getReader().read();
  const { stdout } = await server.stop();
  assert.match(stdout, /The pool is closed\./);
});

const CLOSES_A_POOL = `import { createApp } from "framework";
export const app = await createApp();
const server = await app.listen();
const pool = setInterval(() => {}, 1000);
server.closed.then(async () => {
  await new Promise((resolve) => setTimeout(resolve, 800));
  clearInterval(pool);
  console.log("The pool is closed.");
});
`;

const CLOSES_AT_SIGTERM = `import { createApp } from "framework";
export const app = await createApp();
const server = await app.listen();
const pool = setInterval(() => {}, 1000);
process.once("SIGTERM", async () => {
  await server.close();
  await new Promise((resolve) => setTimeout(resolve, 400));
  clearInterval(pool);
  console.log("The pool is closed.");
});
`;

for (const [when, main] of [
  ["at SIGTERM", CLOSES_AT_SIGTERM],
  ["after server.closed", CLOSES_A_POOL],
] as const) {
  test(`what a project closes ${when} is closed when its process is replaced, and at the end`, async () => {
    const project = await copyProject();
    project.write("app.ts", main);
    const server = await serve(project.folder, DEV);
    project.write("routes/index.ts", "export const get = () => ({ next: true });\n");
    await server.waitFor(/The pool is closed\./);
    const { status, stdout } = await server.stop();
    assert.is(status, 0);
    assert.is(stdout.split("The pool is closed.").length - 1, 2);
  });
}

test("a project that listens to SIGTERM and leaves a timer running is ended, and not killed", async () => {
  const project = await copyProject();
  project.write(
    "app.ts",
    `import { createApp } from "framework";
export const app = await createApp();
await app.listen();
process.once("SIGTERM", () => {});
process.once("exit", () => console.log("The process has ended."));
setInterval(() => {}, 1000);
`,
  );
  const server = await serve(project.folder, DEV);
  project.write("routes/index.ts", "export const get = () => ({ next: true });\n");
  await server.waitFor(/The process has ended\./);
  const { status, stdout } = await server.stop();
  assert.is(status, 0);
  assert.is(stdout.split("The process has ended.").length - 1, 2);
});

test("while the project's folder has another name it says so, and serves on as soon as that is taken back", async () => {
  const project = await copyProject();
  const server = await serve(project.folder, DEV);
  renameSync(project.folder, `${project.folder}-away`);
  await server.waitFor(/folder is gone/);
  renameSync(`${project.folder}-away`, project.folder);
  await askUntil(server.url, "GET /", ({ status }) => status === 200);
  project.write("routes/index.ts", "export const get = () => 2;\n");
  await askUntil(server.url, "GET /", ({ text }) => text === "2");
  assert.is((await server.stop()).status, 0);
});

test("a removed project folder is reported, and ends nothing", async () => {
  const project = await copyProject();
  const server = await serve(project.folder, DEV);
  rmSync(project.folder, { recursive: true });
  await server.waitFor(/folder is gone/);
  assert.is((await ask(server.url, "GET /")).status, 500);
  assert.is((await server.stop()).status, 0);
});

test("a project folder whose files went long before it is reported as gone", async () => {
  const { folder } = await copyProject();
  const server = await serve(folder, DEV);
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  await server.waitFor(/error /);
  rmdirSync(folder);
  await server.waitFor(/folder is gone/);
  assert.is((await server.stop()).status, 0);
});

test("a project folder that another one has replaced is served as it is now", async () => {
  const [{ folder }, other] = [await copyProject(), await copyProject()];
  const server = await serve(folder, DEV);
  other.write("routes/index.ts", "export const get = () => ({ from: 'the other' });\n");
  renameSync(folder, `${folder}-before`);
  renameSync(other.folder, folder);
  await askUntil(server.url, "GET /", ({ text }) => text === '{"from":"the other"}');
  assert.is((await server.stop()).status, 0);
});

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

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`${signal} before anything is served ends it with status 0 and leaves no file behind`, async () => {
    const project = await copyProject();
    const temporary = createFolder("temporary");
    const words = { cwd: project.folder, env: { ...isolatedEnvironment(), PORT: "0", TMPDIR: temporary } };
    const watcher = watch(temporary);
    const command = start(DEV, words);
    await firstEvent(watcher, "change");
    watcher.close();
    command.signalGroup(signal);
    assert.is((await command.ended).status, 0);
    assert.equal(readdirSync(temporary), []);
  });
}

test("it ends with status 0, and no process of it is left", async () => {
  const { project, server } = await dev();
  const { status } = await server.stop();
  assert.is(status, 0);
  assert.equal(processesIn(project.folder), []);
});

function decodeEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

interface RoundAnswer {
  readonly status: number;
  /** What was known to be served when it was asked. */
  readonly atLeast: number;
  readonly round: number;
  readonly word: number;
}

interface Client {
  stop(): Promise<RoundAnswer[]>;
}

/** Asks again and again, on one connection as long as the server keeps it. */
function startClient(url: string, served: () => number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isStopped = false;
  const askOnce = (): Promise<RoundAnswer> =>
    new Promise((resolve, reject) => {
      const atLeast = served();
      const asked = request(url, { agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, atLeast, ...JSON.parse(text) }));
      });
      asked.on("error", reject).end();
    });
  const answers = (async () => {
    const all = [];
    while (!isStopped) all.push(await askOnce());
    return all;
  })();
  answers.catch(() => {});
  return {
    stop() {
      isStopped = true;
      return answers.finally(() => agent.destroy());
    },
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
