import { test } from "uvu";
import * as assert from "uvu/assert";
import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import { fc } from "#runtime/fast-check.fixture";
import { METHODS, type Route, type Segment } from "#runtime/routing/route";
import { completeParameters, type HandlerBlueprint, type HandlerParameter } from "./source/blueprints.ts";
import { nameBody } from "./source/body-names.ts";
import { FIELD_WORDS, type Field } from "./source/fields.ts";
import { createSource, extendSource } from "./source/source.ts";
import { DEFAULT_STYLE, type Style } from "./source/style.ts";
import { type Withdrawal, withdrawHandlers } from "./withdrawal.ts";

const FILE = "apps/orders/views.ts";

function extend(text: string, ...handlers: readonly HandlerBlueprint[]): string {
  return extendIn(DEFAULT_STYLE, text, ...handlers);
}

/** @param fallback the layout of the project's other files. */
function extendIn(fallback: Style, text: string, ...handlers: readonly HandlerBlueprint[]): string {
  const extended = extendSource(FILE, text, handlers, fallback);
  if (typeof extended !== "string") throw new Error(`${extended.code} ${extended.message}: ${text}`);
  return extended;
}

function withdraw(text: string, ...handlers: readonly HandlerBlueprint[]): Withdrawal {
  return withdrawIn(DEFAULT_STYLE, text, ...handlers);
}

function withdrawIn(fallback: Style, text: string, ...handlers: readonly HandlerBlueprint[]): Withdrawal {
  const withdrawal = withdrawHandlers(FILE, text, handlers.map(toRoute), fallback);
  if (isDiagnostic(withdrawal)) throw new Error(withdrawal.message);
  return withdrawal;
}

/** The route that the table has of a handler, as far as it is looked at. */
function toRoute({ method, name, comment, parameters, body }: HandlerBlueprint): Route {
  const all = completeParameters(method, parameters, body);
  const segments = all.flatMap((one): Segment[] =>
    one === "request"
      ? []
      : [{ name: one.name, type: one.type === "int" || one.type === "number" ? "int" : "str" }],
  );
  return {
    method,
    segments,
    pattern: comment?.slice(method.length + 1) ?? "",
    handler: name,
    arguments: [],
    app: "orders",
    module: FILE,
    convention: "views",
    location: { file: FILE, line: 1, column: 1 },
  };
}

function blueprint(name: string, parameters: readonly HandlerParameter[] = []): HandlerBlueprint {
  const method = METHODS.find((one) => name.startsWith(`${one.toLowerCase()}_`)) ?? "GET";
  return { method, name, comment: `${method} /orders/${name}`, parameters };
}

const id = { name: "id", type: "int" } as const;
const GET = blueprint("get_one", [id]);
const POST = blueprint("post_index");

const FIELDS: readonly Field[] = [
  { name: "name", type: { word: "string", isArray: false }, optional: false },
  { name: "price", type: { word: "int", isArray: false }, optional: true },
  { name: "role", type: { values: ["admin", "user", 3] }, optional: false },
  { name: "days", type: { word: "Date", isArray: true }, optional: true },
];
const TAKING: HandlerBlueprint = {
  ...blueprint("post_new", [id]),
  body: { type: "NewOrder", fields: FIELDS },
  query: FIELDS.map((field) => ({ ...field, name: `q_${field.name}` })),
};

