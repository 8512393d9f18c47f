/** What comments and defaults of the source are in the document. */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { toOpenApi } from "./document.ts";
import { at, readText } from "./random-contract.fixture.ts";

const IMPORT = 'import type { Body, Email, Form, Header, MinLength, Query, int } from "framework";\n';

/** The document of `routes/a.ts`. */
function read(text: string, others: Readonly<Record<string, string>> = {}): ReturnType<typeof toOpenApi> {
  const texts = { "framework.toml": "", "routes/a.ts": IMPORT + text, ...others };
  return toOpenApi(readText(new Map(Object.entries(texts))).contract);
}

/** The members of the type that a POST takes and answers, and what the schemas of the properties say besides their types. */
const PROPERTIES: readonly (readonly [members: string, notes: Readonly<Record<string, object>>])[] = [
  ["/** The name. Of all. */ name: string", { name: { description: "The name. Of all." } }],
  ["/** Old. @deprecated */ name?: string", { name: { description: "Old.", deprecated: true } }],
  [
    "/** @deprecated Use `id`. */\nname?: string",
    { name: { description: "Deprecated: Use `id`.", deprecated: true } },
  ],
  [
    "/**\n * The name.\n * @example Ada\n * @default Bob\n */\nname?: string",
    { name: { description: "The name.", default: "Bob", examples: ["Ada"] } },
  ],
  ["/** @example 5 */\nid: int", { id: { examples: [5] } }],
  ["/** @example 5 */\nid: string", { id: { examples: ["5"] } }],
  ['/** @example "a b" */\nid: string', { id: { examples: ["a b"] } }],
  ["/** @example [1, 2] */\nids: int[]", { ids: { examples: [[1, 2]] } }],
  ["/** @default null */\nid?: string | null", { id: { default: null } }],
  ["/** @example\n * Ada */\nid: string", { id: { examples: ["Ada"] } }],
  // Many write them in quotes, and some a sentence, which is no value of the type.
  ["/** @default 'new' */\nsort?: 'new' | 'old'", { sort: { default: "new" } }],
  ["/** @default the first\n * @example one */\npage?: int", {}],
  ["/** @default none */\nsort?: 'new' | 'old'", {}],
  ["/** @example { id: 1 } */\nitem: { id: int }", {}],
  ['/** @example {"id": 1} */\nitem: { id: int }', { item: { examples: [{ id: 1 }] } }],
  ["a: string; /** Nothing. */", {}],
  ["/** One. */\n\n// Two.\na: string", { a: { description: "One." } }],
  ["/** Yes. */ readonly 'a-b'?: (string)", { "a-b": { description: "Yes." } }],
  [
    "/** One. */ a: string; b: string; /** Three. */ c: (int | null)[]",
    { a: { description: "One." }, c: { description: "Three." } },
  ],
  ["/** Them. */ others: Other[]", { others: { description: "Them." } }],
  ["/** It. */ other: Other", { other: { description: "It." } }],
];

test("a whole path is a text with a note, and a route for every method is left out with an info", () => {
  const { contract } = readText(
    new Map(
      Object.entries({
        "framework.toml": "",
        "routes/files/[...path].ts": "/** @param path The file. */\nexport function get(path: string[]) {}\n",
        "routes/kinds/[...path].ts":
          'import type { MaxItems } from "framework";\nexport function get(path: ("a" | "b")[] & MaxItems<3>) {}\n',
        "routes/rpc/[...path].ts": "export function all() {}\n",
        "routes/own/[...path].ts": "/** @hidden */\nexport function all() {}\n",
      }),
    ),
  );
  const document = toOpenApi(contract);
  assert.equal(Object.keys(at(document, "paths") as object), ["/files/{path}", "/kinds/{path}"]);
  assert.equal(at(document, "paths", "/files/{path}", "get", "parameters", 0), {
    name: "path",
    in: "path",
    description:
      "The file.\n\nAll that is left of the path: one or more segments, with slashes between them.",
    required: true,
    "x-whole-path": true,
    schema: { type: "string", minLength: 1 },
  });
  assert.match(
    String(at(document, "paths", "/kinds/{path}", "get", "parameters", 0, "description")),
    'As a list they are `("a" | "b")[] & MinItems<1> & MaxItems<3>`.',
  );
  assert.equal(
    contract.diagnostics.filter(({ code }) => code === "FW934").map(({ message }) => message),
    ["ALL /rpc/*path serves every method, so the contract leaves it out."],
  );
});

const OWN = ["description", "deprecated", "default", "examples"];

function notesOf(schema: unknown): unknown {
  const properties = Object.entries((at(schema, "properties") ?? {}) as Readonly<Record<string, object>>);
  const noted = properties.map(
    ([name, one]) =>
      [name, Object.fromEntries(Object.entries(one).filter(([key]) => OWN.includes(key)))] as const,
  );
  return Object.fromEntries(noted.filter(([, one]) => Object.keys(one).length > 0));
}

