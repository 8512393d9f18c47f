import { test } from "uvu";
import * as assert from "uvu/assert";
import { readSources } from "../project.ts";
import { createFiles } from "../source/files.ts";
import type { Operation } from "./contract.ts";
import { parseComment } from "./prose.ts";
import { readContract } from "./read.ts";

const CASES: readonly [comment: string, summary: string | undefined, description?: string][] = [
  ["/** Lists items. */", "Lists items"],
  ["/** Lists items */", "Lists items"],
  ["/** Is it there? */", "Is it there?"],
  ["/**Lists items.*/", "Lists items"],
  ["/** Lists items. Newest first. */", "Lists items", "Newest first."],
  [
    "/**\n * Lists items.\n *\n * Newest first,\n * then others.\n */",
    "Lists items",
    "Newest first,\nthen others.",
  ],
  ["/**\r\n * Lists items.\r\n *\r\n * Newest first.\r\n */", "Lists items", "Newest first."],
  ["/**\n\t* Lists items\n\t* Newest first.\n\t*/", "Lists items", "Newest first."],
  [
    "/**\n * Lists all items,\n * newest first. At most 20.\n */",
    "Lists all items, newest first",
    "At most 20.",
  ],
  [
    "/**\n * Lists the items of a shop, the newest first, with the name of\n * Ada in front. Or none.\n */",
    "Lists the items of a shop, the newest first, with the name of Ada in front",
    "Or none.",
  ],
  [
    "/** Lists items, e.g. Pens, i.e. All. Newest first. */",
    "Lists items, e.g. Pens, i.e. All",
    "Newest first.",
  ],
  ["/** Lists version 1.2 of items. */", "Lists version 1.2 of items"],
  ["/**\n  Lists items.\n\n    code\n  end\n*/", "Lists items", "  code\nend"],
  ["/**\n * Lists items:\n * - new\n * - old\n */", "Lists items:", "- new\n- old"],
  ["/**\n * - new\n * - old\n */", undefined, "- new\n- old"],
  [
    "/**\n * Lists items.\n *\n * ```ts\n * @param no tag\n *   indented. Yes.\n * ```\n * @returns items\n */",
    "Lists items",
    "```ts\n@param no tag\n  indented. Yes.\n```",
  ],
  ["/** @returns items */", undefined],
  [
    "/** Lists {@link Item}s of {@link https://a.example | a shop}. */",
    "Lists `Item`s of [a shop](https://a.example)",
  ],
  ["/** Lists items. @ home. */", "Lists items", "@ home."],
  ["/** */", undefined],
  ["/** Émile’s items. Été. */", "Émile’s items", "Été."],
];

for (const [comment, summary, description] of CASES)
  test(`${JSON.stringify(comment)} is prose`, () => {
    const { prose } = parseComment(comment);
    assert.equal([prose.summary, prose.description, prose.deprecated], [summary, description, undefined]);
  });

test("a tag says that an operation is deprecated, and why", () => {
  assert.equal(parseComment("/** @deprecated */").prose, { deprecated: true });
  assert.equal(parseComment("/**\n * Lists items.\n * @deprecated Use `/products`.\n */").prose, {
    summary: "Lists items",
    description: "Deprecated: Use `/products`.",
    deprecated: true,
  });
});

const PARAMS: readonly [tag: string, name: string, text: string][] = [
  ["@param page the page", "page", "the page"],
  ["@param page - the page", "page", "the page"],
  ["@param {number} page - the page", "page", "the page"],
  ["@param [page=1] the page", "page", "the page"],
  ["@param page the page,\n *   from 1", "page", "the page, from 1"],
  ["@param options.page the page\n * @returns it", "options.page", "the page"],
];

for (const [tag, name, text] of PARAMS)
  test(`${JSON.stringify(tag)} describes ${name}`, () => {
    assert.equal([...parseComment(`/**\n * ${tag}\n */`).params], [[name, text]]);
  });

/** The one operation of a route file. */
function read(text: string, others: Readonly<Record<string, string>> = {}): Operation {
  const files = { "framework.toml": "", "routes/items.ts": text, ...others };
  const sources = readSources("/nowhere", createFiles("/nowhere", new Map(Object.entries(files))));
  assert.equal(
    sources.project.diagnostics.filter(({ severity }) => severity === "error"),
    [],
  );
  const [operation] = readContract(sources).operations;
  if (operation === undefined) throw new Error("There is no route.");
  return operation;
}

const DECLARATIONS: readonly [what: string, text: string, summary?: string][] = [
  ["a function", "/** Items. */\nexport function get() {}", "Items"],
  ["an async function", "/** Items. */\nexport async function get() {}", "Items"],
  ["a constant", "/** Items. */\nexport const get = () => {};", "Items"],
  ["a function that is exported elsewhere", "/** Items. */\nfunction f() {}\nexport { f as get };", "Items"],
  [
    "the first of its overloads",
    "/** Items. */\nexport function get(a: string): void;\nexport function get(a: string) {}",
    "Items",
  ],
  [
    "a function, with a line comment between",
    "/** Items. */\n// biome-ignore\nexport function get() {}",
    "Items",
  ],
  ["a function, after another comment", "/** File. */\n/** Items. */\nexport function get() {}", "Items"],
  ["another statement", "/** Items. */\nconst a = 1;\nexport function get() {}"],
  ["nothing", "// Items.\nexport function get() {}"],
  ["nothing, but marked otherwise", "/* Items. */\n/*** Items. */\nexport function get() {}"],
  ["a function of a file with CRLF", "/**\r\n * Items.\r\n */\r\nexport function get() {}", "Items"],
  [
    "a function behind text that is not ASCII",
    "const a = '日本🚀';\n/** Items. */\nexport function get() {}",
    "Items",
  ],
];

for (const [what, text, summary] of DECLARATIONS)
  test(`a comment is about ${what}`, () => {
    assert.is(read(text).summary, summary);
  });

test("a re-exported handler has the comment of its declaration", () => {
  const others = { "lib/items.ts": "/** Items. */\nexport function list() {}" };
  assert.is(read('export { list as get } from "../lib/items.ts";', others).summary, "Items");
});

test("parameters are described where their functions say it", () => {
  const { inputs } = read(
    `import type { Body, From, Header, Query, Request } from "framework";
/** @param slug of the shop @param page ignored */
export function shop(slug: string, page: Query<string>) {}
/**
 * Items.
 * @param page where to begin
 * @param filter.name exact
 * @param color of the item
 * @param if_match the tag
 * @param body the item
 */
export function post(
  page: Query<string>,
  filter: Query<{ name: string; color: string }>,
  if_match: Header<string>,
  body: Body<{ name: string }>,
  of: From<typeof shop>,
) {}`,
  );
  const described = inputs.map(({ in: place, name, description }) => `${place} ${name}: ${description}`);
  assert.equal(described, [
    "path slug: of the shop @param page ignored",
    "query page: where to begin",
    "query name: exact",
    "query color: of the item",
    "header if-match: the tag",
    "body : the item",
  ]);
});

test.run();