const ROUND_TRIPS: [title: string, text: string][] = [
  ["an empty file", ""],
  ["a file of white space", "  \n\n"],
  ["a file of a blank line", "\n"],
  ["a file of one space", " "],
  ["a file of comments only", "// orders\n"],
  ["a directive with a comment behind it", '"use strict"; // why\nexport const x = 1;\n'],
  ["the system's own Request", 'export const ping = new Request("http://localhost/");\n'],
  ["a file that ends in blank lines", "export function get_all() {}\n\n\n"],
  ["a file without final newline", "export function get_all() {} // all"],
  ["a type import that is used", 'import type { int } from "framework";\n\nexport const x: int = 1;\n'],
  ["names that the file uses otherwise", "type int = 1 | 2;\nclass Request {}\n"],
  ["marks and an interface that the file has", "type Body = 1;\nconst Query = 2;\ninterface NewOrder {}\n"],
  ["names that parameters have", "export const f = (int: string, [str]: string[]) => int + str;\n"],
  [
    "names of exports, members, labels and types' parts",
    `import type * as framework from "framework";

const x = 1;
export { x as int };
export { int as str } from "./numbers.ts";
export type F = (int: string, rest: [str: string]) => framework.int | framework.str;
`,
  ],
  [
    "names inside of blocks",
    "for (const int of []) {\n  try {\n    String(int);\n  } catch (str) {\n    String(str);\n  }\n}\n",
  ],
  ["a namespace import", 'import * as framework from "framework";\n\nexport const x = framework;\n'],
  [
    "an import with a comment",
    'import { /* all */ App } from "framework"; // why\n\nexport const x = App;\n',
  ],
];

for (const [title, text] of ROUND_TRIPS) {
  test(`handlers are added to ${title} and taken out again without a trace, in any order`, () => {
    const both = extend(extend(text, GET), POST);
    assert.is(withdraw(both, GET, POST).text, text);
    assert.is(withdraw(both, POST, GET).text, text);
    assert.is(withdraw(both, GET).text, extend(text, POST));
    assert.is(withdraw(extend(text, GET, POST), POST, GET).text, text);
    assert.is(withdraw(extend(extend(text, TAKING), GET), TAKING, GET).text, text);
    assert.is(joinNames(withdraw(extend(extend(text, GET), TAKING), TAKING).text), extend(text, GET));
  });
}

test("what was generated as a new file is taken out of it wholly", () => {
  assert.is(withdraw(createSource([GET, POST], DEFAULT_STYLE), GET, POST).text, "");
});

test("names of an import that had to be put on lines of their own stay there", () => {
  const [first, last] = [`A${"a".repeat(25)}`, `Z${"z".repeat(14)}`];
  const text = `import type { ${first}, ${last} } from "framework";\n\nexport const x = 1;\n`;
  const lines = `import type {\n  ${first},\n  ${last},\n} from "framework";\n\nexport const x = 1;\n`;
  assert.is(withdraw(extend(text, GET), GET).text, lines);
});

test("an import that something else came to use stays", () => {
  const text = extend("export const x = 1;\n", GET);
  const used = `${text}\nexport const y: int = 1;\n`;
  assert.match(withdraw(used, GET).text, 'import type { int } from "framework";');
});

const TAKEN = extend("export const x = 1;\n", TAKING);

test("an interface that something else uses, or may use, stays", () => {
  const used = `${TAKEN}\nexport const y: NewOrder[] = [];\n`;
  assert.match(withdraw(used, TAKING).text, /^interface NewOrder \{\n {2}name: string;$/m);
  const exported = TAKEN.replace("interface", "export interface");
  assert.match(withdraw(exported, TAKING).text, /^export interface NewOrder \{$/m);
});

const INTERFACE_EDITED: [title: string, from: string, to: string, what: string][] = [
  [
    "with a field that the handler does not use",
    "  name: string;",
    "  name: string;\n  color: string;",
    "`post_new`",
  ],
  ["with a comment", "  name: string;", "  /** In full. */\n  name: string;", "`NewOrder`"],
  ["with a base", "interface NewOrder {", "interface NewOrder extends Date {", "`NewOrder`"],
  ["with a type that no generator writes", "name: string", "name: string | null", "`post_new`"],
  ["in another layout", "  name: string;", "  name: string,", "`NewOrder`"],
];

for (const [title, from, to, what] of INTERFACE_EDITED) {
  test(`a handler stays whose body's interface was edited: ${title}`, () => {
    const text = TAKEN.replace(from, to);
    const { text: left, edited } = withdraw(text, TAKING);
    assert.is(left, text);
    assert.equal(
      edited.map((one) => one.what),
      [what],
    );
  });
}

test("what a handler takes is read from its file, for its tests", () => {
  const { body, query } = withdraw(TAKEN, TAKING).takes.get("post_new") ?? {};
  assert.equal(body, TAKING.body);
  assert.equal(
    query,
    TAKING.query?.toSorted((one, other) => Number(one.optional) - Number(other.optional)),
  );
});

const SAMPLE = extend("export const x = 1;\n", GET);

const EDITED: [title: string, text: string][] = [
  ["whose body was edited", SAMPLE.replace("return { id }", "return { id, x }")],
  ["with another comment", SAMPLE.replace("export function get_one", "// mine\nexport function get_one")],
  ["with a comment behind it", SAMPLE.replace(/\}\n$/, "} // mine\n")],
  ["with code on its line", SAMPLE.replace(/\}\n$/, "} x;\n")],
  ["with a param of a type that no generator writes", SAMPLE.replace("id: int", "id: int | string")],
  ["with a default", SAMPLE.replace("id: int", "id: int = 1")],
  ["with a return type", SAMPLE.replace("int) {", "int): object {")],
];

