/** From `npm create` to files on disk: the published form, a person at a terminal, and names that can't be used. */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ask } from "./harness/client.ts";
import { type Outcome, run, runWell } from "./harness/command.ts";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkModules } from "./harness/modules.ts";
import { packOnce, unpackOnce } from "./harness/package.ts";
import { copyProject, createOnce, openProject } from "./harness/project.ts";
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
  ".vscode/extensions.json",
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
async function create(cwd: string, ...words: string[]): Promise<Outcome> {
  const file = join(await unpackOnce(), "dist/create.cjs");
  return run([process.execPath, file, ...words], { cwd, env: isolatedEnvironment() });
}

test("npm create makes every file of a project, and says what to type next", async () => {
  const { folder, outcome } = await createOnce();
  const project = openProject(folder);
  assert.equal(Object.keys(project.tree()), FILES);
  assert.ok(project.has("vendor/framework/manifest.json"));
  for (const text of ["my-app", "cd my-app", "npm run dev", "routes", "npm create convention-app"]) {
    assert.ok(outcome.stdout.includes(text), `${text} is missing in:\n${outcome.stdout}`);
  }
});

test("nothing of the template's own making is left in the files: no placeholder, no other project's name", async () => {
  const { folder } = await createOnce();
  for (const [file, text] of Object.entries(openProject(folder).tree())) {
    // GitHub's own placeholders are meant to be there.
    assert.not.match(text.replace(/\$\{\{ [\w.]+ \}\}/g, ""), /\{\{|\}\}|<!-- (?:if \w+|end) -->/, file);
  }
});

test("a new project is one clean commit", async () => {
  const { folder } = await createOnce();
  const git = (...words: string[]): string =>
    execFileSync("git", words, { cwd: folder, encoding: "utf8", env: { ...isolatedEnvironment() } });
  assert.is(git("rev-list", "--count", "HEAD").trim(), "1");
  assert.is(git("status", "--porcelain"), "");
  const tracked = git("ls-files").split("\n");
  assert.ok(tracked.includes("vendor/framework/manifest.json"));
  assert.ok(
    tracked.includes("vendor/framework/tools/libraries.js"),
    "the vendored libraries are part of the repository",
  );
});

test("reviews fold the framework, git diff shows an edit of it, and a search passes it by", async () => {
  const project = await copyProject();
  const git = (...words: string[]): string =>
    execFileSync("git", words, { cwd: project.folder, encoding: "utf8", env: { ...isolatedEnvironment() } });
  git("init", "--quiet");
  git("add", "--all");
  const [file, library] = ["vendor/framework/runtime/app.js", "vendor/framework/tools/libraries.js"];
  for (const attribute of ["linguist-generated", "gitlab-generated", "linguist-vendored"])
    assert.is(git("check-attr", attribute, file), `${file}: ${attribute}: set\n`);
  for (const edited of [file, library]) project.write(edited, `// mine\n${project.read(edited)}`);
  assert.match(git("diff"), /^\+\/\/ mine$/m);
  assert.match(git("diff"), `Binary files a/${library}`);
  // What ripgrep reads has the form of a .gitignore, and counts before that.
  project.write(".gitignore", project.read(".ignore"));
  assert.is(git("check-ignore", "--no-index", file), `${file}\n`);
});

test("npm exec with the tarball makes the same project", async () => {
  const { tarball } = await packOnce();
  const cwd = createFolder("exec");
  const words = [
    "npm",
    "exec",
    "--yes",
    "--package",
    tarball,
    "--",
    "create-convention-app",
    "my-app",
    "--yes",
  ];
  await runWell(words, { cwd, env: isolatedEnvironment() });
  const { folder } = await createOnce();
  assert.equal(openProject(join(cwd, "my-app")).tree(), openProject(folder).tree());
});

test("npm create with @latest and a name alone, without a terminal, makes a project and ends with 0", async () => {
  const { url } = await registryWithPackage();
  const cwd = createFolder("plain");
  await runWell(["npm", "create", "convention-app@latest", "shop"], { cwd, env: isolatedEnvironment(url) });
  const project = openProject(join(cwd, "shop"));
  assert.is(JSON.parse(project.read("package.json")).name, "shop");
  assert.match(project.read("routes/index.ts") + project.read("README.md"), /shop/);
});

test("npm create without any word makes my-app", async () => {
  const { url } = await registryWithPackage();
  const cwd = createFolder("wordless");
  await runWell(["npm", "create", "convention-app"], { cwd, env: isolatedEnvironment(url) });
  assert.ok(existsSync(join(cwd, "my-app/framework.toml")));
});

