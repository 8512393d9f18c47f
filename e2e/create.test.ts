/** From `npm create` to files on disk: the published form, and a person at a terminal. `create/create.test.ts` has what the words mean. */

import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
import { ask } from "./harness/client.ts";
import { type Outcome, type RunningCommand, run, runWell } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkModules } from "./harness/modules.ts";
import { unpackOnce } from "./harness/package.ts";
import { copyProject, createOnce, openProject, type Project } from "./harness/project.ts";
import { registryWithPackage } from "./harness/registry.ts";
import { checkSamples } from "./harness/samples.ts";
import { serve } from "./harness/server.ts";
import { KEY, startAtTerminal, whyNoTerminal } from "./harness/terminal.ts";
import { createFolder } from "./harness/workspace.ts";

/** DESIGN section 8. */
const FILES = [
  ".dockerignore",
  ".env.example",
  ".gitattributes",
  ".github/workflows/ci.yml",
  ".gitignore",
  ".ignore",
  ".prettierignore",
  ".vscode/extensions.json",
  ".vscode/settings.json",
  "AGENTS.md",
  "Dockerfile",
  "README.md",
  "app.ts",
  "apps/products/app.toml",
  "apps/products/views.ts",
  "apps/users/app.toml",
  "apps/users/views.ts",
  "framework.toml",
  "package.json",
  "routes/index.ts",
  "routes/items.ts",
  "tests/app.test.ts",
  "tests/index.test.ts",
  "tests/items.test.ts",
  "tests/products.test.ts",
  "tests/users.test.ts",
  "tsconfig.json",
];

/** Runs the bundle as npm would, with nothing on the standard input, in the given folder. */
async function create(cwd: string, words: readonly string[], ...node: string[]): Promise<Outcome> {
  const file = join(await unpackOnce(), "dist/create.cjs");
  return run([process.execPath, ...node, file, ...words], { cwd, env: isolatedEnvironment() });
}

/** @param lines of a shell, in the project's folder. @returns what they print. */
async function shell({ folder: cwd }: Pick<Project, "folder">, ...lines: string[]): Promise<string> {
  return (await runWell(["sh", "-ec", lines.join("\n")], { cwd, env: isolatedEnvironment() })).stdout;
}

test("npm create makes every file of a project in one clean commit, and says what to type next", async () => {
  const { folder, outcome } = await createOnce();
  const project = openProject(folder);
  assert.equal(Object.keys(project.tree()), FILES);
  assert.ok(project.has("vendor/framework/manifest.json"));
  for (const text of ["my-app", "cd my-app", "npm run dev", "routes", "npm create convention-app"])
    assert.ok(outcome.stdout.includes(text), `${text} is missing in:\n${outcome.stdout}`);
  for (const [file, text] of Object.entries(project.tree())) {
    // GitHub's own placeholders are meant to be there.
    assert.not.match(text.replace(/\$\{\{ [\w.]+ \}\}/g, ""), /\{\{|\}\}|<!-- (?:if \w+|end) -->/, file);
  }
  const printed = await shell(project, "git rev-list --count HEAD", "git status --porcelain", "git ls-files");
  const [commits, ...tracked] = printed.split("\n");
  assert.is(commits, "1");
  for (const file of ["manifest.json", "tools/libraries.js"])
    assert.ok(
      tracked.includes(`vendor/framework/${file}`),
      "the vendored libraries are part of the repository",
    );
});

test("reviews fold the framework, git diff shows an edit of it, and a search passes it by", async () => {
  const project = await copyProject();
  const [file, library] = ["vendor/framework/runtime/app.js", "vendor/framework/tools/libraries.js"];
  await shell(project, "git init --quiet", "git add --all");
  for (const edited of [file, library]) project.write(edited, `// mine\n${project.read(edited)}`);
  // What ripgrep reads has the form of a .gitignore, and counts before that.
  project.write(".gitignore", project.read(".ignore"));
  const attributes = ["linguist-generated", "gitlab-generated", "linguist-vendored"];
  const printed = await shell(
    project,
    `git check-attr ${attributes.join(" ")} -- ${file}`,
    `git check-ignore --no-index ${file}`,
    "git diff",
  );
  assert.ok(
    printed.startsWith(`${attributes.map((name) => `${file}: ${name}: set\n`).join("")}${file}\n`),
    printed,
  );
  assert.match(printed, /^\+\/\/ mine$/m);
  assert.match(printed, `Binary files a/${library}`);
});

