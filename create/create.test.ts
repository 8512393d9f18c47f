/** Drives the bundle as npm would: packed, spawned, judged by its exit status, what it prints and what is on the disk. */

import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { devNull, tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sample } from "../runtime/random.fixture.ts";
import { bundleCreate } from "./build/bundle.ts";
import { packFramework } from "./framework.ts";
import { findGit } from "./git.ts";
import { buildInPlace } from "./place.ts";
import { packTemplate } from "./template.ts";

const here = dirname(fileURLToPath(import.meta.url));
const template = join(here, "../template");
const packed = realpathSync(mkdtempSync(join(tmpdir(), "create-packed-")));
const bundle = join(packed, "dist/create.cjs");
const nowhere = openSync(devNull, "w");
/** Strikes at one file-changing call: see its comment. What other faults come to is seen in e2e/faults.test.ts. */
const saboteur = join(here, "../e2e/faults/saboteur.cjs");

const test = suite<{ cwd: string }>("create");

test.before(async () => {
  mkdirSync(join(packed, "dist"));
  packTemplate(template, join(packed, "dist"));
  const framework = join(packed, "framework");
  write(join(framework, "tools/cli.js"), "#!/usr/bin/env node\n");
  write(join(framework, "runtime/app.js"), "export {};\n");
  write(join(framework, "package.json"), '{ "main": "tools/cli.js" }\n');
  packFramework(framework, join(packed, "dist"));
  write(join(packed, "package.json"), '{ "version": "1.2.3" }\n');
  await bundleCreate(bundle);
  program = compileFunction(readFileSync(bundle, "utf8").replace(/^#!.*/, ""), [
    "require",
    "module",
    "process",
    "__filename",
    "__dirname",
  ]) as typeof program;
});
test.before.each((context) => {
  context.cwd = realpathSync(mkdtempSync(join(tmpdir(), "create-")));
});
test.after.each(({ cwd }) => rmSync(cwd, { recursive: true, force: true }));
test.after(() => rmSync(packed, { recursive: true, force: true }));

interface Result {
  readonly status: number | null;
  readonly signal?: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

const toEnvironment = (cwd: string, env: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: cwd,
  NO_COLOR: "1",
  ...env,
});

/** The bundle as a function of what it finds in Node's own modules. */
let program: (...given: readonly unknown[]) => void = () => {};

/** Runs the bundle in this process, with another `process`: what it sets as its status last is what it ends with. */
function run(cwd: string, words: readonly string[], env: Environment = {}): Promise<Result> {
  return new Promise((resolve) => {
    const printed = { stdout: "", stderr: "" };
    const toStream = (name: "stdout" | "stderr") => ({
      fd: nowhere,
      on: () => {},
      write: (text: string) => {
        printed[name] += text;
      },
    });
    const given = {
      argv: [process.execPath, bundle, ...words],
      env: toEnvironment(cwd, env),
      cwd: () => cwd,
      on: () => {},
      stdin: {},
      stdout: toStream("stdout"),
      stderr: toStream("stderr"),
      get exitCode() {
        return undefined;
      },
      set exitCode(status: number | undefined) {
        resolve({ status: status ?? 0, ...printed });
      },
    };
    const itself = Object.create(process, Object.getOwnPropertyDescriptors(given));
    const require = Object.assign(createRequire(bundle), { main: { filename: bundle } });
    program(require, { exports: {} }, itself, bundle, dirname(bundle));
  });
}

function create(cwd: string, ...words: string[]): Promise<Result> {
  return run(cwd, [...words, "--no-git"]);
}

/** Runs it in a process of its own. */
function start(
  cwd: string,
  words: readonly string[],
  { env = {}, node = [] }: { readonly env?: Environment; readonly node?: readonly string[] } = {},
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [...node, bundle, ...words], {
    cwd,
    encoding: "utf8",
    timeout: 180_000,
    env: toEnvironment(cwd, env),
  });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function list(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => relative(folder, file).replaceAll("\\", "/")).sort();
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** A refusal has its status and its words, on stderr, and leaves nothing behind. */
function assertRefused(result: Result, status: number, said: RegExp): void {
  assert.is(result.status, status, result.stderr);
  assert.match(result.stderr, said);
  assert.is(result.stdout, "");
}

test("with no terminal a name is enough: a whole project, and what to type next", async ({ cwd }) => {
  const result = await create(cwd, "my-app");
  assert.is(result.status, 0, result.stderr);
  assert.is(result.stderr, "");
  for (const line of ["cd my-app", "npm run dev", "npx framework routes list", "my-app -- --yes --no-git"]) {
    assert.match(result.stdout, line);
  }
  assert.equal(readdirSync(cwd), ["my-app"]);
});

test("a project named like the template is the template, byte for byte", async ({ cwd }) => {
  await create(cwd, "my-app");
  const project = join(cwd, "my-app");
  const files = list(template).filter(
    (file) => !/^(?:node_modules|vendor|dist|_database|_resource)\/|^\.yarnrc\.yml$/.test(file),
  );
  assert.equal(
    list(project).filter((file) => !file.startsWith("vendor/")),
    files,
  );
  for (const file of files) {
    const text = readFileSync(join(template, file), "utf8")
      .replaceAll(/^<!-- if bare -->\n[\s\S]*?^<!-- end -->\n/gm, "")
      .replaceAll(/^<!-- (?:if \w+|end) -->\n/gm, "");
    assert.is(readFileSync(join(project, file), "utf8"), text, file);
  }
});

