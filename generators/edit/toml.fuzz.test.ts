/**
 * That an edit of any TOML changes the list of apps by just one name and loses no byte, or is refused. Each
 * document is edited up to three times.
 */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { isToml, parseToml, type TomlTable, type TomlValue } from "#convention/config/toml";
import { fc } from "#runtime/fast-check.fixture";
import { IS_LONG, runs } from "#runtime/random.fixture";
import { orRefused, Refused } from "../refused.ts";
import { addApp } from "./toml.ts";

const RUNS = runs(100, 20_000);

const eol = fc.constantFrom("\n", "\r\n");
const blank = fc.constantFrom("", "", " ", "\t", "  ");
const comment = fc.oneof(
  fc.constantFrom("#", "# apps = []", '# "]', "# 'a', ", '# """', "#\t日本 ]", "# [apps]"),
  fc.stringMatching(/^[ -~]{0,12}$/).map((text) => `#${text}`),
);
const lineEnd = fc
  .tuple(blank, fc.option(comment, { nil: "" }), eol)
  .map(([space, text, end]) => space + text + end);
/** What may stand between the values of an array. */
const gap = fc
  .array(fc.oneof({ arbitrary: blank, weight: 3 }, { arbitrary: lineEnd, weight: 1 }), { maxLength: 3 })
  .map((parts) => parts.join(""));

const string = fc.constantFrom(
  '"a"',
  '"\\u00e9 \\" ]"',
  "'c:\\x'",
  '""',
  '"""\napps = ["x"]\n"""',
  "'''\r\n[apps]\r\n'''",
  '"""a ""quoted"" \\\n   b"""',
  "'#'",
);
const scalar = fc.oneof(
  string,
  fc.constantFrom(
    "1",
    "+0",
    "-17",
    "1_000",
    "0xDEAD_beef",
    "0o755",
    "0b1",
    "1.5",
    "-0.0",
    "6.626e-34",
    "inf",
    "-inf",
    "nan",
    "true",
    "false",
    "1979-05-27T07:32:00Z",
    "1979-05-27 07:32:00.999-07:00",
    "1979-05-27T07:32:00",
    "1979-05-27",
    "07:32:00",
  ),
);
const { value } = fc.letrec<{ value: string; array: string; table: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 2, withCrossShrink: true }, scalar, tie("array"), tie("table")),
  array: fc
    .tuple(fc.array(fc.tuple(gap, tie("value"), gap), { maxLength: 3 }), fc.boolean(), gap)
    .map(([items, isTrailing, end]) => {
      const texts = items.map(([before, item, after]) => before + item + after);
      return `[${texts.join(",")}${isTrailing && items.length > 0 ? "," : ""}${end}]`;
    }),
  table: fc
    .array(fc.tuple(blank, tie("value"), blank), { maxLength: 2 })
    .map(
      (items) =>
        `{${items.map(([before, item, after], index) => `${before}x${index} =${after}${item}${after}`).join(",")}}`,
    ),
}));

/** Keys of one table, in every spelling; the number keeps them apart. */
const key = fc.tuple(
  fc.constantFrom("bare", "quoted", "literal", "dotted", "spaced", "deep"),
  fc.constantFrom("k", "server", "apps_", "1"),
);

function spellKey([form, word]: [string, string], index: number): string {
  const name = `${word}${index}`;
  const forms: Record<string, string> = {
    bare: name,
    quoted: `"${name} \\" ]"`,
    literal: `'${name} # ='`,
    dotted: `${name}.apps`,
    spaced: `${name} . "a.b"`,
    deep: `${name}.'x'.y.z`,
  };
  return forms[form] ?? name;
}

const entry = fc.tuple(blank, key, blank, value, lineEnd);
const between = fc.array(lineEnd, { maxLength: 2 }).map((lines) => lines.join(""));
const header = fc.constantFrom("table", "array", "sub", "spaced");

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,4}$/);
const quoting = fc.constantFrom(
  (text: string) => `"${text}"`,
  (text: string) => `'${text}'`,
  (text: string) => `"""${text}"""`,
  (text: string) => `'''${text}'''`,
  (text: string) => `"\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}${text.slice(1)}"`,
);

interface Listed {
  readonly names: readonly string[];
  readonly text: string;
}

