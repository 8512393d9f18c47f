/**
 * `framework openapi` in a created project. `LONG=1` installs what others have for OpenAPI documents, and holds them against the
 * project while it serves.
 */

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG } from "../runtime/random.fixture.ts";
import { ask } from "./harness/client.ts";
import { runWell } from "./harness/command.ts";
import {
  installTools,
  linkTools,
  lintStrictly,
  runTool,
  startProxy,
  violationsIn,
} from "./harness/contract-tools.ts";
import { ordinaryEnvironment } from "./harness/environment.ts";
import { linkPackages } from "./harness/modules.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { START, serve } from "./harness/server.ts";
import { WIRE_CASES, WIRE_FILES } from "./harness/wire.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

const typedProject = once("project with marks", async (): Promise<Project> => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(WIRE_FILES)) project.write(file, text);
  linkPackages(project, "typescript", "@types");
  return project;
});

/** @returns the document. */
async function document(project: Project, ...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await project.framework(["openapi", ...words]);
  assert.is(status, 0, stderr);
  return stdout;
}

test("redocly's strict rules find nothing in the document of a created project, before anything is installed", async () => {
  const project = await copyProject();
  assert.equal(await lintStrictly(await document(project)), []);
  await document(project, "--output", "openapi.yaml");
  assert.is((await project.framework(["openapi", "--check", "openapi.yaml"])).status, 0);
  project.write("routes/late.ts", "export const get = () => ({ late: true });\n");
  const { status, stderr } = await project.framework(["openapi", "--check", "openapi.yaml"]);
  assert.is(status, 1);
  assert.match(stderr, /^error openapi\.yaml is not what the routes say: line \d+ differs\.$/m);
});

test("nor in that of a project with everything that a request can have", async () => {
  const project = await typedProject();
  const text = await document(project);
  assert.equal(await lintStrictly(text), []);
  assert.is(await document(project), text);
});

test("--load-schemas runs the files of Standard Schemas, and what they print is not in the document", async () => {
  const project = await copyProject();
  project.write("lib/tree.ts", TREE);
  const routes =
    'import type { Body } from "framework";\nimport type { Plain, Tree } from "../lib/tree.ts";\n';
  const handlers =
    "export const post = (body: Body<typeof Tree>) => 1;\nexport const put = (body: Body<typeof Plain>) => 1;\n";
  project.write("routes/tree.ts", routes + handlers);
  const { stdout, stderr } = await project.spawnFramework([
    "openapi",
    "--load-schemas",
    "--no-infer",
    "--notes",
  ]);
  assert.equal(JSON.parse(stdout).components.schemas.Tree, {
    type: "object",
    properties: { $ref: { $ref: "#/components/schemas/Tree/$defs/Leaf" } },
    $defs: { Leaf: { const: { $ref: "#" } } },
  });
  assert.match(stderr, "printed by lib/tree.ts");
  assert.match(
    stderr,
    "info FW932 `Plain` of lib/tree.ts gives no JSON Schema: it has no `~standard.jsonSchema`.\n  routes/tree.ts:4:14\n",
  );
  const { stderr: notes } = await project.framework(["openapi", "--no-infer", "--notes"]);
  assert.not.match(notes, "printed by");
  assert.match(notes, "info FW931 ");
});

test("[contract] load_schemas asks them for the document, the client and the docs of a build", async () => {
  const project = await copyProject();
  project.write("framework.toml", `${project.read("framework.toml")}\n[contract]\nload_schemas = true\n`);
  project.write("lib/tree.ts", TREE);
  project.write(
    "routes/tree.ts",
    `import type { Body } from "framework";
import type { z } from "zod";
import type { Tree } from "../lib/tree.ts";

export function post(tree: Body<typeof Tree>): [z.infer<typeof Tree>, 201] {
  return [tree as never, 201];
}
`,
  );
  const text = await document(project, "--no-infer");
  assert.match(text, '"#/components/schemas/Tree"');
  const { stdout } = await project.spawnFramework(["client", "--no-infer"]);
  assert.match(stdout, "input: { body: Tree }");
  assert.match(stdout, "Answer<201, Tree");
  assert.match(stdout, /export interface Tree \{\n {2}\$ref\?: unknown;\n\}/);
});

const TREE = `console.log("printed by lib/tree.ts");
const validate = (value: unknown): { value: unknown } => ({ value });
const input = () => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { $ref: { $ref: "#/$defs/Leaf" } },
  $defs: { Leaf: { const: { $ref: "#" } } },
});

export const Tree = { "~standard": { version: 1, vendor: "ours", validate, jsonSchema: { input, output: input } } } as const;
export const Plain = { "~standard": { version: 1, vendor: "ours", validate } } as const;
setInterval(() => {}, 1000);
`;

/** What a use of each client prints: of an order, of one without lines, of a search, of a form with a file, and with a credential. */
const ANSWERED = [3, 422, "name", ["a", "b"], "a.txt", "secret"];

