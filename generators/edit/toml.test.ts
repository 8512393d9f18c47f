import { test } from "uvu";
import * as assert from "uvu/assert";
import { orRefused, Refused } from "../refused.ts";
import { addApp } from "./toml.ts";

const EDITS: [title: string, before: string, after: string][] = [
  ["an empty list", "apps = []\n", 'apps = ["new"]\n'],
  ["an empty list over lines", "apps = [\n]\n", 'apps = ["new"\n]\n'],
  ["a list that holds only a comment", "apps = [\n    # none yet\n]\n", 'apps = ["new"\n    # none yet\n]\n'],
  ["a list in a line", 'apps = ["a", "b"]\n', 'apps = ["a", "b", "new"]\n'],
  ["a list without spaces", 'apps=["a","b"]\n', 'apps=["a","b", "new"]\n'],
  ["a list with a trailing comma", 'apps = ["a", "b",]\n', 'apps = ["a", "b", "new",]\n'],
  ["single quotes", "apps = ['a']\n", "apps = ['a', 'new']\n"],
  ["a comment behind the list", 'apps = ["a"] # ours\n', 'apps = ["a", "new"] # ours\n'],
  [
    "a name a line, with trailing comma",
    'apps = [\n  "a",\n  "b",\n]\n',
    'apps = [\n  "a",\n  "b",\n  "new",\n]\n',
  ],
  [
    "a name a line, without trailing comma",
    'apps = [\n\t"a",\n\t"b"\n]\n',
    'apps = [\n\t"a",\n\t"b",\n\t"new"\n]\n',
  ],
  [
    "comments between the names and behind them",
    'apps = [\n  # shop\n  "a", # one\n  # people\n  "b" # two\n  # end\n]\n',
    'apps = [\n  # shop\n  "a", # one\n  # people\n  "b", # two\n  "new"\n  # end\n]\n',
  ],
  ["CRLF", 'apps = [\r\n  "a",\r\n]\r\n', 'apps = [\r\n  "a",\r\n  "new",\r\n]\r\n'],
  ["a byte order mark", '\uFEFFapps = ["a"]\n', '\uFEFFapps = ["a", "new"]\n'],
  ["no final newline", 'apps = ["a"]', 'apps = ["a", "new"]'],
  [
    "brackets in comments and names",
    'apps = ["a]", # ]\n  "b[" ] # ["x"]\n',
    'apps = ["a]", # ]\n  "b[",\n  "new" ] # ["x"]\n',
  ],
  ["a quoted key", '"apps" = ["a"]\n', '"apps" = ["a", "new"]\n'],
  [
    "a key of the same name in a table",
    '[server]\napps = ["a"]\n',
    'apps = ["new"]\n\n[server]\napps = ["a"]\n',
  ],
  ["an empty file", "", 'apps = ["new"]\n'],
  ["only tables", "[server]\nport = 1\n", 'apps = ["new"]\n\n[server]\nport = 1\n'],
  [
    "tables with lists of their own",
    'apps = ["a"]\n\n[cors]\norigins = [\n  "https://a.example", # ours\n]\n\n[exposure]\nopen = ["GET /"]\n',
    'apps = ["a", "new"]\n\n[cors]\norigins = [\n  "https://a.example", # ours\n]\n\n[exposure]\nopen = ["GET /"]\n',
  ],
  [
    "a comment that heads the file",
    "# mine\n\n[server]\nport = 1\n",
    '# mine\n\napps = ["new"]\n\n[server]\nport = 1\n',
  ],
  ["other keys before the tables", "a = 1 # one\n\n[b]\n", 'a = 1 # one\napps = ["new"]\n\n[b]\n'],
];

for (const [title, before, after] of EDITS) {
  test(`an app is added to ${title}`, () => assert.is(addApp(before, "new"), after));
}

test("an app that is listed changes nothing", () =>
  assert.is(addApp("apps = ['a'] # x", "a"), "apps = ['a'] # x"));

const REFUSED: [title: string, text: string, line: string][] = [
  ["a list that is none", 'apps = "a"\n', 'apps = ["new"]'],
  ["a table in its place", "[apps]\na = 1\n", 'apps = ["new"]'],
  ["dotted keys in its place", "apps.a = 1\n", 'apps = ["new"]'],
  ["a file that is no TOML", "apps = [\n", 'apps = ["new"]'],
  ["a file of tables of that name", "[[apps]]\na = 1\n", 'apps = ["new"]'],
  ["a file nested too deeply", `a = ${"[".repeat(30_000)}${"]".repeat(30_000)}`, 'apps = ["new"]'],
  ["a file that is too large to be a configuration", `# ${"x".repeat(65_536)}\n`, 'apps = ["new"]'],
];

for (const [title, text, line] of REFUSED) {
  test(`${title} is refused, with the line to add by hand`, () => {
    const refused = orRefused(() => addApp(text, "new"));
    if (!(refused instanceof Refused)) throw new Error(refused);
    assert.is(refused.diagnostics[0]?.hint, `Fix it, or add by hand: ${line}`);
  });
}

test.run();
