import { test } from "uvu";
import * as assert from "uvu/assert";
import { applyEdits } from "#convention/source/edits";
import { addEntry, type Entries, findEntries } from "./entries.ts";
import { detectStyle } from "./style.ts";

type Find = (text: string) => Entries | undefined;

const inInterface: Find = (text) => findEntries(text, "Tables");
const inConstant: Find = (text) => findEntries(text, "migrations");
const inCall: Find = (text) => findEntries(text, "seedDatabase");

const CASES: [what: string, find: Find, entry: string, before: string, after: string][] = [
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
];

for (const [what, find, entry, before, after] of CASES) {
  const style = detectStyle(before);
  const styled = entry.replaceAll("\n", style.eol);
  const added = (text: string): string => {
    const entries = find(text);
    if (entries === undefined) throw new Error("It is not found.");
    return applyEdits(text, [addEntry(text, entries, styled, style)]);
  };

  test(`an entry is added to ${what}`, () => assert.is(added(before), after));
}

test("an object on one line gets lines for its entries", () => {
  const text = "await seedDatabase(db, { authors: [] });\n";
  const entries = inCall(text);
  assert.ok(entries);
  assert.is(
    applyEdits(text, [addEntry(text, entries, "books: []", detectStyle(text))]),
    "await seedDatabase(db, {\n  authors: [],\n  books: [],\n});\n",
  );
});

test("a comment between the entries of one line stays", () => {
  const text = "const migrations = { a: b, /* and */ c: d };\n";
  const entries = inConstant(text);
  assert.ok(entries);
  assert.is(
    applyEdits(text, [addEntry(text, entries, "e: f", detectStyle(text))]),
    "const migrations = { a: b, /* and */ c: d,\n  e: f, };\n",
  );
});

test("a comma that is missing is added", () => {
  const text = "const migrations = {\n  a: b // first\n};\n";
  const entries = inConstant(text);
  assert.ok(entries);
  assert.is(
    applyEdits(text, [addEntry(text, entries, "c: d", detectStyle(text))]),
    "const migrations = {\n  a: b, // first\n  c: d,\n};\n",
  );
});

test("what is something else is not found", () => {
  assert.is(inInterface("type Tables = { a: b };\n"), undefined);
  assert.is(inConstant("const migrations = load();\n"), undefined);
  assert.is(inCall("seedDatabase(db, rows);\n"), undefined);
});

test.run();
