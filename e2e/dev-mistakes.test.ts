/** `framework dev` shows a mistake to whoever asks, and serves again once it is fixed. */

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "#runtime/random.fixture";
import { ask, askUntil } from "./harness/client.ts";
import { run } from "./harness/command.ts";
import { devOnce } from "./harness/dev.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { freePort, holdPort } from "./harness/port.ts";
import { processesIn } from "./harness/processes.ts";
import { copyProject } from "./harness/project.ts";
import { DEV, serve } from "./harness/server.ts";

const testOnLinux = process.platform === "linux" ? test : test.skip;

/** As a loop that never ends, without taking the processor from the other tests. */
const BLOCK = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
const SOUND = "export const get = () => 1;\n";

/** It is broken from the start. */
const dev = devOnce((project) => {
  project.write("routes/z.ts", 'export const get = (when: "<script>alert(1)</script>" & Date) => 1;\n');
});

test("a project that is broken from the start says so as JSON, and to a browser as a page in which nothing is markup", async () => {
  const { project, server, until } = await dev();
  const { status, json } = await ask(server.url, "GET /");
  assert.is(status, 500);
  const { detail } = json as { detail: string };
  assert.match(detail, /routes\/z\.ts:1[\s\S]*<script>/);
  const page = await ask(server.url, "GET /", { headers: { accept: "text/html,*/*;q=0.8" } });
  assert.is(page.status, 500);
  assert.match(String(page.headers["content-type"]), /^text\/html/);
  assert.not.match(page.text, /<script/);
  const [, shown = ""] = /<pre>([\s\S]*)<\/pre>/.exec(page.text) ?? [];
  assert.is(decodeEntities(shown), detail);
  // Large bodies are taken by what answers instead of the project, too.
  for (let round = 1; round <= 3; round++)
    assert.is((await ask(server.url, "POST /items", { body: "x".repeat(5_000_000) })).status, 500);
  project.write("routes/z.ts", SOUND);
  await until("GET /z", "1");
});

const MISTAKES: readonly [what: string, file: string, text: string, shown: RegExp][] = [
  ["a syntax error", "routes/z.ts", "export const get = (id: string) => {\n", /routes\/z\.ts:\d+/],
  ["a bad signature", "routes/z.ts", "export const get = (when: Date) => 1;\n", /routes\/z\.ts:1/],
  [
    "a module that throws",
    "routes/z.ts",
    'export const get = () => 1;\nthrow new Error("at once");\n',
    /at once[\s\S]*routes\/z\.ts:2:7/,
  ],
  [
    "an import that is not there",
    "routes/z.ts",
    'import "./nothing.ts";\nexport const get = () => 1;\n',
    /nothing\.ts/,
  ],
  [
    "a module that ends its process",
    "routes/z.ts",
    "process.exit(3);\n",
    /exit status 3[\s\S]*routes\/z\.ts/,
  ],
  ["a broken framework.toml", "framework.toml", "apps = [\n", /framework\.toml:\d+/],
  ["a broken app.toml", "apps/users/app.toml", "[app]\nprefix = \n", /apps\/users\/app\.toml:2/],
  [
    "a broken vendored framework",
    "vendor/framework/runtime/app.js",
    "this is no JavaScript(\n",
    /vendored framework has a syntax error: [\s\S]*vendor\/framework\/runtime\/app\.js:1/,
  ],
  ["an .env that sets nothing", ".env", "A=1\n\nPASSWORD hunter2\n", /\.env:3 does not set a variable/],
];
for (const [what, file, text, shown] of sample("mistakes", MISTAKES, 4)) {
  test(`${what} is a 500 that shows it, never the old answer, and the terminal shows it; once it is fixed, all is served`, async () => {
    const { project, server, until } = await dev();
    const sound = project.has(file) ? project.read(file) : "";
    project.write(file, text);
    const answers = await until("GET /users/by/id/7", 500);
    assert.match(answers.at(-1)?.text ?? "", shown);
    await server.waitFor(shown);
    assert.not.match(server.output(), /hunter2/);
    // Node itself would print it first, without the file's name.
    assert.not.match(server.output(), /^SyntaxError/m);
    project.write(file, sound);
    await until("GET /users/by/id/7", 200);
  });
}

testOnLinux(
  "start and dev report an .env that is a pipe, and do not wait for it; a folder in its place is noticed",
  async () => {
    const { project, until } = await dev();
    const pipe = join(project.folder, ".env");
    rmSync(pipe, { force: true });
    assert.is((await run(["mkfifo", pipe], { cwd: project.folder, env: isolatedEnvironment() })).status, 0);
    const refused = await project.framework(["start", "--port", "0"]);
    assert.is(refused.status, 1);
    assert.match(refused.stderr, /\.env could not be read: it is a pipe/);
    assert.match((await until("GET /", 500)).at(-1)?.text ?? "", /it is a pipe/);
    rmSync(pipe);
    mkdirSync(pipe);
    await until("GET /", /it is a folder/);
    rmSync(pipe, { recursive: true });
    await until("GET /", 200);
  },
);

test("a 404 names near routes and why they do not match; a 500 has the stack", async () => {
  const { project, server, until } = await dev();
  const failing =
    'export function get(request: Request) {\n  throw (request as Request) && new Error("seen by the developer");\n}\n';
  project.write("routes/failing.ts", failing);
  await until("GET /failing", /seen by the developer[\s\S]*routes\/failing\.ts:2:33/);
  const miss = await ask(server.url, "GET /users/by/id/seven");
  assert.is(miss.status, 404);
  assert.match(miss.text, /user_id/);
});

