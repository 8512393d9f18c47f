/** What a client says, and that TypeScript takes each. `e2e/client.test.ts` uses one against a server. */

import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Answer, Input, Operation } from "#convention/contract/contract";
import { createFolder } from "#convention/folder.fixture";
import { runs, SEED } from "#runtime/random.fixture";
import type { Definitions, Shape } from "#runtime/wire/shape";
import { answer, contract, location, operation } from "../contract.fixture.ts";
import { createRandomContract } from "../openapi/random-contract.fixture.ts";
import { writeClient } from "./client.ts";

const RANDOM = runs(10, 200);

const TEXT: Shape = { kind: "string" };

function input(place: Input["in"], name: string, shape: Shape, more: Partial<Input> = {}): Input {
  return { in: place, name, required: true, shape, location, ...more };
}

/** @returns what its function is in the client, in one line. */
function functionOf(more: Partial<Operation>, definitions: Definitions = {}): string {
  const [, text = ""] =
    /Client \{\n([\s\S]*?)\n\}\n/.exec(writeClient(contract([operation(more)], { definitions }))) ?? [];
  return text
    .replace(/\/\*\*[\s\S]*?\*\//, "")
    .replace(/\s+/g, " ")
    .replace(/\( | (?=\))/g, (text) => text.trim())
    .replaceAll(",)", ")")
    .trim();
}

const object = (properties: Readonly<Record<string, Shape>>, more = {}): Shape => ({
  kind: "object",
  properties: Object.entries(properties).map(([name, shape]) => ({ name, shape, optional: false })),
  ...more,
});

const INPUTS: readonly (readonly [title: string, inputs: readonly Input[], text: string])[] = [
  ["nothing", [], "input?: NoInput"],
  ["a param", [input("path", "id", { kind: "number" })], "input: { path: { id: number } }"],
  [
    "what may be left out, with undefined",
    [input("query", "page", { kind: "number" }, { required: false })],
    "input?: { query?: { page?: number | undefined } | undefined }",
  ],
  [
    "headers by their names",
    [input("header", "if-none-match", TEXT)],
    'input: { headers: { "if-none-match": string } }',
  ],
  [
    "cookies, which a browser sends itself",
    [input("cookie", "session", TEXT)],
    "input?: { cookies?: { session?: string | undefined } | undefined }",
  ],
  [
    "all other keys of a query, as TypeScript wants them",
    [input("query", "a", { kind: "number" }), input("query", "", TEXT, { required: false, isRest: true })],
    "input: { query: { a: number; [key: string]: string | number } }",
  ],
  [
    "a query that a schema checks, of which nothing is known",
    [input("query", "", { kind: "schema", file: "lib/list.ts", exported: "List" }, { isRest: true })],
    "input?: { query?: { [key: string]: unknown } | undefined }",
  ],
  [
    "a list that nobody changes",
    [input("query", "tag", { kind: "array", items: TEXT })],
    "input: { query: { tag: readonly string[] } }",
  ],
  [
    "a date, or its text",
    [input("query", "at", { kind: "date" })],
    "input: { query: { at: string | Date } }",
  ],
  ["any JSON", [input("body", "", { kind: "unknown" })], "input: { body: unknown }"],
  [
    "a form, as an object or as it is",
    [input("form", "", object({ photo: { kind: "file" } }))],
    "input: { body: { photo: Blob } | FormData }",
  ],
];

for (const [title, inputs, text] of INPUTS) {
  test(`a function takes ${title}`, () =>
    assert.match(functionOf({ inputs }), `getA(${text}, options?: CallOptions)`));
}

const ANSWERS: readonly (readonly [title: string, answers: readonly Answer[], text: string])[] = [
  ["JSON", [answer(200, TEXT)], "Answer<200, string>"],
  ["no body", [answer(204)], "Answer<204, undefined>"],
  ["no body with 304, whatever is returned", [answer(304, TEXT)], "Answer<304, undefined>"],
  [
    "several statuses with one type together, but for those that are ok",
    [answer(200, TEXT), answer(400, TEXT), answer(404, TEXT)],
    "Answer<200, string> | Answer<400 | 404, string>",
  ],
  ["a text", [answer(200, TEXT, "text/html")], "Answer<200, string>"],
  ["bytes", [answer(200, TEXT, "application/octet-stream")], "Answer<200, ReadableStream<Uint8Array>>"],
  [
    "events",
    [answer(200, { kind: "number" }, "text/event-stream")],
    "Answer<200, AsyncIterable<ServerEvent<number>>>",
  ],
  ["the text of a date", [answer(200, { kind: "date" })], "Answer<200, string>"],
  [
    "any other status",
    [answer(200, TEXT), answer("default", { kind: "unknown" })],
    "Answer<200, string> | OtherAnswer<200, unknown>",
  ],
];

for (const [title, answers, text] of ANSWERS) {
  test(`a function answers ${title}`, () => assert.match(functionOf({ answers }), `Promise<${text}>;`));
}

const SHAPES: readonly (readonly [shape: Shape, text: string])[] = [
  [{ kind: "literal", values: ["a\u2028", 1, true] }, '"a\\u2028" | 1 | true'],
  [{ kind: "array", items: { kind: "union", of: [TEXT, { kind: "null" }] } }, "(string | null)[]"],
  [
    { kind: "tuple", items: [TEXT, TEXT], required: 1, rest: { kind: "number" } },
    "[string, string?, ...number[]]",
  ],
  [
    object({ "a-b": TEXT, ["__proto__"]: TEXT, new: TEXT }),
    '{ "a-b": string; __proto__: string; new: string }',
  ],
  [object({}), "Record<string, unknown>"],
  [{ kind: "string", patterns: [{ source: "^\\d+px$", template: `\${int}px` }] }, `\`\${number}px\``],
  [{ kind: "string", patterns: [{ source: "x", template: `"a" | \${int}` }] }, "string"],
  [{ kind: "schema", file: "a.ts", exported: "A" }, "unknown"],
  [{ kind: "never" }, "never"],
];

for (const [shape, text] of SHAPES) {
  test(`the type ${text}`, () =>
    assert.match(functionOf({ answers: [answer(200, shape)] }), `Answer<200, ${text}>`));
}

/** Of each: what must not be taken for more than a name. */
const ODD: Definitions = {
  Error: object({ error: TEXT }),
  Response: object({ at: { kind: "date" } }),
  "Page<Product>": { kind: "array", items: { kind: "reference", name: "Response" } },
  PageProduct: TEXT,
  default: TEXT,
  "1st": { kind: "reference", name: "Page<Product>" },
  Größe: { kind: "object", properties: [], others: { kind: "reference", name: "Größe" } },
  ResponseInput: TEXT,
  Route: TEXT,
  Record: TEXT,
  Promise: TEXT,
  Awaited: TEXT,
  Uint8Array: TEXT,
};

const NAMES: readonly (readonly [definition: string, sent: string, got: string])[] = [
  ["Error", "ApiError", "ApiError"],
  ["Response", "ResponseInput2", "ApiResponse"],
  ["Page<Product>", "PageProductInput", "PageProduct"],
  ["PageProduct", "PageProduct2", "PageProduct2"],
  ["default", "ApiDefault", "ApiDefault"],
  ["1st", "Type1stInput", "Type1st"],
  ["Größe", "Größe", "Größe"],
  ["Route", "ApiRoute", "ApiRoute"],
  ["Record", "ApiRecord", "ApiRecord"],
  ["Promise", "ApiPromise", "ApiPromise"],
  ["Awaited", "ApiAwaited", "ApiAwaited"],
  ["Uint8Array", "ApiUint8Array", "ApiUint8Array"],
];

for (const [name, sent, got] of NAMES) {
  test(`the type ${name} is called ${got}, and ${sent} where it is sent`, () => {
    const shape: Shape = { kind: "reference", name };
    const text = functionOf({ inputs: [input("body", "", shape)], answers: [answer(200, shape)] }, ODD);
    assert.match(text, `body: ${sent} }`);
    assert.match(text, `Answer<200, ${got}>`);
  });
}

test("no text of a comment ends it", () => {
  const text = writeClient(
    contract([operation({ summary: "a */ b", description: "c\u2028d\n\n*/\x1b", deprecated: true })]),
  );
  assert.match(
    text,
    "   * a *\\/ b\n   *\n   * c\\u{2028}d\n   *\n   * *\\/\\x1b\n   *\n   * `GET /a`\n   *\n   * @deprecated\n   */",
  );
});

test("the server of the contract is where the API is, unless the caller says otherwise", () => {
  const about = { title: "Shop", version: "1", servers: ["https://shop.test/v1"] };
  const text = writeClient({ ...contract([operation()]), about });
  assert.match(text, "readonly baseUrl?: string | URL | undefined;");
  assert.match(text, 'const SERVER: string = "https://shop.test/v1";');
  assert.match(text, "createClient(options: ClientOptions = {})");
});

test("a client has only what its routes need", () => {
  const text = writeClient(contract([operation()]));
  assert.not.match(text, /FormData\(|cookie"|Bearer|btoa|event-stream|OtherAnswer|TYPES/);
  const lines = text.slice(text.indexOf("/** What a route answers")).split("\n").length;
  assert.ok(lines < 175, `${lines} lines`);
});

test("the same contract gives the same client", () => {
  assert.is(writeClient(createRandomContract(SEED)), writeClient(createRandomContract(SEED)));
});

const COMPILER = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));

const STRICT = {
  allowUnreachableCode: false,
  declaration: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  isolatedDeclarations: true,
  lib: ["es2022", "dom"],
  module: "esnext",
  noEmit: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  skipLibCheck: true,
  strict: true,
  target: "es2022",
  types: [],
  verbatimModuleSyntax: true,
};

test(`TypeScript takes the clients of ${RANDOM} random contracts, and of those with odd names`, () => {
  const folder = createFolder({ "tsconfig.json": JSON.stringify({ compilerOptions: STRICT }) });
  const odd = Object.keys(ODD).map((name, at) => {
    const shape: Shape = { kind: "reference", name };
    return operation({ id: `getA${at}`, inputs: [input("body", "", shape)], answers: [answer(200, shape)] });
  });
  const random = Array.from({ length: RANDOM }, (_, at) => createRandomContract(SEED * RANDOM + at));
  for (const [at, one] of [
    contract([]),
    contract(odd, { definitions: ODD }),
    contract([operation()]),
    ...random,
  ].entries())
    writeFileSync(join(folder, `client${at}.ts`), writeClient(one));
  const { stdout } = spawnSync(process.execPath, [COMPILER, "-p", folder], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  assert.is(stdout, "", `SEED=${SEED}`);
});

test("what comments say of types and properties is in the client", () => {
  const properties = [
    {
      name: "age",
      shape: { kind: "number" },
      optional: true,
      notes: { description: "In years.", example: 36 },
    },
    { name: "old", shape: TEXT, optional: true, notes: { deprecated: true } },
  ] as const;
  const route = operation({ answers: [answer(200, { kind: "reference", name: "User" })] });
  const definitions = { User: { kind: "object", properties } } as const;
  const text = writeClient(contract([route], { definitions, notes: { User: { description: "Somebody." } } }));
  assert.match(
    text,
    `/** Somebody. */
export interface User {
  /**
   * In years.
   *
   * @example 36
   */
  age?: number;
  /** @deprecated */
  old?: string;
}`,
  );
});

test.run();
