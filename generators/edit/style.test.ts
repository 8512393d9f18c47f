import { test } from "uvu";
import * as assert from "uvu/assert";
import { applyStyle, DEFAULT_STYLE, detectStyle, hasBlueprint, type Style } from "./style.ts";

const BLUEPRINT = `import type { Request } from "framework";

export async function post_index(request: Request) {
  const item = await request.json();
  return [{ item }, 201];
}
`;

const LAYOUTS: Record<string, Partial<Style>> = {
  "the default layout": {},
  "four spaces": { indent: "    " },
  tabs: { indent: "\t" },
  "single quotes": { quote: "'" },
  "no semicolons": { semicolons: false },
  "CRLF line ends": { eol: "\r\n" },
  "everything at once": {
    indent: "\t",
    quote: "'",
    semicolons: false,
    eol: "\r\n",
  },
};

for (const [title, layout] of Object.entries(LAYOUTS)) {
  test(`a blueprint in a layout with ${title} is read as that layout again`, () => {
    const style = { ...DEFAULT_STYLE, ...layout };
    assert.equal(detectStyle(applyStyle(BLUEPRINT, style)), style);
  });
}

test("a text has a blueprint in any layout, and not another one", () => {
  const style: Style = { ...DEFAULT_STYLE, indent: "\t", quote: "'", semicolons: false, eol: "\r\n" };
  const laidOut = applyStyle(BLUEPRINT, style).replace(
    "{ item }, 201",
    "\r\n\t\t{ item },\r\n\t\t201,\r\n\t",
  );
  assert.ok(hasBlueprint(`\uFEFF// mine\n${laidOut}`, BLUEPRINT));
  assert.not.ok(hasBlueprint(laidOut.replace("201", "200"), BLUEPRINT));
});

test("a blueprint takes on indentation, quotes, semicolons and line ends", () => {
  const style: Style = { ...DEFAULT_STYLE, indent: "\t", quote: "'", semicolons: false, eol: "\r\n" };
  assert.is(
    applyStyle('test("a", async () => {\n  if (b) {\n    call("b", 1);\n  }\n});\n', style),
    "test('a', async () => {\r\n\tif (b) {\r\n\t\tcall('b', 1)\r\n\t}\r\n})\r\n",
  );
});

const LONG = "x".repeat(36);
const LISTS: [title: string, broken: string, joined: string][] = [
  ["a list that fits is joined", "f(\n  a,\n  b,\n);\n", "f(a, b);\n"],
  ["so is an object", "const a = {\n  b,\n};\n", "const a = { b };\n"],
  ["a function without a block", ".on((a) =>\n  a.b(),\n)\n", ".on((a) => a.b())\n"],
  [
    "a list that is too long stays",
    `f(\n  ${LONG},\n  ${LONG},\n  a,\n);\n`,
    `f(\n  ${LONG},\n  ${LONG},\n  a,\n);\n`,
  ],
  ["so does one with a comment", "f(\n  // why\n  a,\n);\n", "f(\n  // why\n  a,\n);\n"],
  [
    "so do parameters before an object type",
    "function f(\n  a,\n): {\n  b: c;\n} {\n",
    "function f(\n  a,\n): {\n  b: c;\n} {\n",
  ],
  ["and a block", "if (a) {\n  b();\n}\n", "if (a) {\n  b();\n}\n"],
];

for (const [title, broken, joined] of LISTS)
  test(`${title}: the rest is the formatter's business`, () => {
    assert.is(applyStyle(broken, DEFAULT_STYLE), joined);
  });

test("a string that holds the other quote keeps its own", () => {
  assert.is(applyStyle(`f("it's");\n`, { ...DEFAULT_STYLE, quote: "'" }), `f("it's");\n`);
});

const READINGS: [title: string, text: string, expected: Partial<Style>][] = [
  ["quotes in comments do not count", '// it\'s "so" "so"\nconst a = \'x\';\n', { quote: "'" }],
  [
    "stars of a comment are no indentation",
    "/*\n * a\n * b\n */\nif (a) {\n    b();\n}\n",
    { indent: "    " },
  ],
  ["deeper levels count by what they add", "a {\n  b {\n    c\n    d\n  }\n}\n", { indent: "  " }],
  ["the majority of line ends decides", "a;\r\nb;\r\nc;\n", { eol: "\r\n" }],
  [
    "semicolons are missing where statements end without",
    "import a from 'a'\nconst b = 1\n",
    { semicolons: false },
  ],
  [
    "semicolons inside a line do not count",
    "for (let i = 0; i < 1; i++) {\n  a()\n}\nconst b = 1\n",
    { semicolons: false },
  ],
];

for (const [title, text, expected] of READINGS) {
  test(title, () => {
    const style = detectStyle(text);
    assert.equal(style, { ...style, ...expected });
  });
}

test("an empty file says nothing, so the fallback speaks", () => {
  const fallback: Style = { ...DEFAULT_STYLE, indent: "\t", quote: "'", semicolons: false, eol: "\r\n" };
  assert.equal(detectStyle("", fallback), fallback);
});

test.run();