for (const [title, text] of EDITED) {
  test(`a handler ${title} stays, and what differs is told`, () => {
    const { text: left, edited } = withdraw(text, GET);
    assert.is(left, text);
    assert.is(edited.length, 1);
    assert.is(edited[0]?.what, "`get_one`");
    assert.is(edited[0]?.difference?.text, text);
  });
}

test("a handler of another form than generators write stays", () => {
  const { edited } = withdraw("export const get_one = (id: number) => ({ id });\n", GET);
  assert.equal(
    edited.map(({ difference }) => difference),
    [null],
  );
});

test("a handler that a formatter has laid out for wider lines is unedited", () => {
  const long = [1, 2, 3].map((index) => ({ name: `parameter_number_${index}`, type: "int" }) as const);
  const wide = createSource([blueprint("get_x", long)], { ...DEFAULT_STYLE, width: 120 });
  assert.equal(withdraw(wide, blueprint("get_x", long)).edited, []);
});

/** Source text in any layout, whose imports are all used. */
const anySource = fc
  .record({
    eol: fc.constantFrom("\n", "\r\n"),
    indent: fc.constantFrom("  ", "    ", "\t"),
    quote: fc.constantFrom('"', "'"),
    semicolon: fc.constantFrom(";", ""),
    mark: fc.constantFrom("", "\uFEFF"),
    end: fc.constantFrom("", "\n", "\n\n", "\n\n\n", "\n \n", " // end", "\n/* end */\n"),
    head: fc.constantFrom(
      "",
      "// orders\n\n",
      "/** Orders. */\n",
      "#!/usr/bin/env node\n",
      "'use strict';\n\n",
    ),
    imports: fc.subarray(
      [
        'import { join } from "node:path";',
        'import express from "express"; // why',
        'import { type App, HttpError } from "framework";',
        'import type { Handler } from "framework/http";',
        'import type {\n  App as A,\n  Request as Req,\n} from "framework";',
        'import framework, { type Reply } from "framework";',
        'import { /* all of it */ type Route } from "framework";',
        'import own2, { type App as B } from "framework";',
        'import {\n  type App as C, // the app\n  Reply as D // last\n} from "framework";',
        'import type {\n  App as E, // the app\n} from "framework";',
        'import { z } from "zod";',
        'import { own } from "./own.ts";',
      ],
      { minLength: 0 },
    ),
    gap: fc.constantFrom("\n", "\n\n", "\n\n\n"),
    code: fc.shuffledSubarray(
      [
        'export function get_all() {\n  return { a: "b" };\n}',
        "// GET /orders/some\nexport function get_some() {\n  return {};\n}",
        "/* between */",
        "const width = 1;",
        "// a comment\n// of two lines",
        `const long = "${"x".repeat(85)}";`,
        "class Request {}",
        "export const toText = (int: number, str = String(int)) => str;",
        "function part({ int, Request: str }: Record<string, string>) {\n  const inner = [int, str];\n  return inner;\n}",
        "export type Parts = (int: string) => [str: string];",
        "export function get_used(request: Req) {\n  return request.path;\n}",
      ],
      { maxLength: 5 },
    ),
  })
  .map(({ eol, indent, quote, semicolon, mark, end, head, imports, gap, code }) => {
    const used = imports.some((line) => line.includes("Req,")) ? ["const used: Req | null = null;"] : [];
    const parts = [imports.join("\n"), ...used, ...code].filter((part) => part !== "");
    const text = `${head}${parts.join(gap)}${end}`
      .replace(/^ {2}/gm, indent)
      .replaceAll('"', quote)
      .replace(/;$/gm, semicolon)
      .replaceAll("\n", eol);
    // Behind a byte order mark it is a syntax error.
    return text.startsWith("#!") ? text : mark + text;
  });

