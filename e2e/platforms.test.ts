/**
 * One built server, unchanged, on every engine that it promises to run on: each answers what Node answers. A commit is tried on one
 * Node and one other engine.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { builtCopy } from "./harness/build.ts";
import { type Answer, ask, askUntil, type Question } from "./harness/client.ts";
import { run, start } from "./harness/command.ts";
import { type EngineName, findEngine, isEngine, triedEngines } from "./harness/engines.ts";
import { type Environment, isolatedEnvironment } from "./harness/environment.ts";
import { findNode, type NodeName, tried } from "./harness/nodes.ts";
import { once } from "./harness/once.ts";
import { shorten } from "./harness/output.ts";
import { copyProject } from "./harness/project.ts";
import { checkSamples, SAMPLES } from "./harness/samples.ts";
import { DEV, serve } from "./harness/server.ts";
import { SHARED_CASES, SHARED_FILES } from "./harness/shared.ts";
import { WIRE_CASES, WIRE_FILES } from "./harness/wire.ts";
import { REPOSITORY } from "./harness/workspace.ts";

/** A running server of one of them. */
interface Served {
  readonly url: string;
  stop(): Promise<unknown>;
}

interface Platform {
  readonly name: string;
  /** Its program; undefined where it can't be had. */
  readonly program: string | undefined;
  /** How it runs a file. */
  readonly words: readonly string[];
  serve(folder: string): Promise<Served>;
}

/** The root's hooks would be around all the others. */
const { "_hooks.ts": _, ...SHARED } = SHARED_FILES;

/** Added to the created project: what the samples do not show. */
const PROBES: Readonly<Record<string, string>> = {
  ...WIRE_FILES,
  ...SHARED,
  "framework.toml": 'apps = ["products", "users"]\n[server]\ndocs = true\n',
  "routes/text.ts": 'export const get = () => "plain words, é";\n',
  "routes/nothing.ts": "export function get() {}\n",
  "routes/response.ts":
    'export const get = () => new Response("made", { status: 203, headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x-made", "yes"], ["content-type", "text/html"]] });\n',
  "routes/stream.ts": 'export async function* get() { yield "one,"; yield "two"; }\n',
  "routes/bytes.ts": "export const get = () => new Uint8Array([0, 1, 254, 255]);\n",
  "routes/failed.ts":
    'import { HttpError } from "framework";\nexport function get() { throw new HttpError(418, "a teapot", { headers: { "x-tea": "oolong" } }); }\n',
  "routes/thrown.ts": 'export async function get() { throw new Error("secret"); }\n',
  "routes/refused.ts":
    'import { HttpError } from "framework";\nexport function get() { throw new HttpError(422, { errors: { name: ["é"] } }, { headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"]] }); }\n',
  "routes/answered.ts":
    'export async function get() { throw new Response("stop", { status: 409, headers: [["content-type", "text/plain"], ["set-cookie", "a=1"], ["set-cookie", "b=2"]] }); }\n',
  "routes/web.ts": `import { Request } from "framework";
export async function post(request: Request) {
  const { method, url, headers } = request.toWeb();
  const made = new Request("http://a.example/made?a=1", { method: "PUT", body: "made" });
  return { method, asked: new URL(url).pathname, type: headers.get("content-type"), path: made.path, text: await made.text() };
}
export const put = (request: Request) => new Response(request.toWeb().body);
`,
  "app.ts": `import { createApp } from "framework";
export const app = await createApp();
const server = await app.listen();
server.closed.then(() => console.log("closed"));
`,
  "routes/asked.ts": `import type { Request } from "framework";
export async function post(request: Request) {
  const { method, path, query, cookies, headers } = request;
  return { method, path, word: query.get("word"), flavour: cookies.flavour, type: headers.get("content-type"), text: await request.text() };
}
`,
  "routes/sent.ts": `import type { Request } from "framework";
export async function post(request: Request) {
  return Object.fromEntries(await request.formData());
}
`,
  "routes/url.ts":
    'import type { Request } from "framework";\nexport const get = (request: Request) => ({ url: request.url });\n',
  "routes/slow.ts": `export async function get() {
  console.log("begun");
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { finished: true };
}
`,
  "routes/fetched.ts": "export const get = () => ({ fetch: fetch === globalThis.fetch });\n",
};

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const COOKIES = { cookie: "flavour=oat%20milk; other=1", "content-type": "text/plain" };