test("flags that npm took for its own are recovered, and the printed command makes the same project again", async () => {
  const { url } = await registryWithPackage();
  const [first, second] = [createFolder("asked"), createFolder("again")];
  const texts = ["--description", 'It\'s a "shop" & more', "--author", "Ada L", "--license", "MIT"];
  const words = ["npm", "create", "convention-app@latest", "shop", "--no-git", "--pm", "pnpm", "--"];
  const env = isolatedEnvironment(url);
  const { stdout } = await runWell([...words, "--apps", "users", ...texts], { cwd: first, env });
  assert.match(stdout, /npm took [^\n]*--no-git/);
  assert.match(stdout, /pnpm (?:run )?dev/);
  const command = /^ {2}(npm create .*)$/m.exec(stdout)?.[1] ?? "";
  await runWell(["sh", "-c", command], { cwd: second, env });
  const project = openProject(join(second, "shop"));
  assert.equal(project.tree(), openProject(join(first, "shop")).tree());
  assert.not.ok(project.has(".git"));
  const { description, author, license } = JSON.parse(project.read("package.json"));
  assert.equal([description, author, license], ['It\'s a "shop" & more', "Ada L", "MIT"]);
});

test("--json gives a program one object, by way of npm too, and nothing else on stdout", async () => {
  const { url } = await registryWithPackage();
  const cwd = createFolder("json");
  // npm tells on stdout what it runs, unless it is silent or takes the flag for its own.
  const words = ["npm", "create", "--yes", "convention-app", "shop", "--json"];
  const { ok, project, error } = JSON.parse(
    (await runWell(words, { cwd, env: isolatedEnvironment(url) })).stdout,
  );
  assert.equal([ok, project.directory, error], [true, join(cwd, "shop"), null]);
});

test("creating asks nothing of the network, and a project in a folder with spaces and letters beyond ASCII serves", async () => {
  const parent = join(createFolder("strange"), "an ümlaut & $HOME %41 #1");
  mkdirSync(parent);
  const guard = join(parent, "guard.cjs");
  writeFileSync(
    guard,
    'for (const [module, name] of [["net", "connect"], ["net", "createConnection"], ["dns", "lookup"]]) {\n' +
      '  require(module)[name] = () => { throw new Error("the network was asked"); };\n}\n' +
      'require("net").Socket.prototype.connect = require("net").connect;\n',
  );
  const { status, stderr } = await create(parent, ["shop", "--no-git"], "--require", guard);
  assert.is(status, 0, stderr);
  const server = await serve(join(parent, "shop"));
  await checkSamples(server.url);
  assert.is((await server.stop()).status, 0);
});

test("a folder that can't be written to is refused with status 1", async () => {
  // Root writes everywhere, but not in a place that the system makes up.
  const cwd = createFolder("locked");
  chmodSync(cwd, 0o555);
  const isRoot = process.getuid?.() === 0;
  if (isRoot && !existsSync("/proc/self")) return;
  const outcome = await create(isRoot ? "/proc" : cwd, ["shop"]);
  chmodSync(cwd, 0o755);
  assert.is(outcome.status, 1, outcome.stdout + outcome.stderr);
  assert.match(outcome.stderr, /^error /);
  assert.not.match(outcome.stderr, /\n\s+at /);
});

test("a bare project builds and serves at once, takes a first route, and checks", async () => {
  const cwd = createFolder("bare");
  assert.is((await create(cwd, ["shop", "--bare"])).status, 0);
  const project = openProject(join(cwd, "shop"));
  const without = FILES.filter((file) => !/^(?:apps|routes|tests)\/(?!app\.test)/.test(file));
  assert.equal(Object.keys(project.tree()), without);
  linkModules(project);
  const built = await project.spawnFramework(["build"]);
  assert.is(built.status, 0, built.stderr);
  const server = await serve(project.folder, [process.execPath, "dist/server.js"]);
  assert.is((await ask(server.url, "GET /")).status, 404);
  assert.is((await ask(server.url, "GET /healthz")).status, 200);
  assert.is((await server.stop()).status, 0);
  assert.is((await project.framework(["generate", "route", "index", "get"])).status, 0);
  await runWell(["npm", "run", "check"], { cwd: project.folder, env: isolatedEnvironment() });
});

const noTerminal = whyNoTerminal();
const testAtTerminal = noTerminal === undefined ? test : test.skip;
if (noTerminal !== undefined) console.log(`Skipped, a person at a terminal: ${noTerminal}.`);

