import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatShape } from "../wire/reading.fixture.ts";
import type { Input } from "./contract.ts";
import { nameScheme } from "./inputs.ts";
import { readRoute } from "./reading.fixture.ts";

const IMPORT =
  'import type { ApiKey, Basic, Bearer, Body, Cookie, Credential, ExclusiveMax, ExclusiveMin, Form, From, Header, Max, MaxLength, Min, Query, Request, Uuid, int } from "framework";\n';

function read(parameters: string, before = ""): ReturnType<typeof readRoute> {
  return readRoute(`${IMPORT}${before}\nexport function post(${parameters}): string { return ""; }`);
}

/** @example "query page?: int = 1" */
function formatInput({ in: place, name, required, shape, isRest, default: value }: Input): string {
  const shown = `${isRest ? "..." : ""}${name}${required ? "" : "?"}`;
  const given = value === undefined ? "" : ` = ${JSON.stringify(value)}`;
  return `${place} ${shown}: ${formatShape(shape)}${given}`;
}

const INPUTS: readonly [parameters: string, inputs: readonly string[], before?: string][] = [
  ["", []],
  ["request: Request", []],
  ["slug: string, id: int", ["path slug: string{minLength: 1}", `path id: int{min: 0, max: ${2 ** 53 - 1}}`]],
  [
    "id: int & Max<9>, n: number & Min<-1>",
    ["path id: int{min: 0, max: 9}", `path n: int{min: 0, max: ${2 ** 53 - 1}}`],
  ],
  [
    "id: string & Uuid, slug: string & MaxLength<9>",
    ['path id: string{formats: ["uuid"], minLength: 1}', "path slug: string{maxLength: 9, minLength: 1}"],
  ],
  [
    "id: int & ExclusiveMin<0>, n: int & Min<5> & ExclusiveMax<9.5>",
    [`path id: int{min: 1, max: ${2 ** 53 - 1}}`, "path n: int{min: 5, max: 9}"],
  ],
  ["kind: Kind, size: 1 | 2", ['path kind: "a" | "b"', "path size: 1 | 2"], "type Kind = 'a' | 'b';"],
  ["page: Query<int> = 1, q?: Query<string>", ["query page?: int = 1", "query q?: string"]],
  ["if_none_match: Header<string>", ["header if-none-match: string"]],
  ["theme?: Cookie<'dark' | 'light'>", ['cookie theme?: "dark" | "light"']],
  ["body: Body<{ a: int }>", ["body : { a: int }"]],
  ["body?: Body<User>", ["body ?: #User"], "interface User { name: string }"],
  [
    "body: Body<typeof schema>",
    ['body : schema{file: "routes/items.ts", exported: "schema"}'],
    "export const schema = z.object({});",
  ],
  // Objects whose keys are names.
  ["{ q, page }: Query<{ q: string; page?: int }>", ["query q: string", "query page?: int"]],
  ["of?: Query<{ q: string }>", ["query q?: string"]],
  ["of: Query<{ q: string; [others: string]: string }>", ["query q: string", "query ...?: string"]],
  ["of: Query<Record<string, int>>", ["query ...?: int"]],
  ["of: Header<{ if_match: string; x_id?: int }>", ["header if-match: string", "header x-id?: int"]],
  ["of: Query<Page>", ["query at: int"], "interface Page { at: int }"],
  // Several objects.
  [
    "of: Query<{ a: 1; b: int } | { a: 2; c: int }>",
    ["query ...: by a: { a: 1, b: int } | { a: 2, c: int }"],
  ],
  [
    "of: Header<{ a: 1; b: int } | { a: 2; c: string }>",
    ["header a: 1 | 2", "header b?: int", "header c?: string"],
  ],
  ["of?: Cookie<{ a: 1; b: int } | { a: 2; b: string }>", ["cookie a?: 1 | 2", "cookie b?: int | string"]],
  [
    "of: Query<typeof schema>",
    ['query ...: schema{file: "routes/items.ts", exported: "schema"}'],
    "export const schema = z.object({});",
  ],
  // Forms are one input.
  ["form: Form<{ a: string; file?: File }>", ["form : { a: string, file?: file }"]],
  ["a: Form<string>, b?: Form<int>", ["form : { a: string, b?: int }"]],
  ["a?: Form<string>", ["form ?: { a?: string }"]],
  [
    "form: Form<User>, b?: Form<int>",
    ["form : { name: string, b?: int }"],
    "interface User { name: string }",
  ],
  [
    "form: Form<{ a: 1 } | { a: 2; c: int }>, b: Form<int>",
    ["form : { a: 1, b: int } | { a: 2, c: int, b: int }"],
  ],
  // What several functions take is one input.
  [
    "of: From<typeof page>, at: Query<int>",
    ["query at: int", "query limit?: int = 20"],
    "export function page(at?: Query<int>, limit: Query<int> = 20) {}",
  ],
  [
    "of: From<typeof page>, a: Form<string>",
    ["form : { a: string, b: int }"],
    "export function page(a?: Form<string>, b: Form<int>) {}",
  ],
  [
    "of: From<typeof page>, body: Body<unknown>",
    ["body : unknown"],
    "export function page(body?: Body<unknown>) {}",
  ],
];