const CASES: readonly (readonly [line: string, question?: Question])[] = [
  ...SAMPLES.map(
    ({ line, body }) => [line, body === undefined ? {} : { body: JSON.stringify(body) }] as const,
  ),
  ["GET /products"],
  ["GET /users/by/id/007"],
  ["GET /users/by/id/abc"],
  ["GET /users/by/id/9007199254740993"],
  ["GET /items/a%2Fb"],
  ["GET /items/%F0%9F%8C%B1?page=2"],
  ["GET /nowhere"],
  ["GET /products//all"],
  ["GET /%"],
  ["GET /items/%ff"],
  ["PUT /"],
  ["GET /items"],
  ["HEAD /"],
  ["HEAD /stream"],
  ["HEAD /nowhere"],
  ["OPTIONS /items"],
  ["OPTIONS /products/"],
  ["POST /items", { body: "" }],
  ["POST /items", { body: '{"name":' }],
  ["POST /items", { body: '{"__proto__":{}}' }],
  ["POST /items", { body: "null" }],
  ["POST /asked", { body: "x".repeat(1024 * 1024) }],
  ["POST /asked", { body: "x".repeat(1024 * 1024 + 1) }],
  ["POST /asked?word=a%20b", { body: "hello", headers: COOKIES }],
  ["POST /sent", { body: "name=lamp&size=2", headers: FORM }],
  ["POST /sent", { body: "{}" }],
  ["GET /text"],
  ["GET /nothing"],
  ["GET /response"],
  ["GET /stream"],
  ["GET /bytes"],
  ["GET /failed"],
  ["GET /thrown"],
  ["GET /refused"],
  ["GET /answered"],
  ["HEAD /answered"],
  ["POST /web", { body: "hello", headers: COOKIES }],
  ["PUT /web", { body: "there and back" }],
  ["GET /fetched"],
  ["GET /url?a=%20b", { headers: { host: "shop.example:81" } }],
  ...[...WIRE_CASES, ...SHARED_CASES].map(({ line, question }) => [line, question ?? {}] as const),
  ["POST /orders", { body: "", headers: { "content-type": "application/json" } }],
  ["PATCH /orders", { body: "" }],
  ["GET /openapi.json"],
  ["HEAD /openapi.json"],
  ["GET /openapi.json", { headers: { "if-none-match": "*" } }],
  ["DELETE /openapi.json"],
  ["GET /docs"],
  ["GET /docs/page.js"],
];

/** What belongs to a connection and not to an answer, and what an engine or its server adds of its own. */
const NOT_COMPARED = /^(?:connection|date|keep-alive|transfer-encoding|vary)$/;

async function findPlatform(name: NodeName | EngineName): Promise<Platform> {
  const program = isEngine(name) ? await findEngine(name) : await findNode(name);
  const words = [program ?? "", ...(name === "deno" ? DENO : [])];
  const serveOn = (folder: string) => serve(folder, [...words, "dist/server.js"]);
  return { name, program, words, serve: name === "workerd" ? serveWorker(words) : serveOn };
}

const DENO = ["run", "--no-prompt", "--allow-net", "--allow-env"];

const platforms = await Promise.all([...tried, ...triedEngines].map(findPlatform));
const found = platforms.filter(({ program }) => program !== undefined);

/** Cloudflare's engine, configured as docs/deploy.md says. */
function serveWorker([program = ""]: readonly string[]): Platform["serve"] {
  return async (folder) => {
    const guide = readFileSync(join(REPOSITORY, "docs/deploy.md"), "utf8");
    const [, config] = /^```capnp\n(.*?)^```$/ms.exec(guide) ?? [];
    writeFileSync(join(folder, "worker.capnp"), config ?? "");
    const words = [program, "serve", "worker.capnp", "--socket-addr=http=127.0.0.1:0", "--control-fd=1"];
    const command = start(words, { cwd: folder, env: isolatedEnvironment() });
    const [, port] = await command.waitFor(/"event":"listen".*"port":(\d+)/);
    command.letGo();
    return {
      url: `http://127.0.0.1:${port}`,
      stop() {
        command.signal("SIGTERM");
        return command.waitForEnd();
      },
    };
  };
}

