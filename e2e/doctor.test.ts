/** `framework doctor` in a created project, whole and broken. What gives each diagnostic is in docs/diagnostics/, whose pages are run. */

import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { buildableCopy } from "./harness/build.ts";
import { run, runWell } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { nodePath, whyNoNodes } from "./harness/nodes.ts";
import { copyProject, createOnce, openProject, type Project } from "./harness/project.ts";
import { createFolder } from "./harness/workspace.ts";

interface Diagnostic {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string | null;
  readonly locations: readonly { readonly file: string; readonly line: number; readonly column: number }[];
}

async function examine(project: Project): Promise<readonly Diagnostic[]> {
  const { stdout, stderr } = await project.framework(["doctor", "--json"]);
  assert.is(stderr, "");
  return JSON.parse(stdout);
}

async function codesOf(project: Project): Promise<string[]> {
  return (await examine(project)).map(({ code }) => code);
}

const withOtherNode = (await whyNoNodes()) === undefined && existsSync(nodePath("node20")) ? test : test.skip;

test("a new project is healthy, with nothing installed, from any of its folders", async () => {
  const { folder } = await createOnce();
  for (const below of ["", "apps/users", "vendor/framework/runtime"]) {
    const words = [process.execPath, join(folder, "vendor/framework"), "doctor"];
    const { status, stdout, stderr } = await run(words, {
      cwd: join(folder, below),
      env: isolatedEnvironment(),
    });
    assert.match(stdout, /^\d+ checks, nothing found\n$/);
    assert.is(stderr, "");
    assert.is(status, 0);
  }
});

test("for programs the same is an empty list", async () => {
  assert.equal(await examine(await copyProject()), []);
});

test("an error ends it with 1, a note does not, and nothing of the project is changed", async () => {
  const project = await copyProject();
  project.edit("vendor/framework/index.js", "\n", "\n// mine\n");
  const noted = await project.framework(["doctor"]);
  assert.match(noted.stdout, /^info FW822 .*\n {2}vendor\/framework\/index\.js:1:1\n/);
  assert.match(noted.stdout, /\n\d+ checks: 1 info\n$/);
  assert.is(noted.status, 0);

  project.edit("apps/users/views.ts", "user_id: int", "user_id: Date");
  const before = project.tree();
  const failed = await project.framework(["doctor"]);
  assert.match(failed.stdout, "error FW306 ");
  assert.match(failed.stdout, "checks: 1 error, 1 info");
  assert.is(failed.status, 1);
  assert.equal(project.tree(), before);
});

test("a diagnostic for programs has the fields that `routes check` gives", async () => {
  const project = await copyProject();
  project.write(".env", "PORT 8000\n");
  project.edit("package.json", '"type": "module"', '"type": "commonjs"');
  const [environment, type] = await examine(project);
  assert.is(type?.code, "FW829");
  assert.equal(type?.locations, [{ file: "package.json", line: 7, column: 3 }]);
  assert.equal(Object.keys(environment ?? {}), ["code", "severity", "message", "hint", "locations"]);
});

test("without framework.toml the project is known by its vendored framework", async () => {
  const project = await copyProject();
  rmSync(join(project.folder, "framework.toml"));
  assert.ok((await codesOf(project)).includes("FW101"));
  mkdirSync(join(project.folder, "framework.toml"));
  assert.ok((await codesOf(project)).includes("FW113"));
});

test("outside of a project it is wrong usage", async () => {
  const { folder } = await createOnce();
  const words = [process.execPath, join(folder, "vendor/framework"), "doctor"];
  const outcome = await run(words, { cwd: createFolder("elsewhere"), env: isolatedEnvironment() });
  assert.match(outcome.stderr, "not in a project");
  assert.is(outcome.status, 2);
});

test("with a module of the framework missing that is told, and what does not need it is examined all the same", async () => {
  const project = await copyProject();
  rmSync(join(project.folder, "vendor/framework/runtime/hooks.js"));
  rmSync(join(project.folder, "tsconfig.json"));
  const diagnostics = await examine(project);
  assert.is(diagnostics[0]?.code, "FW821");
  assert.match(diagnostics[0]?.hint ?? "", "git checkout HEAD -- vendor/framework/runtime/hooks.js");
});

for (const file of [
  "tools/shared.js",
  "tools/commands.js",
  "tools/convention.js",
  "tools/libraries.js",
  "runtime/log.js",
]) {
  test(`without ${file}, which the doctor itself needs, it says so and what to do`, async () => {
    const project = await copyProject();
    rmSync(join(project.folder, "vendor/framework", file));
    const { status, stderr } = await project.framework(["doctor"]);
    const path = `vendor/framework/${file}`;
    const hint = `  hint: Restore it: git checkout HEAD -- ${path}`;
    assert.is(stderr, `error A file of the vendored framework is missing: ${path}\n${hint}\n`);
    assert.is(status, 1);
  });
}

