/** Source text that is nested too deeply for the stack is reported, and does not crash the process. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { runs } from "#runtime/random.fixture";
import { parseModule } from "./reader.ts";

const MANY = 50_000;

function nested(before: string, inside: string, after: string): string {
  return before.repeat(MANY) + inside + after.repeat(MANY);
}

const TYPES: Record<string, string> = {
  arrays: nested("", "string", "[]"),
  "indexed types": nested("", "A", '["a"]'),
  parentheses: nested("(", "string", ")"),
  unions: nested("(1 | ", "string", ")"),
  objects: nested("{ a: ", "string", "}"),
  tuples: nested("[", "string", "]"),
  "type arguments": nested("A<", "string", ">"),
  functions: nested("(a: ", "string", ") => 1"),
  "names with dots": nested("", "a", ".b"),
  "imports with dots": nested("", 'import("./a.ts").a', ".b"),
  "a typeof with dots": nested("", "typeof a", ".b"),
};

for (const [what, type] of Object.entries(TYPES)) {
  test(`${what} are read in a signature, or reported`, () => {
    const { problems, values } = parseModule(`export function get_x(a: ${type}) {}`, "a.ts");
    assert.is(values.has("get_x"), problems.length === 0);
    assert.ok(problems.every(({ why }) => why === "it is nested too deeply."));
  });

  test(`${what} are read in a declaration when it is asked for, or reported`, () => {
    const { problems, types } = parseModule(`type T = ${type};`, "a.ts");
    assert.is(Boolean(types.get("T")?.type), problems.length === 0);
  });
}

const EXPRESSIONS: Record<string, string> = {
  "non-null signs": nested("", "b", "!"),
  assertions: nested("", "b", " as A"),
  "satisfies after satisfies": nested("", "{}", " satisfies A"),
  arrays: nested("[", "1", "]"),
  objects: nested("{ a: ", "1", "}"),
};

for (const [what, expression] of Object.entries(EXPRESSIONS)) {
  test(`${what} in a constant are reported`, () => {
    const { problems, typeOfConstant } = parseModule(`export const a = ${expression};`, "a.ts");
    assert.is(problems[0]?.why, "it is nested too deeply.");
    assert.not.throws(() => typeOfConstant("a"));
  });
}

test("an array of many arrays says where the levels end", () => {
  let type = parseModule(`type T = ${TYPES.arrays};`, "a.ts").types.get("T")?.type;
  while (type?.kind === "array") type = type.items;
  assert.is(type?.kind === "other" && type.what, "a type that is nested too deeply");
});

const LARGE = runs(4_000, 20_000);

test("the declarations of an interface are one, however many there are", () => {
  const text = Array.from({ length: LARGE }, (_, at) => `interface T extends B${at} { a${at}: 1 }`).join(
    "\n",
  );
  const declaration = parseModule(text, "a.ts").types.get("T");
  assert.is(declaration?.bases.length, LARGE);
  assert.is(declaration?.type?.kind === "object" && declaration.type.members.length, LARGE);
});

test.run();