test("flags that npm took for its own are recovered, and it says so", async () => {
  const { url } = await registryWithPackage();
  const cwd = createFolder("swallowed");
  const words = ["npm", "create", "convention-app", "shop", "--yes", "--no-git", "--pm", "pnpm"];
  const { stdout, stderr } = await runWell(words, { cwd, env: isolatedEnvironment(url) });
  assert.not.ok(existsSync(join(cwd, "shop/.git")));
  assert.match(stdout + stderr, /--no-git/);
  assert.match(stdout + stderr, /pnpm (?:run )?dev/);
});

test("the printed command makes the same project again", async () => {
  const { url } = await registryWithPackage();
  const first = createFolder("asked");
  const flags = [
    "--apps",
    "users",
    "--no-git",
    "--description",
    'It\'s a "shop" & more',
    "--author",
    "Ada L",
    "--license",
    "MIT",
  ];
  const { stdout } = await create(first, "shop", ...flags);
  const command = /^ {2}(npm create .*)$/m.exec(stdout)?.[1] ?? "";
  const second = createFolder("again");
  await runWell(["sh", "-c", command], { cwd: second, env: isolatedEnvironment(url) });
  assert.equal(openProject(join(second, "shop")).tree(), openProject(join(first, "shop")).tree());
  const manifest = JSON.parse(openProject(join(second, "shop")).read("package.json"));
  assert.equal(
    [manifest.description, manifest.author, manifest.license],
    ['It\'s a "shop" & more', "Ada L", "MIT"],
  );
});

for (const apps of ["products", "users", "none"]) {
  test(`--apps ${apps} leaves the other sample apps out, and the project serves`, async () => {
    const cwd = createFolder("apps");
    assert.is((await create(cwd, "shop", "--yes", "--apps", apps)).status, 0);
    const project = openProject(join(cwd, "shop"));
    const wanted = apps === "none" ? [] : [apps];
    assert.equal(project.has("apps") ? readdirSync(join(project.folder, "apps")) : [], wanted);
    const mentions = project.read("README.md") + project.read("AGENTS.md");
    for (const other of ["products", "users"].filter((name) => !wanted.includes(name))) {
      assert.not.ok(project.has(`tests/${other}.test.ts`));
      assert.not.match(mentions, new RegExp(`apps/${other}|/${other}/`));
    }
    const list = await project.spawnFramework(["routes", "list", "--json"]);
    assert.is(list.status, 0, list.stderr);
    assert.is(JSON.parse(list.stdout).length, { products: 8, users: 5, none: 3 }[apps]);
  });
}

test("an empty folder that is there is filled, and . takes the folder's name", async () => {
  const cwd = createFolder("parent");
  mkdirSync(join(cwd, "here"));
  assert.is((await create(cwd, "here")).status, 0);
  assert.ok(existsSync(join(cwd, "here/framework.toml")));
  const folder = join(cwd, "My Shop");
  mkdirSync(folder);
  assert.is((await create(folder, ".")).status, 0);
  assert.is(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name, "my-shop");
});

test("a project in a folder with spaces and letters beyond ASCII serves", async () => {
  const parent = join(createFolder("strange"), "an ümlaut & $HOME %41 #1");
  mkdirSync(parent);
  assert.is((await create(parent, "shop", "--no-git")).status, 0);
  const server = await serve(join(parent, "shop"));
  await checkSamples(server.url);
  assert.is((await server.stop()).status, 0);
});

