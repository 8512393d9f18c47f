import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Column } from "../migration/columns.ts";
import { orRefused, Refused } from "../refused.ts";
import { nameRow, namesOf } from "./names.ts";
import { listWords } from "./resource.ts";
import { parseColumns } from "./words.ts";

const TABLES = { own: "books", others: ["authors", "categories", "people", "staff", "writers"] };

function format(...words: readonly string[]): string {
  const columns = orRefused(() => parseColumns(words, TABLES));
  if (columns instanceof Refused) return `${columns.message} ${columns.diagnostics[0]?.hint}`;
  return columns.map(formatColumn).join(", ");
}

function formatColumn({ name, type, optional, unique }: Column): string {
  const text = "word" in type ? type.word : "values" in type ? type.values.join("|") : `→ ${type.references}`;
  return `${name} ${text}${optional ? "?" : ""}${unique ? " unique" : ""}`;
}

const FIELDS: [words: string, columns: string][] = [
  ["title:string pages:int price:number", "title string, pages int, price number"],
  ["in_print:boolean published_at:Date", "in_print boolean, published_at Date"],
  ["title", "title string"],
  ["subtitle:string? note?:string", "subtitle string?, note string?"],
  ["isbn:string:unique code:unique", "isbn string unique, code string unique"],
  ["isbn:string:unique? code:string?:unique", "isbn string? unique, code string? unique"],
  [`format:"new"|'used'`, "format new|used"],
  ["author:references", "author_id → authors"],
  ["person:references? category:references", "person_id → people?, category_id → categories"],
  ["staff:references", "staff_id → staff"],
  ["editor:references:writers?", "editor_id → writers?"],
  ["editor:references:writers:unique", "editor_id → writers unique"],
  ["title : string, pages:int;", "title string, pages int"],
  ["order:int group:string select:boolean", "order int, group string, select boolean"],
];

for (const [words, columns] of FIELDS) {
  test(`${words}: is read as ${columns}`, () => {
    assert.is(format(words), columns);
    assert.is(format(...words.split(/ (?!:|string,)/)), columns);
  });
}

test("a text with a space in it is one word", () => {
  assert.is(format('state:"as new"|"used"', "pages:int"), "state as new|used, pages int");
});

const REFUSED: [words: string, message: RegExp][] = [
  ["id:int", /^FW601 Every resource has an `id` of its own\. Leave it out\.$/],
  ["title title:int", /`title` is given twice/],
  ["author:references author_id:int", /`author_id` is given twice/],
  ["firstName:string", /can't be the name of a column\. Did you mean `first_name`\?$/],
  ["Title", /Did you mean `title`\?$/],
  ["first-name:string", /can't be the name of a field\. Use letters/],
  ["_name:string", /Did you mean `name`\?$/],
  ["2nd:string", /can't be the name of a field/],
  ["naïve:string", /Did you mean `naive`\?$/],
  ["ctid:int", /A database has a column `ctid` of its own/],
  [`${"x".repeat(41)}:int`, /is longer than 40 characters/],
  ["tags:string[]", /A column holds one value, so `tags` can't be a list\. .*a field such as `tag:string`/],
  ["stars:1|2|3", /A column can't hold only some numbers, as `stars` has them\. Write `stars:int`/],
  [`size:"s"|1`, /can't hold only some numbers/],
  ["on:boolean:unique", /`on` can't be unique, because it has only a few values/],
  [
    `size:"s"|"m":unique`,
    /`size` can't be unique, because it has only a few values\. Leave `:unique` out\.$/,
  ],
  ["title:text", /`text` is not a type that a field can have\. Did you mean `title:string`\?$/],
  [
    "title:json",
    /`json` is not a type that a field can have\. The types are string, number, int, boolean, Date, references, and lists such as "a"\|"b"\.$/,
  ],
  ["author:belongs_to", /The types are .*, references, and lists/],
  [
    "shop:references",
    /^FW601 There is no table `shops` for `shop` to refer to\. Name another, as in shop:references:authors\. .*generate resource shops name:string$/,
  ],
  ["writer:references:writer", /^FW601 .*Did you mean `writer:references:writers`\?$/],
  ["author:references:writers:x", /`x` is too much after `writers`/],
  [
    "author_id:references",
    /^FW601 The column of `author_id` would be `author_id_id`\. Did you mean `author:references`\?$/,
  ],
  [":string", /As in: title:string pages:int/],
];

for (const [words, message] of REFUSED) {
  test(`${words} is refused`, () => assert.match(format(...words.split(" ")), message));
}

const NAMES: [name: string, table: string, type: string, aOne: string][] = [
  ["books", "books", "Book", "a book"],
  ["book-reviews", "book_reviews", "BookReview", "a book review"],
  ["categories", "categories", "Category", "a category"],
  ["people", "people", "Person", "a person"],
  ["children", "children", "Child", "a child"],
  ["addresses", "addresses", "Address", "an address"],
  ["users", "users", "User", "a user"],
  ["hours", "hours", "Hour", "an hour"],
  ["shelves", "shelves", "Shelf", "a shelf"],
  ["heroes", "heroes", "Hero", "a hero"],
  ["series", "series", "Series", "a series"],
  ["equipment", "equipment", "Equipment", "an equipment"],
  ["order", "order", "Order", "an order"],
  ["queries", "queries", "QueryRow", "a query"],
  ["bodies", "bodies", "BodyRow", "a body"],
];

for (const [name, table, type, aOne] of NAMES) {
  test(`${name}: one of them is ${aOne}, of the type ${type}`, () => {
    const names = namesOf(name);
    assert.equal([names.app, names.table, names.type, names.aOne], [name, table, type, aOne]);
  });
}

test("a variable has no name that the code or the language needs", () => {
  assert.is(namesOf("books").variable, "book");
  assert.is(namesOf("classes").variable, "body");
  assert.is(namesOf("rows").variable, "body");
  assert.is(namesOf("databases").variable, "body");
  assert.is(nameRow("people"), "person");
  assert.is(nameRow("classes"), "class_row");
  assert.is(nameRow("guards"), "guard_row");
});

test("words are listed as a person does", () => {
  assert.is(listWords(["title"], "or"), "title");
  assert.is(listWords(["title", "subtitle", "isbn"], "or"), "title, subtitle or isbn");
});

test.run();
