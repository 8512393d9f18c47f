import { test } from "uvu";
import * as assert from "uvu/assert";
import { applyEdits } from "#convention/source/edits";
import { addEntry, findEntries } from "./entries.ts";
import { detectStyle } from "./style.ts";

const [inInterface, inConstant, inCall] = ["Tables", "migrations", "seedDatabase"] as const;

const CASES: [what: string, name: string, entry: string, before: string, after: string][] = [
  [
    "an empty interface",
    inInterface,
    "books: BookTable",
    "/** All. */\nexport interface Tables {}\n",
    "/** All. */\nexport interface Tables {\n  books: BookTable;\n}\n",
  ],
  [
    "an interface without semicolons and with tabs",
    inInterface,
    "books: BookTable",
    "import a from 'a'\n\ninterface Tables {\n\tauthors: AuthorTable\n}\n",
    "import a from 'a'\n\ninterface Tables {\n\tauthors: AuthorTable\n\tbooks: BookTable\n}\n",
  ],
  [
    "an interface with Windows' line ends and a comment at its last member",
    inInterface,
    "books: BookTable",
    "export interface Tables {\r\n  authors: AuthorTable; // who writes\r\n}\r\n",
    "export interface Tables {\r\n  authors: AuthorTable; // who writes\r\n  books: BookTable;\r\n}\r\n",
  ],
  [
    "an empty object",
    inConstant,
    '"2_create": create',
    "export const migrations: Migrations = {};\n",
    'export const migrations: Migrations = {\n  "2_create": create,\n};\n',
  ],
  [
    "an object on several lines",
    inConstant,
    '"2_b": b',
    'export const migrations = {\n  "1_a": a,\n} satisfies Migrations;\n',
    'export const migrations = {\n  "1_a": a,\n  "2_b": b,\n} satisfies Migrations;\n',
  ],
  [
    "the argument of a call",
    inCall,
    'books: [\n  { title: "example" },\n]',
    'await seedDatabase(db, {\n  authors: [{ name: "Ada" }],\n});\n',
    'await seedDatabase(db, {\n  authors: [{ name: "Ada" }],\n  books: [\n    { title: "example" },\n  ],\n});\n',
  ],
  [
    "an object on one line, whose entries get lines",
    inCall,
    "books: []",
    "await seedDatabase(db, { authors: [] });\n",
    "await seedDatabase(db, {\n  authors: [],\n  books: [],\n});\n",
  ],
  [
    "entries of one line with a comment between them, which stays",
    inConstant,
    "e: f",
    "const migrations = { a: b, /* and */ c: d };\n",
    "const migrations = { a: b, /* and */ c: d,\n  e: f, };\n",
  ],
  [
    "an entry without its comma, which is added",
    inConstant,
    "c: d",
    "const migrations = {\n  a: b // first\n};\n",
    "const migrations = {\n  a: b, // first\n  c: d,\n};\n",
  ],
];

for (const [what, name, entry, before, after] of CASES) {
  test(`an entry is added to ${what}`, () => {
    const style = detectStyle(before);
    const entries = findEntries(before, name);
    if (entries === undefined) throw new Error("It is not found.");
    const edit = addEntry(before, entries, entry.replaceAll("\n", style.eol), style);
    assert.is(applyEdits(before, [edit]), after);
  });
}

test("what is something else is not found", () => {
  assert.is(findEntries("type Tables = { a: b };\n", inInterface), undefined);
  assert.is(findEntries("const migrations = load();\n", inConstant), undefined);
  assert.is(findEntries("seedDatabase(db, rows);\n", inCall), undefined);
});

test.run();
