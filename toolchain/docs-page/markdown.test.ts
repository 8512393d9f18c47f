import { test } from "uvu";
import * as assert from "uvu/assert";
import { fc } from "#runtime/fast-check.fixture";
import { processorTime } from "#runtime/processor-time.fixture";
import { formatJsonText } from "./json-text.ts";
import { type Mark, parseInline, parseMarkdown } from "./markdown.ts";

const mark = (tag: Mark["tag"], ...of: Mark["of"]): Mark => ({ tag, of });
const code = (text: string): Mark => mark("code", text);
const link = (url: string, text: string): Mark => ({ tag: "a", url, of: [text] });
const items = (...texts: string[]): readonly Mark[] => texts.map((text) => mark("li", text));

const BLOCKS: readonly (readonly [text: string, blocks: readonly Mark[]])[] = [
  ["", []],
  ["one\ntwo\n\nthree", [mark("p", "one two"), mark("p", "three")]],
  ["# Title\ntext", [mark("p", mark("strong", "Title")), mark("p", "text")]],
  ["> quoted\n> more", [mark("blockquote", mark("p", "quoted more"))]],
  ["- a\n- b\n  c\n\nafter", [mark("ul", ...items("a", "b c")), mark("p", "after")]],
  ["1. a\n\n2. b", [mark("ol", ...items("a", "b"))]],
  ["text\n- a", [mark("p", "text"), mark("ul", ...items("a"))]],
  ["a\n> b", [mark("p", "a > b")]],
  ["```ts\n<b>\n\n- x\n```\nafter", [mark("pre", code("<b>\n\n- x")), mark("p", "after")]],
  ["```\nopen", [mark("pre", code("open"))]],
  ["<script>alert(1)</script>", [mark("p", "<script>alert(1)</script>")]],
];

for (const [text, blocks] of BLOCKS) {
  test(`blocks of ${JSON.stringify(text)}`, () => assert.equal(parseMarkdown(text), blocks));
}

const INLINES: readonly (readonly [text: string, parts: readonly unknown[]])[] = [
  ["a `b` c", ["a ", code("b"), " c"]],
  ["`` a ` b ``", [code("a ` b")]],
  ["**a _b_**", [mark("strong", "a ", mark("em", "b"))]],
  ["*a* snake_case_name 2 * 3 * 4", [mark("em", "a"), " snake_case_name 2 * 3 * 4"]],
  ["[a](https://b.example)", [link("https://b.example", "a")]],
  ["[a](#getUser)", [link("#getUser", "a")]],
  ["see https://b.example/c.", ["see ", link("https://b.example/c", "https://b.example/c"), "."]],
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
