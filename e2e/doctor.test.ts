/**
 * `framework doctor` in a created project, whole and broken. What gives each diagnostic is in docs/diagnostics/, whose pages are run.
 * What the doctor says of files that it needs itself takes a process; the rest is said in this one.
 */

import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
import { type Outcome, run, runWell } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { runInProcess } from "./harness/in-process.ts";
import { copyProject, createOnce, openProject, type Project } from "./harness/project.ts";
import { createFolder } from "./harness/workspace.ts";

interface Diagnostic {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string | null;
  readonly locations: readonly { readonly file: string; readonly line: number; readonly column: number }[];
}

function doctor({ folder }: Pick<Project, "folder">, ...words: string[]): Promise<Outcome> {
  return runInProcess(["doctor", ...words], folder);
}

async function examine(project: Project): Promise<readonly Diagnostic[]> {
  const { stdout, stderr } = await doctor(project, "--json");
  assert.is(stderr, "");
  return JSON.parse(stdout);
}

async function codesOf(project: Project): Promise<string[]> {
  return (await examine(project)).map(({ code }) => code);
}

/** @param lines of a shell, in the project's folder. */
async function shell({ folder: cwd }: Project, ...lines: string[]): Promise<void> {
  await runWell(["sh", "-ec", lines.join("\n")], { cwd, env: isolatedEnvironment() });
}

test("a new project is healthy, with nothing installed, from any of its folders; outside of one it is wrong usage", async () => {
  const { folder } = await createOnce();
  const cwd = join(folder, "vendor/framework/runtime");
  const words = [process.execPath, join(folder, "vendor/framework"), "doctor"];
  const { status, stdout, stderr } = await run(words, { cwd, env: isolatedEnvironment() });
  assert.match(stdout, /^\d+ checks, nothing found\n$/);
  assert.is(stderr, "");
  assert.is(status, 0);
  const outside = await doctor({ folder: createFolder("elsewhere") });
  assert.match(outside.stderr, "not in a project");
  assert.is(outside.status, 2);
});

test("an error ends it with 1, a note does not, and nothing of the project is changed", async () => {
  const project = await copyProject();
  project.edit("vendor/framework/index.js", "\n", "\n// mine\n");
  const noted = await doctor(project);
  assert.match(noted.stdout, /^info FW822 .*\n {2}vendor\/framework\/index\.js:1:1\n/);
  assert.match(noted.stdout, /\n\d+ checks: 1 info\n$/);
  assert.is(noted.status, 0);

  project.edit("apps/users/views.ts", "user_id: int", "user_id: Date");
  const before = project.tree();
  const failed = await doctor(project);
  assert.match(failed.stdout, "error FW306 ");
  assert.match(failed.stdout, "checks: 1 error, 1 info");
  assert.is(failed.status, 1);
  assert.equal(project.tree(), before);
});

test("each mistake is told at its place, for programs with the fields that `routes check` gives", async () => {
  const project = await copyProject();
  project.write(".env", "PORT=80000\n");
  project.edit("package.json", '"type": "module"', '"type": "commonjs"');
  project.write("app.ts", "enum Mode {}\n");
  project.write("vendor/framework/http.js", "export {\n  x: 1\n};\n");
  const generate = project.read("vendor/framework/tools/generate.js");
  project.write("vendor/framework/tools/generate.js", `${generate}export const x = = 1;\n`);
  // What systems leave in any folder is no file of the user's.
  for (const file of [".DS_Store", "runtime/.DS_Store", "Thumbs.db", "node_modules/.cache/x"])
    project.write(`vendor/framework/${file}`, "");
  const found = await examine(project);
  const places = found.map(
    ({ code, locations: [place] }) => `${code} ${place?.file}:${place?.line}:${place?.column}`,
  );
  assert.equal(places, [
    "FW827 vendor/framework/http.js:2:4",
    `FW827 vendor/framework/tools/generate.js:${generate.split("\n").length}:18`,
    "FW318 app.ts:1:1",
    "FW827 undefined:undefined:undefined",
    "FW829 package.json:7:3",
  ]);
  assert.is(
    found[3]?.message,
    '.env can\'t be used: PORT in .env is "80000": a port is a whole number from 0 to 65535.',
  );
  assert.equal(Object.keys(found[0] ?? {}), ["code", "severity", "message", "hint", "locations"]);
});

test("without framework.toml the project is known by its vendored framework", async () => {
  const project = await copyProject();
  rmSync(join(project.folder, "framework.toml"));
  assert.ok((await codesOf(project)).includes("FW101"));
  mkdirSync(join(project.folder, "framework.toml"));
  assert.ok((await codesOf(project)).includes("FW113"));
});