test("a missing file of the framework is named in a folder with a quote in its name, too", async () => {
  const project = await copyProject();
  const folder = join(createFolder("quote"), "it's 'mine'");
  cpSync(project.folder, folder, { recursive: true, verbatimSymlinks: true });
  rmSync(join(folder, "vendor/framework/runtime/log.js"));
  const { stderr } = await openProject(folder).framework(["doctor"]);
  assert.match(
    stderr,
    /^error A file of the vendored framework is missing: vendor\/framework\/runtime\/log\.js\n/,
  );
});

for (const [file, command] of [
  ["runtime/app.js", "start"],
  ["tools/convention.js", "start"],
  ["tools/shared.js", "start"],
  ["tools/commands.js", "routes"],
  ["tools/contract.js", "build"],
] as const) {
  test(`framework ${command} with a syntax error in ${file} names that file and its line`, async () => {
    const project = await copyProject();
    const path = `vendor/framework/${file}`;
    const text = project.read(path);
    project.write(path, `${text}export const x = = 1;\n`);
    const words = command === "routes" ? ["routes", "list"] : [command];
    const { status, stdout, stderr } = await project.spawnFramework(words);
    const line = text.split("\n").length;
    const what = "error A file of the vendored framework has a syntax error: Unexpected token '='";
    const hint = `  hint: Correct it there, or give the edit up: git checkout HEAD -- ${path}`;
    assert.is(stderr, `${what}\n  ${path}:${line}\n${hint}\n`);
    assert.is(stdout, "");
    assert.is(status, 1);
  });
}

test("a project that is broken in every way gets an answer to each, and no stack trace", async () => {
  const project = await copyProject();
  for (const file of ["package.json", "tsconfig.json", "framework.toml", "vendor/framework/manifest.json"]) {
    project.write(file, "<<<<<<< yours\n");
  }
  const host = hostname().replace(/[^\w.-]/g, "");
  project.write(`.framework/lock/${host},999999999,,00`, "");
  project.write("dist/server.js", "");
  project.write("apps/users/views.ts", "export function get_by_id(");
  const { status, stdout, stderr } = await project.framework(["doctor"]);
  for (const code of ["FW820", "FW102", "FW827", "FW835", "FW836"]) assert.match(stdout, ` ${code} `);
  assert.not.match(stdout + stderr, /^ +at /m);
  assert.is(status, 1);
});

test("many files that are missing come back by the one line that is told, and edits stay", async () => {
  const project = await copyProject();
  const git = (...words: string[]): Promise<unknown> =>
    runWell(["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], {
      cwd: project.folder,
      env: isolatedEnvironment(),
    });
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "all");
  project.edit("vendor/framework/http.js", "\n", "\n// mine\n");
  for (const name of [
    "tools/dev.js",
    "tools/contract.js",
    "runtime/hooks.js",
    "index.d.ts",
    "test.js",
    "uvu.js",
  ]) {
    rmSync(join(project.folder, "vendor/framework", name));
  }
  await git("rm", "--quiet", "vendor/framework/http.d.ts");
  const [missing] = await examine(project);
  const [, line = ""] = /^Restore what git has: (.*); without git/.exec(missing?.hint ?? "") ?? [];
  await runWell(["sh", "-c", line], { cwd: project.folder, env: isolatedEnvironment() });
  assert.equal(await codesOf(project), ["FW822"]);
});

test("an edit that leaves no JavaScript is an error, with its place", async () => {
  const project = await copyProject();
  project.write("vendor/framework/http.js", "export {\n  x: 1\n};\n");
  const [found, ...others] = await examine(project);
  assert.equal(others, []);
  assert.is(found?.code, "FW842");
  assert.equal(found?.locations, [{ file: "vendor/framework/http.js", line: 2, column: 4 }]);
});

for (const file of ["runtime/hooks.js", "tools/generate.js"]) {
  test(`a syntax error in ${file} has its place, too`, async () => {
    const project = await copyProject();
    const path = `vendor/framework/${file}`;
    const line = project.read(path).split("\n").length;
    project.write(path, `${project.read(path)}export const x = = 1;\n`);
    const found = (await examine(project)).find(({ code }) => code === "FW842");
    assert.equal(found?.locations, [{ file: path, line, column: 18 }]);
  });
}

