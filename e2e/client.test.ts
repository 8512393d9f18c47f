/** `framework client` in a created project: what it writes type-checks, and calls every kind of route from every platform. */

import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run } from "./harness/command.ts";
import { CALLER, CLIENT_FILES } from "./harness/contract-client.ts";
import { findEngine, triedEngines } from "./harness/engines.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkPackages } from "./harness/modules.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { DEV, serve } from "./harness/server.ts";
import { REPOSITORY } from "./harness/workspace.ts";

/** Beside it, in `web/`, is a caller. */
const projectWithCaller = once("project with a client", async (): Promise<Project> => {
  const project = await copyProject();
  for (const [file, text] of Object.entries(CLIENT_FILES)) project.write(file, text);
  linkPackages(project, "typescript", "@types", "undici-types");
  project.write("../web/caller.ts", CALLER);
  project.write("../web/package.json", '{ "type": "module" }\n');
  project.write("../web/tsconfig.json", JSON.stringify({ compilerOptions: SETTINGS }));
  const { status, stdout, stderr } = await project.framework(["client", "--output", "../web/api.ts"]);
  assert.is(status, 0, stderr);
  assert.match(stdout, /^\.\.\/web\/api\.ts: 3\d routes\n$/);
  return project;
});

const SETTINGS = {
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  lib: ["es2022"],
  module: "nodenext",
  noEmit: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  strict: true,
  target: "es2022",
  typeRoots: [join(REPOSITORY, "node_modules/@types")],
  types: ["node"],
  verbatimModuleSyntax: true,
};

test("the client has the exact types of what the routes take and answer", async () => {
  const { folder } = await projectWithCaller();
  const words = [process.execPath, join(REPOSITORY, "node_modules/typescript/bin/tsc"), "-p", "../web"];
  const { stdout } = await run(words, { cwd: folder, env: isolatedEnvironment() });
  assert.is(stdout, "");
});

const WORDS = {
  bun: [],
  deno: ["run", "--no-prompt", "--no-check", "--allow-net"],
  // It runs servers only.
  workerd: undefined,
} as const;

for (const name of ["this Node", ...triedEngines] as const) {
  const isNode = name === "this Node";
  const words = isNode ? ["--import", import.meta.resolve("tsx")] : WORDS[name];
  const program = isNode ? process.execPath : words && (await findEngine(name));
  if (words === undefined || program === undefined) continue;
  test(`the client calls every kind of route, from ${name}`, async () => {
    const { folder } = await projectWithCaller();
    const server = await serve(folder);
    const options = { cwd: join(folder, "../web"), env: isolatedEnvironment() };
    const { stdout, stderr } = await run([program, ...words, "caller.ts", server.url], options);
    assert.is(stdout, "all is as expected\n", stderr);
    await server.stop();
  });
}

test("dev keeps the client of [contract] current", async () => {
  const project = await copyProject();
  project.write("../web/package.json", "{}\n");
  project.write(
    "framework.toml",
    `${project.read("framework.toml")}\n[contract]\nclient = "../web/api.ts"\n`,
  );
  const server = await serve(project.folder, DEV);
  await server.waitFor(/client written: \.\.\/web\/api\.ts: 10 routes/);
  project.write("routes/more.ts", 'export const get = (): string => "more";\n');
  await server.waitFor(/client written: \.\.\/web\/api\.ts: 11 routes/);
  assert.match(project.read("../web/api.ts"), "getMore");
  assert.is((await server.stop()).status, 0);
});

test.run();