test("the runtime is vendored, and its command can be executed", async ({ cwd }) => {
  await create(cwd, "shop");
  const vendored = join(cwd, "shop/vendor/framework");
  assert.equal(list(vendored), ["package.json", "runtime/app.js", "tools/cli.js"]);
  assert.is(lstatSync(join(vendored, "tools/cli.js")).mode & 0o111, 0o111);
});

test("with no name it is my-app", async ({ cwd }) => {
  assert.is((await create(cwd, "--yes")).status, 0);
  assert.is(readJson(join(cwd, "my-app/package.json")).name, "my-app");
});

const APPS: readonly [flag: string, folders: string[], toml: string][] = [
  ["products,users", ["products", "users"], 'apps = ["products", "users"]'],
  ["products", ["products"], 'apps = ["products"]'],
  ["users", ["users"], 'apps = ["users"]'],
  ["none", [], "apps = []"],
];

for (const [flag, folders, toml] of APPS) {
  test(`--apps ${flag} makes those sample apps, their tests and entries; README and AGENTS name them alone, in whole Markdown`, async ({
    cwd,
  }) => {
    await create(cwd, "shop", "--apps", flag);
    const files = list(join(cwd, "shop"));
    assert.equal(
      files.filter((file) => file.endsWith("views.ts")),
      folders.map((app) => `apps/${app}/views.ts`),
    );
    const tests = [...folders, "app", "index", "items"].sort().map((name) => `tests/${name}.test.ts`);
    assert.equal(
      files.filter((file) => file.startsWith("tests/")),
      tests,
    );
    assert.match(readFileSync(join(cwd, "shop/framework.toml"), "utf8"), toml);
    for (const file of ["README.md", "AGENTS.md"]) {
      const text = readFileSync(join(cwd, "shop", file), "utf8");
      for (const app of ["products", "users"]) {
        const isNamed = new RegExp(`\\b${app}\\b`).test(text);
        assert.is(isNamed, file === "README.md" && folders.includes(app), `${app} in ${file}`);
      }
      assert.not.match(text, /<!-- (?:if \w+|end) -->|\{\{|\n\n\n/);
      assert.equal(brokenTables(text), [], file);
    }
  });
}

test("--bare makes a project without samples, of which one test is left", async ({ cwd }) => {
  const { stdout } = await create(cwd, "shop", "--bare");
  const files = list(join(cwd, "shop"));
  assert.equal(
    files.filter((file) => /^(?:apps|routes|tests)\//.test(file)),
    ["tests/app.test.ts"],
  );
  assert.match(readFileSync(join(cwd, "shop/framework.toml"), "utf8"), /^apps = \[\]$/m);
  const readme = readFileSync(join(cwd, "shop/README.md"), "utf8");
  assert.match(readme, /^<!-- routes -->\n\nThere are none yet\. [^\n]*\n\n<!-- end of routes -->$/m);
  for (const text of [readme, readFileSync(join(cwd, "shop/AGENTS.md"), "utf8")]) {
    assert.not.match(text, /products|users|<!-- (?:if \w+|end) -->|\{\{|\n\n\n/);
    assert.equal(brokenTables(text), []);
  }
  assert.match(stdout, / files · no samples\n/);
  assert.match(stdout, /^ {2}npx framework generate route index get {2}adds GET \/$/m);
  assert.match(stdout, "npm create convention-app@latest shop -- --yes --bare --no-git");
});

/** The first rows of what looks like a table but has no line of dashes second, or no blank line before it. */
function brokenTables(text: string): string[] {
  const shown = text.replaceAll("<!-- prettier-ignore -->\n", "");
  const tables = shown.split(/\n\n/).filter((block) => /^\|/m.test(block));
  return tables.filter((block) => !/^\|[^\n]*\n\|[ |-]*\|(?:\n\|[^\n]*)+\n?$/.test(block));
}

const CI_INSTALLS: readonly [manager: string, lines: readonly string[]][] = [
  ["npm", ["if [ -f package-lock.json ]; then npm ci; else npm install; fi"]],
  [
    "pnpm",
    [
      "npm install --global pnpm",
      "if [ -f pnpm-lock.yaml ]; then pnpm install --frozen-lockfile; else pnpm install --no-frozen-lockfile; fi",
    ],
  ],
  [
    "yarn",
    [
      "npm install --global --force corepack",
      "corepack enable",
      "if [ -f yarn.lock ]; then yarn install --frozen-lockfile; else YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn install; fi",
    ],
  ],
  [
    "bun",
    [
      "npm install --global bun",
      "if [ -f bun.lock ]; then bun install --frozen-lockfile; else bun install; fi",
    ],
  ],
];

for (const [manager, install] of CI_INSTALLS) {
  test(`with ${manager} the workflow installs, checks and builds by ${manager}, and so do README and AGENTS`, async ({
    cwd,
  }) => {
    await create(cwd, "shop", "--pm", manager);
    assert.is(existsSync(join(cwd, "shop/.yarnrc.yml")), manager === "yarn");
    for (const file of ["README.md", "AGENTS.md"]) {
      const text = readFileSync(join(cwd, "shop", file), "utf8");
      const commands = [...text.matchAll(/^(\w+ (?:install|start|test|run \w+) +)#/gm)].map(
        ([, command = ""]) => command,
      );
      assert.ok(
        commands.some((command) => command.startsWith(`${manager} install `)),
        file,
      );
      assert.is(new Set(commands.map(({ length }) => length)).size, 1, "comments are below each other");
    }
    const workflow = readFileSync(join(cwd, "shop/.github/workflows/ci.yml"), "utf8");
    const steps = [...workflow.matchAll(/^ {6}- run: (.*)$/gm)].map(([, line]) => line);
    assert.equal(steps, [...install, `${manager} run check`, `${manager} run build`]);
    const dockerfile = readFileSync(join(cwd, "shop/Dockerfile"), "utf8");
    const [before = ""] = dockerfile.split("RUN rm dist");
    const run = [...before.matchAll(/^RUN (.*)$/gm)].map(([, line]) => line);
    assert.equal(run, [...install, `${manager} run build`]);
    assert.match(workflow, /^ +node-version: \$\{\{ matrix\.node \}\}$/m);
    assert.match(
      readFileSync(join(cwd, "shop/package.json"), "utf8"),
      `"check": "node vendor/framework doctor && ${manager} run typecheck && ${manager} run test"`,
    );
  });
}

test("the workflow runs on the oldest Node that package.json allows, and on the Dockerfile's", async ({
  cwd,
}) => {
  await create(cwd, "shop");
  const read = (file: string): string => readFileSync(join(cwd, "shop", file), "utf8");
  const oldest = /"node": ">=(.*)"/.exec(read("package.json"))?.[1];
  const images = [...read("Dockerfile").matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => version);
  assert.is(new Set(images).size, 1);
  assert.match(read(".github/workflows/ci.yml"), `node: ["${oldest}", "${images[0]}"]`);
});

test("description, author and licence arrive in package.json whatever they hold", async ({ cwd }) => {
  const values = {
    description: 'say "hi" {{project}} $(id) \\ \n end',
    author: "O'Neil <o@x.org>",
    license: "MIT",
  };
  const flags = Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
  assert.is((await create(cwd, "shop", ...flags)).status, 0);
  const { description, author, license } = readJson(join(cwd, "shop/package.json"));
  assert.equal({ description, author, license }, values);
});

test("a path that leaves a folder again is printed without it, since that folder does not exist", async ({
  cwd,
}) => {
  const result = await create(cwd, "two/../three");
  assert.is(result.status, 0, result.stderr);
  assert.match(result.stdout, /^ {2}cd three$/m);
});

test("a path is a directory, and its last part the name", async ({ cwd }) => {
  assert.is((await create(cwd, "./deep/er/shop")).status, 0);
  assert.is(readJson(join(cwd, "deep/er/shop/package.json")).name, "shop");
});

test(". fills the current folder, which stays the same folder, and takes its name", async ({ cwd }) => {
  const folder = join(cwd, "My Shop");
  mkdirSync(folder);
  const { ino } = lstatSync(folder);
  const result = await create(folder, ".");
  assert.is(result.status, 0, result.stderr);
  assert.not.match(result.stdout, "cd ");
  assert.is(lstatSync(folder).ino, ino);
  assert.is(readJson(join(folder, "package.json")).name, "my-shop");
  assert.equal(
    readdirSync(folder).filter((entry) => entry.includes("creating")),
    [],
  );
});

test("an empty folder that is not the current one is filled, and keeps its mode", async ({ cwd }) => {
  mkdirSync(join(cwd, "shop"), { mode: 0o750 });
  assert.is((await create(cwd, "shop")).status, 0);
  assert.is(lstatSync(join(cwd, "shop")).mode & 0o777, 0o750);
  assert.equal(readdirSync(cwd), ["shop"]);
});

test("a link to an empty folder stays one, and the project is where it leads", async ({ cwd }) => {
  mkdirSync(join(cwd, "real"));
  symlinkSync("real", join(cwd, "shop"));
  assert.is((await create(cwd, "shop")).status, 0);
  assert.ok(lstatSync(join(cwd, "shop")).isSymbolicLink());
  assert.ok(existsSync(join(cwd, "real/package.json")));
});

test("an empty folder in one that may not be written to is filled", async ({ cwd }) => {
  if (process.getuid?.() === 0) return; // the system lets root write everywhere
  mkdirSync(join(cwd, "closed/shop"), { recursive: true });
  chmodSync(join(cwd, "closed"), 0o500);
  const result = await create(cwd, "closed/shop");
  chmodSync(join(cwd, "closed"), 0o700);
  assert.is(result.status, 0, result.stderr);
});

test("a run that was killed while it filled the current folder is finished by the next, which takes no other answers", async ({
  cwd,
}) => {
  const [counted, folder] = [join(cwd, "1/shop"), join(cwd, "2/shop")];
  for (const one of [counted, folder]) mkdirSync(one, { recursive: true });
  const { stderr } = runWithFault(counted, ".", "count", 0);
  const calls = Number(/changes: (\d+)/.exec(stderr)?.[1]);
  assert.is(runWithFault(folder, ".", "SIGKILL", calls - 6).signal, "SIGKILL");
  assertRefused(
    await create(folder, ".", "--apps", "none"),
    1,
    /is not empty: .* killed there, and its project is complete now/,
  );
  assert.equal(list(folder), list(counted));
  assert.equal(readdirSync(folder), readdirSync(counted));
});

for (const parent of ["a{{b}}", "{{{x", "back\\{{y}}", "$(id) 'q'", "{{#if}}"]) {
  test(`a parent folder called ${parent} is only a folder`, async ({ cwd }) => {
    mkdirSync(join(cwd, parent));
    const result = await create(join(cwd, parent), "shop");
    assert.is(result.status, 0, result.stderr);
    assert.ok(existsSync(join(cwd, parent, "shop/package.json")));
    assert.equal(readdirSync(cwd), [parent]);
  });
}

/** As a hosting site, an editor and a system leave it. */
const EXISTING: Readonly<Record<string, string>> = {
  ".DS_Store": "\0",
  ".git/HEAD": "ref: refs/heads/main\n",
  ".github/FUNDING.yml": "github: me\n",
  ".gitignore": "*.log\n.idea/",
  ".idea/workspace.xml": "<project/>",
  LICENSE: "MIT",
  "README.md": "# Mine\n",
  "docs/plan.md": "# Plan\n",
  "notes.txt": "mine",
};

for (const place of ["shop", "."]) {
  test(`${place === "." ? "the current folder" : "a folder"} that has only what no project has takes one, and every file stays`, async ({
    cwd,
  }) => {
    const folder = join(cwd, "shop");
    for (const [file, text] of Object.entries(EXISTING)) write(join(folder, file), text);
    const result = await create(place === "." ? folder : cwd, place);
    assert.is(result.status, 0, result.stderr);
    assert.match(result.stdout, /Kept your README\.md\. Added lines to \.gitignore\./);
    for (const [file, text] of Object.entries(EXISTING)) {
      const now = readFileSync(join(folder, file), "utf8");
      if (file === ".gitignore") assert.match(now, /^\*\.log\n\.idea\/\n\nnode_modules\/\n/);
      else assert.is(now, text, file);
    }
    const { stdout } = await create(cwd, "other");
    const countOf = (text: string): number => Number(/(\d+) files/.exec(text)?.[1]);
    assert.is(countOf(result.stdout), countOf(stdout) - 1, "README.md is not one of them");
    const missing = list(join(cwd, "other")).filter((file) => !existsSync(join(folder, file)));
    assert.equal(missing, []);
    assert.equal(readdirSync(cwd), ["other", "shop"]);
    assert.match(readFileSync(join(folder, ".gitignore"), "utf8"), /^!\/vendor\/\*\*$/m);
  });
}

test("what a project adds to .gitignore has its line ends, and is added once", async ({ cwd }) => {
  const ignored = readFileSync(join(template, ".gitignore"), "utf8").replaceAll("\n", "\r\n");
  write(join(cwd, "shop/.gitignore"), `mine\r\n${ignored.split("\r\n")[0]}\r\n`);
  write(join(cwd, "all/.gitignore"), ignored);
  await create(cwd, "shop");
  await create(cwd, "all");
  assert.not.match(readFileSync(join(cwd, "shop/.gitignore"), "utf8"), /[^\r]\n|(node_modules)[\s\S]*\1/);
  assert.is(readFileSync(join(cwd, "all/.gitignore"), "utf8"), ignored);
});

test("a line that is an exception counts, and a file that gets lines keeps its bytes and its mode", async ({
  cwd,
}) => {
  const mine = Buffer.from("# caf\xe9\n.env*\n!.env.example\n", "latin1");
  write(join(cwd, "shop/notes.txt"), "mine");
  writeFileSync(join(cwd, "shop/.gitignore"), mine, { mode: 0o600 });
  await create(cwd, "shop");
  const now = readFileSync(join(cwd, "shop/.gitignore"));
  assert.equal(now.subarray(0, mine.length), mine);
  assert.match(now.toString(), /^\.env\.\*\n!\.env\.example$/m);
  assert.is(lstatSync(join(cwd, "shop/.gitignore")).mode & 0o777, 0o600);
});

for (const [entry, goal] of [
  [".gitignore", "nowhere"],
  [".gitattributes", "notes.txt"],
  [".github", "docs"],
  [".vscode", "docs"],
] as const) {
  test(`a folder in which ${entry} is a link to ${goal} is refused by naming it, and untouched`, async ({
    cwd,
  }) => {
    write(join(cwd, "shop/docs/notes.txt"), "mine");
    write(join(cwd, "shop/notes.txt"), "mine");
    symlinkSync(goal, join(cwd, "shop", entry));
    const result = await create(cwd, "shop");
    assertRefused(result, 1, /shop has \S+(?: and \d more|, \S+)*, which a project has, too\./);
    assert.match(result.stderr, new RegExp(entry.replace(".", "\\.")));
    assert.equal(readdirSync(join(cwd, "shop")), [entry, "docs", "notes.txt"].sort());
    assert.ok(lstatSync(join(cwd, "shop", entry)).isSymbolicLink());
  });
}

test("a run that comes after another one has filled the folder changes nothing there", async ({ cwd }) => {
  const target = { directory: join(cwd, "shop"), name: "shop", exists: true };
  write(join(cwd, "shop/notes.txt"), "mine");
  const building = buildInPlace(target, async (directory) => {
    for (const file of [".gitattributes", ".gitignore", "app.ts"]) {
      write(join(directory, file), "late");
      write(join(cwd, "shop", file), "early");
    }
    return { files: 3, values: {}, met: { kept: [], merged: [] } };
  });
  assert.match(String(await building.catch((error) => error)), /app\.ts already exists/);
  assert.equal(list(cwd), ["shop/.gitattributes", "shop/.gitignore", "shop/app.ts", "shop/notes.txt"]);
  for (const file of [".gitattributes", ".gitignore"])
    assert.is(readFileSync(join(cwd, "shop", file), "utf8"), "early");
});

for (const entry of ["package.json", "routes/x.ts", ".github/workflows/ci.yml", ".vscode", "vendor/x"]) {
  test(`a folder that holds ${entry} is refused by naming it, and untouched`, async ({ cwd }) => {
    write(join(cwd, "shop", entry), "mine");
    write(join(cwd, "shop/README.md"), "mine");
    const result = await create(cwd, "shop");
    assertRefused(result, 1, /shop has \S+(?: and \d more|, \S+)*, which a project has, too\./);
    assert.match(result.stderr, new RegExp(entry.split("/x")[0]?.replaceAll(".", "\\.") ?? ""));
    assert.equal(list(cwd), ["shop/README.md", `shop/${entry}`].sort());
  });
}

test("every file of a project is refused where it is there already, or stays", async ({ cwd }) => {
  const variants = [["one"], ["two", "--database", "postgres"], ["three", "--pm", "yarn", "--bare"]];
  for (const words of variants) assert.is((await create(cwd, ...words)).status, 0);
  const files = new Set(variants.flatMap(([name = ""]) => list(join(cwd, name))));
  for (const file of files) {
    write(join(cwd, "taken", file), "mine");
    const { status, stderr } = await create(cwd, "taken");
    const isKept = ["README.md", ".gitignore", ".gitattributes"].includes(file);
    assert.is(status, isKept ? 0 : 1, `${file}: ${stderr}`);
    rmSync(join(cwd, "taken"), { recursive: true });
  }
});

test("a file in the way, in the path, or a link to nowhere is refused", async ({ cwd }) => {
  write(join(cwd, "file"), "mine");
  symlinkSync("nowhere", join(cwd, "link"));
  assertRefused(await create(cwd, "file"), 1, /already exists, and is a file/);
  assertRefused(await create(cwd, "file/shop"), 1, /is a file, so it can't hold a project/);
  assertRefused(await create(cwd, "link"), 1, /leads nowhere/);
  assert.equal(readdirSync(cwd).sort(), ["file", "link"]);
});

test("in a folder that has been deleted, it says so", ({ cwd }) => {
  const folder = join(cwd, "gone");
  mkdirSync(folder);
  const words = ["-c", 'rmdir "$PWD" && exec "$0" "$1" shop', process.execPath, bundle];
  const { status, stderr } = spawnSync("sh", words, { cwd: folder, encoding: "utf8" });
  assert.is(status, 1);
  assert.match(stderr, /^error the current folder has been deleted\./);
});

const WRONG: readonly [words: string[], said: RegExp][] = [
  [["deep/Er"], /A name that works: er$/m],
  [["../x"], /"\.\.\/x" can't be .* leads out of this folder.*\.\n.*A name that works: x$/m],
  [["a/../../x"], /leads out of this folder/],
  [["/srv/My Shop"], /absolute path.*\.\n.*A name that works: my-shop$/m],
  [["a\u001b[2Jb"], /"a\\x1b\[2Jb" can't be the name.*control characters/],
  [["shop\n"], /"shop\\x0a" can't be the name/],
  [["--", "-x"], /only a-z, 0-9 and then/],
  [[""], /empty/],
  [["shop", "--yess"], /Did you mean --yes\?/],
];

for (const [words, said] of WRONG) {
  test(`${JSON.stringify(words).slice(0, 40)} is wrong usage: status 2, nothing written`, async ({ cwd }) => {
    assertRefused(await run(cwd, words), 2, said);
    assert.equal(readdirSync(cwd), []);
  });
}

test("--help and --version answer and make nothing", async ({ cwd }) => {
  assert.match((await run(cwd, ["shop", "--help"])).stdout, /Usage[\s\S]*--apps <names>/);
  assert.is((await run(cwd, ["--version"])).stdout, "1.2.3\n");
  assert.equal(readdirSync(cwd), []);
});

test("flags that npm took for its own are taken over, and it says so", async ({ cwd }) => {
  const env = {
    npm_config_user_agent: "npm/11.19.1 node/v20",
    npm_config_git: "false",
    npm_config_yes: "true",
  };
  const result = await run(cwd, ["shop"], env);
  assert.is(result.status, 0, result.stderr);
  assert.match(result.stdout, /npm took --yes --no-git for itself/);
  assert.not.ok(existsSync(join(cwd, "shop/.git")));
});

test("with --json one object on stdout says what was made, and what to type next", async ({ cwd }) => {
  const { status, stdout, stderr } = await run(cwd, ["shop", "--json", "--no-git", "--apps", "users"]);
  assert.is(status, 0);
  assert.is(stderr, "");
  const { project, ...rest } = JSON.parse(stdout);
  assert.equal(rest, {
    ok: true,
    error: null,
    next: ["cd shop", "npm run dev", "npx framework routes list"],
    replay: "npm create convention-app@latest shop -- --yes --apps users --no-git",
    warnings: [],
  });
  assert.equal(project, {
    name: "shop",
    directory: join(cwd, "shop"),
    files: list(join(cwd, "shop")).length,
    kept: [],
    merged: [],
    apps: ["users"],
    bare: false,
    database: null,
    packageManager: "npm",
    installed: false,
    committed: false,
  });
});

const FAILURES: readonly [words: string[], status: number, message: string, hint: RegExp][] = [
  [["shop", "--ysse"], 2, "there is no option --ysse", /--yes/],
  [["My Shop"], 2, '"My Shop" can\'t be the name: npm wants lowercase', /my-shop/],
  [["taken"], 1, "taken has app.ts, which a project has, too", /another name/],
  [["shop", "--install"], 1, "Installing failed: npm ended with status 7", /npm install/],
];

for (const [words, status, message, hint] of FAILURES) {
  test(`with --json, ${words.join(" ")} ends with ${status} and an object that says why`, async ({ cwd }) => {
    fakeManager(cwd, "npm", "echo progress; exit 7");
    write(join(cwd, "taken/app.ts"), "mine");
    const result = await run(cwd, [...words, "--json", "--no-git"], { PATH: join(cwd, "bin") });
    assert.is(result.status, status);
    const { ok, error } = JSON.parse(result.stdout);
    assert.is(ok, false);
    assert.is(error.message, message);
    assert.match(error.hint, hint);
  });
}

test("with --json what npm took for its own is a warning", async ({ cwd }) => {
  const env = {
    npm_config_user_agent: "npm/11.19.1 node/v20",
    npm_config_git: "false",
    npm_config_json: "true",
  };
  const { warnings } = JSON.parse((await run(cwd, ["shop"], env)).stdout);
  assert.equal(
    warnings.map(({ message }: { message: string }) => message),
    ["npm took --json --no-git for itself; they are used here, too"],
  );
});

test("the commands are those of the package manager that runs it", async ({ cwd }) => {
  const { stdout } = await run(cwd, ["shop", "--no-git"], {
    npm_config_user_agent: "pnpm/10.1.0 npm/? node/v22",
  });
  assert.match(stdout, "pnpm run dev");
  assert.match(stdout, "pnpm create convention-app@latest shop --yes --no-git");
});

/** With these git knows the user, and has the settings. */
function gitEnvironment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const pairs = Object.entries(settings).flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@x",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@x",
    GIT_CONFIG_COUNT: String(pairs.length / 2),
    ...Object.fromEntries(pairs),
  };
}

function git(cwd: string, ...words: string[]): string {
  return spawnSync("git", words, { cwd, encoding: "utf8" }).stdout;
}

test("git gets one commit of everything, in one pack, on the branch of the user's settings", async ({
  cwd,
}) => {
  const settings = { "init.defaultBranch": "trunk", "init.templateDir": "/nowhere" };
  assert.match((await run(cwd, ["shop"], gitEnvironment(settings))).stdout, "one commit");
  const project = join(cwd, "shop");
  assert.is(readFileSync(join(project, ".git/HEAD"), "utf8"), "ref: refs/heads/trunk\n");
  assert.is(git(project, "status", "--porcelain"), "");
  const [parent, ...more] = readFileSync(join(project, ".git/logs/HEAD"), "utf8").trim().split("\n");
  assert.match(parent ?? "", /^0{40} /);
  assert.equal(more, []);
  const tree = git(project, "ls-tree", "-r", "HEAD");
  assert.match(tree, /^100755 blob \w+\tvendor\/framework\/tools\/cli\.js$/m);
  const blobs = [...tree.matchAll(/ blob (\w+)/g)].map(([, object]) => object);
  assert.match(git(project, "count-objects", "-v"), `in-pack: ${new Set(blobs).size}\npacks: 1\n`);
  assert.is(git(project, "fsck", "--full", "--strict"), "");
});

test("no ignore list, filter or line ends of the user's own change what the commit has of the framework", async ({
  cwd,
}) => {
  write(join(cwd, "ignored"), "vendor/\nframework\ncore\n*.js\npackage.json\n");
  write(join(cwd, "attributes"), "app.js filter=loud ident\nREADME.md filter=loud\n");
  const env = gitEnvironment({
    "core.excludesFile": join(cwd, "ignored"),
    "core.attributesFile": join(cwd, "attributes"),
    "filter.loud.clean": "tr a-z A-Z",
    "core.autocrlf": "true",
  });
  assert.match((await run(cwd, ["shop"], env)).stdout, "one commit");
  const project = join(cwd, "shop");
  const vendored = list(join(project, "vendor")).map((file) => `vendor/${file}`);
  assert.equal(git(project, "ls-files", "vendor").split("\n").filter(Boolean), vendored);
  const shown = git(project, "show", "HEAD:vendor/framework/runtime/app.js", "HEAD:README.md");
  assert.match(shown, /^export \{\};\n# SHOP/);
});

test("a file called git that can't be run is ignored, and the next one is used", ({ cwd }) => {
  write(join(cwd, "bin/git"), "");
  const own = findGit(process.env);
  assert.ok(own);
  assert.is(findGit({ PATH: [join(cwd, "bin"), process.env.PATH].join(delimiter) }), own);
});

test("a program called git in the current folder is not run, though PATH has that folder", ({ cwd }) => {
  write(join(cwd, "git"), "#!/bin/sh\n");
  chmodSync(join(cwd, "git"), 0o755);
  assert.is(findGit({ PATH: ["", ".", relative(process.cwd(), cwd)].join(delimiter) }), undefined);
});

test("in a git hook, which names its own repository, the project gets one of its own", async ({ cwd }) => {
  const env = { GIT_DIR: join(cwd, "hook"), GIT_WORK_TREE: cwd, GIT_INDEX_FILE: join(cwd, "hook/index") };
  assert.match((await run(cwd, ["shop"], { ...gitEnvironment(), ...env })).stdout, "one commit");
  assert.equal(readdirSync(cwd), ["shop"]);
  assert.ok(existsSync(join(cwd, "shop/.git/HEAD")));
});

test("who lets no one else read their files has a command that no one else can read", async ({ cwd }) => {
  const umask = process.umask(0o077);
  await create(cwd, "shop");
  process.umask(umask);
  assert.is(lstatSync(join(cwd, "shop/vendor/framework/tools/cli.js")).mode & 0o777, 0o700);
});

test("a reader that has enough of the output is no error", async ({ cwd }) => {
  const child = spawn(process.execPath, [bundle, "shop", "--no-git"], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  assert.is(await text(child.stderr), "");
  const [status] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
  assert.is(status, 0);
  assert.ok(existsSync(join(cwd, "shop/package.json")));
});

test("output that can't be written is reported: status 1, and the project is there", async ({ cwd }) => {
  if (!existsSync("/dev/full")) return; // the system has no such file
  const words = ["-c", `exec '${process.execPath}' '${bundle}' shop --no-git > /dev/full`];
  const { status, stderr } = spawnSync("sh", words, { cwd, encoding: "utf8" });
  assert.is(status, 1);
  assert.match(stderr, /^error The output could not be written: ENOSPC.*\n$/);
  assert.ok(existsSync(join(cwd, "shop/package.json")));
});

const UNCOMMITTED: readonly [why: string, settings: Readonly<Record<string, string>>][] = [
  ["a hook of the user's template refuses it", { "init.templateDir": "template" }],
  ["a hook of the user's own folder refuses it", { "core.hooksPath": "template/hooks" }],
  ["it can't be signed", { "commit.gpgsign": "true", "gpg.program": "false" }],
  ["git refuses to add a file", { "core.autocrlf": "true", "core.safecrlf": "true" }],
];

for (const [why, settings] of sample("reasons for no commit", UNCOMMITTED, 1)) {
  test(`without a commit, because ${why}, there is a repository and a project, and the command that says why`, async ({
    cwd,
  }) => {
    write(join(cwd, "template/hooks/pre-commit"), "#!/bin/sh\nexit 1\n");
    chmodSync(join(cwd, "template/hooks/pre-commit"), 0o755);
    const absolute = Object.entries(settings).map(([name, value]) => [
      name,
      value.startsWith("template") ? join(cwd, value) : value,
    ]);
    const result = await run(cwd, ["shop"], gitEnvironment(Object.fromEntries(absolute)));
    assert.is(result.status, 0, result.stderr);
    assert.match(result.stdout, /git made no commit\.\n.*git add --all && git commit/);
    assert.ok(existsSync(join(cwd, "shop/.git")));
  });
}

test("a git that can't start a repository leaves none, and a project", async ({ cwd }) => {
  fakeManager(cwd, "git", "mkdir .git; exit 1");
  const result = await run(cwd, ["shop"], { PATH: `${join(cwd, "bin")}:${process.env.PATH}` });
  assert.is(result.status, 0, result.stderr);
  assert.match(result.stdout, "git made no commit");
  assert.not.ok(existsSync(join(cwd, "shop/.git")));
});

test("git that does not know the user leaves a repository without a commit, and a project", async ({
  cwd,
}) => {
  const env = {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "user.useConfigOnly",
    GIT_CONFIG_VALUE_0: "true",
  };
  const result = await run(cwd, ["shop"], env);
  assert.is(result.status, 0, result.stderr);
  assert.match(result.stdout, /git made no commit\.\n/);
  assert.ok(existsSync(join(cwd, "shop/.git")));
});

test("inside a repository none is started; without git none is missed", async ({ cwd }) => {
  mkdirSync(join(cwd, ".git"));
  assert.is((await run(cwd, ["shop"])).status, 0);
  assert.not.ok(existsSync(join(cwd, "shop/.git")));
  rmSync(join(cwd, ".git"), { recursive: true });
  assert.is((await run(cwd, ["other"], { PATH: "" })).status, 0);
  assert.not.ok(existsSync(join(cwd, "other/.git")));
});

test("where Node may start no program there is a project alone, and it says what is missing", async ({
  cwd,
}) => {
  const isStable = process.allowedNodeEnvironmentFlags.has("--permission");
  const permission = isStable ? "--permission" : "--experimental-permission";
  const node = [permission, "--allow-fs-read=*", "--allow-fs-write=*"];
  const { status, stdout } = start(cwd, ["shop", "--install"], { node });
  assert.is(status, 1);
  assert.match(stdout, /shop is ready[\s\S]*Installing failed: [\s\S]*The project is complete/);
  assert.match(stdout, "git made no commit");
});

test("--install runs the package manager in the project, without a shell", async ({ cwd }) => {
  fakeManager(cwd, "pnpm", 'echo "$0 $* in $PWD" > ran; exit 0');
  const result = await run(cwd, ["shop", "--pm", "pnpm", "--install", "--no-git"], {
    PATH: join(cwd, "bin"),
  });
  assert.is(result.status, 0, result.stderr);
  assert.match(readFileSync(join(cwd, "shop/ran"), "utf8"), /pnpm install in .*\/shop\n$/);
});

test("what npm create had set for itself is not a setting of the install", async ({ cwd }) => {
  fakeManager(cwd, "pnpm", "env > ran; exit 0");
  const settings = { npm_config_yes: "true", npm_config_json: "true", npm_package_name: "x", INIT_CWD: cwd };
  const own = { npm_config_registry: "https://example.com", PATH: `${join(cwd, "bin")}:${process.env.PATH}` };
  await run(cwd, ["shop", "--pm", "pnpm", "--install", "--no-git"], { ...settings, ...own });
  const given = readFileSync(join(cwd, "shop/ran"), "utf8");
  assert.not.match(given, /^(?:npm_config_(?:yes|json)|npm_package_name|INIT_CWD)=/m);
  assert.match(given, /^npm_config_registry=/m);
});

test("installing that fails leaves the project, says how to go on, and ends with 1", async ({ cwd }) => {
  fakeManager(cwd, "npm", "exit 7");
  const result = await run(cwd, ["shop", "--install", "--no-git"], { PATH: join(cwd, "bin") });
  assert.is(result.status, 1);
  assert.match(
    result.stdout,
    /Installing failed: npm ended with status 7\.\n.*The project is complete.*npm install/,
  );
  assert.ok(existsSync(join(cwd, "shop/package.json")));
  const missing = await run(cwd, ["other", "--pm", "bun", "--install", "--no-git"], {
    PATH: join(cwd, "bin"),
  });
  assert.is(missing.status, 1);
  assert.match(missing.stdout, "there is no bun on this machine");
});

function fakeManager(cwd: string, name: string, script: string): void {
  write(join(cwd, "bin", name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(cwd, "bin", name), 0o755);
}

/** Has it struck at the given file-changing call. */
function runWithFault(cwd: string, directory: string, fault: string, at: number): SpawnSyncReturns<string> {
  const node = ["--require", saboteur];
  return start(cwd, [directory, "--no-git"], { node, env: { FAULT: fault, FAULT_AT: String(at) } });
}

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

for (const [signal, status] of sample("signals", SIGNALS, 1)) {
  test(`${signal} while files are written leaves nothing: status ${status}`, async ({ cwd }) => {
    const result = runWithFault(cwd, "shop", signal, 10);
    assert.is(result.status, status);
    assert.match(result.stderr, "Nothing was written");
    assert.equal(readdirSync(cwd), []);
  });
}

test("a run that was killed left no project, and the next clears up after it", async ({ cwd }) => {
  assert.is(runWithFault(cwd, "shop", "SIGKILL", 10).signal, "SIGKILL");
  assert.not.ok(existsSync(join(cwd, "shop")));
  assert.is((await create(cwd, "shop")).status, 0);
  assert.equal(readdirSync(cwd), ["shop"]);
});

/** Has the framework of the new project do something else than add a database. */
function layFramework(cwd: string, code: string): Environment {
  const file = join(cwd, "framework.cjs");
  write(file, `if (process.argv[2] === "generate") {${code}}`);
  return { NODE_OPTIONS: `--require ${file}` };
}

const WITH_DATABASE = ["shop", "--no-git", "--database", "sqlite"];

/** The framework gets the environment of this process. */
async function runWithFramework(cwd: string, code: string): Promise<Result> {
  const before = process.env.NODE_OPTIONS;
  Object.assign(process.env, layFramework(cwd, code));
  try {
    return await run(cwd, WITH_DATABASE);
  } finally {
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  }
}

test("the project's own framework adds the database, with a table where the sample had a list", async ({
  cwd,
}) => {
  const result = await runWithFramework(
    cwd,
    'require("node:fs").writeFileSync("words.txt", process.argv.slice(2).join(" "))',
  );
  assert.is(result.status, 0, result.stderr);
  assert.is(readFileSync(join(cwd, "shop/words.txt"), "utf8"), "generate database sqlite --sample");
  assert.not.ok(existsSync(join(cwd, "shop/apps/products")));
});

for (const [signal, status] of sample("signals", SIGNALS, 1)) {
  test(`${signal} while it does leaves nothing: status ${status}`, ({ cwd }) => {
    // As a terminal does: to both.
    const kill = `for (const pid of [process.ppid, process.pid]) process.kill(pid, "${signal}");`;
    const result = start(cwd, WITH_DATABASE, { env: layFramework(cwd, kill) });
    assert.is(result.status, status, result.stderr);
    assert.match(result.stderr, "Nothing was written");
    assert.equal(readdirSync(cwd), ["framework.cjs"]);
  });
}

for (const [title, code, problem] of [
  [
    "a disk that is full then",
    'console.error("error FW622 app.ts can\'t be written: the disk is full. Nothing was changed."); process.exit(1);',
    /^error shop could not be created: app\.ts can't be written: the disk is full\.\n/,
  ],
  [
    "a framework that is killed then",
    'process.kill(process.pid, "SIGKILL");',
    /^error shop could not be created: SIGKILL ended its framework\.\n/,
  ],
] as const) {
  test(`${title} is an error, and nothing is left`, async ({ cwd }) => {
    const result = await runWithFramework(cwd, code);
    assert.is(result.status, 1);
    assert.match(result.stderr, problem);
    assert.equal(readdirSync(cwd), ["framework.cjs"]);
  });
}

test("several at once: one project, whole, and the others say that they came too late", async ({ cwd }) => {
  const statuses = await Promise.all(
    Array.from({ length: 3 }, () => {
      const child = spawn(process.execPath, [bundle, "shop", "--no-git"], { cwd, stdio: "ignore" });
      return new Promise<number | null>((resolve) => child.once("exit", resolve));
    }),
  );
  assert.equal(statuses.toSorted(), [0, 1, 1]);
  assert.equal(readdirSync(cwd), ["shop"]);
});

test("an old Node reports what is needed before anything else", async ({ cwd }) => {
  write(join(cwd, "old.cjs"), 'Object.defineProperty(process.versions, "node", { value: "16.20.2" });\n');
  const result = start(cwd, ["shop"], { node: ["--require", join(cwd, "old.cjs")] });
  assertRefused(result, 1, /needs Node 20\.19 or newer, but this is 16\.20\.2/);
  assert.equal(readdirSync(cwd), ["old.cjs"]);
  const { stdout } = start(cwd, ["shop", "--json"], { node: ["--require", join(cwd, "old.cjs")] });
  assert.match(JSON.parse(stdout).error.message, "this is 16.20.2");
});

test("the licences of everything in the bundle are beside it", () => {
  const licences = readFileSync(join(packed, "dist/create.LICENSE.txt"), "utf8");
  for (const name of [
    "create-create-app",
    "handlebars",
    "is-utf8",
    "kleur",
    "leven",
    "prompts",
    "sisteransi",
  ]) {
    assert.match(licences, new RegExp(`^${name} \\d`, "m"));
  }
});

test.run();