const REFUSED: readonly [why: string, words: readonly string[], status: number, says: RegExp][] = [
  ["capitals and spaces", ["My App!!", "--yes"], 2, /my-app/],
  ["a name in capitals", ["MyApp"], 2, /my-app/],
  ["a folder of npm's", ["node_modules"], 2, /node_modules/],
  ["the framework's own name", ["framework"], 2, /framework/],
  ["a device of Windows", ["con"], 2, /Windows/],
  ["a dot at the start", [".hidden"], 2, /hidden/],
  ["a name of 300 letters", ["a".repeat(300)], 2, /long/],
  ["an empty name", [""], 2, /empty/],
  ["an escape sequence", ["a\u001b[2Jb"], 2, /\\x1b/],
  ["an emoji", ["🚀"], 2, /can't be/],
  ["a path that leads out", ["../x"], 2, /A name that works: x/],
  ["an absolute path", ["/srv/shop"], 2, /A name that works: shop/],
  ["a space", ["a b"], 2, /a-b/],
  ["a hyphen at the start", ["--", "-x"], 2, /A name that works: x/],
  ["a line feed", ["a\nb"], 2, /A name that works: a-b/],
  ["a placeholder", ["{{x}}"], 2, /A name that works: x/],
  ["quotes", [`'x"`], 2, /A name that works: x/],
  ["a command", ["$(touch x)"], 2, /A name that works: touch-x/],
  ["one of Node's modules", ["http"], 2, /my-http/],
  ["two names", ["one", "two"], 2, /one.*two/],
  ["an unknown flag", ["shop", "--ysse"], 2, /--ysse/],
  ["a flag with a slip", ["shop", "--app", "users"], 2, /--apps/],
  ["an unknown app", ["shop", "--apps", "blog"], 2, /products/],
  ["an unknown package manager", ["shop", "--pm", "pip"], 2, /npm/],
  ["a flag without its value", ["shop", "--pm"], 2, /--pm/],
  ["a value that a switch does not take", ["shop", "--yes=1"], 2, /--yes/],
];
for (const [why, words, status, says] of REFUSED) {
  test(`${why} is refused with status ${status}, and nothing is written`, async () => {
    const cwd = createFolder("refused");
    const outcome = await create(cwd, ...words);
    assert.is(outcome.status, status, outcome.stdout + outcome.stderr);
    assert.match(outcome.stderr, says);
    assert.match(outcome.stderr, /^error /);
    assert.not.match(outcome.stderr, /\u001b|\n\s+at /);
    assert.equal(readdirSync(cwd), []);
  });
}

test("a folder that is not empty is refused by what is in it, dotfiles too, and stays as it is", async () => {
  for (const file of ["notes.txt", ".env", "package.json"]) {
    const cwd = createFolder("taken");
    mkdirSync(join(cwd, "shop"));
    writeFileSync(join(cwd, "shop", file), "mine");
    const outcome = await create(cwd, "shop", "--yes");
    assert.is(outcome.status, 1);
    assert.ok(outcome.stderr.includes(file), outcome.stderr);
    assert.equal([readdirSync(cwd), readdirSync(join(cwd, "shop"))], [["shop"], [file]]);
    assert.is(readFileSync(join(cwd, "shop", file), "utf8"), "mine");
  }
});

test("a file, a dead link and a folder below a file are refused with status 1", async () => {
  const cwd = createFolder("places");
  writeFileSync(join(cwd, "file"), "mine");
  symlinkSync("nowhere", join(cwd, "link"));
  for (const name of ["file", "link", "file/shop"]) {
    const outcome = await create(cwd, name);
    assert.is(outcome.status, 1, outcome.stderr);
    assert.match(outcome.stderr, /file|link/);
  }
  assert.equal(readdirSync(cwd).sort(), ["file", "link"]);
});

test("a folder that can't be written to is refused with status 1", async () => {
  // Root writes everywhere, but not in a place that the system makes up.
  const cwd = createFolder("locked");
  chmodSync(cwd, 0o555);
  const isRoot = process.getuid?.() === 0;
  if (isRoot && !existsSync("/proc/self")) return;
  const outcome = await create(isRoot ? "/proc" : cwd, "shop");
  chmodSync(cwd, 0o755);
  assert.is(outcome.status, 1, outcome.stdout + outcome.stderr);
  assert.match(outcome.stderr, /^error /);
  assert.not.match(outcome.stderr, /\n\s+at /);
});

test("a directory with folders above it that are not there is made with them", async () => {
  const cwd = createFolder("deep");
  assert.is((await create(cwd, "one/two/shop", "--yes")).status, 0);
  assert.ok(existsSync(join(cwd, "one/two/shop/framework.toml")));
});

test("in a repository no other is started", async () => {
  const cwd = createFolder("repository");
  execFileSync("git", ["init", "--quiet"], { cwd, env: { ...isolatedEnvironment() } });
  assert.is((await create(cwd, "shop", "--yes")).status, 0);
  assert.not.ok(existsSync(join(cwd, "shop/.git")));
});

test("an install that fails leaves the project, says how to go on, and ends with 1", async () => {
  const cwd = createFolder("uninstalled");
  const outcome = await create(cwd, "shop", "--yes", "--install");
  assert.is(outcome.status, 1, outcome.stdout + outcome.stderr);
  assert.match(outcome.stdout, /npm install/);
  const project = openProject(join(cwd, "shop"));
  assert.is((await project.spawnFramework(["routes", "list"])).status, 0);
});

test("two runs for one name at once: one makes the project, the other is refused, nothing is left beside it", async () => {
  const cwd = createFolder("race");
  const outcomes = await Promise.all([create(cwd, "shop", "--no-git"), create(cwd, "shop", "--no-git")]);
  assert.equal(
    outcomes.map(({ status }) => status).sort(),
    [0, 1],
    outcomes.map(({ stderr }) => stderr).join(),
  );
  assert.equal(readdirSync(cwd), ["shop"]);
  assert.equal(Object.keys(openProject(join(cwd, "shop")).tree()), FILES);
});

test("--help and --version make nothing and end with 0", async () => {
  const cwd = createFolder("help");
  const help = await create(cwd, "--help");
  assert.is(help.status, 0);
  assert.match(help.stdout, /--apps[\s\S]*Example/);
  const version = await create(cwd, "--version");
  assert.is(version.stdout.trim(), (await packOnce()).version);
  assert.equal(readdirSync(cwd), []);
});

const noTerminal = whyNoTerminal();
const testAtTerminal = noTerminal === undefined ? test : test.skip;
if (noTerminal !== undefined) console.log(`Skipped, a person at a terminal: ${noTerminal}.`);

testAtTerminal(
  "a person at a terminal is asked what is missing, and gets the project of the answers",
  async () => {
    const { url } = await registryWithPackage();
    const cwd = createFolder("terminal");
    const terminal = startAtTerminal("npm create convention-app", { cwd, env: isolatedEnvironment(url) });
    await terminal.waitFor(/Ok to proceed\?/);
    terminal.write(`y${KEY.enter}`);
    await terminal.waitFor(/Where should the project go\?/);
    terminal.write(`shop${KEY.enter}`);
    await terminal.waitFor(/Which sample apps\?/);
    terminal.write(`${KEY.space}${KEY.enter}`);
    await terminal.waitFor(/Which database\?/);
    terminal.write(KEY.enter);
    await terminal.waitFor(/Install packages now\?/);
    terminal.write(KEY.enter);
    await terminal.waitFor(/git repository/);
    terminal.write(`n${KEY.enter}`);
    const { status } = await terminal.ended;
    assert.is(status, 0, terminal.output());
    assert.equal(readdirSync(cwd), ["shop"]);
    assert.equal(readdirSync(join(cwd, "shop/apps")), ["users"]);
    assert.not.ok(existsSync(join(cwd, "shop/.git")));
    assert.match(terminal.output(), /npm create convention-app@latest shop -- --yes --apps users --no-git/);
  },
);

testAtTerminal("at a terminal, whoever wants no sample app is asked about the sample routes", async () => {
  const cwd = createFolder("terminal");
  const file = join(await unpackOnce(), "dist/create.cjs");
  const line = `${process.execPath} ${file} shop --database none --no-install --no-git`;
  const terminal = startAtTerminal(line, { cwd, env: isolatedEnvironment() });
  await terminal.waitFor(/Which sample apps\?/);
  terminal.write(`${KEY.space}${KEY.down}${KEY.space}${KEY.enter}`);
  await terminal.waitFor(/sample routes/);
  terminal.write("n");
  assert.is((await terminal.ended).status, 0, terminal.output());
  assert.not.ok(existsSync(join(cwd, "shop/routes")));
  assert.match(terminal.output(), /convention-app@latest shop -- --yes --bare --no-git/);
});

test("a bare project checks, builds and serves at once, by way of npm without its `--`, and takes a first route", async () => {
  const { url } = await registryWithPackage();
  const cwd = createFolder("bare");
  const { stdout } = await runWell(["npm", "create", "--yes", "convention-app", "shop", "--bare"], {
    cwd,
    env: isolatedEnvironment(url),
  });
  assert.match(stdout, /npm took [^\n]*--bare/);
  const project = openProject(join(cwd, "shop"));
  const without = FILES.filter((file) => !/^(?:apps|routes|tests)\/(?!app\.test)/.test(file));
  assert.equal(Object.keys(project.tree()), without);
  linkModules(project);
  for (const script of ["check", "build", "routes"])
    await runWell(["npm", "run", script], { cwd: project.folder, env: isolatedEnvironment() });
  const server = await serve(project.folder);
  assert.is((await ask(server.url, "GET /")).status, 404);
  assert.is((await ask(server.url, "GET /healthz")).status, 200);
  assert.is((await server.stop()).status, 0);
  assert.is((await project.spawnFramework(["generate", "route", "index", "get"])).status, 0);
  await runWell(["npm", "run", "check"], { cwd: project.folder, env: isolatedEnvironment() });
});

testAtTerminal("at a terminal only what is missing is asked: with all flags, nothing", async () => {
  const cwd = createFolder("terminal");
  const file = join(await unpackOnce(), "dist/create.cjs");
  const line = `${process.execPath} ${file} shop --apps users --database none --no-install --no-git`;
  const terminal = startAtTerminal(line, { cwd, env: isolatedEnvironment() });
  assert.is((await terminal.ended).status, 0, terminal.output());
  assert.not.match(terminal.output(), /\?/);
});

testAtTerminal("a name that can't be used is refused at the question, and another can be given", async () => {
  const cwd = createFolder("terminal");
  const file = join(await unpackOnce(), "dist/create.cjs");
  const line = `${process.execPath} ${file} --apps users --database none --no-install --no-git`;
  const terminal = startAtTerminal(line, { cwd, env: isolatedEnvironment() });
  await terminal.waitFor(/Where should the project go\?/);
  terminal.write(`My Shop${KEY.enter}`);
  await terminal.waitFor(/my-shop/);
  terminal.write(`${"\u007f".repeat(7)}shop${KEY.enter}`);
  assert.is((await terminal.ended).status, 0, terminal.output());
  assert.equal(readdirSync(cwd), ["shop"]);
});

const QUESTIONS = [
  /Where should/,
  /Which sample apps/,
  /Which database/,
  /Install packages/,
  /git repository/,
] as const;
const WAYS_OUT: readonly (readonly [name: string, key: string])[] = [
  ["Ctrl-C", KEY.ctrlC],
  ["Ctrl-D", KEY.ctrlD],
  ["Escape", KEY.escape],
];

for (const [name, key] of WAYS_OUT) {
  for (const [at, question] of QUESTIONS.entries()) {
    testAtTerminal(
      `${name} at the question "${question.source}" ends with 130 and writes nothing`,
      async () => {
        const cwd = createFolder("cancelled");
        const file = join(await unpackOnce(), "dist/create.cjs");
        const terminal = startAtTerminal(`${process.execPath} ${file}`, { cwd, env: isolatedEnvironment() });
        for (const asked of QUESTIONS.slice(0, at)) {
          await terminal.waitFor(asked);
          terminal.write(KEY.enter);
        }
        await terminal.waitFor(question);
        terminal.write(key);
        assert.is((await terminal.ended).status, 130, terminal.output());
        assert.match(terminal.output(), /Cancelled\. Nothing was written\./);
        assert.equal(readdirSync(cwd), []);
      },
    );
  }
}

testAtTerminal("Ctrl-C while installing leaves the project, and says how to go on: status 130", async () => {
  const cwd = createFolder("interrupted");
  const file = join(await unpackOnce(), "dist/create.cjs");
  const { url, asked, close } = await startSilentRegistry();
  const line = `${process.execPath} ${file} shop --yes --install`;
  const terminal = startAtTerminal(line, { cwd, env: isolatedEnvironment(url) });
  await asked;
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
  assert.is((await project.spawnFramework(["routes", "check"])).status, 0);
});

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

test("--json gives a program one object, by way of npm too, and nothing else on stdout", async () => {
  const { url } = await registryWithPackage();
  const cwd = createFolder("json");
  // npm tells on stdout what it runs, unless it is silent or takes the flag for its own.
  for (const [words, directory, ok] of [
    [["--silent", "convention-app", "shop", "--", "--json"], "shop", true],
    [["convention-app", "other", "--json"], "other", true],
    [["--silent", "convention-app", "shop", "--", "--json"], "shop", false],
  ] as const) {
    const line = ["npm", "create", "--yes", ...words];
    const { status, stdout } = await run(line, { cwd, env: isolatedEnvironment(url) });
    const report = JSON.parse(stdout);
    assert.is(status, ok ? 0 : 1);
    assert.is(report.ok, ok);
    assert.is(report.project?.directory ?? null, ok ? join(cwd, directory) : null);
    assert.is(report.error === null, ok);
  }
});

test("creating asks nothing of the network", async () => {
  const cwd = createFolder("offline");
  const guard = join(cwd, "guard.cjs");
  writeFileSync(
    guard,
    'for (const [module, name] of [["net", "connect"], ["net", "createConnection"], ["dns", "lookup"]]) {\n' +
      '  require(module)[name] = () => { throw new Error("the network was asked"); };\n}\n' +
      'require("net").Socket.prototype.connect = require("net").connect;\n',
  );
  const file = join(await unpackOnce(), "dist/create.cjs");
  const words = [process.execPath, "--require", guard, file, "shop", "--yes"];
  const outcome = await run(words, { cwd, env: isolatedEnvironment() });
  assert.is(outcome.status, 0, outcome.stderr);
  assert.is((await openProject(join(cwd, "shop")).spawnFramework(["routes", "check"])).status, 0);
});

test.run();
