import childProcess, { type SpawnSyncOptions } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, type ProjectFiles, writeFiles } from "#convention/folder.fixture";
import { Problem } from "#runtime/problem";
import { findCommit, openRepository } from "#toolchain/contract/diff/git";
import { UsageError } from "../command.ts";
import { type Given, given, type Printed, print, type Screen } from "../typed.fixture.ts";
import { routesDiff } from "./diff.ts";

const test = suite("routes diff");

const VIEWS = `import type { Body, int } from "framework";
export interface Item {
  name: string;
}
export function get_by_id(id: int): Item {
  return { name: String(id) };
}
export function post_index(item: Body<Item>): Item {
  return item;
}
`;
const WIDER = VIEWS.replace("name: string;", "name: string;\n  size: int;");
const LIMITED = VIEWS.replace(
  "item: Body<Item>",
  'item: Body<{ name: string & import("framework").MaxLength<3> }>',
);
const AUTH = 'import type { Bearer } from "framework";\nexport function user(token: Bearer) {}\n';
const SCHEMA =
  'export const Order = { "~standard": { version: 1, vendor: "us", validate: (value) => ({ value }) } };\n';
/** Routes whose results the source does not say. */
const OPEN = "export function get() { return load(); }\nexport function post(): Response {}\n";
const NOTHING = "export function get(): void {}\n";

/** Eight routes. */
const PROJECT = {
  "framework.toml": 'apps = ["items"]\n',
  "apps/items/app.toml": "",
  "apps/items/views.ts": VIEWS,
  "auth.ts": AUTH,
  "routes/_hooks.ts":
    'import type { From } from "framework";\nimport type { user } from "./../auth.ts";\nexport function guard(it: From<typeof user>) {}\n',
  "routes/index.ts": NOTHING,
  "routes/open.ts": OPEN,
  "lib/schema.ts": SCHEMA,
  "lib/orders.ts": 'export { Order } from "./schema.ts";\n',
  "routes/orders.ts":
    'import type { Body } from "framework";\nimport type { Order } from "../lib/orders.ts";\nexport function post(order: Body<typeof Order>): void {}\n',
  "lib/real.ts": NOTHING,
  "lib/linked/deep.ts": NOTHING,
};
/** Symbolic links, to a file and to a folder. */
const LINKS = { "routes/real.ts": "../lib/real.ts", "routes/linked": "../lib/linked" };

/** In circles, and out of the repository. */
const ENDLESS = { "routes/one": "two", "routes/two": "one", "routes/out": "/kept", "routes/up": "../.." };

const SHARED = "export interface Item {\n  name: string;\n}\n";
/** A project in a folder of the repository. */
const SHOP = {
  "shop/framework.toml": PROJECT["framework.toml"],
  "shop/apps/items/app.toml": "",
  "shop/apps/items/views.ts": VIEWS.replace(
    /export interface Item[\s\S]*?\n}\n/,
    'import type { Item } from "../../../shared/item.ts";\n',
  ),
  "shared/item.ts": SHARED,
  "shop2/framework.toml": "apps = [",
};

const BARE = { "framework.toml": "apps = []\n" };
const BRANCHES: Readonly<Record<string, ProjectFiles>> = {
  main: PROJECT,
  shop: SHOP,
  readme: { "README.md": "x" },
  broken: { ...BARE, "routes/items.ts": "export function get(...ids: number[]) {}\n" },
  lfs: { ...BARE, "routes/a.ts": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n" },
  odd: { ...BARE, "routes/kept/a.ts": NOTHING },
  latin: { ...BARE, "routes/a.ts": Buffer.from([0x2f, 0x2f, 0xff]) },
};

/** What `git fast-import` reads. */
function formatHistory(): Buffer {
  const pieces: (string | Uint8Array)[] = [];
  const add = (mode: string, file: string, content: string | Uint8Array): void =>
    void pieces.push(`M ${mode} inline ${file}\ndata ${Buffer.byteLength(content)}\n`, content, "\n");
  const commit = (branch: string, from = ""): void =>
    void pieces.push(
      `commit refs/heads/${branch}\ncommitter Ada <ada@example.org> 0 +0000\ndata 1\nx\n${from}`,
    );
  for (const [branch, files] of Object.entries(BRANCHES)) {
    commit(branch);
    for (const [file, content] of Object.entries(files)) add("100644", file, content);
    if (branch === "main") for (const [file, target] of Object.entries(LINKS)) add("120000", file, target);
    if (branch === "odd") for (const [file, target] of Object.entries(ENDLESS)) add("120000", file, target);
  }
  for (const ref of ["tags/v1", "remotes/origin/release"])
    pieces.push(`reset refs/${ref}\nfrom refs/heads/main\n\n`);
  commit("work", "from refs/heads/main\n");
  add("100644", "apps/items/views.ts", WIDER);
  // Where main and work have parted.
  commit("later", "from refs/heads/main\n");
  add("100644", "routes/new.ts", NOTHING);
  return Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
}

/** Of one repository, whose refs never change. */
const root = createFolder();
const { spawnSync } = childProcess;
/** What git has answered. */
const answered = new Map<string, ReturnType<typeof spawnSync>>();

/** Git gives the same answer to the same question. */
function askOnce(program: string, words: readonly string[], options: SpawnSyncOptions): unknown {
  if (!String(options.cwd).startsWith(root)) return spawnSync(program, words, options);
  const key = JSON.stringify([words, options.cwd, String(options.input), process.env.GIT_DIR]);
  const answer = answered.get(key) ?? spawnSync(program, words, options);
  answered.set(key, answer);
  return answer;
}

function git(cwd: string, words: readonly string[], input?: Buffer): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const { status, stderr } = spawnSync("git", words, { cwd, env, ...(input && { input }) });
  assert.is(status, 0, String(stderr));
}

