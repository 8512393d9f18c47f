/** `framework dev` while a person writes: a change is served, a mistake is shown and mended, and no request is lost meanwhile. */

import { readlinkSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask, askUntil } from "./harness/client.ts";
import { once } from "./harness/once.ts";
import { freePort, holdPort } from "./harness/port.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { DEV, type RunningServer, serve } from "./harness/server.ts";

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
    /routes\/items\.ts[\s\S]*at once/,
  ],
  [
    "an import that is not there",
    "routes/items.ts",
    'import "./nothing.ts";\nexport const get = () => 1;\n',
    /nothing\.ts/,
  ],
  ["a broken framework.toml", "framework.toml", "apps = [\n", /framework\.toml:\d+/],
  ["a broken app.toml", "apps/users/app.toml", "prefix = \n", /apps\/users\/app\.toml:1/],
];
for (const [what, file, text, place] of MISTAKES) {
  test(`${what} is a 500 that shows it, and the terminal too; mended, all is served again`, async () => {
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
    "vendor/framework/core/app.js",
    "this is no JavaScript(\n",
    /ended its own process/,
  ],
] as const) {
  test(`code that ${what} is a 500 that says so, never the old answer; mended, all is served again`, async () => {
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

test("a module that never finishes loading is told, with its name, and every request too", async () => {
  const project = await copyProject();
  const server = await serve(project.folder, DEV);
  project.write("routes/z.ts", "await new Promise(() => {});\nexport const get = () => 1;\n");
  const answers = await askUntil(server.url, "GET /", ({ status }) => status === 500);
  assert.match(answers.at(-1)?.text ?? "", /still being loaded[\s\S]*routes\/z\.ts/);
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
  await server.waitFor(new RegExp(`${taken.port} is in use[\\s\\S]*${second} stays`));
  await answers(second);
  write("127.0.0.1", 99999);
  await askUntil(`http://127.0.0.1:${second}`, "GET /", ({ status }) => status === 500);
  await taken.release();
  assert.is((await server.stop()).status, 0);
});

test("a project that is broken from the start is served once it is mended", async () => {
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

test("a 404 names near routes and why they do not match; a 500 has the stack", async () => {
  const project = await copyProject();
  project.write(
    "routes/failing.ts",
    'export function get() {\n  throw new Error("seen by the developer");\n}\n',
  );
  const server = await serve(project.folder, DEV);
  const miss = await ask(server.url, "GET /users/by/id/seven");
  assert.is(miss.status, 404);
  assert.match(miss.text, /user_id/);
  const failure = await ask(server.url, "GET /failing");
  assert.is(failure.status, 500);
  assert.match(failure.text, /seen by the developer/);
  assert.match(failure.text, /routes\/failing\.ts:2/);
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
  const answers = await Promise.allSettled([ask(server.url, "GET /")]);
  assert.ok(answers.length === 1);
  await askUntil(server.url, "GET /", ({ status }) => status === 200).catch(async () => {
    await askUntil(server.url, "GET /", ({ status }) => status === 200);
  });
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

test("it ends with status 0, and no process of it is left", async () => {
  const { project, server } = await dev();
  const { status } = await server.stop();
  assert.is(status, 0);
  assert.equal(await processesIn(project.folder), []);
});

/** Every process of this machine that works in a folder, where the system tells. */
async function processesIn(folder: string): Promise<string[]> {
  const { readdirSync } = await import("node:fs");
  try {
    return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && cwdOf(pid) === folder);
  } catch {
    return [];
  }
}

function cwdOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

test.run();