const GENERATORS: readonly (readonly [name: string, words: readonly string[], use: string])[] = [
  [
    "openapi-typescript",
    ["openapi-typescript", "openapi.json", "--output", "api.ts"],
    `import createClient from "openapi-fetch";
import type { paths } from "./api.ts";

declare const process: { argv: string[] };
const api = createClient<paths>({ baseUrl: process.argv[2] ?? "" });
const lines = [{ sku: "a", qty: 2 }];
const made = await api.POST("/orders", { params: { query: { page: 3 } }, body: { name: "Ada", lines } });
const page: number | undefined = made.data?.page;
const refused = await api.POST("/orders", { body: { name: "", lines } });
const issues = refused.error && "issues" in refused.error ? refused.error.issues : [];
const place: string | undefined = issues[0]?.pointer.slice(1);
const found = await api.GET("/search", { params: { query: { q: "x", tag: ["a", "b"] } } });
const tags: string[] | undefined = found.data?.tag;
const form = new FormData();
form.set("name", "Ada");
form.set("files", new File(["hello"], "a.txt"));
const sent = await api.POST("/contact", { body: { name: "Ada" }, bodySerializer: () => form });
const file = sent.data?.files[0]?.[0];
const known = await api.GET("/bearer", { headers: { authorization: "Bearer secret" } });
const token: string | undefined = known.data?.token;
console.log(JSON.stringify([page, refused.response.status, place, tags, file, token]));
`,
  ],
  [
    "@hey-api/openapi-ts",
    ["openapi-ts", "--input", "openapi.json", "--output", "api"],
    `import { client } from "./api/client.gen";
import { getBearer, getSearch, postContact, postOrders } from "./api";

declare const process: { argv: string[] };
client.setConfig({ baseUrl: process.argv[2] ?? "" });
const lines = [{ sku: "a", qty: 2 }];
const made = await postOrders({ query: { page: 3 }, body: { name: "Ada", lines } });
const page: number | undefined = made.data?.page;
const refused = await postOrders({ body: { name: "", lines } });
const issues = refused.error && "issues" in refused.error ? refused.error.issues : [];
const place: string | undefined = issues[0]?.pointer.slice(1);
const found = await getSearch({ query: { q: "x", tag: ["a", "b"] } });
const tags: string[] | undefined = found.data?.tag;
const sent = await postContact({ body: { name: "Ada", files: [new File(["hello"], "a.txt")] } });
const file = sent.data?.files[0]?.[0];
const known = await getBearer({ auth: () => "secret" });
const token: string | undefined = known.data?.token;
console.log(JSON.stringify([page, refused.response?.status, place, tags, file, token]));
`,
  ],
];

/** Where the proxy is wrong: it keeps one of several parts of a form, and refuses a password with a colon in it (RFC 7617, section 2). */
const MISTAKEN: readonly string[] = [
  "request.body.files: Request body property files must be array",
  "request: Invalid security scheme used",
];

if (IS_LONG) {
  test("spectral finds no error in 200 random documents, nor in that of a served project", async () => {
    await installTools();
    const folder = createFolder("documents");
    const words = [process.execPath, "--import", "tsx", "toolchain/contract/openapi/lint.test.ts"];
    const env = { ...ordinaryEnvironment(), LONG: "1", DOCUMENTS: folder };
    await runWell(words, { cwd: REPOSITORY, env });
    assert.is(readdirSync(folder).length, 200);
    const project = await typedProject();
    await document(project, "--output", join(folder, "openapi.json"));
    await document(project, "--output", join(folder, "openapi.yaml"));
    writeFileSync(join(folder, ".spectral.yml"), "extends: [spectral:oas]\n");
    const { status, stdout } = await runTool(folder, [
      "spectral",
      "lint",
      "*.{json,yaml}",
      "--fail-severity",
      "error",
    ]);
    assert.is(
      status,
      0,
      stdout
        .split("\n")
        .filter((line) => / error /.test(line))
        .join("\n"),
    );
  });

  test("a proxy that validates finds no violation in what is asked and answered", async () => {
    await installTools();
    const project = await typedProject();
    await document(project, "--output", "openapi.json");
    const server = await serve(project.folder, START);
    const { url, proxy } = await startProxy(join(project.folder, "openapi.json"), server.url);
    for (const { line, question, status } of WIRE_CASES) {
      const answered = await ask(url, line, question);
      const { request, response } = violationsIn(answered.headers["sl-violations"]);
      const shown = `${line} ${JSON.stringify(question)}`;
      assert.is(answered.status, status, shown);
      assert.equal(response, [], shown);
      if (status < 400)
        assert.equal(
          request.filter((one) => !MISTAKEN.includes(one)),
          [],
          shown,
        );
    }
    proxy.signal("SIGTERM");
    await server.stop();
  });

  for (const [name, words, use] of GENERATORS) {
    test(`a client that ${name} generates compiles and gets what the server answers`, async () => {
      await installTools();
      const project = await typedProject();
      const folder = createFolder("client");
      linkTools(folder);
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
      writeFileSync(join(folder, "use.ts"), use);
      await document(project, "--output", join(folder, "openapi.json"));
      const { status, stdout, stderr } = await runTool(folder, words);
      assert.is(status, 0, stdout + stderr);
      const env = ordinaryEnvironment();
      const options = ["--strict", "--noEmit", "--skipLibCheck", "--module", "esnext", "--target", "esnext"];
      const checks = ["--moduleResolution", "bundler", "--lib", "esnext,dom", "use.ts"];
      await runWell([join(REPOSITORY, "node_modules/.bin/tsc"), ...options, ...checks], { cwd: folder, env });
      const server = await serve(project.folder, START);
      const run = [process.execPath, "--import", "tsx", join(folder, "use.ts"), server.url];
      const printed = await runWell(run, { cwd: REPOSITORY, env });
      assert.equal(JSON.parse(printed.stdout), ANSWERED);
      await server.stop();
    });
  }
}

test.run();
