/** A created project after `npm install` from the ordinary registry: its own scripts are green at once, and it serves as before. */

import { cpSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run, runWell } from "./harness/command.ts";
import { isolatedEnvironment, ordinaryEnvironment } from "./harness/environment.ts";
import { once } from "./harness/once.ts";
import { copyProject, createOnce, openProject, type Project } from "./harness/project.ts";
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

const CREATE = 'import { createApp } from "framework";\nawait createApp();\n';

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
  assert.match(await script("check", first), /Passed: +\d\d/);
  assert.match(await script("test", second), /Passed: +\d\d/);
  const refused = await run([process.execPath, "second/create.mjs"], {
    cwd: above,
    env: isolatedEnvironment(),
  });
  const { stdout } = await second.framework(["doctor"]);
  for (const printed of [refused.stderr, stdout]) {
    assert.match(printed, "error FW845 `framework` leads to ../my-app/vendor/framework, ");
    assert.match(printed, "write install-strategy=nested into .npmrc, remove node_modules and package-lock");
  }

  writeFileSync(join(above, ".npmrc"), "install-strategy=nested\n");
  for (const name of ["node_modules", "package-lock.json"]) rmSync(join(above, name), { recursive: true });
  await install(above);
  for (const project of [first, second]) assert.match(await script("check", project), "nothing found");
});

test("a command that is another project's, or a copy, hands over to that of the project it is typed in", async () => {
  const project = await copyProject();
  const other = (await createOnce()).folder;
  const copy = join(project.folder, "node_modules/framework");
  cpSync(join(other, "vendor/framework"), copy, { recursive: true });
  project.edit("vendor/framework/tools/cli.js", "\n", '\nconsole.log("its own");\n');
  for (const framework of [join(other, "vendor/framework"), copy, "../my-app/vendor/framework"]) {
    const words = [process.execPath, join(framework, "tools/cli.js"), "--version"];
    const { stdout } = await run(words, { cwd: project.folder, env: isolatedEnvironment() });
    assert.match(stdout, /^its own\nframework \S+\n$/);
  }
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
    const { status, stderr } = await project.spawnFramework(["generate", ...line.split(" ")]);
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
  const text = project.read("vendor/framework/tools/cli.js");
  project.write("vendor/framework/tools/cli.js", `${text}\nconsole.log("edited");\n`);
  const { stdout } = await run(["npx", "framework", "--version"], {
    cwd: project.folder,
    env: isolatedEnvironment(),
  });
  project.write("vendor/framework/tools/cli.js", text);
  assert.match(stdout, /edited/);
});

test.run();
