import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseTOML } from "#runtime/deps/toml-eslint-parser";
import { addApp } from "./toml-edit.ts";

const EDITS: [title: string, before: string, after: string][] = [
  ["an empty list", "apps = []\n", 'apps = ["new"]\n'],
  ["an empty list with a space", "apps = [ ]\n", 'apps = [ "new" ]\n'],
  ["an empty list over lines", "apps = [\n]\n", 'apps = [\n  "new",\n]\n'],
  [
    "a list that holds only a comment",
    "apps = [\n    # none yet\n]\n",
    'apps = [\n    # none yet\n    "new",\n]\n',
  ],
  ["a list in a line", 'apps = ["a", "b"]\n', 'apps = ["a", "b", "new"]\n'],
  ["a list without spaces", 'apps=["a","b"]\n', 'apps=["a","b","new"]\n'],
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
];

for (const [title, text, line] of REFUSED) {
  test(`${title} is refused, with the line to add by hand`, () => {
    const refused = addApp(text, "new");
    assert.is(typeof refused === "string" ? refused : refused.line, line);
  });
}

test("any layout of the list keeps every byte, and gains exactly the name", () => {
  const eol = fc.constantFrom("\n", "\r\n");
  const space = fc.constantFrom("", " ", "  ", "\t");
  const comment = fc.stringMatching(/^[a-z"'[\],#= ]{0,8}$/).map((text) => `#${text}`);
  const gap = fc.array(
    fc.oneof(
      space,
      fc.tuple(fc.option(comment, { nil: "" }), eol).map(([text, end]) => text + end),
    ),
    { maxLength: 3 },
  );
  const text = fc.array(
    gap.map((parts) => parts.join("")),
    { minLength: 30, maxLength: 30 },
  );
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_-]{0,5}$/), { maxLength: 6 });
  const quote = fc.constantFrom('"', "'");
  const around = fc.constantFrom("", "# head\n", "# head\n\n", 'title = "apps = []"\n', "\uFEFF");
  const below = fc.constantFrom("", "\n", "\n[server]\nport = 1\n", " # tail\n[server]\napps = ['x']");
  fc.assert(
    fc.property(text, names, quote, fc.boolean(), around, below, (gaps, apps, mark, trailing, head, tail) => {
      let next = 0;
      const space = (): string => gaps[next++] ?? "";
      const items = apps.map((app, index) => {
        const comma = index < apps.length - 1 || trailing ? "," : "";
        return `${space()}${mark}${app}${mark}${space()}${comma}`;
      });
      const before = `${head}apps = [${items.join("")}${space()}]${tail}`;
      const after = addApp(before, "zz-new");
      if (typeof after !== "string") throw new Error(`${after.refusal}: ${JSON.stringify(before)}`);
      assert.equal(readApps(after), [...apps, "zz-new"]);
      assert.ok(isSubsequence(before, after), JSON.stringify([before, after]));
      assert.is(addApp(after, "zz-new"), after);
    }),
    { numRuns: 2000 },
  );
});

function readApps(text: string): unknown {
  const entry = parseTOML(text.replace(/^\uFEFF/, "")).body[0].body.find(
    (one) => one.type === "TOMLKeyValue" && one.value.type === "TOMLArray",
  );
  const array =
    entry?.type === "TOMLKeyValue" && entry.value.type === "TOMLArray" ? entry.value.elements : [];
  return array.map((element) => (element.type === "TOMLValue" ? element.value : undefined));
}

/** Nothing was taken away: what was there is still there, in its order. */
function isSubsequence(before: string, after: string): boolean {
  let position = 0;
  for (const char of after) if (char === before[position]) position++;
  return position === before.length;
}

test.run();