const appsKey = fc.constantFrom("apps", '"apps"', "'apps'", '"\\u0061pps"');
const list: fc.Arbitrary<Listed> = fc
  .tuple(
    fc.uniqueArray(name, { maxLength: 5 }),
    fc.array(fc.tuple(gap, quoting, gap), { minLength: 5, maxLength: 5 }),
    fc.boolean(),
    gap,
  )
  .map(([names, layout, isTrailing, end]) => {
    const items = names.map((one, index) => {
      const [before, quote, after] = layout[index] ?? ["", JSON.stringify, ""];
      return before + quote(one) + after;
    });
    return { names, text: `[${items.join(",")}${isTrailing && names.length > 0 ? "," : ""}${end}]` };
  });

interface Document extends Listed {
  readonly hasKey: boolean;
}

const document: fc.Arbitrary<Document> = fc
  .record({
    mark: fc.constantFrom("", "", "\uFEFF"),
    head: between,
    above: fc.array(fc.tuple(entry, between), { maxLength: 3 }),
    apps: fc.option(fc.tuple(blank, appsKey, blank, list, lineEnd), { freq: 8, nil: undefined }),
    below: fc.array(fc.tuple(entry, between), { maxLength: 3 }),
    tables: fc.array(fc.tuple(header, lineEnd, fc.array(entry, { maxLength: 2 }), between), { maxLength: 3 }),
    isCut: fc.boolean(),
  })
  .map(({ mark, head, above, apps, below, tables, isCut }) => {
    let count = 0;
    const write = ([space, spelt, equals, text, end]: [
      string,
      [string, string],
      string,
      string,
      string,
    ]): string => `${space}${spellKey(spelt, count++)}${equals}=${equals}${text}${end}`;
    const parts = [
      ...above.map(([one, space]) => write(one) + space),
      ...(apps === undefined ? [] : [`${apps[0]}${apps[1]}${apps[2]}=${apps[2]}${apps[3].text}${apps[4]}`]),
      ...below.map(([one, space]) => write(one) + space),
      ...tables.map(([form, end, entries, space], index) => {
        const headers: Record<string, string> = {
          table: `[t${index}]`,
          array: `[[t${index}]]`,
          sub: `[t${index}.apps]`,
          spaced: `[ "t${index}" . 'apps' ]`,
        };
        return `${headers[form]}${end}${entries.map(write).join("")}${space}`;
      }),
    ];
    const text = `${mark}${head}${parts.join("")}`;
    return {
      names: apps?.[3].names ?? [],
      hasKey: apps !== undefined,
      // What ends in the middle of a line end or a comment's line is a document too.
      text: isCut ? text.replace(/\r?\n$/, "") : text,
    };
  });

/** All that a document says, in its order. */
function read(text: string): Map<string, unknown> {
  const parsed = parseToml(text.replace(/^\uFEFF/, ""), "framework.toml");
  if (!isToml(parsed)) throw new Error(`${parsed.message}: ${JSON.stringify(text)}`);
  return plainTable(parsed);
}

function plainTable({ entries }: TomlTable): Map<string, unknown> {
  return new Map([...entries].map(([name, one]) => [name, plain(one.value)]));
}

function plain(one: TomlValue): unknown {
  if (one.kind === "table") return plainTable(one);
  return one.kind === "array" ? one.items.map(plain) : [one.kind, String(one.value)];
}

/** What a document says, with other apps. */
function withApps(said: Map<string, unknown>, names: readonly string[]): Map<string, unknown> {
  return new Map(said).set(
    "apps",
    names.map((one) => ["string", one]),
  );
}

const sorted = (said: Map<string, unknown>): [string, unknown][] => [...said].sort();

/** What has to be put into `short` to make `long`, or undefined where more than that was done. */
function inserted(short: string, long: string): string | undefined {
  let rest = "";
  let position = 0;
  for (const char of long) {
    if (short.startsWith(char, position)) position += char.length;
    else rest += char;
  }
  return position === short.length ? rest : undefined;
}

let [added, refused] = [0, 0];

test("an app is added to any TOML, which says the rest as before, and keeps every byte", () => {
  fc.assert(
    fc.property(document, ({ text, names }) => {
      const before = read(text);
      const edited = orRefused(() => addApp(text, "zz-new"));
      if (edited instanceof Refused) {
        refused++;
        assert.ok(edited.diagnostics[0]?.hint?.includes('"zz-new"'));
        return;
      }
      assert.equal(sorted(read(edited)), sorted(withApps(before, [...names, "zz-new"])));
      assert.is.not(inserted(text, edited), undefined);
      assert.is(addApp(edited, "zz-new"), edited);
      added++;
    }),
    { numRuns: RUNS },
  );
});

test("no list of names is refused, whatever its layout", () => {
  assert.is(refused, 0);
  if (IS_LONG) console.log(JSON.stringify({ added, refused }));
});

test.run();
