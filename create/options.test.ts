import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FLAGS, type Flags, formatHelp, parseFlags, recoverFlags } from "./options.ts";
import { isRefusal } from "./refusal.ts";

const READ: readonly [line: string, flags: Flags][] = [
  ["", {}],
  ["shop", { directory: "shop" }],
  ["../shop -y", { directory: "../shop", yes: true }],
  ["--yes shop --no-git --install", { directory: "shop", yes: true, git: false, install: true }],
  ["--git --no-install", { git: true, install: false }],
  ["--apps users", { apps: ["users"] }],
  ["--apps=users,products", { apps: ["products", "users"] }],
  ["--apps=", { apps: [] }],
  ["--apps none", { apps: [] }],
  ["--bare", { bare: true }],
  ["--yes --apps users -y --apps=users", { apps: ["users"], yes: true }],
  ["--bare --apps none", { apps: [], bare: true }],
  ["--database sqlite", { database: "sqlite" }],
  ["--database=none", { database: "none" }],
  ["--git --no-git", { git: false }],
  ["--pm=pnpm", { pm: "pnpm" }],
  ["--pm bun --license=MIT", { pm: "bun", license: "MIT" }],
  ["--description=a=b", { description: "a=b" }],
  ["--author -x", { author: "-x" }],
  ["-- --yes", { directory: "--yes" }],
  ["--json shop", { directory: "shop", json: true }],
  ["-h", { help: true }],
  ["--version", { version: true }],
];

for (const [line, flags] of READ) {
  test(`"${line}" is read`, () => {
    assert.equal(parseFlags(toWords(line)), flags);
  });
}

const REFUSED: readonly [line: string, said: RegExp][] = [
  ["--yess", /no option --yess\. Did you mean --yes\?/],
  ["--ysse", /Did you mean --yes\?/],
  ["--no-gti", /Did you mean --no-git\?/],
  ["--licence MIT", /Did you mean --license\?/],
  ["-q", /no option -q\. --help/],
  ["--no-yes", /no option --no-yes/],
  ["--yes=true", /takes no value/],
  ["--database sqllite", /--database can't be "sqllite"\. Did you mean sqlite\?/],
  ["--database mongo", /--database can't be "mongo"\. Choose from sqlite, postgres, none/],
  ["--database", /--database needs a value/],
  ["--pm deno", /--pm can't be "deno"\. Choose from npm, pnpm, yarn, bun/],
  ["--apps orders", /--apps can't be "orders"\. Choose from products, users, none/],
  ["--apps", /needs a value/],
  ["--apps --yes", /needs a value/],
  ["--bare --apps users", /--bare leaves out all samples/],
  ["--bare=yes", /takes no value/],
  ["--bear", /Did you mean --bare\?/],
  ["my shop", /one directory .*"my" and "shop"/],
  ["--\u001b[2J", /no option --\\x1b\[2J/],
];

for (const [line, said] of REFUSED) {
  test(`${JSON.stringify(line)} is wrong usage, and reported`, () => {
    const refusal = parseFlags(toWords(line));
    if (!isRefusal(refusal)) throw new Error("it was read");
    assert.is(refusal.status, 2);
    assert.match(`${refusal.problem}. ${refusal.hint}`, said);
  });
}

function toWords(line: string): string[] {
  return line === "" ? [] : line.split(" ");
}

test("a value that npm left as a word is refused with the command to type", () => {
  const refusal = parseFlags(["shop", "MIT"], { npm_config_license: "true" });
  assert.match(
    isRefusal(refusal) ? refusal.hint : "",
    /: npm create convention-app shop -- --license "MIT"$/,
  );
});

test("no line of the help is wider than a terminal of 80 columns", () => {
  const wide = stripVTControlCharacters(formatHelp())
    .split("\n")
    .filter((line) => line.length > 79);
  assert.equal(wide, []);
});

test("the help names every flag", () => {
  for (const { name, short } of FLAGS) {
    assert.match(formatHelp(), new RegExp(`${short ? `-${short}, ` : ""}--(?:\\[no-\\])?${name} `));
  }
});

/** What npm 11.19 really left, typed without `--`: see the comment at `recoverFlags`. */
const CASES: readonly [typed: string, left: Record<string, string>, found: string[]][] = [
  ["a", {}, []],
  ["a --yes", { yes: "true" }, ["--yes"]],
  ["a --json", { json: "true" }, ["--json"]],
  ["a --bare", { bare: "true" }, ["--bare"]],
  ["--upgrade --dry-run", { upgrade: "true", dry_run: "true" }, ["--upgrade", "--dry-run"]],
  [
    "--upgrade --check --force",
    { upgrade: "true", check: "true", force: "true" },
    ["--upgrade", "--check", "--force"],
  ],
  ["a --force, which is npm's own", { force: "true" }, []],
  ["a --pm pnpm", { parseable: "true", message: "pnpm" }, ["--pm=pnpm"]],
  ["a --install", { install: "true" }, ["--install"]],
  ["a --no-install", { install: "" }, ["--no-install"]],
  ["a --git", { git: "" }, ["--git"]],
  ["a --no-git", { git: "false" }, ["--no-git"]],
  ["a, with git's path in .npmrc", { git: "/usr/bin/git" }, []],
  ["a --author=Ann", { author: "Ann" }, ["--author=Ann"]],
  ["a --database=sqlite", { database: "sqlite" }, ["--database=sqlite"]],
  ["a --license MIT, whose value is a second directory", { license: "true" }, []],
  ["a --silent", { loglevel: "silent" }, []],
  ["a --description Hello: nothing is left", {}, []],
];

for (const [typed, left, found] of CASES) {
  test(`npm create convention-app ${typed}`, () => {
    const settings = Object.fromEntries(
      Object.entries(left).map(([name, value]) => [`npm_config_${name}`, value]),
    );
    const environment = { npm_config_user_agent: "npm/11.19.1 node/v20.20.2 linux x64", ...settings };
    assert.equal(recoverFlags(environment), found);
  });
}

test("other package managers hand flags on, so nothing is guessed", () => {
  const environment = { npm_config_user_agent: "pnpm/10.0.0 npm/? node/v22", npm_config_git: "false" };
  assert.equal(recoverFlags(environment), []);
});

test.run();