for (const [parameters, inputs, before] of INPUTS)
  test(`(${parameters}) takes ${inputs.join(", ") || "nothing"}`, () => {
    assert.equal(read(parameters, before).inputs.map(formatInput), inputs);
  });

const CREDENTIALS: readonly [parameters: string, credentials: string, before?: string][] = [
  ["", ""],
  ["token: Bearer", "bearer"],
  ["token?: Bearer", "bearer?"],
  ["token?: Bearer, user?: Basic", "bearer?, basic?"],
  ['key: ApiKey<"X-Key">, other: ApiKey<"x-other">', "header x-key, header x-other"],
  ['token: Bearer, key?: ApiKey<"X-Key">', "bearer, header x-key?"],
  ['session?: ApiKey<"Session", "cookie">, key?: ApiKey<"k", "query">', "cookie Session?, query k?"],
  ['key: ApiKey<"key">, other: ApiKey<"key", "cookie">', "header key, cookie key"],
  ['token: Credential<"Token">', "token"],
  [
    'by: From<typeof me>, token: Credential<"token">',
    "token",
    'export function me(token?: Credential<"Token">) {}',
  ],
  [
    "key: MaybeKey",
    "header x-key? (The key of the page)",
    '/** The key of the page */ type Key = ApiKey<"x-key">; type MaybeKey = Key | undefined;',
  ],
  [
    "by: From<typeof me>, key: Key",
    "header x-key (The key)",
    'export function me(key?: ApiKey<"x-key">) {} /** The key */ type Key = ApiKey<"x-key">;',
  ],
  ["by: From<typeof me>", "bearer", "export function me(token: Bearer) {}"],
  ["by: From<typeof me>, token: Bearer", "bearer", "export function me(token?: Bearer) {}"],
  ["by: From<typeof me>, token?: Bearer", "bearer", "export function me(token: Bearer) {}"],
  [
    "by: From<typeof me>, token: Bearer",
    "header x-key, bearer",
    'export function key(key: ApiKey<"x-key">) {}\nexport function me(of: From<typeof key>) {}',
  ],
];

for (const [parameters, credentials, before] of CREDENTIALS)
  test(`(${parameters}) asks for ${credentials || "no credential"}`, () => {
    const shown = read(parameters, before).credentials.map(({ scheme, description, required }) => {
      const described = description === undefined ? "" : ` (${description})`;
      return nameScheme(scheme) + (required ? "" : "?") + described;
    });
    assert.is(shown.join(", "), credentials);
  });

for (const mark of ["Query", "Body", "Form"])
  test(`the defaults of a ${mark} that is destructured are in the document`, () => {
    const { inputs } = read(`{ a, b = 2, c = 3 }: ${mark}<{ a: int; b?: int; c: int }>`);
    const keys = inputs.flatMap(({ name, shape, default: instead }) =>
      shape.kind === "object"
        ? shape.properties.map((one) => [one.name, one.notes?.default])
        : [[name, instead]],
    );
    assert.equal(keys, [
      ["a", undefined],
      ["b", 2],
      ["c", undefined],
    ]);
  });

test("guards are asked first", () => {
  const guard = `${IMPORT}export function guard(key: ApiKey<"x-key">, at: Query<int>) {}`;
  const { inputs, credentials } = readRoute(
    `${IMPORT}export function get(token: Bearer, q: Query<string>): string { return ""; }`,
    { "routes/_hooks.ts": guard },
  );
  assert.equal(
    inputs.map(({ name }) => name),
    ["at", "q"],
  );
  assert.equal(
    credentials.map(({ scheme }) => nameScheme(scheme)),
    ["header x-key", "bearer"],
  );
});

test.run();
