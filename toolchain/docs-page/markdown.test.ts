import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { processorTime } from "#runtime/processor-time.fixture";
import { formatJsonText } from "./json-text.ts";
import { type Block, parseInline, parseMarkdown } from "./markdown.ts";

const code = (text: string) => ({ kind: "code", text }) as const;

const BLOCKS: readonly (readonly [text: string, blocks: readonly Block[]])[] = [
  ["", []],
  [
    "one\ntwo\n\nthree",
    [
      { kind: "paragraph", of: ["one two"] },
      { kind: "paragraph", of: ["three"] },
    ],
  ],
  [
    "# Title\ntext",
    [
      { kind: "heading", of: ["Title"] },
      { kind: "paragraph", of: ["text"] },
    ],
  ],
  ["> quoted\n> more", [{ kind: "quote", of: ["quoted more"] }]],
  [
    "- a\n- b\n  c\n\nafter",
    [
      { kind: "list", isOrdered: false, items: [["a"], ["b c"]] },
      { kind: "paragraph", of: ["after"] },
    ],
  ],
  ["1. a\n\n2. b", [{ kind: "list", isOrdered: true, items: [["a"], ["b"]] }]],
  [
    "text\n- a",
    [
      { kind: "paragraph", of: ["text"] },
      { kind: "list", isOrdered: false, items: [["a"]] },
    ],
  ],
  ["```ts\n<b>\n\n- x\n```\nafter", [code("<b>\n\n- x"), { kind: "paragraph", of: ["after"] }]],
  ["```\nopen", [code("open")]],
  ["<script>alert(1)</script>", [{ kind: "paragraph", of: ["<script>alert(1)</script>"] }]],
];

for (const [text, blocks] of BLOCKS) {
  test(`blocks of ${JSON.stringify(text)}`, () => assert.equal(parseMarkdown(text), blocks));
}

const INLINES: readonly (readonly [text: string, parts: readonly unknown[]])[] = [
  ["a `b` c", ["a ", code("b"), " c"]],
  ["`` a ` b ``", [code("a ` b")]],
  ["**a _b_**", [{ kind: "strong", of: ["a ", { kind: "em", of: ["b"] }] }]],
  ["*a* snake_case_name 2 * 3 * 4", [{ kind: "em", of: ["a"] }, " snake_case_name 2 * 3 * 4"]],
  ["[a](https://b.example)", [{ kind: "link", url: "https://b.example", of: ["a"] }]],
  ["[a](#getUser)", [{ kind: "link", url: "#getUser", of: ["a"] }]],
  [
    "see https://b.example/c.",
    ["see ", { kind: "link", url: "https://b.example/c", of: ["https://b.example/c"] }, "."],
  ],
  ["[a](javascript:alert`1`)", ["[a](javascript:alert`1`)"]],
  ["[a](//b.example)", ["[a](//b.example)"]],
  ["[a](/\\b.example)", ["[a](/\\b.example)"]],
  ["[a](data:text/html,x)", ["[a](data:text/html,x)"]],
];

for (const [text, parts] of INLINES) {
  test(`parts of ${JSON.stringify(text)}`, () => assert.equal(parseInline(text), parts));
}

test("a long text of markers takes no long time", () => {
  for (const one of ["*", "_", "`", "[", "**a", "](", "> ", "- ", "\n "]) {
    const time = processorTime(() => void parseMarkdown(one.repeat(20_000)));
    assert.ok(time < 2_000, `${one}: ${time} ms`);
  }
});

test("JSON in lines is what JSON.stringify would write, but numbers stay as they are", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.is(formatJsonText(JSON.stringify(value)), JSON.stringify(value, null, 2));
    }),
  );
  assert.is(formatJsonText('{"n": 12345678901234567890.10}'), '{\n  "n": 12345678901234567890.10\n}');
});

test.run();