const builtProject = once("built project", () => builtCopy(PROBES));

const expected = once("answers of this Node", async (): Promise<readonly object[]> => {
  const server = await serve((await builtProject()).folder, [process.execPath, "dist/server.js"]);
  const answers: object[] = [];
  for (const [line, question] of CASES) answers.push(compared(await ask(server.url, line, question)));
  await server.stop();
  return answers;
});

/** Why JSON can't be read is told in the engine's own words. */
const ENGINES_WORDS = /(?<=is not valid JSON: ).*(?="\}$)/;

function compared({ status, headers, text }: Answer): object {
  const isOwn = ENGINES_WORDS.test(text);
  const kept = Object.entries(headers).filter(
    ([name]) => !NOT_COMPARED.test(name) && !(isOwn && name === "content-length"),
  );
  return {
    status,
    headers: Object.fromEntries(kept.sort()),
    text: shorten(text.replace(ENGINES_WORDS, "…")),
  };
}

for (const { name, serve: serveOn } of found) {
  test(`${name} answers ${CASES.length} requests as the Node of this run does`, async () => {
    const wanted = await expected();
    const server = await serveOn((await builtProject()).folder);
    for (const [at, [line, question]] of CASES.entries())
      assert.equal(compared(await ask(server.url, line, question)), wanted[at], line);
    await server.stop();
  });
}

for (const { name, words } of found.filter((platform) => platform.name !== "workerd"))
  test(`on ${name} a built server takes its port from the words after it, and says when it can't; told to stop, it finishes what it has begun`, async () => {
    const { folder } = await builtProject();
    const command = [...words, "dist/server.js", "--port", "many"];
    const { status, stderr } = await run(command, { cwd: folder, env: isolatedEnvironment() });
    assert.is(status, 1);
    assert.is(stderr.trim(), '--port is "many": a port is a whole number from 0 to 65535.');
    const server = await serve(folder, [...words, "dist/server.js", "--port=0"], { PORT: "1" });
    const slow = ask(server.url, "GET /slow");
    await server.waitFor(/begun/);
    const ended = server.stop();
    assert.equal((await slow).json, { finished: true });
    const { status: last, signal } = await ended;
    assert.equal([last, signal], [0, null]);
  });

const quietProject = once("project that does not listen", () =>
  builtCopy({ "app.ts": 'import { createApp } from "framework";\nexport const app = await createApp();\n' }),
);

const bun = found.find(({ name }) => name === "bun")?.program;
const deno = found.find(({ name }) => name === "deno")?.program;

const SERVED_BY: readonly (readonly [
  program: string | undefined,
  words: readonly string[],
  settings: Environment,
])[] = [
  [bun, [], { BUN_PORT: "0", PORT: "" }],
  [deno, ["serve", "--no-prompt", "--allow-env", "--port=0"], {}],
];
for (const [program, words, settings] of SERVED_BY) {
  if (program === undefined) continue;
  test(`an app that does not listen is served by ${[program, ...words.slice(0, 1)].map((word) => basename(word)).join(" ")}`, async () => {
    const { folder } = await quietProject();
    const server = await serve(folder, [program, ...words, "dist/server.js"], settings);
    await checkSamples(server.url.replace("0.0.0.0", "127.0.0.1"));
    await server.stop("SIGKILL");
  });
}

if (bun !== undefined)
  test("`framework dev` serves and reloads with bun in the place of Node, as under `bun --bun run dev`", async () => {
    const project = await copyProject();
    const server = await serve(project.folder, [bun, ...DEV.slice(1)]);
    await checkSamples(server.url);
    project.write("routes/added.ts", 'export const get = () => "added";\n');
    await askUntil(server.url, "GET /added", ({ text }) => text === "added");
    assert.is((await server.stop()).status, 0);
  });

test.run();
