import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFolder, type ProjectFiles, writeFiles } from "#convention/folder.fixture";
import { Problem } from "#runtime/problem";
import { type CommandInput, UsageError } from "../command.ts";
import { type Printed, print, type Screen } from "../typed.fixture.ts";
import { routesDiff } from "./diff.ts";

const test = suite<{ root: string }>("routes diff");

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
const PROJECT = {
  "framework.toml": 'apps = ["items"]\n',
  "apps/items/app.toml": "",
  "apps/items/views.ts": VIEWS,
};
const WIDER = VIEWS.replace("name: string;", "name: string;\n  size: int;");

test.before.each((context) => {
  context.root = createFolder(PROJECT);
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

/** Without what the machine's own settings would change. */
const GIT = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

function git(cwd: string, ...args: readonly string[]): string {
  const settings = [
    "-c",
    "user.name=Ada",
    "-c",
    "user.email=ada@example.org",
    "-c",
    "protocol.file.allow=always",
  ];
  return execFileSync("git", [...settings, ...args], {
    cwd,
    env: GIT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function commit(root: string, message = "x"): void {
  git(root, "add", "-A");
  git(root, "commit", "-qm", message);
}

function start(root: string): void {
  git(root, "init", "-qb", "main");
  commit(root);
}

async function diff(
  cwd: string,
  words: readonly string[],
  options: CommandInput["options"] = {},
  screen: Screen = {},
): Promise<Printed> {
  return print((terminal) => routesDiff.run({ cwd, words, options, terminal }), screen);
}

async function refuse(cwd: string, ...words: readonly string[]): Promise<Problem> {
  try {
    await diff(cwd, words);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

const last = ({ out }: Printed): string =>
  out.slice(out.lastIndexOf("\n") + 1).replace(/\([0-9a-f]{7}\)/g, "(…)");

test("without a change it says so, and the status is 0", async ({ root }) => {
  start(root);
  const printed = await diff(root, ["main"]);
  assert.equal(
    [printed.status, last(printed), printed.err],
    [0, "No changes in 2 routes. Compared with main (…).", ""],
  );
  assert.equal((await diff(root, ["main"], { json: true })).out, "[]");
});

test("a change has its sentence and both source lines, breaking ones first, and the status is 1", async ({
  root,
}) => {
  start(root);
  writeFiles(root, { "apps/items/views.ts": WIDER.replace("(id: int)", "(id: string)") });
  const { status, out } = await diff(root, ["main"]);
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
    /\n\n\d changes in 2 routes: 1 breaking, \d other\. Compared with main \([0-9a-f]{7}\)\.$/,
  );
});

test("--fail-on chooses for which changes the status is 1", async ({ root }) => {
  start(root);
  const cases: readonly (readonly [string, string | undefined, number])[] = [
    [WIDER, undefined, 1],
    [WIDER, "none", 0],
    [VIEWS.replace("{\n  name: string;", "{\n  name: string;\n  size?: int;"), "risky", 0],
    [
      VIEWS.replace("item: Body<Item>", 'item: Body<{ name: string & import("framework").MaxLength<3> }>'),
      undefined,
      0,
    ],
    [
      VIEWS.replace("item: Body<Item>", 'item: Body<{ name: string & import("framework").MaxLength<3> }>'),
      "risky",
      1,
    ],
  ];
  for (const [text, level, status] of cases) {
    writeFiles(root, { "apps/items/views.ts": text });
    assert.is(
      (await diff(root, ["main"], level === undefined ? {} : { "fail-on": level })).status,
      status,
      `${level} ${text}`,
    );
  }
});

test("a result that the source does not say is counted, and fails with --strict, which names it", async ({
  root,
}) => {
  const unknown = "export function get_all() { return load(); }\nexport function get_new(): Response {}\n";
  writeFiles(root, { "apps/items/views.ts": VIEWS + unknown });
  start(root);
  assert.is(
    last(await diff(root, ["main"], { strict: true })),
    "No changes in 4 routes. Compared with main (…).",
  );
  writeFiles(root, { "apps/items/views.ts": `${VIEWS}${unknown}// edited\n` });
  const open =
    "Compared with main (…). 2 results were not compared, because the source does not say their types.";
  const [plain, strict] = [await diff(root, ["main"]), await diff(root, ["main"], { strict: true })];
  assert.equal([plain.status, last(plain), plain.err], [0, `No changes in 4 routes. ${open}`, ""]);
  assert.equal([strict.status, last(strict)], [1, last(plain)]);
  assert.match(
    strict.err,
    "error The result of GET /items/all was not compared (apps/items/views.ts:11:17).\n  hint: Write",
  );
  assert.match((await diff(root, ["main"], { markdown: true })).out, "2 results were not compared");
  const json = await diff(root, ["main"], { json: true, strict: true });
  assert.equal([json.status, json.out], [1, "[]"]);
  writeFiles(root, { "apps/items/views.ts": `${VIEWS}${unknown}`.replace("get_all()", "get_all(): Item") });
  const written = await diff(root, ["main"]);
  assert.match(written.out, "risky GET /items/all response-status-became-known");
  assert.match(last(written), "1 result was not compared, because the source does not say its type.");
});

test("--json has each difference with its fields, also those that routes share", async ({ root }) => {
  start(root);
  writeFiles(root, { "apps/items/views.ts": WIDER });
  const differences = JSON.parse((await diff(root, ["main"], { json: true })).out);
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
  assert.is(
    differences.filter(({ id }: { id: string }) => id === "response-required-property-added").length,
    2,
  );
});

test("--markdown is a comment that shows code as code and nothing of the source as markup", async ({
  root,
}) => {
  start(root);
  writeFiles(root, {
    "apps/items/views.ts": WIDER.replace("name: string;", 'name: "`<img>" | "@team";'),
  });
  const { out } = await diff(root, ["main"], { markdown: true });
  assert.match(
    out,
    /^## Contract: 2 breaking, \d other\n\nCompared with main \([0-9a-f]{7}\)\.\n\n### Breaking \(2\)\n\n- \*\*`POST \/items\/`\*\*/,
  );
  assert.match(out, "<details><summary>Other (");
  assert.match(out, "  ~~~diff\n");
  const prose = out
    .replace(/^ *(~{3,})diff\n[\s\S]*?\n *\1$/gm, "")
    .replace(/(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "");
  assert.not.match(prose, /<img|@team/);
});

test("a comment has at most 65,000 characters", async ({ root }) => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [
      `routes/r${at}.ts`,
      `export function get() { return { ${"x".repeat(150)}: 1 }; }\n`,
    ]),
  );
  writeFiles(root, files);
  start(root);
  for (const file of Object.keys(files)) rmSync(join(root, file));
  const { out, status } = await diff(root, ["main"], { markdown: true });
  assert.is(status, 1);
  assert.ok(out.length <= 65_000 && out.length > 50_000, `${out.length}`);
  assert.match(out, /\n- … and \d+ more$/);
});

test("lines are not longer than a narrow terminal, colours are only added", async ({ root }) => {
  start(root);
  writeFiles(root, { "apps/items/views.ts": WIDER });
  const { out } = await diff(root, ["main"], {}, { columns: 40 });
  for (const line of out.split("\n").filter((one) => one.startsWith("  `")))
    assert.ok(line.length <= 40, line);
  const colored = await diff(root, ["main"], {}, { color: true });
  assert.match(colored.out, "\x1b[31m");
  assert.is(colored.out.replace(/\x1b\[\d+m/g, ""), (await diff(root, ["main"])).out);
});

test("the project may be a folder of the repository, and may import from beside it", async ({ root }) => {
  const shared = "export interface Item {\n  name: string;\n}\n";
  const views = VIEWS.replace(
    /export interface Item[\s\S]*?\n}\n/,
    'import type { Item } from "../../../shared/item.ts";\n',
  );
  rmSync(root, { recursive: true });
  writeFiles(root, {
    ...Object.fromEntries(Object.entries(PROJECT).map(([file, text]) => [`shop/${file}`, text])),
    "shop/apps/items/views.ts": views,
    "shared/item.ts": shared,
    "shop2/framework.toml": "apps = [",
  });
  start(root);
  assert.match(last(await diff(join(root, "shop"), ["main"])), "No changes in 2 routes");
  assert.match(last(await diff(join(root, "shop/apps"), ["main"])), "No changes in 2 routes");
  writeFiles(root, { "shared/item.ts": shared.replace("name: string;", "name: string;\n  size: number;") });
  const { out } = await diff(join(root, "shop"), ["main"]);
  assert.match(out, "new-required-request-property");
});

test("symbolic links are followed, to files and to folders", async ({ root }) => {
  if (process.platform === "win32") return;
  rmSync(join(root, "apps/items/views.ts"));
  writeFiles(root, { "lib/real.ts": VIEWS, "lib/routes/deep.ts": "export function get(): void {}\n" });
  symlinkSync("../../lib/real.ts", join(root, "apps/items/views.ts"));
  symlinkSync("lib/routes", join(root, "routes"));
  start(root);
  assert.match(last(await diff(root, ["main"])), "No changes in 3 routes");
  writeFiles(root, { "lib/real.ts": WIDER });
  assert.match((await diff(root, ["main"])).out, "`size` in the body is new and required.");
});

test("a guard in another file counts for the routes that it is around, and a schema for those that it checks", async ({
  root,
}) => {
  const auth = 'import type { Bearer } from "framework";\nexport function user(token: Bearer) {}\n';
  const schema =
    'export const Order = { "~standard": { version: 1, vendor: "us", validate: (value) => ({ value }) } };\n';
  writeFiles(root, {
    "auth.ts": auth,
    "routes/_hooks.ts":
      'import type { From } from "framework";\nimport type { user } from "./../auth.ts";\nexport function guard(it: From<typeof user>) {}\n',
    "routes/index.ts": "export function get(): void {}\n",
    "lib/schema.ts": schema,
    "apps/items/orders.ts": 'export { Order } from "../../lib/schema.ts";\n',
    "routes/orders.ts":
      'import type { Body } from "framework";\nimport type { Order } from "../lib/schema.ts";\nexport function post(order: Body<typeof Order>): void {}\n',
  });
  start(root);
  writeFiles(root, { "auth.ts": auth.replaceAll("Bearer", "Basic") });
  const { out } = await diff(root, ["main"]);
  assert.match(
    out,
    "breaking GET / api-security-added\n  The route requires a user name and a password (basic) now.",
  );
  assert.match(out, "and 1 more route");
  writeFiles(root, { "auth.ts": auth, "lib/schema.ts": `${schema}// edited\n` });
  assert.match((await diff(root, ["main"])).out, "risky POST /orders request-body-schema-changed");
});

test("other line ends, a byte order mark and a file that is not committed are no changes of the contract", async ({
  root,
}) => {
  start(root);
  writeFiles(root, { "apps/items/views.ts": `\ufeff${VIEWS.replaceAll("\n", "\r\n")}`, "notes.txt": "x" });
  assert.match(last(await diff(root, ["main"])), "No changes in 2 routes");
});

test("a commit, a tag, a branch of a remote and a ref before another are refs", async ({ root }) => {
  start(root);
  git(root, "tag", "v1");
  git(root, "update-ref", "refs/remotes/origin/main", "HEAD");
  writeFiles(root, { "apps/items/views.ts": WIDER });
  commit(root);
  const first = git(root, "rev-parse", "v1").trim();
  for (const ref of [first, first.slice(0, 9), "v1", "origin/main", "HEAD~1", "main^"])
    assert.is((await diff(root, [ref])).status, 1, ref);
  assert.is((await diff(root, ["HEAD"])).status, 0);
});

test("two refs, or a range, leave the files on disk aside", async ({ root }) => {
  start(root);
  git(root, "checkout", "-qb", "work");
  writeFiles(root, { "apps/items/views.ts": WIDER });
  commit(root);
  writeFiles(root, { "framework.toml": "apps = [" });
  for (const words of [["main", "work"], ["main..work"], ["main...work"]]) {
    const { out } = await diff(root, words);
    assert.match(out, /\n {2}work:apps\/items\/views\.ts:/, words.join());
    assert.match(out, /Compared with \w+(?: \(\w{7}\))?: work \(\w{7}\)\.$/);
  }
  assert.match((await diff(root, ["work", "main"])).out, "response-required-property-removed");
});

test("with three dots it compares with the commit where the branches parted", async ({ root }) => {
  start(root);
  git(root, "checkout", "-qb", "work");
  git(root, "commit", "-qm", "x", "--allow-empty");
  git(root, "checkout", "-q", "main");
  writeFiles(root, { "routes/new.ts": "export function get(): void {}\n" });
  commit(root);
  git(root, "checkout", "-q", "work");
  assert.is((await diff(root, ["main"])).status, 1);
  assert.is((await diff(root, ["main..."])).status, 0);
  assert.is((await diff(root, ["main...work"])).status, 0);
});

test("at a ref without the project every route is new", async ({ root }) => {
  rmSync(root, { recursive: true });
  writeFiles(root, { "README.md": "x" });
  start(root);
  writeFiles(root, PROJECT);
  const { status, out } = await diff(root, ["main"]);
  assert.is(status, 0);
  assert.is(out.match(/endpoint-added/g)?.length, 2);
  assert.match(out, "\nThere is no framework.toml in main, so it has no routes.\n");
});

test("errors at the ref are shown with their lines there, and the ref is named", async ({ root }) => {
  writeFiles(root, { "routes/items.ts": "export function get(...ids: number[]) {}\n" });
  start(root);
  writeFiles(root, { "routes/items.ts": "// fixed\nexport function get(): void {}\n" });
  const { err } = await print(async (terminal) => {
    try {
      return await routesDiff.run({ cwd: root, words: ["main"], options: {}, terminal });
    } catch (error) {
      terminal.printError((error as Error).message);
      return 1;
    }
  });
  assert.match(err, "error At main, the project has errors, so its routes can't be compared.");
  assert.match(err, "error FW302");
  assert.match(err, "1 | export function get(...ids: number[]) {}");
});

test("a name that git does not know is an error, with the one that was meant", async ({ root }) => {
  start(root);
  git(root, "update-ref", "refs/remotes/origin/release", "HEAD");
  const cases = [
    ["mian", "Did you mean main?"],
    ["release", "Did you mean origin/release?"],
    ["zzzzzz", "Name a branch, a tag or a commit. `git fetch` gets those of the remote."],
    ["--upload-pack=touch x", "Name a branch"],
    ["-x", "Name a branch"],
    ["HEAD:framework.toml", "Name a branch"],
    ["main...zzzzzz", "Name a branch"],
  ] as const;
  for (const [ref, hint] of cases) {
    const problem = await refuse(root, ref);
    assert.match(problem.message, /^Git knows no commit "/, ref);
    assert.match(problem.hint ?? "", hint);
  }
});

test("a shallow clone is told how to get the rest", async ({ root }) => {
  start(root);
  git(root, "branch", "base");
  git(root, "commit", "-qm", "y", "--allow-empty");
  const clone = createFolder();
  git(clone, "clone", "-q", "--depth=1", pathToFileURL(root).href, "clone");
  const problem = await refuse(join(clone, "clone"), "base");
  assert.match(problem.hint ?? "", "`fetch-depth: 0`");
  assert.match(problem.hint ?? "", "git fetch origin base");
  assert.is((await diff(join(clone, "clone"), ["HEAD"])).status, 0);
  rmSync(clone, { recursive: true });
});

test("no repository, no commit, no git: each has its message", async ({ root }) => {
  assert.is((await refuse(root, "main")).message, "This project is not in a git repository.");
  git(root, "init", "-qb", "main");
  assert.is((await refuse(root, "main")).message, "The repository has no commit yet.");
  const { PATH } = process.env;
  process.env.PATH = root;
  try {
    assert.is((await refuse(root, "main")).message, "Git is not installed, or not on the PATH.");
  } finally {
    process.env.PATH = PATH;
  }
});

test("a repository that git does not trust is an error that says what to type", async ({ root }) => {
  if (process.platform === "win32") return;
  const bin = createFolder({
    git: "#!/bin/sh\necho \"fatal: detected dubious ownership in repository at '/x'\" >&2\nexit 128\n",
  });
  chmodSync(join(bin, "git"), 0o755);
  const { PATH } = process.env;
  process.env.PATH = `${bin}:${PATH}`;
  try {
    const { hint } = await refuse(root, "main");
    assert.is(hint, `If you trust it: git config --global --add safe.directory ${JSON.stringify(root)}`);
  } finally {
    process.env.PATH = PATH;
    rmSync(bin, { recursive: true });
  }
});

test("in a git hook, which names its own repository, the project's is meant", async ({ root }) => {
  start(root);
  process.env.GIT_DIR = ".git";
  process.env.GIT_INDEX_FILE = "nowhere/index";
  try {
    assert.is((await diff(join(root, "apps"), ["main"])).status, 0);
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
  }
});

test("a pointer of Git LFS is not taken for a source", async ({ root }) => {
  writeFiles(root, { "routes/a.ts": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n" });
  start(root);
  assert.match((await refuse(root, "main", "main")).message, "routes/a.ts is in Git LFS");
});

test("a file that is not UTF-8 is an error of the ref", async ({ root }) => {
  const files: ProjectFiles = { "routes/a.ts": Buffer.from([0x2f, 0x2f, 0xff]) };
  writeFiles(root, files);
  start(root);
  rmSync(join(root, "routes"), { recursive: true });
  try {
    await diff(root, ["main"]);
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, "FW114");
  }
});

test("wrong usage", async ({ root }) => {
  const cases: readonly (readonly [readonly string[], CommandInput["options"]])[] = [
    [[], {}],
    [["a", "b", "c"], {}],
    [["a..b", "c"], {}],
    [["a"], { "fail-on": "warning" }],
    [["a"], { json: true, markdown: true }],
  ];
  for (const [words, options] of cases)
    try {
      await diff(root, words, options);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, UsageError, words.join());
    }
});

test.run();
