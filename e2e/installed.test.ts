/** A created project after `npm install` from the ordinary registry: its own scripts are green at once, and it serves as before. */

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run, runWell } from "./harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { checkSamples } from "./harness/samples.ts";
import { DEV, START, serve } from "./harness/server.ts";
import { createFolder } from "./harness/workspace.ts";

const installedProject = once("installed project", async (): Promise<Project> => {
  const project = await copyProject();
  await install(project.folder);
  return project;
});

async function install(cwd: string): Promise<void> {
  await runWell(["npm", "install", "--no-audit", "--no-fund"], { cwd, env: ordinaryEnvironment() });
}

/** A script of the project, with the registry out of reach: after installing nothing more is fetched. */
async function script(name: string, installed?: Project): Promise<string> {
  const { folder } = installed ?? (await installedProject());
  const { status, stdout, stderr } = await run(["npm", "run", name], {
    cwd: folder,
    env: isolatedEnvironment(),
  });
  assert.is(status, 0, stdout + stderr);
  return stdout + stderr;
}

test("the types are right before anything is installed", async () => {
  // Only the compiler and the types of Node come from elsewhere: from the repository of these tests.
  const project = await copyProject();
  const tools = (await installedProject()).folder;
  const words = [
    process.execPath,
    join(tools, "node_modules/typescript/bin/tsc"),
    "-p",
    project.folder,
    "--typeRoots",
    join(tools, "node_modules/@types"),
    "--types",
    "node",
  ];
  const { stdout } = await run(words, { cwd: project.folder, env: isolatedEnvironment() });
  const unexpected = stdout
    .split("\n")
    .filter((line) => /error/.test(line) && !/'(?:undici|uvu|uvu\/assert)'/.test(line));
  assert.equal(unexpected, []);
});

test("the one dependency is the vendored framework", async () => {
  const project = await installedProject();
  assert.equal(JSON.parse(project.read("package.json")).dependencies, { framework: "file:vendor/framework" });
  const { stdout } = await runWell(["npm", "ls", "--omit=dev", "--all", "--json"], {
    cwd: project.folder,
    env: isolatedEnvironment(),
  });
  assert.equal(Object.keys(JSON.parse(stdout).dependencies ?? {}), ["framework"]);
});

test("npm test is green", async () => {
  assert.match(await script("test"), /Passed: +\d\d/);
});

test("npm run check is green in a workspace, whose packages npm puts into the folder above", async () => {
  const project = await copyProject();
  const above = dirname(project.folder);
  writeFileSync(join(above, "package.json"), '{ "private": true, "workspaces": ["my-app"] }\n');
  await install(above);
  assert.not(project.has("node_modules"));
  assert.match(await script("check", project), /Passed: +\d\d/);
});

test("npm run typecheck is green", async () => {
  await script("typecheck");
});

test("npm run routes lists", async () => {
  assert.match(await script("routes"), /get_by_id/);
});

test("npx framework is the project's own", async () => {
  const { folder } = await installedProject();
  const { stdout, status } = await run(["npx", "framework", "routes", "list", "--json"], {
    cwd: folder,
    env: isolatedEnvironment(),
  });
  assert.is(status, 0);
  assert.is(JSON.parse(stdout).length, 10);
});

test("the samples answer as before, from start and from dev", async () => {
  const { folder } = await installedProject();
  for (const words of [START, DEV]) {
    const server = await serve(folder, words);
    await checkSamples(server.url);
    assert.is((await server.stop()).status, 0);
  }
});

test("npm run build makes one file that serves alone, in a folder with nothing else", async () => {
  const project = await installedProject();
  await script("build");
  const alone = createFolder("alone");
  await runWell(["cp", join(project.folder, "dist/server.js"), alone], {
    cwd: alone,
    env: isolatedEnvironment(),
  });
  for (const [cwd, file] of [
    [project.folder, "dist/server.js"],
    [alone, "server.js"],
  ] as const) {
    const server = await serve(cwd, [process.execPath, file]);
    await checkSamples(server.url);
    assert.is((await server.stop()).status, 0);
  }
});

test("start serves the build while it is current, and the source once a file is newer", async () => {
  const project = await installedProject();
  const built = await serve(project.folder);
  await checkSamples(built.url);
  await built.stop();
  const before = project.read("routes/index.ts");
  project.write("routes/index.ts", before.replace("Hello", "Hello again"));
  const server = await serve(project.folder);
  assert.match(await (await fetch(server.url)).text(), /Hello again/);
  await server.stop();
  project.write("routes/index.ts", before);
});

test("what the generators write passes its own tests and the type check", async () => {
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
  const count = (text: string): number => Number(/Passed: +(\d+)/.exec(text)?.[1]);
  const passed = count(await script("test"));
  assert.ok(passed >= 20, `${passed} tests passed`);
  await script("typecheck");
  await script("build");
});

test("an edit in the vendored framework is live, whatever was copied on installing", async () => {
  const project = await installedProject();
  const text = project.read("vendor/framework/cli.js");
  project.write("vendor/framework/cli.js", `${text}\nconsole.log("edited");\n`);
  const { stdout } = await run(["npx", "framework", "--version"], {
    cwd: project.folder,
    env: isolatedEnvironment(),
  });
  project.write("vendor/framework/cli.js", text);
  assert.match(stdout, /edited/);
});

test.run();