for (const line of ["vendor/", "tools/", "*.d.ts"]) {
  test(`a .gitignore with ${line} would leave a clone without some of the framework, and the hint's lines mend that`, async () => {
    const project = await copyProject();
    rmSync(join(project.folder, ".git"), { recursive: true, force: true });
    await run(["git", "init", "--quiet"], { cwd: project.folder, env: isolatedEnvironment() });
    project.write(".gitignore", `${line}\n`);
    const [found, ...others] = await examine(project);
    assert.equal(others, []);
    assert.is(found?.code, "FW843");
    const [, one, other] = /: (\S+) and (\S+)$/.exec(found?.hint ?? "") ?? [];
    project.write(".gitignore", `${line}\n${one}\n${other}\n`);
    assert.equal(await codesOf(project), []);
  });
}

test("in a repository that leaves out the whole project, that is not reported", async () => {
  const project = await copyProject();
  rmSync(join(project.folder, ".git"), { recursive: true, force: true });
  await run(["git", "init", "--quiet"], { cwd: project.folder, env: isolatedEnvironment() });
  project.write(".gitignore", "*\n");
  assert.equal(await codesOf(project), []);
});

test("what systems leave in any folder is no file of the user's", async () => {
  const project = await copyProject();
  for (const file of [".DS_Store", "runtime/.DS_Store", "Thumbs.db", "node_modules/.cache/x"]) {
    project.write(`vendor/framework/${file}`, "");
  }
  assert.equal(await codesOf(project), []);
});

test("a main file that is missing, or is no TypeScript, is an error", async () => {
  const project = await copyProject();
  project.write("app.ts", "export const app = await\n");
  assert.equal(await codesOf(project), ["FW301"]);
  project.write("app.ts", "enum Mode {}\n");
  assert.equal(await codesOf(project), ["FW318"]);
  rmSync(join(project.folder, "app.ts"));
  const [found] = await examine(project);
  assert.is(found?.message, "There is no app.ts: nothing creates the app and listens.");
});

test("a PORT in .env that is none is told", async () => {
  const project = await copyProject();
  project.write(".env", "PORT=80000\n");
  const [found] = await examine(project);
  assert.is(found?.code, "FW840");
  assert.is(found?.message, 'PORT in .env is "80000": a port is a whole number from 0 to 65535.');
});

test("ten thousand files too many and a thousand mistakes of a kind are a page to read", async () => {
  const project = await copyProject();
  mkdirSync(join(project.folder, "vendor/framework/copies"));
  for (let number = 0; number < 10_000; number++) {
    writeFileSync(join(project.folder, `vendor/framework/copies/${number}.js`), "");
  }
  const handlers = Array.from({ length: 1000 }, (_, number) => `export function gte_${number}() {}\n`);
  project.write("apps/users/views.ts", handlers.join(""));
  const { stdout } = await project.framework(["doctor"]);
  assert.match(stdout, "info FW823 10000 files");
  assert.match(stdout, "… and 9995 more");
  assert.match(stdout, "… and 990 more FW202: framework doctor --json lists them all");
  assert.ok(stdout.split("\n").length < 100, stdout);
  const extra = (await examine(project)).find(({ code }) => code === "FW823");
  assert.is(extra?.locations.length, 10_000);
});

test("what .env holds is never printed, and names can't move the cursor", async () => {
  const project = await copyProject();
  await run(["git", "init", "--quiet"], { cwd: project.folder, env: isolatedEnvironment() });
  project.write(".env", "PASSWORD=hunter2\n");
  project.write(".gitignore", "");
  if (process.platform !== "win32") project.write("vendor/framework/\u001b[31m.js", "");
  const { stdout } = await project.framework(["doctor"]);
  assert.match(stdout, "warning FW837 Git does not ignore .env");
  assert.not.match(stdout, "hunter2");
  assert.not.match(stdout, "\u001b");
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

test("a server that was just built is current, until a source changes", async () => {
  const project = await buildableCopy();
  for (const name of ["@types/node", "typescript", "undici", "uvu"]) {
    project.write(`node_modules/${name}/package.json`, "{}");
  }
  const { status, stderr } = await project.framework(["build"]);
  assert.is(status, 0, stderr);
  assert.equal(await codesOf(project), []);
  project.edit("routes/index.ts", "Hello", "Hi");
  assert.equal(await codesOf(project), ["FW835"]);
});

withOtherNode("on a Node.js with known vulnerabilities it says which one fixes them", async () => {
  const project = await copyProject();
  const words = [nodePath("node20"), "vendor/framework", "doctor"];
  const { status, stdout } = await run(words, { cwd: project.folder, env: isolatedEnvironment() });
  assert.match(
    stdout,
    /^warning FW826 Node\.js 20\.19\.\d+ has vulnerabilities[^\n]*\n {2}hint: Install 20\.20\.2 or newer/,
  );
  assert.is(status, 0);
});

test.run();