test.before(() => {
  git(root, ["init", "-qb", "main"]);
  git(root, ["fast-import", "--quiet"], formatHistory());
  Object.assign(childProcess, { spawnSync: askOnce });
  syncBuiltinESMExports();
});
test.after(() => {
  Object.assign(childProcess, { spawnSync });
  syncBuiltinESMExports();
  rmSync(root, { recursive: true, force: true });
});
test.before.each(() => lay(PROJECT));

/** Has just these files on disk. */
function lay(files: ProjectFiles): void {
  for (const name of readdirSync(root)) if (name !== ".git") rmSync(join(root, name), { recursive: true });
  writeFiles(root, files);
  if (files !== PROJECT) return;
  for (const [file, target] of Object.entries(LINKS)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    symlinkSync(target, join(root, file));
  }
}

async function diff(
  words: readonly string[],
  options: Given = {},
  screen: Screen = {},
  cwd = root,
): Promise<Printed> {
  return print((terminal) => routesDiff.run({ cwd, words, ...given(options), terminal }), screen);
}

async function refuse(cwd: string, ...words: readonly string[]): Promise<Problem> {
  try {
    await diff(words, {}, {}, cwd);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

const last = ({ out }: Printed): string =>
  out.slice(out.lastIndexOf("\n") + 1).replace(/\([0-9a-f]{7}\)/g, "(…)");

const UNCHANGED = "No changes in 8 routes. Compared with main (…).";

test("without a change it says so, and the status is 0: links are followed, and line ends, a byte order mark and a new file are no change", async () => {
  writeFiles(root, { "apps/items/views.ts": `\ufeff${VIEWS.replaceAll("\n", "\r\n")}`, "notes.txt": "x" });
  const printed = await diff(["main"], { strict: true });
  assert.equal([printed.status, last(printed), printed.err], [0, UNCHANGED, ""]);
  assert.equal((await diff(["main"], { json: true })).out, "[]");
});

test("a change has its sentence and both source lines, breaking ones first, and the status is 1", async () => {
  writeFiles(root, { "apps/items/views.ts": WIDER.replace("(id: int)", "(id: string)") });
  const { status, out } = await diff(["main"]);
  assert.is(status, 1);
  assert.match(
    out,
    /^breaking POST \/items\/ new-required-request-property\n {2}`size` in the body is new and required\.\n/,
  );
  assert.match(
    out,
    /\nother GET \/items\/by\/id\/<id> request-parameter-type-generalized\n {2}Path parameter `id` changed from `int` to `string`\.\n {2}main:apps\/items\/views\.ts:5:17\n {4}5 \| export function get_by_id\(id: int\): Item \{\n {6}\| {17}\^{9}\n {2}apps\/items\/views\.ts:6:17\n {4}6 \| export function get_by_id\(id: string\): Item \{\n/,
  );
  assert.match(
    out,
    /response-required-property-added\n {2}`size` in the 200 answer is new\.\n[\s\S]*?\n {2}and 1 more route\n/,
  );
  assert.match(
    out,
    /\n\n\d changes in 8 routes: 1 breaking, \d other\. Compared with main \([0-9a-f]{7}\)\.$/,
  );
  const narrow = await diff(["main"], {}, { columns: 40 });
  for (const line of narrow.out.split("\n").filter((one) => one.startsWith("  `")))
    assert.ok(line.length <= 40, line);
  const colored = await diff(["main"], {}, { color: true });
  assert.match(colored.out, "\x1b[31m");
  assert.is(colored.out.replace(/\x1b\[\d+m/g, ""), out);
});

test("--fail-on chooses for which changes the status is 1", async () => {
  const cases: readonly (readonly [text: string, level: string | undefined, status: number])[] = [
    [WIDER, undefined, 1],
    [WIDER, "none", 0],
    [VIEWS.replace("{\n  name: string;", "{\n  name: string;\n  size?: int;"), "risky", 0],
    [LIMITED, undefined, 0],
    [LIMITED, "risky", 1],
  ];
  for (const [text, level, status] of cases) {
    writeFiles(root, { "apps/items/views.ts": text });
    const options = level === undefined ? {} : { "fail-on": level };
    assert.is((await diff(["main"], options)).status, status, `${level} ${text}`);
  }
});

test("a result that the source does not say is counted, and fails with --strict, which names it", async () => {
  writeFiles(root, { "routes/open.ts": `${OPEN}// edited\n` });
  const open = "Compared with main (…). 2 results not compared: the source does not say the type.";
  const [plain, strict] = [await diff(["main"]), await diff(["main"], { strict: true })];
  assert.equal([plain.status, last(plain), plain.err], [0, `No changes in 8 routes. ${open}`, ""]);
  assert.equal([strict.status, last(strict)], [1, last(plain)]);
  assert.match(
    strict.err,
    "error The result of GET /open was not compared (routes/open.ts:1:17).\n  hint: Write",
  );
  const json = await diff(["main"], { json: true, strict: true });
  assert.equal([json.status, json.out], [1, "[]"]);
  writeFiles(root, { "routes/open.ts": OPEN.replace("get()", "get(): string") });
  const written = await diff(["main"]);
  assert.match(written.out, "risky GET /open response-status-became-known");
  assert.match(last(written), "1 result not compared: the source does not say the type.");
});

test("--json has each difference with its fields, also those that routes share", async () => {
  writeFiles(root, { "apps/items/views.ts": WIDER });
  const differences = JSON.parse((await diff(["main"], { json: true })).out);
  assert.equal(differences[0], {
    level: "breaking",
    id: "new-required-request-property",
    method: "POST",
    pattern: "/items/",
    where: { side: "request", in: "body", pointer: "/size" },
    message: "`size` in the body is new and required.",
    before: differences[0].before,
    after: differences[0].after,
    type: "Item",
  });
  const shared = differences.filter(({ id }: { id: string }) => id === "response-required-property-added");
  assert.is(shared.length, 2);
});

test("the project may be a folder of the repository, and may import from beside it", async () => {
  lay({ ...SHOP, "shared/item.ts": SHARED.replace("name: string;", "name: string;\n  size: number;") });
  for (const cwd of ["shop", "shop/apps"])
    assert.match((await diff(["shop"], {}, {}, join(root, cwd))).out, "new-required-request-property");
});

test("what is behind symbolic links is compared, to files and to folders", async () => {
  writeFiles(root, {
    "lib/real.ts": NOTHING.replace("void", "string"),
    "lib/linked/deep.ts": NOTHING.replace("void", "string"),
  });
  const { out } = await diff(["main"]);
  for (const route of ["GET /real", "GET /linked/deep"]) assert.match(out, ` ${route} `);
});

test("a guard in another file counts for the routes that it is around, and a schema for those that it checks", async () => {
  writeFiles(root, {
    "auth.ts": AUTH.replaceAll("Bearer", "Basic"),
    "lib/schema.ts": `${SCHEMA}// edited\n`,
  });
  const { out } = await diff(["main"]);
  assert.match(
    out,
    "breaking GET / api-security-added\n  The route requires a user name and a password (basic) now.",
  );
  assert.match(out, "more routes");
  assert.match(out, "risky POST /orders request-body-schema-changed");
});

test("a route that is hidden now is gone for callers, and so is its path", async () => {
  writeFiles(root, { "routes/index.ts": `/** @hidden */\n${NOTHING}` });
  assert.match((await diff(["main"])).out, /GET \/ api-path-removed-without-deprecation/);
});

test("a commit, a tag, a branch of a remote and a ref before another are refs", () => {
  const repository = openRepository(root);
  const first = findCommit(repository, "main");
  for (const ref of [first, first.slice(0, 9), "v1", "origin/release", "work~1"])
    assert.is(findCommit(repository, ref), first, ref);
});

test("two refs, or a range, leave the files on disk aside", async () => {
  writeFiles(root, { "framework.toml": "apps = [" });
  for (const words of [["later", "work"], ["later..work"], ["later...work"]]) {
    const { out } = await diff(words);
    assert.match(out, /\n {2}work:apps\/items\/views\.ts:/, words.join());
    assert.match(out, /Compared with \w+(?: \(\w{7}\))?: work \(\w{7}\)\.$/);
    // With three dots it compares with the commit where the branches have parted.
    assert.is(out.includes("/new "), !words.join().includes("..."), words.join());
  }
  assert.match((await diff(["work", "main"])).out, "response-required-property-removed");
});

test("with three dots and one ref it compares what is on disk with the commit where the branches have parted", async () => {
  assert.is((await diff(["later"])).status, 1);
  assert.is((await diff(["later..."])).status, 0);
});

test("at a ref without the project every route is new", async () => {
  const { status, out } = await diff(["readme"]);
  assert.is(status, 0);
  assert.is(out.match(/endpoint-added/g)?.length, 8);
});

test("errors at the ref are shown with their lines there, and the ref is named", async () => {
  const { err } = await print(async (terminal) => {
    try {
      return await routesDiff.run({ cwd: root, words: ["broken"], ...given(), terminal });
    } catch (error) {
      terminal.printError((error as Error).message);
      return 1;
    }
  });
  assert.match(err, "error FW302");
  assert.match(err, "  broken:routes/items.ts:1:");
  assert.match(err, "1 | export function get(...ids: number[]) {}");
});

test("a name that git does not know is an error that says how to get the commits of the remote", async () => {
  for (const ref of ["mian", "--upload-pack=touch x", "HEAD:framework.toml", "main...zzzzzz", "a..b"]) {
    const problem = await refuse(root, ref);
    assert.match(problem.message, /^Git knows no commit "/, ref);
    assert.match(problem.hint ?? "", "Name a branch, a tag or a commit. `git fetch`");
    assert.match(problem.hint ?? "", "`fetch-depth: 0`");
  }
});

async function withPath<One>(path: string, use: () => Promise<One>): Promise<One> {
  const { PATH } = process.env;
  process.env.PATH = path;
  try {
    return await use();
  } finally {
    process.env.PATH = PATH;
  }
}

test("no repository, no commit, no git, no trust: each has its message", async () => {
  const folder = createFolder(PROJECT);
  const start = "Git can't compare this project: ";
  const { message } = await refuse(folder, "main");
  assert.ok(message.startsWith(`${start}not a git repository`), message);
  writeFiles(folder, { ".git/HEAD": "ref: refs/heads/main\n" });
  for (const name of ["objects", "refs"]) mkdirSync(join(folder, ".git", name));
  assert.is((await refuse(folder, "main")).message, 'Git knows no commit "main".');
  await withPath(folder, async () =>
    assert.is((await refuse(folder, "main")).message, "Git is not installed, or not on the PATH."),
  );
  if (process.platform !== "win32") {
    writeFiles(folder, {
      "bin/git": "#!/bin/sh\necho 'fatal: dubious ownership\nTo trust it, call:' >&2\nexit 128\n",
    });
    chmodSync(join(folder, "bin/git"), 0o755);
    const { message, hint } = await withPath(join(folder, "bin"), () => refuse(folder, "main"));
    assert.equal([message, hint], [`${start}dubious ownership`, "To trust it, call:"]);
  }
  rmSync(folder, { recursive: true });
});

test("in a git hook, which names its own repository, the project's is meant", async () => {
  process.env.GIT_DIR = ".git";
  process.env.GIT_INDEX_FILE = "nowhere/index";
  try {
    assert.is(last(await diff(["main"], {}, {}, join(root, "apps"))), UNCHANGED);
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
  }
});

test("a pointer of Git LFS is not taken for a source, and a file that is not UTF-8 is an error of the ref", async () => {
  for (const ref of ["lfs", "latin"])
    try {
      await diff([ref]);
      assert.unreachable();
    } catch (error) {
      assert.match((error as Error).message, "FW113");
    }
});

test("links in a circle or out of the repository lead to nothing", async () => {
  const { out } = await diff(["odd"], { json: true });
  const gone = JSON.parse(out).filter(({ after }: { after: unknown }) => after === null);
  assert.equal(
    gone.map(({ pattern }: { pattern: string }) => pattern),
    ["/kept/a"],
  );
});

test("wrong usage", async () => {
  try {
    await diff(["a"], { "fail-on": "warning" });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, UsageError);
  }
});

test.run();
