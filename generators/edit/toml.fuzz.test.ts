/** That an edit of any TOML changes the list of apps by just one name and loses no byte. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { isToml, parseToml, type TomlTable, type TomlValue } from "#convention/config/toml";
import { fc } from "#runtime/fast-check.fixture";
import { runs } from "#runtime/random.fixture";
import { addApp } from "./toml.ts";

const eol = fc.constantFrom("\n", "\r\n");
const blank = fc.constantFrom("", "", " ", "\t", "  ");
const comment = fc.oneof(
  fc.constantFrom("", "#", "# apps = []", '# "]', "# 'a', ", '# """', "#\t日本 ]", "# [apps]"),
  fc.stringMatching(/^[ -~]{0,12}$/).map((text) => `#${text}`),
);
const lineEnd = fc.tuple(blank, comment, eol).map((parts) => parts.join(""));
const between = fc.array(lineEnd, { maxLength: 2 }).map((lines) => lines.join(""));
/** What may stand between the values of an array. */
const gap = fc
  .array(fc.oneof({ arbitrary: blank, weight: 3 }, { arbitrary: lineEnd, weight: 1 }), { maxLength: 3 })
  .map((parts) => parts.join(""));

function toArray(items: readonly string[], isTrailing: boolean, end: string): string {
  return `[${items.join(",")}${isTrailing && items.length > 0 ? "," : ""}${end}]`;
}

const scalar = fc.constantFrom(
  ...['"a"', '"\\u00e9 \\" ]"', "'c:\\x'", '""', "'#'", '"""\napps = ["x"]\n"""', "'''\r\n[apps]\r\n'''"],
  ...['"""a ""quoted"" \\\n   b"""', "1", "-17", "1_000", "0xDEAD_beef", "6.626e-34", "-inf", "nan", "true"],
  ...["1979-05-27T07:32:00Z", "1979-05-27 07:32:00.999-07:00", "1979-05-27", "07:32:00"],
);
const { value } = fc.letrec<{ value: string; array: string; table: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 2, withCrossShrink: true }, scalar, tie("array"), tie("table")),
  array: fc
    .tuple(fc.array(fc.tuple(gap, tie("value"), gap), { maxLength: 3 }), fc.boolean(), gap)
    .map(([items, isTrailing, end]) =>
      toArray(
        items.map((parts) => parts.join("")),
        isTrailing,
        end,
      ),
    ),
  table: fc
    .array(tie("value"), { maxLength: 2 })
    .map((items) => `{${items.map((item, index) => ` x${index} = ${item} `).join(",")}}`),
}));

/** Keys in every spelling; `§` becomes a number that keeps them apart. */
const key = fc.constantFrom(
  ...[
    "k§",
    "server§",
    "apps_§",
    '"apps § \\" ]"',
    "'apps § # ='",
    "k§.apps",
    'server§ . "a.b"',
    "apps§.'x'.y.z",
  ],
);
const header = fc.constantFrom("[t§]", "[[t§]]", "[t§.apps]", "[ \"t§\" . 'apps' ]");
const entry = fc
  .tuple(blank, key, blank, value, lineEnd, between)
  .map(([space, name, equals, said, ...end]) => `${space}${name}${equals}=${equals}${said}${end.join("")}`);
const entries = fc.array(entry, { maxLength: 3 }).map((all) => all.join(""));
const tables = fc
  .array(fc.tuple(header, lineEnd, entries), { maxLength: 3 })
  .map((all) => all.flat().join(""));

const quoting = fc.constantFrom(
  (text: string) => `"${text}"`,
  (text: string) => `'${text}'`,
  (text: string) => `"""${text}"""`,
  (text: string) => `'''${text}'''`,
  (text: string) => `"\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}${text.slice(1)}"`,
);
const appsKey = fc.constantFrom("apps", '"apps"', "'apps'", '"\\u0061pps"');
const apps = fc
  .record({
    names: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_-]{0,4}$/), { maxLength: 5 }),
    layout: fc.array(fc.tuple(gap, quoting, gap), { minLength: 5, maxLength: 5 }),
    isTrailing: fc.boolean(),
    around: fc.tuple(gap, appsKey, blank, lineEnd),
  })
  .map(({ names, layout, isTrailing, around: [end, spelt, space, after] }) => {
    const items = layout
      .slice(0, names.length)
      .map(([before, quote, behind], index) => before + quote(names[index] ?? "") + behind);
    return { names, text: `${spelt}${space}=${space}${toArray(items, isTrailing, end)}${after}` };
  });

const document = fc
  .record({
    mark: fc.constantFrom("", "", "\uFEFF"),
    head: between,
    above: entries,
    listed: fc.option(apps, { freq: 8, nil: undefined }),
    below: entries,
    rest: tables,
    isCut: fc.boolean(),
  })
  .map(({ mark, head, above, listed, below, rest, isCut }) => {
    let count = 0;
    const rows = mark + head + above + (listed?.text ?? "") + below + rest;
    const text = rows.replaceAll("§", () => String(count++));
    // What ends in the middle of a line end or a comment's line is a document too.
    return { names: listed?.names ?? [], text: isCut ? text.replace(/\r?\n$/, "") : text };
  });

/** All that a document says. */
function read(text: string): Map<string, unknown> {
  const parsed = parseToml(text.replace(/^\uFEFF/, ""), "framework.toml");
  if (!isToml(parsed)) throw new Error(`${parsed.message}: ${JSON.stringify(text)}`);
  return plainTable(parsed);
}

function plainTable(table: TomlTable): Map<string, unknown> {
  return new Map([...table.entries].map(([name, one]) => [name, plain(one.value)]));
}

function plain(one: TomlValue): unknown {
  if (one.kind === "table") return plainTable(one);
  return one.kind === "array" ? one.items.map(plain) : [one.kind, String(one.value)];
}

const sorted = (said: Map<string, unknown>): [string, unknown][] => [...said].sort();

/** Whether `long` is `short` with something put into it. */
function keeps(short: string, long: string): boolean {
  let position = 0;
  for (const char of long) if (short.startsWith(char, position)) position += char.length;
  return position === short.length;
}

test("an app is added to any TOML, which says the rest as before, and keeps every byte", () => {
  fc.assert(
    fc.property(document, ({ text, names }) => {
      const edited = addApp(text, "zz-new");
      const listed = [...names, "zz-new"].map((one) => ["string", one]);
      assert.equal(sorted(read(edited)), sorted(read(text).set("apps", listed)));
      assert.ok(keeps(text, edited));
      assert.is(addApp(edited, "zz-new"), edited);
    }),
    { numRuns: runs(100, 20_000) },
  );
});

test.run();
