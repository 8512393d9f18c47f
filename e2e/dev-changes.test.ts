/** What counts as a change for `framework dev`, and what it does where the changes never end. */

import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask, askUntil } from "./harness/client.ts";
import { until } from "./harness/processes.ts";
import { copyProject } from "./harness/project.ts";
import { DEV, serve } from "./harness/server.ts";
import { writeWhole } from "./harness/write.ts";

/** A module that writes another one: at once, or after so many milliseconds. */
function writer(text: string, after?: number): string {
  const write = `writeFileSync("lib/made.ts", ${text})`;
  return (
    'import { writeFileSync } from "node:fs";\n' +
    `${after === undefined ? write : `setTimeout(() => ${write}, ${after})`};\n` +
    "export const get = () => process.pid;\n"
  );
}

for (const [when, after] of [
  ["when it is loaded", undefined],
  ["a little later", 100],
] as const) {
  test(`a project that writes the same source ${when} is served, and not reloaded for it`, async () => {
    const project = await copyProject();
    project.write("lib/made.ts", "");
    project.write("routes/pid.ts", writer(JSON.stringify("export {};\n"), after));
    const server = await serve(project.folder, DEV);
    // A change that counts, and of which all that follows is seen before the next one.
    for (const round of [1, 2]) {
      project.write("routes/index.ts", `export const get = () => ${round};\n`);
      await askUntil(server.url, "GET /", ({ text }) => text === String(round));
    }
    const { text: pid } = await ask(server.url, "GET /pid");
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.is((await ask(server.url, "GET /pid")).text, pid);
    assert.not.match(server.output(), /keeps changing/);
    assert.is((await server.stop()).status, 0);
  });
}

for (const [when, after] of [
  ["whenever it is loaded", undefined],
  ["soon after it is loaded", 100],
] as const) {
  test(`a project that writes another source ${when} is served, and the source is named`, async () => {
    const project = await copyProject();
    project.write("lib/made.ts", "");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a module.
    project.write("routes/pid.ts", writer("`export const at = ${performance.timeOrigin};`", after));
    const server = await serve(project.folder, DEV);
    assert.is((await ask(server.url, "GET /items/7")).status, 200);
    // It may have been named before anything was served.
    await until(() => /lib\/made\.ts keeps changing/.test(server.output()), "the source is named");
    assert.is((await ask(server.url, "GET /items/7")).status, 200);
    project.write("routes/pid.ts", "export const get = () => 'quiet';\n");
    await askUntil(server.url, "GET /pid", ({ text }) => text === "quiet");
    assert.is(server.output().split("keeps changing").length, 2);
    assert.is((await server.stop()).status, 0);
  });
}

test("what a save breaks in a module that it does not touch is reported, and stays so until that is repaired", async () => {
  const project = await copyProject();
  project.write("lib/names.ts", "export const name = 'one';\n");
  project.write("routes/who.ts", 'import { name } from "../lib/names.ts";\nexport const get = () => name;\n');
  const server = await serve(project.folder, DEV);
  assert.is((await ask(server.url, "GET /who")).text, "one");
  project.write("lib/names.ts", "export const other = 'two';\n");
  const answers = await askUntil(server.url, "GET /items/7", ({ status }) => status === 500);
  assert.match(answers.at(-1)?.text ?? "", /lib\/names\.ts|routes\/who\.ts/);
  const countReloads = () => server.output().split("Reloaded").length;
  const before = countReloads();
  project.write("routes/index.ts", "export const get = () => 'elsewhere';\n");
  project.write("routes/more.ts", "export const get = () => 'elsewhere';\n");
  await until(() => server.output().split("lib/names.ts").length > 2, "the mistake is reported again");
  assert.is((await ask(server.url, "GET /items/7")).status, 500);
  assert.is(countReloads(), before);
  project.write("lib/names.ts", "export const name = 'three';\n");
  await askUntil(server.url, "GET /who", (answer) => answer.text === "three");
  assert.is((await server.stop()).status, 0);
});

test("each save is answered by a process in which the modules that act have run in the order of the first one", async () => {
  const project = await copyProject();
  const note = (name: string) => `((globalThis as { order?: string[] }).order ??= []).push("${name}");\n`;
  project.write("lib/first.ts", `${note("first")}export const first = 1;\n`);
  project.write("routes/a.ts", "export const get = () => 'only declares';\n");
  project.write("routes/b.ts", `import "../lib/first.ts";\n${note("b")}export const get = () => 1;\n`);
  project.write("routes/c.ts", `${note("c")}export const get = () => 1;\n`);
  const order = (mark: number) =>
    `export const get = () => [${mark}, ...((globalThis as { order?: string[] }).order ?? [])].join();\n`;
  project.write("routes/order.ts", order(1));
  const server = await serve(project.folder, DEV);
  assert.is((await ask(server.url, "GET /order")).text, "1,first,b,c");
  project.write("routes/order.ts", order(2));
  const isNew = ({ text }: { text: string }) => text.startsWith("2");
  assert.is((await askUntil(server.url, "GET /order", isNew)).at(-1)?.text, "2,first,b,c");
  assert.is((await server.stop()).status, 0);
});

/** Longer than the supervisor lets a request wait for the end of the changes, and the load that follows. */
const LONGEST_WAIT_MS = 5_000;

for (const pause of [5, 80]) {
  test(`saves every ${pause} ms keep no request waiting, and the last one is served`, async () => {
    const project = await copyProject();
    const write = (round: number): void =>
      writeWhole(join(project.folder, "routes/round.ts"), `export const get = () => ${round};\n`);
    write(0);
    const server = await serve(project.folder, DEV);
    let round = 0;
    const saving = setInterval(() => write(++round), pause);
    try {
      const end = performance.now() + 2 * LONGEST_WAIT_MS;
      while (performance.now() < end) {
        const asked = performance.now();
        assert.is((await ask(server.url, "GET /round")).status, 200);
        const took = performance.now() - asked;
        assert.ok(took < LONGEST_WAIT_MS, `${took} ms`);
        // Else this test would take the processor that the server needs.
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    } finally {
      clearInterval(saving);
    }
    await askUntil(server.url, "GET /round", ({ text }) => text === String(round));
    assert.match(server.output(), /routes\/round\.ts keeps changing/);
    assert.is((await server.stop()).status, 0);
  });
}

test.run();
