import { test } from "uvu";
import * as assert from "uvu/assert";
import { recoverFlags } from "./swallowed.ts";

/** What npm 11.19 really left, typed without `--`: see the comment in swallowed.ts. */
const CASES: readonly [
  typed: string,
  words: string[],
  left: Record<string, string>,
  found: string[],
  rest?: string[],
][] = [
  ["a", ["a"], {}, []],
  ["a --yes", ["a"], { yes: "true" }, ["--yes"]],
  ["a --json", ["a"], { json: "true" }, ["--json"]],
  ["a --bare", ["a"], { bare: "true" }, ["--bare"]],
  ["--upgrade --dry-run", [], { upgrade: "true", dry_run: "true" }, ["--upgrade", "--dry-run"]],
  [
    "--upgrade --check --force",
    [],
    { upgrade: "true", check: "true", force: "true" },
    ["--upgrade", "--check", "--force"],
  ],
  ["a --force, which is npm's own", ["a"], { force: "true" }, []],
  ["a --pm pnpm", ["a"], { parseable: "true", message: "pnpm" }, ["--pm=pnpm"]],
  ["a --install", ["a"], { install: "true" }, ["--install"]],
  ["a --no-install", ["a"], { install: "" }, ["--no-install"]],
  ["a --git", ["a"], { git: "" }, ["--git"]],
  ["a --no-git", ["a"], { git: "false" }, ["--no-git"]],
  ["a, with git's path in .npmrc", ["a"], { git: "/usr/bin/git" }, []],
  ["a --author=Ann", ["a"], { author: "Ann" }, ["--author=Ann"]],
  ["a --database=sqlite", ["a"], { database: "sqlite" }, ["--database=sqlite"]],
  ["a --database sqlite", ["a", "sqlite"], { database: "true" }, ["--database=sqlite"], ["a"]],
  ["a --license MIT", ["a", "MIT"], { license: "true" }, ["--license=MIT"], ["a"]],
  [
    "a --apps users",
    ["a", "users"],
    { all: "true", parseable: "true", loglevel: "silent" },
    ["--apps=users"],
    ["a"],
  ],
  ["users --license users", ["users", "users"], { license: "true" }, ["--license=users"], ["users"]],
  ["a --silent", ["a"], { loglevel: "silent" }, []],
  [
    "a --author Ann --license MIT: which is which?",
    ["a", "Ann", "MIT"],
    { author: "true", license: "true" },
    [],
  ],
  ["a --description Hello: nothing is left", ["a", "Hello"], {}, []],
  ["a --yes -- --pm bun", ["a", "--pm", "bun"], { yes: "true" }, ["--yes"]],
];

for (const [typed, words, left, found, rest] of CASES) {
  test(`npm create convention-app ${typed}`, () => {
    const settings = Object.fromEntries(
      Object.entries(left).map(([name, value]) => [`npm_config_${name}`, value]),
    );
    const environment = { npm_config_user_agent: "npm/11.19.1 node/v20.20.2 linux x64", ...settings };
    assert.equal(recoverFlags(words, environment), { words: found, rest: rest ?? words });
  });
}

test("other package managers hand flags on, so nothing is guessed", () => {
  const environment = { npm_config_user_agent: "pnpm/10.0.0 npm/? node/v22", npm_config_git: "false" };
  assert.equal(recoverFlags(["a"], environment), { words: [], rest: ["a"] });
});

test.run();
