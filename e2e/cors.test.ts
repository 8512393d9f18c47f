/** `[cors]` of `framework.toml`, as scripts of other origins meet it: `dev`, `start` and the built server share alike. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { browse, type Script } from "./harness/browser.ts";
import { builtCopy } from "./harness/build.ts";
import { ask } from "./harness/client.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { DEV, START, serve } from "./harness/server.ts";

const SHOP = "https://shop.example";

const FILES: Readonly<Record<string, string>> = {
  "framework.toml": `apps = ["products", "users"]

[server]
health = "/healthz"

[cors]
origins = ["${SHOP}", "http://localhost:5173"]
credentials = true
expose = ["X-Total-Count"]
`,
  "routes/paged.ts": `import { reply, type Request } from "framework";

export function get(request: Request) {
  return reply({ cookie: request.cookies.session ?? null }, 200, { "X-Total-Count": "3", "X-Secret": "1" });
}

export function put() {
  throw new Error("broken");
}
`,
};

const sharedProject = once("project with [cors]", async (): Promise<Project> => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(FILES)) project.write(file, text);
  return project;
});

const builtProject = once("built project with [cors]", () => builtCopy(FILES));

const JSON_BODY = { headers: { "content-type": "application/json" }, body: '{"name":"lamp"}' };
const TOKEN = { headers: { authorization: "Bearer a", "x-trace": "1" } };

/** What a script sees: a status, or why its browser blocks the answer. */
const CASES: readonly (readonly [line: string, script: Omit<Script, "origin">, seen: number | string])[] = [
  ["GET /", {}, 200],
  ["GET /", { credentials: true }, 200],
  ["GET /items/7", TOKEN, 200],
  ["POST /items", JSON_BODY, 201],
  ["POST /items", { ...JSON_BODY, credentials: true }, 201],
  ["POST /items", { headers: { "content-type": "application/json" }, body: "{" }, 400],
  ["DELETE /products/item", {}, 200],
  ["PUT /paged", { credentials: true }, 500],
  ["DELETE /nowhere", TOKEN, 404],
  ["GET /healthz", TOKEN, 200],
  ["DELETE /items", {}, "the method DELETE is not allowed"],
];

const SERVERS: readonly [name: string, words: readonly string[], project: () => Promise<Project>][] = [
  ["framework dev", DEV, sharedProject],
  ["framework start", START, sharedProject],
  ["dist/server.js", [process.execPath, "dist/server.js"], builtProject],
];

for (const [name, words, project] of SERVERS) {
  test(`${name}: a script of a listed origin sees each answer, and of another origin none`, async () => {
    const server = await serve((await project()).folder, words);
    for (const [line, script, expected] of CASES) {
      const { answer, blocked } = await browse(server.url, line, { ...script, origin: SHOP });
      assert.is(answer?.status ?? blocked, expected, line);
      for (const origin of ["https://evil.example", "null", `${SHOP}.evil.example`]) {
        const other = await browse(server.url, line, { ...script, origin });
        assert.is(other.blocked, "the answer is for undefined", `${line} from ${origin}`);
      }
    }
    await server.stop();
  });

  test(`${name}: cookies are sent, and only exposed headers can be read`, async () => {
    const server = await serve((await project()).folder, words);
    const script = { origin: "http://localhost:5173", credentials: true };
    const { answer, headers, hadPreflight } = await browse(server.url, "GET /paged", script);
    assert.is(answer?.text, '{"cookie":"1"}');
    assert.equal(headers.toSorted(), ["content-length", "content-type", "x-total-count"]);
    assert.not.ok(hadPreflight);
    await server.stop();
  });
}

test("no route is listed for preflights, and a built server without [cors] has nothing of it", async () => {
  const { stdout } = await (await sharedProject()).framework(["routes", "list"]);
  assert.not.match(stdout, "OPTIONS");
  assert.not.match((await builtCopy()).read("dist/server.js"), /access-control/i);
});

test("dev shares by the new origins once framework.toml is saved", async () => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(FILES)) project.write(file, text);
  const server = await serve(project.folder, DEV);
  assert.is((await browse(server.url, "GET /", { origin: SHOP })).answer?.status, 200);
  project.edit("framework.toml", SHOP, "https://new.example");
  await server.waitFor(/framework\.toml/);
  const origin = "https://new.example";
  assert.is((await browse(server.url, "GET /", { origin })).answer?.status, 200);
  const { headers } = await ask(server.url, "GET /", { headers: { origin: SHOP } });
  assert.equal([headers["access-control-allow-origin"], headers.vary], [undefined, "Origin"]);
  await server.stop();
});

test("dev shows scripts of listed origins, and no others, why it can't serve the project", async () => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(FILES)) project.write(file, text);
  project.write("routes/broken.ts", "export function (");
  const server = await serve(project.folder, DEV);
  for (const line of ["GET /", "DELETE /items"]) {
    const script = { ...TOKEN, credentials: true };
    const { answer, hadPreflight } = await browse(server.url, line, { ...script, origin: SHOP });
    assert.ok(hadPreflight);
    assert.is(answer?.status, 500);
    assert.match(answer?.text ?? "", /FW301.*routes\/broken\.ts/);
    const other = await browse(server.url, line, { ...script, origin: "https://evil.example" });
    assert.is(other.blocked, "the answer is for undefined");
  }
  await server.stop();
});

test.run();
