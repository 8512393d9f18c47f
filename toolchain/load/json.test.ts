import { test } from "uvu";
import * as assert from "uvu/assert";
import { isBadJson, parseJson } from "./json.ts";

const VALUES: readonly [text: string, value: unknown][] = [
  ['{ "a": 1, "b": [true, null, -2.5, "x\\u0041\\n"] }', { a: 1, b: [true, null, -2.5, "xA\n"] }],
  ['"text"', "text"],
];

for (const [text, value] of VALUES) {
  test(`${text} is read`, () => {
    const read = parseJson(text, "package.json");
    assert.equal(isBadJson(read) ? read : JSON.parse(JSON.stringify(read.value)), value);
  });
}

const KEYS: readonly [path: readonly string[], place: string][] = [
  [["a"], "2:3"],
  [["a", "b.c"], "3:5"],
  [["a", "d"], "3:15"],
  [["a", "missing"], "2:3"],
  [["missing"], "1:1"],
];

test("each key knows its line and column, and one that is missing those of the object around it", () => {
  const read = parseJson('{\n  "a": {\n    "b.c": 1, "d": [{ "e": 2 }]\n  }\n}', "package.json");
  if (isBadJson(read)) throw new Error(read.why);
  for (const [path, place] of KEYS) {
    const { line, column } = read.locate(...path);
    assert.is(`${line}:${column}`, place, path.join(" "));
  }
});

test("a key that is the name of an object's member is a key like others", () => {
  const read = parseJson('{ "__proto__": { "noEmit": true } }', "package.json");
  if (isBadJson(read)) throw new Error(read.why);
  assert.equal(Object.keys(read.value as object), ["__proto__"]);
  assert.is((read.value as { noEmit?: unknown }).noEmit, undefined);
});

const MISTAKES: readonly [text: string, why: RegExp, place: string][] = [
  ['{\n  "a": 1\n  "b": 2\n}', /^comma expected$/, "3:3"],
  ["", /it is empty/, "1:1"],
  ["\n\n", /it is empty/, "1:1"],
  ["<<<<<<< HEAD\n{}", /^invalid symbol$/, "1:1"],
  ["{ a: 1 }", /^invalid symbol$/, "1:3"],
  ["{ 'a': 1 }", /^invalid symbol$/, "1:3"],
  ['{ "a": run() }', /^invalid symbol$/, "1:8"],
  ['"a" + "b"', /^invalid symbol$/, "1:5"],
  ["[1,,2]", /^value expected$/, "1:4"],
  ['{ "a": 1 } { }', /^end of file expected$/, "1:12"],
  ['{ "a": "1 }', /^unexpected end of string$/, "1:8"],
  ["[".repeat(50_000), /nested too deeply/, "1:1"],
];

for (const [text, why, place] of MISTAKES) {
  test(`${JSON.stringify(text.slice(0, 30))} is no JSON, and the place is told`, () => {
    const read = parseJson(text, "package.json");
    if (!isBadJson(read)) throw new Error("It was read.");
    assert.match(read.why, why);
    assert.is(`${read.location.line}:${read.location.column}`, place);
  });
}

const STRICT: readonly [text: string, why: string, place: string][] = [
  ['{\n  // why\n  "a": 1\n}', "invalid comment token", "2:3"],
  ['{\n  "a": [1,],\n}', "value expected", "2:11"],
  ['{\r\n  "a": 1, }', "property name expected", "2:11"],
];

for (const [text, why, place] of STRICT) {
  test(`npm would stop in ${JSON.stringify(text)} at ${place}`, () => {
    const read = parseJson(text, "package.json");
    if (!isBadJson(read)) throw new Error("It was read.");
    assert.equal([read.why, `${read.location.line}:${read.location.column}`], [why, place]);
  });
}

test.run();