for (const [members, notes] of PROPERTIES) {
  test(`the comments on { ${members} } are in the schema of the type`, () => {
    const document = read(
      `interface Item { ${members} }\ninterface Other { x: int }\nexport function post(body: Body<Item>): Item { throw 0; }`,
    );
    assert.equal(notesOf(at(document, "components", "schemas", "Item")), notes);
  });
  test(`the comments on { ${members} } are in a body, a form and a result without a name`, () => {
    const type = `{ ${members} }`;
    const document = read(
      `interface Other { x: int }\nexport function post(body: Body<${type}>): ${type} { throw 0; }`,
    );
    const operation = at(document, "paths", "/a", "post");
    assert.equal(notesOf(at(operation, "requestBody", "content", "application/json", "schema")), notes);
    assert.equal(notesOf(at(operation, "responses", 200, "content", "application/json", "schema")), notes);
  });
}

test("the comment on a type is the description of its schema, in whatever file it is", () => {
  const lib = `/** A user. With a name. */\nexport interface User { name: string }
/**
 * A list.
 *
 * @deprecated Use pages.
 */
export type Users = User[];
// No comment.
export type Other = { a: string };`;
  const document = read(
    'import type { Other, User, Users } from "../lib/types.ts";\nexport function post(body: Body<User>): Users { throw 0; }\nexport function put(body: Body<Other>): Other { throw 0; }',
    { "lib/types.ts": lib },
  );
  const schemas = at(document, "components", "schemas");
  assert.is(at(schemas, "User", "description"), "A user. With a name.");
  assert.is(at(schemas, "Users", "description"), "A list.\n\nDeprecated: Use pages.");
  assert.is(at(schemas, "Users", "deprecated"), true);
  assert.is(at(schemas, "Other", "description"), undefined);
});

/** A parameter of GET, and the parameters of the document without their types. */
const PARAMETERS: readonly (readonly [parameter: string, expected: readonly object[]])[] = [
  [
    "{ limit = 20, q }: Query<{ /** At most. */ limit?: int; q?: string }>",
    [
      {
        name: "limit",
        in: "query",
        description: "At most.",
        schema: { type: "integer", format: "int64", default: 20 },
      },
      { name: "q", in: "query", schema: { type: "string" } },
    ],
  ],
  [
    '{ limit: most = 20, sort = "new", ids = [], from = f() }: Query<Page>',
    [
      { name: "limit", in: "query", schema: { type: "integer", format: "int64", default: 20 } },
      { name: "sort", in: "query", schema: { type: "string", default: "new" } },
      {
        name: "ids",
        in: "query",
        style: "form",
        explode: true,
        schema: { type: "array", items: { type: "integer", format: "int64" } },
      },
      { name: "from", in: "query", schema: { type: "string" } },
    ],
  ],
  [
    "{ x_page = -1 }: Header<{ x_page?: int }> = {}",
    [{ name: "x-page", in: "header", schema: { type: "integer", format: "int64", default: -1 } }],
  ],
  [
    "page: Query<{ /** @deprecated No.\n * @example 3 */ old?: int; /** @default 7 */ new?: int }>",
    [
      {
        name: "old",
        in: "query",
        description: "Deprecated: No.",
        deprecated: true,
        schema: { type: "integer", format: "int64", examples: [3] },
      },
      { name: "new", in: "query", schema: { type: "integer", format: "int64", default: 7 } },
    ],
  ],
];

for (const [parameter, expected] of PARAMETERS)
  test(`(${parameter}) says its defaults and comments`, () => {
    const page = "interface Page { limit?: int; sort?: string; ids?: int[]; from?: string }";
    const document = read(`${page}\nexport function get(${parameter}) {}`);
    assert.equal(at(document, "paths", "/a", "get", "parameters"), expected);
  });

test("`@param` has the last word on a parameter", () => {
  const document = read(
    "/** @param limit here */\nexport function get({ limit }: Query<{ /** there */ limit?: int }>) {}",
  );
  assert.is(at(document, "paths", "/a", "get", "parameters", 0, "description"), "here");
});

test("a route with `@hidden` is not in the document", () => {
  const document = read(
    "/** Gone.\n * @hidden */\nexport function get() {}\n/** There. */\nexport function post() {}",
  );
  assert.equal(Object.keys(at(document, "paths", "/a") as object), ["post"]);
});

test("`@operation` and `@tag` name the operation and its group", () => {
  const document = read(
    "/** Lists them. @operation listA @tag Letters */\nexport function get() {}\n/** @operation listA */\nexport function post() {}",
  );
  assert.is(at(document, "paths", "/a", "get", "operationId"), "listA");
  assert.equal(at(document, "paths", "/a", "get", "tags"), ["Letters"]);
  assert.is(at(document, "paths", "/a", "get", "summary"), "Lists them");
  assert.is(at(document, "paths", "/a", "post", "operationId"), "postA");
});

test.run();