test("a page at a foreign host reads nothing, whether the project is served or broken; [dev] hosts names others", async () => {
  const { project, server, until } = await dev();
  const statusAt = async (host: string, path = "/"): Promise<number> =>
    (await ask(server.url, `GET ${path}`, { headers: { host } })).status;
  for (const path of ["/", "/nowhere", "/docs", "/openapi.json", "/healthz"])
    assert.is(await statusAt("evil.test", path), 403, path);
  await server.waitFor(/403 .*\/openapi\.json/);
  const { json } = await ask(server.url, "GET /", { headers: { host: "app.local:8000" } });
  assert.equal(json, {
    error: "framework dev does not answer for the host app.local.",
    detail: 'If the name is yours, write below [dev] in framework.toml: hosts = ["app.local"]',
  });
  const settings = project.read("framework.toml");
  project.write("framework.toml", `${settings}\n[dev]\nhosts = ["app.local"]\n`);
  await server.waitFor(/framework\.toml: /);
  assert.equal([await statusAt("app.local:8000"), await statusAt("evil.test")], [200, 403]);
  project.write("framework.toml", "apps = [");
  await until("GET /", /framework\.toml/);
  assert.equal([await statusAt("app.local"), await statusAt("evil.test")], [500, 403]);
  project.write("framework.toml", settings);
  await until("GET /", 200);
});

test("a handler that ends its process, or a mistake outside of a request, does not end the server: it is reported and replaced", async () => {
  const { project, server, until } = await dev();
  const handlers = [
    "export const get = () => process.exit(3);",
    'export const put = () => { setImmediate(() => { throw new Error("outside"); }); return process.pid; };',
    'export const post = () => { console.log("Slow."); return new Promise((done) => setTimeout(done, 500, process.pid)); };',
  ];
  project.write("routes/exit.ts", `setInterval(() => {}, 1000);\n${handlers.join("\n")}\n`);
  await until("OPTIONS /exit", 204);
  await ask(server.url, "GET /exit").catch(() => undefined);
  await server.waitFor(/ended its own process \(exit status 3\)/);
  await until("GET /", 200);
  const slow = ask(server.url, "POST /exit");
  await server.waitFor(/Slow\./);
  const { text: pid } = await ask(server.url, "PUT /exit");
  await server.waitFor(/Error: outside.*\(exit status 1\).*being restarted/s);
  assert.is((await slow).text, pid);
  const answers = await until("POST /exit", 200);
  assert.is.not(answers.at(-1)?.text, pid);
});

test("a process that is killed while it loads the project is reported, and the next save is served", async () => {
  const { project, server, until } = await dev();
  project.write(
    "routes/killed.ts",
    `import { existsSync, writeFileSync } from "node:fs";
if (!existsSync("killed.txt")) {
  writeFileSync("killed.txt", "");
  process.kill(process.pid, "SIGKILL");
}
${SOUND}`,
  );
  await server.waitFor(/was killed \(SIGKILL\) while it was being loaded\. Save a file to try again/);
  project.write("apps/users/saved.ts", "export {};\n");
  await until("GET /killed", "1");
  project.remove("apps/users/saved.ts");
  project.remove("routes/killed.ts");
});

test("a module that never finishes loading is named in the terminal, and in the answer to every request", async () => {
  const { project, server, until } = await dev();
  project.write("routes/z.ts", "await new Promise(() => {});\nexport const get = () => 1;\n");
  assert.match((await until("GET /", 500)).at(-1)?.text ?? "", /Still being loaded[\s\S]*routes\/z\.ts/);
  await server.waitFor(/routes\/z\.ts/);
  project.write("routes/z.ts", SOUND);
  await until("GET /z", "1");
});

test("a module, or app.ts, that takes longer than 5 seconds to load is named meanwhile, and served then", async () => {
  const { project, server, until } = await dev();
  const wait = "await new Promise((resolve) => setTimeout(resolve, 7_000));\n";
  const app = project.read("app.ts");
  for (const [file, text] of [
    ["routes/z.ts", `${wait}export const get = () => 2;\n`],
    ["app.ts", wait + app],
  ] as const) {
    project.write(file, text);
    assert.ok((await until("GET /", 500)).at(-1)?.text.includes(file));
    await until("GET /z", "2");
    await server.waitFor(new RegExp(`${file}: .*, in \\d{4,} ms`));
  }
  project.write("lib/late.ts", `${wait}export const late = 3;\n`);
  project.write("app.ts", app);
  project.write("routes/z.ts", 'import { late } from "../lib/late.ts";\nexport const get = () => late;\n');
  await until("GET /z", "3");
  // It is not among the files that were changed last, so it is loaded behind the first answers.
  project.write("routes/y.ts", SOUND);
  await until("GET /y", "1");
  await server.waitFor(/Still being loaded[^\n]*routes\/z\.ts/);
  assert.is((await ask(server.url, "GET /")).status, 200);
  await until("GET /z", "3");
  project.write("routes/z.ts", SOUND);
  await until("GET /z", "1");
});

test("after a loop that never ends the next save is served all the same, one in a module is reported, and the end comes at once", async () => {
  const { project, server, until } = await dev();
  project.write("routes/loop.ts", `export function get() { console.log("Blocked."); ${BLOCK} }\n`);
  await until("OPTIONS /loop", 204);
  const blocked = ask(server.url, "GET /loop").catch(() => "cut");
  await server.waitFor(/Blocked\./);
  project.write("routes/loop.ts", SOUND);
  await until("GET /loop", "1");
  assert.is(await blocked, "cut");
  project.write("routes/loop.ts", `${BLOCK}\n${SOUND}`);
  assert.match((await until("GET /", 500)).at(-1)?.text ?? "", /a loop[\s\S]*routes\/loop\.ts/);
  assert.is((await server.stop()).status, 0);
  assert.equal(processesIn(project.folder), []);
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

function decodeEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

test.run();