/** The bundle at a terminal. */
async function createAtTerminal(cwd: string, words: string, url?: string): Promise<RunningCommand> {
  const file = join(await unpackOnce(), "dist/create.cjs");
  return startAtTerminal(`${process.execPath} ${file} ${words}`, { cwd, env: isolatedEnvironment(url) });
}

async function answer(
  terminal: RunningCommand,
  pairs: readonly (readonly [RegExp, string])[],
): Promise<void> {
  for (const [question, keys] of pairs) {
    await terminal.waitFor(question);
    terminal.write(keys);
  }
}

const QUESTIONS = [
  /Where should the project go\?/,
  /Which sample apps\?/,
  /Which database\?/,
  /Install packages now\?/,
  /git repository/,
] as const;

testAtTerminal(
  "a person at a terminal is asked what is missing, and gets the project of the answers",
  async () => {
    const { url } = await registryWithPackage();
    const cwd = createFolder("terminal");
    const terminal = startAtTerminal("npm create convention-app", { cwd, env: isolatedEnvironment(url) });
    const keys = [`shop${KEY.enter}`, `${KEY.space}${KEY.enter}`, KEY.enter, KEY.enter, `n${KEY.enter}`];
    const answers = QUESTIONS.map((question, at) => [question, keys[at] ?? ""] as const);
    await answer(terminal, [[/Ok to proceed\?/, `y${KEY.enter}`], ...answers]);
    const { status } = await terminal.ended;
    assert.is(status, 0, terminal.output());
    assert.equal(readdirSync(cwd), ["shop"]);
    assert.equal(readdirSync(join(cwd, "shop/apps")), ["users"]);
    assert.not.ok(existsSync(join(cwd, "shop/.git")));
    assert.match(terminal.output(), /npm create convention-app@latest shop -- --yes --apps users --no-git/);
  },
);

testAtTerminal(
  "a name that can't be used is refused at the question, and who wants no sample app is asked about the sample routes",
  async () => {
    const cwd = createFolder("terminal");
    const terminal = await createAtTerminal(cwd, "--database none --no-install --no-git");
    await answer(terminal, [
      [QUESTIONS[0], `My Shop${KEY.enter}`],
      [/my-shop/, `${"\u007f".repeat(7)}shop${KEY.enter}`],
      [QUESTIONS[1], `${KEY.space}${KEY.down}${KEY.space}${KEY.enter}`],
      [/sample routes/, "n"],
    ]);
    assert.is((await terminal.ended).status, 0, terminal.output());
    assert.not.ok(existsSync(join(cwd, "shop/routes")));
    assert.match(terminal.output(), /convention-app@latest shop -- --yes --bare --no-git/);
  },
);

const WAYS_OUT = (["ctrlC", "ctrlD", "escape"] as const).flatMap((key) =>
  QUESTIONS.map((question, at) => ({ key, question, at })),
);

for (const { key, question, at } of sample("ways out", WAYS_OUT, 1)) {
  testAtTerminal(`${key} at the question "${question.source}" ends with 130 and writes nothing`, async () => {
    const cwd = createFolder("cancelled");
    const terminal = await createAtTerminal(cwd, "");
    const before = QUESTIONS.slice(0, at).map((asked) => [asked, KEY.enter] as const);
    await answer(terminal, [...before, [question, KEY[key]]]);
    assert.is((await terminal.ended).status, 130, terminal.output());
    assert.match(terminal.output(), /Cancelled\. Nothing was written\./);
    assert.equal(readdirSync(cwd), []);
  });
}

testAtTerminal(
  "with all flags nothing is asked; Ctrl-C while installing leaves the project, and says how to go on: status 130",
  async () => {
    const cwd = createFolder("interrupted");
    const { url, asked, close } = await startSilentRegistry();
    const terminal = await createAtTerminal(
      cwd,
      "shop --apps products,users --database none --install --no-git",
      url,
    );
    await asked;
    assert.not.match(terminal.output(), /\?/);
    terminal.write(KEY.ctrlC);
    const { status } = await terminal.ended;
    close();
    assert.is(status, 130, terminal.output());
    assert.match(
      terminal.output(),
      /Installing failed: .*\.\s+The project is complete and runs as it is\..*npm install/,
    );
    const project = openProject(join(cwd, "shop"));
    assert.equal(Object.keys(project.tree()), FILES);
    assert.is((await project.framework(["routes", "check"])).status, 0);
  },
);

/** Takes requests and never answers: who installs from it is at it until stopped. */
async function startSilentRegistry(): Promise<{ url: string; asked: Promise<unknown>; close(): void }> {
  const server = createServer();
  const asked = once(server, "request");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, asked, close };
}

test.run();