const anyParameters = fc.uniqueArray(
  fc.oneof(
    fc.constant("request" as const),
    fc.record({
      name: fc.constantFrom(
        "id",
        "name",
        "item",
        "a_rather_long_name_of_a_param",
        "another_rather_long_name",
      ),
      type: fc.constantFrom("int" as const, "str" as const, "number" as const, "string" as const),
    }),
  ),
  { maxLength: 4, selector: (one) => (one === "request" ? one : one.name) },
);

const anyFields: fc.Arbitrary<readonly Field[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("id", "price", "a_rather_long_name_of_a_field", "role"),
    type: fc.oneof(
      fc.record({ word: fc.constantFrom(...FIELD_WORDS), isArray: fc.boolean() }),
      fc.record({ values: fc.constantFrom(["admin"], ["it's", 1.5, 0], ["x".repeat(50), "y".repeat(50)]) }),
    ),
    optional: fc.boolean(),
  }),
  { maxLength: 4, selector: ({ name }) => name },
);

const anyHandlers = fc.uniqueArray(
  fc
    .record({
      method: fc.constantFrom(...METHODS),
      word: fc.constantFrom("x", "y"),
      parameters: anyParameters,
      fields: anyFields,
      query: anyFields,
    })
    .map(({ method, word, parameters, fields, query }): HandlerBlueprint => {
      const type = fields.length === 0 ? undefined : nameBody(method, [`order-${word}`]);
      return {
        ...blueprint(`${method.toLowerCase()}_${word}`, parameters),
        body: type === undefined ? undefined : { type, fields },
        query: query.map((field) => ({ ...field, name: `q_${field.name}` })),
      };
    }),
  { minLength: 1, maxLength: 3, selector: ({ name }) => name },
);

/** The layout of the project's other files, by which a file that shows none goes. */
const anyFallback: fc.Arbitrary<Style> = fc
  .record({
    indent: fc.constantFrom("  ", "\t"),
    quote: fc.constantFrom('"' as const, "'" as const),
    semicolons: fc.boolean(),
    eol: fc.constantFrom("\n" as const, "\r\n" as const),
    width: fc.constantFrom(80, 120),
  })
  .map((style) => ({ ...DEFAULT_STYLE, ...style }));

/** With each import's names on one line. */
function joinNames(text: string): string {
  return text.replace(/\{([^}/]*?),?\s*\}(?= from)/g, (_whole, names: string) => {
    return `{ ${names.trim().replace(/\s+/g, " ")} }`;
  });
}

test("what is generated and then destroyed, in any order, leaves every byte as it was, but for lines of an import", () => {
  const runs = Number(process.env.FUZZ_RUNS ?? 500);
  const anyCase = anyHandlers.chain((handlers) =>
    fc.record({
      handlers: fc.constant(handlers),
      order: fc.shuffledSubarray([...handlers], { minLength: handlers.length }),
      atOnce: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(anySource, anyCase, anyFallback, (text, { handlers, order, atOnce }, fallback) => {
      const extended = atOnce
        ? extendIn(fallback, text, ...handlers)
        : handlers.reduce((before, handler) => extendIn(fallback, before, handler), text);
      const left = order.reduce((before, handler) => {
        const { text: after, edited } = withdrawIn(fallback, before, handler);
        assert.equal(edited, []);
        return after;
      }, extended);
      assert.is(joinNames(left), joinNames(text));
    }),
    { numRuns: runs },
  );
});

test.run();
