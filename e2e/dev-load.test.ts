/** `framework dev` while files change faster than the project loads, and while requests are being answered. */

import { once as firstEvent } from "node:events";
import { watch } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runs, sample } from "#runtime/random.fixture";
import { ask } from "./harness/client.ts";
import { devOnce, doAtOnce } from "./harness/dev.ts";
import { processesIn, until as untilSo } from "./harness/processes.ts";
import { writeWhole } from "./harness/write.ts";

const dev = devOnce();

test("under load, through bursts of edits, every request is answered, and none by what was there before it was asked", async () => {
  const { project, server, until } = await dev();
  /** Those of which half could be seen. */
  const slow = new Set<number>();
  const save = (round: number): void => {
    const isAtOnce = doAtOnce(() => {
      project.write("lib/word.ts", `export const word: number = ${round};\n`);
      project.write(
        "routes/round.ts",
        `import { word } from "../lib/word.ts";\nexport const get = () => ({ round: ${round}, word });\n`,
      );
    });
    if (!isAtOnce) slow.add(round);
  };
  save(0);
  await until("GET /round", 200);
  let served = 0;
  const clients = [0, 1].map(() => startClient(`${server.url}/round`, () => served));
  for (let round = 1; round <= runs(4, 12); round++) {
    save(round);
    await until("GET /round", `{"round":${round},"word":${round}}`);
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
  assert.ok(answers.length > 4, `${answers.length} answers`);
});

/** A handler that prints that it has begun, and then. */
const slowly = (then: string): string => `export function get() {\n  console.log("Begun.");\n  ${then}\n}\n`;

for (const [what, then] of [
  ["waits", "return new Promise((done) => setTimeout(() => done({ slow: true }), 700));"],
  [
    "keeps the processor busy",
    "for (const end = performance.now() + 1_000; performance.now() < end; );\n  return { slow: true };",
  ],
] as const) {
  test(`a request whose handler ${what} while a file changes is answered to its end`, async () => {
    const { project, server, settle } = await dev();
    project.write("routes/slow.ts", slowly(then));
    await settle();
    const slow = ask(server.url, "GET /slow");
    await server.waitFor(/Begun\./);
    await settle();
    assert.equal((await slow).json, { slow: true });
  });
}

test("of two files that are saved one after the other, a mistake in the first one is not hidden by the second", async () => {
  const { project, until } = await dev();
  project.write("lib/broken.ts", "export const broken = 1;\n");
  project.write(
    "routes/one.ts",
    'import { broken } from "../lib/broken.ts";\nexport const get = () => broken;\n',
  );
  await until("GET /one", "1");
  const watcher = watch(join(project.folder, "lib"));
  project.write("lib/broken.ts", "export const broken: number = missing;\n");
  await firstEvent(watcher, "change");
  watcher.close();
  project.write("routes/second.ts", "export const get = () => 2;\n");
  await until("GET /second", 500);
  project.write("lib/broken.ts", "export const broken = 3;\n");
  await until("GET /one", "3");
});

test("what a save breaks in a module that it does not touch is reported, and stays so until that is repaired", async () => {
  const { project, server, until, listen } = await dev();
  project.write("lib/names.ts", "export const name = 'one';\n");
  project.write("routes/who.ts", 'import { name } from "../lib/names.ts";\nexport const get = () => name;\n');
  await until("GET /who", "one");
  const said = listen();
  project.write("lib/names.ts", "export const other = 'two';\n");
  const answers = await until("GET /items/7", 500);
  assert.match(answers.at(-1)?.text ?? "", /lib\/names\.ts|routes\/who\.ts/);
  project.write("routes/more.ts", "export const get = () => 'elsewhere';\n");
  await untilSo(() => said().split("lib/names.ts").length > 2, "the mistake is reported again");
  assert.is((await ask(server.url, "GET /items/7")).status, 500);
  project.write("lib/names.ts", "export const name = 'three';\n");
  await until("GET /who", "three");
});

/** A module that writes another one a little later. */
function writer(file: string, text: string): string {
  return (
    'import { writeFileSync } from "node:fs";\n' +
    `setTimeout(() => writeFileSync("${file}", ${text}), 100);\n` +
    "export const get = () => process.pid;\n"
  );
}

async function writesTheSame(): Promise<void> {
  const { project, server, settle, until, listen } = await dev();
  project.write("lib/same.ts", "export {};\n");
  await settle();
  const said = listen();
  project.write("routes/same.ts", writer("lib/same.ts", JSON.stringify("export {};\n")));
  await until("GET /same", 200);
  const { text: pid } = await ask(server.url, "GET /same");
  // Nothing tells that no reload will come: this is how long one has time to.
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.is((await ask(server.url, "GET /same")).text, pid);
  await settle();
  assert.not.ok(said().includes("lib/same.ts: "), said());
  project.remove("routes/same.ts");
  await until("GET /same", 404);
}

async function writesAnother(): Promise<void> {
  const { project, server, until, listen } = await dev();
  project.write("lib/another.ts", "");
  const said = listen();
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a module.
  const text = "`export const at = ${performance.timeOrigin};`";
  project.write("routes/another.ts", writer("lib/another.ts", text));
  await untilSo(() => said().split("lib/another.ts: ").length > 5, "the source is named with each reload");
  assert.is((await ask(server.url, "GET /items/7")).status, 200);
  project.write("routes/another.ts", "export const get = () => 'quiet';\n");
  await until("GET /another", "quiet");
}

async function breaksAndMends(): Promise<void> {
  const { project, until } = await dev();
  const write = (text: string): void => writeWhole(join(project.folder, "routes/flicker.ts"), text);
  let round = 0;
  const saving = setInterval(
    () => write(++round % 2 ? "export const get = (\n" : "export const get = () => 0;\n"),
    5,
  );
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  clearInterval(saving);
  write("export const get = () => 'sound';\n");
  await until("GET /flicker", "sound");
}

const ENDLESS: readonly [title: string, tell: () => Promise<void>][] = [
  ["a project that writes the same source is served, and not reloaded for it", writesTheSame],
  ["a project that writes another source is served, and the source is named", writesAnother],
  [
    "a mistake that comes and goes every 5 ms is not served for ever: the sound source at the end is",
    breaksAndMends,
  ],
];
for (const [title, tell] of sample("changes that don't end", ENDLESS, 1)) test(title, tell);

test("a process with a timer ends when it is replaced, and in the end none is left", async () => {
  const { project, server, settle } = await dev();
  project.write("routes/timer.ts", "setInterval(() => {}, 1000);\nexport const get = () => 1;\n");
  for (let round = 1; round <= 3; round++) await settle();
  await untilSo(() => processesIn(project.folder).length <= PROCESSES, "those that were replaced have ended");
  assert.is((await server.stopGroup("SIGINT")).status, 0);
  assert.not.match(server.output(), /Ctrl-C again/);
  assert.equal(processesIn(project.folder), []);
});

/** The supervisor, what serves, and what is warm. */
const PROCESSES = 3;

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
    while (!isStopped) {
      all.push(await askOnce());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
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

test.run();
