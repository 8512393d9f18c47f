/** `/openapi.json` and `/docs`, as `dev`, `start` and the built server serve them. */

import { copyFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { builtCopy } from "./harness/build.ts";
import { type Answer, ask, askUntil } from "./harness/client.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { DEV, type RunningServer, START, serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";

const ON =
  'apps = ["products", "users"]\n[server]\ndocs = true\n[contract]\nservers = ["/", "https://a.example/v1"]\n';
const PATHS = ["/docs", "/docs/", "/docs/page.js", "/docs/page.css", "/openapi.json"];

async function documentOf({ framework }: Project): Promise<string> {
  return (await framework(["openapi"])).stdout;
}

/** The page as a browser gets it, whose relative paths lead to its files. */
async function checkPage(server: RunningServer): Promise<void> {
  for (const path of ["/docs", "/docs/"]) {
    const { headers, text } = await ask(server.url, `GET ${path}`);
    const policy = String(headers["content-security-policy"]);
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'[^;]*; /,
    );
    assert.match(
      policy,
      /; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types/,
    );
    assert.not.match(text, /<script[^>]*>[^<]|\s(style|on\w+)=/, "nothing is inline");
    const [, script = ""] = /src="([^"]+)"/.exec(text) ?? [];
    const found = await ask(server.url, `GET ${new URL(script, server.url + path).pathname}`);
    assert.match(String(found.headers["content-type"]), "text/javascript");
    assert.is(found.headers["x-content-type-options"], "nosniff");
  }
}

test("dev serves the document that the command prints, and the newest one after a change; a route of the project comes first", async () => {
  const project = await copyProject();
  project.write("routes/docs.ts", 'export const get = () => "own";\n');
  const server = await serve(project.folder, DEV);
  assert.is((await ask(server.url, "GET /docs")).text, "own");
  project.remove("routes/docs.ts");
  await askUntil(server.url, "GET /docs", ({ text }) => text.startsWith("<!"));
  await checkPage(server);
  assert.is((await ask(server.url, "GET /openapi.json")).text, await documentOf(project));

  // Where a compiler takes long, what it infers comes later.
  const manifest = '{ "name": "typescript", "bin": { "tsc": "tsc.js" } }';
  project.write("node_modules/typescript/package.json", manifest);
  project.write("node_modules/typescript/tsc.js", "setTimeout(() => process.exit(1), 4000);\n");
  project.write("routes/added.ts", "export const get = () => ({ added: true });\n");
  const isNew = ({ text }: Answer): boolean => text.includes('"/added"');
  const answers = await askUntil(server.url, "GET /openapi.json", isNew);
  assert.is(answers.at(-1)?.headers["retry-after"], "2");
  await askUntil(server.url, "GET /openapi.json", (answer) => answer.headers["retry-after"] === undefined);

  project.write("routes/added.ts", "export const get = (...all) => all;\n");
  const isRefused = ({ status, text }: Answer): boolean => status === 500 && text.includes("FW302");
  await askUntil(server.url, "GET /openapi.json", isRefused);
  await server.stop();
});

test("production has neither, and a built server no code for them, unless the settings say so", async () => {
  const project = await builtCopy();
  assert.not.match(project.read("dist/server.js"), /openapi\.json|createDocs/);
  const server = await serve(project.folder, START);
  for (const path of PATHS) assert.is((await ask(server.url, `GET ${path}`)).status, 404, path);
  await server.stop();
});

test("with the setting, the built server serves both from its one file, and start the same from source", async () => {
  const project = await builtCopy({ "framework.toml": ON });
  const alone = createFolder("alone");
  copyFileSync(`${project.folder}/dist/server.js`, `${alone}/server.js`);
  project.remove("dist/server.js");
  const built = await serve(alone, [process.execPath, "server.js"]);
  const source = await serve(project.folder, START);
  const document = await documentOf(project);
  for (const server of [built, source]) {
    await checkPage(server);
    const { headers, text } = await ask(server.url, "GET /openapi.json");
    assert.is(text, document);
    const again = { headers: { "if-none-match": String(headers.etag) } };
    assert.is((await ask(server.url, "GET /openapi.json", again)).status, 304);
    assert.match(
      String((await ask(server.url, "GET /docs")).headers["content-security-policy"]),
      "connect-src 'self' https://a.example;",
    );
  }
  for (const path of PATHS) {
    const [one, other] = [await ask(built.url, `GET ${path}`), await ask(source.url, `GET ${path}`)];
    assert.equal([one.text, one.headers.etag], [other.text, other.headers.etag], path);
  }
  await Promise.all([built.stop(), source.stop()]);
});

test.run();
