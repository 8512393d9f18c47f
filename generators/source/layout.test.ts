import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  arrowCall,
  block,
  braceList,
  chain,
  commaList,
  type Doc,
  guarded,
  lines,
  print,
  union,
} from "./layout.ts";

const CASES: [what: string, doc: Doc, width: number, text: string][] = [
  ["a list that fits is on one line", commaList("f(", ["a", "b"], ");"), 8, "f(a, b);"],
  [
    "a list that does not has a line for each item",
    commaList("f(", ["a", "b"], ");"),
    7,
    "f(\n  a,\n  b,\n);",
  ],
  ["an empty list is never broken", commaList("f(", [], ");"), 2, "f();"],
  ["braces have a space at each end", braceList("return {", ["a", "b: c"], "};"), 20, "return { a, b: c };"],
  ["broken braces have none", braceList("return {", ["a", "b: c"], "};"), 18, "return {\n  a,\n  b: c,\n};"],
  [
    "an inner list that fits stays whole",
    commaList("f(", [commaList("g(", ["a"], ")"), "b"], ")"),
    8,
    "f(\n  g(a),\n  b,\n)",
  ],
  ["what follows a list counts", [commaList("f(", ["a"], ")"), ".then(g);"], 12, "f(\n  a,\n).then(g);"],
  ["calls that fit are on one line", chain("await db", [".a()", ".b();"]), 17, "await db.a().b();"],
  [
    "calls that do not have lines of their own",
    chain("await db", [".a()", ".b();"]),
    16,
    "await db\n  .a()\n  .b();",
  ],
  [
    "calls with a function are broken always",
    chain("db", [".a()", ".b();"], true),
    80,
    "db\n  .a()\n  .b();",
  ],
  [
    "the body of a function as an argument has a line of its own",
    arrowCall(".where((one) =>", "one.is(7)", ")"),
    20,
    ".where((one) =>\n  one.is(7),\n)",
  ],
  ["a union has a line for each type", union("state:", ['"a"', '"b"'], ";"), 16, 'state:\n  | "a"\n  | "b";'],
  ["one type follows its name", union("state:", ["string"], ";"), 5, "state: string;"],
  ["a statement goes below its condition", guarded("if (a)", "return;"), 12, "if (a)\n  return;"],
  [
    "a block is indented, and an empty line in it is not",
    block("f(() => {", [block("for (;;) {", ["a();", "", "b();"], "}")], "});"),
    80,
    "f(() => {\n  for (;;) {\n    a();\n\n    b();\n  }\n});",
  ],
  ["lines are one below the other", lines("a;", commaList("f(", ["b"], ");"), "c;"), 80, "a;\nf(b);\nc;"],
];

for (const [what, doc, width, text] of CASES) {
  test(what, () => assert.is(print(doc, width), text));
}

test.run();
