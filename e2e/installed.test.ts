/**
 * A created project after `npm install` from the ordinary registry: its own scripts are green, and it serves as before. What is installed
 * is one project for all tests of this file. `package-managers.test.ts` has the others than npm.
 */

import { copyFileSync, cpSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, sample } from "../runtime/random.fixture.ts";
import { type Outcome, run, runWell } from "./harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "./harness/environment.ts";
import { runInProcess } from "./harness/in-process.ts";
import { once } from "./harness/once.ts";
import { copyProject, createOnce, openProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { serve } from "./harness/server.ts";
import { createFolder, REPOSITORY } from "./harness/workspace.ts";

const installedProject = once("installed project", async (): Promise<Project> => {
  const project = await copyProject();
  await install(project.folder);
  return project;
});

async function install(cwd: string): Promise<void> {
  await runWell(["npm", "install", "--no-audit", "--no-fund"], { cwd, env: ordinaryEnvironment() });
}

/** With the registry out of reach: after installing nothing more is fetched. */
async function type({ folder: cwd }: Project, ...words: string[]): Promise<string> {
  const { stdout, stderr } = await runWell(words, { cwd, env: isolatedEnvironment() });
  return stdout + stderr;
}

function doctor({ folder }: Project): Promise<Outcome> {
  return runInProcess(["doctor"], folder);
}

test("the types are right before anything is installed", async () => {
  // Only the compiler and the types of Node come from elsewhere: from the repository of these tests.
  const { folder } = await copyProject();
  const modules = join(REPOSITORY, "node_modules");
  const options = ["-p", folder, "--typeRoots", join(modules, "@types"), "--types", "node"];
  const words = [process.execPath, join(modules, "typescript/bin/tsc"), ...options];
  const { stdout } = await run(words, { cwd: folder, env: isolatedEnvironment() });
  const unexpected = stdout
    .split("\n")
    .filter((line) => /error/.test(line) && !/'(?:undici|uvu|uvu\/assert)'/.test(line));
  assert.equal(unexpected, []);
});

test("the one dependency is the vendored framework", async () => {
  const project = await installedProject();
  assert.equal(JSON.parse(project.read("package.json")).dependencies, { framework: "file:vendor/framework" });
  const { packages } = JSON.parse(project.read("package-lock.json")) as {
    packages: Record<string, { dev?: true }>;
  };
  const inProduction = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  assert.equal(
    inProduction.map(([folder]) => folder),
    ["", "node_modules/framework", "vendor/framework"],
  );
});

test("what the generators write passes the project's own tests, type check and doctor, with the samples'", async () => {
  const project = await installedProject();
  for (const line of [
    "app orders --prefix /orders",
    "handler get_by_id order_id:int --app orders",
    "handler post_by_id request order_id:int --app orders",
    "handler put_index --app products",
    "route reviews get post",
    "route users/[user_id]/posts get user_id:int",
  ]) {
    const { status, stderr } = await project.framework(["generate", ...line.split(" ")]);
    assert.is(status, 0, `${line}: ${stderr}`);
  }
  const printed = await type(project, "npm", "run", "check");
  assert.match(printed, /checks, nothing found/);
  const passed = Number(/Passed: +(\d+)/.exec(printed)?.[1]);
  assert.ok(passed >= 20, `${passed} tests passed`);
});

test("npm run build makes one file that serves alone; start serves it while it is current, and then the source", async () => {
  const project = await installedProject();
  await type(project, "npm", "run", "build");
  assert.match((await doctor(project)).stdout, ", nothing found");
  const alone = createFolder("alone");
  copyFileSync(join(project.folder, "dist/server.js"), join(alone, "server.js"));
  for (const server of [await serve(alone, [process.execPath, "server.js"]), await serve(project.folder)]) {
    await checkSamples(server.url);
    assert.is((await server.stop()).status, 0);
  }
  project.edit("routes/index.ts", "Hello", "Hello again");
  assert.match((await doctor(project)).stdout, " FW835 ");
  const server = await serve(project.folder);
  assert.match(await (await fetch(server.url)).text(), /Hello again/);
  await server.stop();
  project.edit("routes/index.ts", "Hello again", "Hello");
});

test("npx framework is the project's own, and an edit of it is live, whatever was copied on installing", async () => {
  const project = await installedProject();
  const text = project.read("vendor/framework/tools/cli.js");
  project.write("vendor/framework/tools/cli.js", `${text}\nconsole.log("edited");\n`);
  const printed = await type(project, "npx", "framework", "--version");
  project.write("vendor/framework/tools/cli.js", text);
  assert.match(printed, /^framework \S+\nedited\n$/);
});

const COPY = "node_modules/framework";
const ELSEWHERE = [COPY, "../my-app/vendor/framework", "that of another project"];
for (const place of sample("places of a command", ELSEWHERE, 1)) {
  test(`a command of ${place} hands over to that of the project it is typed in`, async () => {
    const project = await copyProject();
    const other = join((await createOnce()).folder, "vendor/framework");
    cpSync(other, join(project.folder, COPY), { recursive: true });
    project.edit("vendor/framework/tools/cli.js", "\n", '\nconsole.log("its own");\n');
    const command = join(ELSEWHERE.indexOf(place) < 2 ? place : other, "tools/cli.js");
    assert.match(await type(project, process.execPath, command, "--version"), /^its own\nframework \S+\n$/);
  });
}

const CREATE = 'import { createApp } from "framework";\nawait createApp();\n';

if (IS_LONG) {
  test("in a workspace npm links one framework for two projects: the second one refuses it, and says what to do", async () => {
    const first = await copyProject();
    const above = dirname(first.folder);
    const second = openProject(join(above, "second"));
    cpSync(first.folder, second.folder, { recursive: true });
    second.edit("package.json", '"name": "my-app"', '"name": "second"');
    second.write("create.mjs", CREATE);
    writeFileSync(join(above, "package.json"), '{ "private": true, "workspaces": ["my-app", "second"] }\n');
    await install(above);
    assert.not(first.has("node_modules"));
    assert.match(await type(first, "npm", "run", "check"), /Passed: +\d\d/);
    assert.match(await type(second, "npm", "run", "test"), /Passed: +\d\d/);
    const words = [process.execPath, "create.mjs"];
    const refused = await run(words, { cwd: second.folder, env: isolatedEnvironment() });
    for (const printed of [refused.stderr, (await doctor(second)).stdout]) {
      assert.match(printed, "error FW845 `framework` leads to ../my-app/vendor/framework, ");
      assert.match(
        printed,
        "write install-strategy=nested into .npmrc, remove node_modules and package-lock",
      );
    }

    writeFileSync(join(above, ".npmrc"), "install-strategy=nested\n");
    for (const name of ["node_modules", "package-lock.json"]) rmSync(join(above, name), { recursive: true });
    await install(above);
    for (const project of [first, second])
      assert.match(await type(project, "npm", "run", "check"), "nothing found");
  });
}

test.run();