const NEEDED = ["shared", "commands", "convention", "libraries"].map((name) => `tools/${name}.js`);
for (const file of sample("files that the doctor needs", [...NEEDED, "runtime/log.js"], 1)) {
  test(`without ${file}, which the doctor itself needs, it says so and what to do, also in a folder with a quote in its name`, async () => {
    const folder = join(createFolder("quote"), "it's 'mine'");
    cpSync((await copyProject()).folder, folder, { recursive: true, verbatimSymlinks: true });
    rmSync(join(folder, "vendor/framework", file));
    const { status, stderr } = await openProject(folder).spawnFramework(["doctor"]);
    const path = `vendor/framework/${file}`;
    const hint = `  hint: Restore it: git checkout HEAD -- ${path}`;
    assert.is(stderr, `error A file of the vendored framework is missing: ${path}\n${hint}\n`);
    assert.is(status, 1);
  });
}

const BROKEN = [
  ["runtime/app.js", "start"],
  ["tools/convention.js", "start"],
  ["tools/shared.js", "start"],
  ["tools/commands.js", "routes list"],
  ["tools/contract.js", "build"],
] as const;
for (const [file, command] of sample("files with a syntax error", BROKEN, 1)) {
  test(`framework ${command} with a syntax error in ${file} names that file and its line`, async () => {
    const project = await copyProject();
    const path = `vendor/framework/${file}`;
    const text = project.read(path);
    project.write(path, `${text}export const x = = 1;\n`);
    const { status, stdout, stderr } = await project.spawnFramework(command.split(" "));
    const line = text.split("\n").length;
    const what = "error A file of the vendored framework has a syntax error: Unexpected token '='";
    const hint = `  hint: Correct it there, or give the edit up: git checkout HEAD -- ${path}`;
    assert.is(stderr, `${what}\n  ${path}:${line}\n${hint}\n`);
    assert.is(stdout, "");
    assert.is(status, 1);
  });
}

test("many files that are missing come back by the one line that is told, and edits stay", async () => {
  const project = await copyProject();
  await shell(
    project,
    "git init --quiet && git add --all && git commit --quiet --message all",
    "git rm --quiet vendor/framework/http.d.ts",
    "cd vendor/framework && rm tools/dev.js tools/contract.js runtime/hooks.js index.d.ts test.js uvu.js",
  );
  project.edit("vendor/framework/http.js", "\n", "\n// mine\n");
  const [missing] = await examine(project);
  assert.is(missing?.code, "FW821");
  const [, line = ""] = /^Restore what git has: (.*); without git/.exec(missing?.hint ?? "") ?? [];
  await shell(project, line);
  assert.equal(await codesOf(project), ["FW822"]);
});

test("a .gitignore that would leave a clone without some of the framework is told, and the hint's lines mend that", async () => {
  const project = await copyProject();
  await shell(project, "git init --quiet");
  for (const line of sample("lines of a .gitignore", ["vendor/", "tools/", "*.d.ts"], 1)) {
    project.write(".gitignore", `${line}\n`);
    const [found, ...others] = await examine(project);
    assert.equal(others, []);
    assert.is(found?.code, "FW837");
    const [, one, other] = /: (\S+) and (\S+)$/.exec(found?.hint ?? "") ?? [];
    project.write(".gitignore", `${line}\n${one}\n${other}\n`);
    assert.equal(await codesOf(project), []);
  }
  // Where the whole project is left out, that is meant.
  project.write(".gitignore", "*\n");
  assert.equal(await codesOf(project), []);

  project.write(".env", "PASSWORD=hunter2\n");
  project.write(".gitignore", "");
  if (process.platform !== "win32") project.write("vendor/framework/\u001b[31m.js", "");
  const { stdout } = await doctor(project);
  assert.match(stdout, "warning FW837 Git does not ignore .env");
  assert.not.match(stdout, "hunter2", "what .env holds is never printed");
  assert.not.match(stdout, "\u001b", "names can't move the cursor");
});

test("a thousand files too many are a page to read, and a program gets all", async () => {
  const project = await copyProject();
  mkdirSync(join(project.folder, "vendor/framework/copies"));
  for (let number = 0; number < 1000; number++)
    writeFileSync(join(project.folder, `vendor/framework/copies/${number}.js`), "");
  const { stdout } = await doctor(project);
  assert.match(stdout, "info FW823 1000 files");
  assert.ok(stdout.split("\n").length < 100, stdout);
  const extra = (await examine(project)).find(({ code }) => code === "FW823");
  assert.is(extra?.locations.length, 1000);
});

test("in a clone with the line ends of Windows no vendored file counts as edited, and none was", async () => {
  const { folder } = await createOnce();
  const clone = join(createFolder("clone"), "my-app");
  const words = ["git", "clone", "--quiet", "--config", "core.autocrlf=true", folder, clone];
  await runWell(words, { cwd: folder, env: isolatedEnvironment() });
  const project = openProject(clone);
  assert.match(project.read("README.md"), "\r\n");
  assert.not.match(project.read("vendor/framework/index.js"), "\r\n");
  assert.equal(await codesOf(project), []);
});

test.run();
