import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FLAGS, type Flags, formatHelp, parseFlags } from "./flags.ts";
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
  ["--database sqllite", /no database "sqllite"\. Did you mean sqlite\?/],
  ["--database mongo", /no database "mongo"\. Choose one of sqlite, postgres, none/],
  ["--database", /--database needs a value/],
  ["--pm deno", /no package manager "deno"\. Choose one of npm, pnpm, yarn, bun/],
  ["--apps orders", /no sample app "orders"/],
  ["--apps", /needs a value/],
  ["--apps --yes", /needs a value/],
  ["--bare --apps users", /--bare leaves out all samples.* --apps users alone/],
  ["--bare=yes", /takes no value/],
  ["--apps users --apps products", /--apps has two values\. .*--apps users,products/],
  ["--pm npm --pm=bun", /--pm has two values\. Write --pm <name> once/],
  ["--git --no-git", /--git and --no-git contradict/],
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

test.run();
