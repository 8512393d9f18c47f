import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Answer, Contract, Credential, Input, Operation } from "#convention/contract/contract";
import type { Segment } from "#runtime/routing/route";
import type { SecurityScheme } from "#runtime/wire/credentials";
import type { ObjectShape, SchemaShape, Shape } from "#runtime/wire/shape";
import { answer, location, contract as oneContract, operation as oneOperation } from "../contract.fixture.ts";
import { type NamedSchema, withSchemas } from "../schemas/schemas.ts";
import { toOpenApi } from "./document.ts";
import { noteDocument } from "./notes.ts";
import { at, readText } from "./random-contract.fixture.ts";

const DECLINED = answer(400);
const OK = answer(200, { kind: "boolean" });

function operation(more: Partial<Operation> = {}): Operation {
  return oneOperation({ answers: [OK, DECLINED], ...more });
}

const ERROR: Shape = {
  kind: "object",
  properties: [{ name: "error", shape: { kind: "string" }, optional: false }],
};
const REFUSED = { media: "application/json", shape: { kind: "reference", name: "Error" } } as const;

function contract(operations: readonly Operation[], more: Partial<Contract> = {}): Contract {
  return oneContract(operations, { refused: REFUSED, definitions: { Error: ERROR }, ...more });
}

/** Where the operation of {@link operation} is. */
const GET = ["paths", "/a", "get"] as const;

test("a document with all that is around an operation", () => {
  const about = {
    title: "Shop",
    version: "1.2.0",
    description: "Sells.",
    license: "MIT",
    servers: ["https://shop.test/"],
  };
  const one = operation({ tag: "products", summary: "One.", description: "More.", deprecated: true });
  assert.equal(toOpenApi(contract([one], { about })), {
    openapi: "3.1.1",
    info: {
      title: "Shop",
      version: "1.2.0",
      description: "Sells.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "https://shop.test" }],
    security: [],
    tags: [{ name: "products", description: "The routes of products." }],
    paths: {
      "/a": {
        get: {
          operationId: "getA",
          tags: ["products"],
          summary: "One.",
          description: "More.",
          deprecated: true,
          responses: {
            200: { description: "OK", content: { "application/json": { schema: { type: "boolean" } } } },
            400: { description: "Bad Request" },
          },
        },
      },
    },
  });
});

test("a project without routes has a document without paths", () => {
  assert.equal(toOpenApi(contract([])), {
    openapi: "3.1.1",
    info: { title: "Shop", version: "1.2.0" },
    servers: [{ url: "/" }],
    security: [],
    paths: {},
  });
});

test("npm's own words for a licence are no SPDX expressions", () => {
  const about = { title: "Shop", version: "1", servers: [] };
  const identify = (license: string): unknown =>
    at(toOpenApi(contract([], { about: { ...about, license } })), "info", "license", "identifier");
  assert.is(identify("(MIT OR Apache-2.0)"), "(MIT OR Apache-2.0)");
  assert.is(identify("UNLICENSED"), "LicenseRef-UNLICENSED");
  assert.is(identify("SEE LICENSE IN licence.md"), "LicenseRef-SEE-LICENSE-IN-licence.md");
});

const PATHS: readonly (readonly [title: string, segments: readonly Segment[], path: string])[] = [
  ["the root", [], "/"],
  ["a param is in braces", ["users", { name: "user_id", type: "int" }], "/users/{user_id}"],
  [
    "what is no part of a URL is encoded",
    ["a b", "c?d#e/f%", "{g}", "é"],
    "/a%20b/c%3Fd%23e%2Ff%25/%7Bg%7D/%C3%A9",
  ],
  ["signs that a URL may have stay", ["a:b@c!$&'()*+,;=-._~"], "/a:b@c!$&'()*+,;=-._~"],
  ["a param's name has ASCII letters only", [{ name: "größe", type: "str" }], "/{gr_f6_dfe}"],
];

for (const [title, segments, path] of PATHS) {
  test(`paths: ${title}`, () => {
    const inputs = segments.flatMap((one): Input[] => {
      if (typeof one === "string") return [];
      return [{ in: "path", name: one.name, required: true, shape: { kind: "string" }, location }];
    });
    const document = toOpenApi(contract([operation({ segments, inputs })]));
    assert.equal(Object.keys(at(document, "paths") as object), [path]);
    for (const { name } of (at(document, "paths", path, "get", "parameters") ?? []) as { name: string }[])
      assert.ok(path.includes(`{${name}}`));
  });
}

const byId: Segment = { name: "id", type: "int" };
const byName: Segment = { name: "name", type: "str" };

function withParam(method: Operation["method"], param: Segment & object, line: number): Operation {
  const input: Input = { in: "path", name: param.name, required: true, shape: { kind: "string" }, location };
  return operation({
    id: method + line,
    method,
    segments: ["a", param],
    inputs: [input],
    location: { ...location, line },
  });
}

test("routes of one path are one path in the document, with the names of the first", () => {
  const document = toOpenApi(contract([withParam("GET", byId, 1), withParam("DELETE", byName, 2)]));
  assert.equal(Object.keys(at(document, "paths") as object), ["/a/{id}"]);
  assert.is(at(document, "paths", "/a/{id}", "delete", "parameters", 0, "name"), "id");
});

test("of routes that OpenAPI can't tell apart the first is in the document, and a note names the other", () => {
  const both = contract([withParam("GET", byId, 1), withParam("GET", byName, 2)]);
  assert.is(at(toOpenApi(both), "paths", "/a/{id}", "get", "operationId"), "GET1");
  const [note, second] = noteDocument(both);
  const message = "In OpenAPI, GET /a/<name> is the same as GET /a/<id>, so the document leaves it out.";
  assert.equal([note?.code, note?.message, second], ["FW930", message, undefined]);
  assert.equal(
    note?.locations.map(({ line }) => line),
    [2, 1],
  );
});

/** What follows `export function get_x(`, and the parameters. */
const PARAMETERS: readonly (readonly [title: string, signature: string, parameters: readonly object[]])[] = [
  [
    "an int of the path",
    "id: int",
    [
      {
        name: "id",
        in: "path",
        required: true,
        schema: { type: "integer", format: "int64", minimum: 0, maximum: 2 ** 53 - 1 },
      },
    ],
  ],
  [
    "a key of the query, with its default",
    "page: Query<int> = 1",
    [{ name: "page", in: "query", schema: { type: "integer", format: "int64", default: 1 } }],
  ],
  [
    "a key that is required",
    "q: Query<string>",
    [{ name: "q", in: "query", required: true, schema: { type: "string" } }],
  ],
  [
    "several values are a key for each",
    "tag: Query<string[]> = []",
    [
      {
        name: "tag",
        in: "query",
        style: "form",
        explode: true,
        schema: { type: "array", items: { type: "string" } },
      },
    ],
  ],
  [
    "a header and a cookie",
    "x_key: Header<string>, theme?: Cookie<string>",
    [
      { name: "x-key", in: "header", required: true, schema: { type: "string" } },
      { name: "theme", in: "cookie", schema: { type: "string" } },
    ],
  ],
  [
    "headers that OpenAPI says elsewhere are left out",
    "accept: Header<string>, authorization?: Header<string>",
    [],
  ],
  [
    "all other keys are one object",
    "rest: Query<{ others: string; [key: string]: string }>",
    [
      { name: "others", in: "query", required: true, schema: { type: "string" } },
      {
        name: "others_",
        in: "query",
        style: "form",
        explode: true,
        schema: { type: "object", additionalProperties: { type: "string" } },
      },
    ],
  ],
];

test("parameters: of a value that checks by itself the properties, if it says them, else an object that may be left out", () => {
  const shape = { kind: "schema", file: "lib/list.ts", exported: "List" } as const;
  const route = operation({
    segments: ["a"],
    inputs: [{ in: "query", name: "", required: true, isRest: true, shape, location }],
  });
  const parametersWith = (schema?: Readonly<Record<string, unknown>>): unknown => {
    const document = toOpenApi(contract([route]), () => schema && { name: "List", schema });
    return at(document, ...GET, "parameters");
  };
  const page = { type: "integer", minimum: 1 };
  const sort = { $ref: "#/$defs/Sort" };
  const schema = {
    type: "object",
    properties: { page, sort },
    required: ["page"],
    $defs: { Sort: { enum: ["name"] } },
  };
  const exploded = { in: "query", style: "form", explode: true };
  assert.equal(parametersWith(schema), [
    { name: "page", ...exploded, required: true, schema: page },
    { name: "sort", ...exploded, schema: { $ref: "#/components/schemas/List/$defs/Sort" } },
  ]);
  const anything = { type: "object", additionalProperties: {} };
  for (const unsaid of [undefined, { anyOf: [schema] }])
    assert.equal(parametersWith(unsaid), [{ name: "others", ...exploded, schema: anything }]);
});

test("what a schema gives and a schema that is exported by that name are two", () => {
  const file = { kind: "schema", file: "lib/book.ts" } as const;
  const shapes = [
    { ...file, exported: "Book", isOutput: true },
    { ...file, exported: "BookOutput" },
  ] as const;
  const find = ({ exported }: SchemaShape): NamedSchema => ({
    name: "BookOutput",
    schema: { type: exported === "Book" ? "string" : "number" },
  });
  const answers = shapes.map((shape, index) => ({
    ...{ status: 200 + index, headers: [], location },
    bodies: [{ media: "application/json", shape }],
  }));
  const own = contract([operation({ segments: ["a"], answers })]);
  const { BookOutput, BookOutput2 } = withSchemas(own, { find }).definitions;
  assert.equal([BookOutput, BookOutput2], [{ kind: "string" }, { kind: "number" }]);
  const schemas = toOpenApi(own, find);
  assert.equal(at(schemas, "components", "schemas", "BookOutput"), { type: "string" });
  assert.equal(at(schemas, "components", "schemas", "BookOutput2"), { type: "number" });
});

for (const [title, signature, parameters] of PARAMETERS) {
  test(`parameters: ${title}`, () => {
    const views = `import type { Cookie, Header, Query, int } from "framework";\nexport function get_x(${signature}) {}\n`;
    const sources = { "framework.toml": 'apps = ["a"]', "apps/a/app.toml": "", "apps/a/views.ts": views };
    const [item] = Object.values(
      at(toOpenApi(readText(new Map(Object.entries(sources))).contract), "paths") as object,
    );
    assert.equal(at(item, "get", "parameters") ?? [], parameters);
  });
}

const name: Input = {
  in: "form",
  name: "",
  required: true,
  shape: { kind: "object", properties: [{ name: "name", shape: { kind: "string" }, optional: false }] },
  location,
};
const photo: Input = {
  ...name,
  shape: { kind: "object", properties: [{ name: "photo", shape: { kind: "file" }, optional: false }] },
};

const optionalPhoto: Input = {
  ...name,
  shape: { kind: "object", properties: [{ name: "photo", shape: { kind: "file" }, optional: true }] },
};

test("a body is JSON, and a form may come in two ways unless it needs a file", () => {
  const body: Input = { in: "body", name: "", required: false, shape: { kind: "number" }, location };
  const mediaOf = (input: Input): [string[], unknown] => {
    const request = at(toOpenApi(contract([operation({ inputs: [input] })])), ...GET, "requestBody");
    return [Object.keys(at(request, "content") as object), at(request, "required")];
  };
  assert.equal(mediaOf(body), [["application/json"], undefined]);
  assert.equal(mediaOf(name), [["application/x-www-form-urlencoded", "multipart/form-data"], true]);
  assert.equal(mediaOf(photo), [["multipart/form-data"], true]);
  assert.equal(mediaOf(optionalPhoto), [["multipart/form-data", "application/x-www-form-urlencoded"], true]);
});

test("types with names are components whose names OpenAPI takes; those that nothing reaches are left out", () => {
  const shapes = ["Page<Product>", "Page[Product]"].map((of) => ({ kind: "reference", name: of }) as const);
  const definitions = {
    "Page[Product]": { kind: "null" },
    "Page<Product>": { kind: "array", items: { kind: "reference", name: "Product" } },
    Product: { kind: "string" },
    Other: { kind: "string" },
  } as const;
  const bodies = [
    { media: "application/json", shape: { kind: "tuple", items: shapes, required: 2 } },
  ] as const;
  const document = toOpenApi(
    contract([operation({ answers: [{ ...OK, bodies }, DECLINED] })], { definitions }),
  );
  assert.equal(at(document, "components"), {
    schemas: {
      Page_Product: { type: "array", items: { $ref: "#/components/schemas/Product" } },
      Page_Product2: { type: "null" },
      Product: { type: "string" },
    },
  });
});

const KEY = {
  scheme: { type: "apiKey", in: "header", name: "x-key" },
  required: false,
  location,
} as const;

test("each kind of credential has its scheme: described once, once for one that differs by case, and no two of one name", () => {
  const ask = (scheme: SecurityScheme, description?: string): Credential => {
    return { scheme, required: true, location, ...(description !== undefined && { description }) };
  };
  const credentials = [
    ask({ type: "http", scheme: "token" }),
    ask({ type: "http", scheme: "Token" }, "From the settings"),
    ask({ type: "apiKey", in: "query", name: "token" }),
    ask({ type: "apiKey", in: "cookie", name: "token" }),
    ask({ type: "apiKey", in: "header", name: "token" }),
  ];
  const operations = credentials.map((one) =>
    operation({ pattern: `/${one.scheme.type}`, credentials: [one] }),
  );
  for (const some of [operations, operations.toReversed()])
    assert.equal(at(toOpenApi(contract(some)), "components", "securitySchemes"), {
      token: { type: "http", scheme: "token", description: "From the settings" },
      token2: { type: "apiKey", in: "header", name: "token" },
      token3: { type: "apiKey", in: "cookie", name: "token" },
      token4: { type: "apiKey", in: "query", name: "token" },
    });
});

test("credentials are security schemes: all that are required together, and others with or without them", () => {
  const bearer = { scheme: { type: "http", scheme: "Bearer" }, required: true, location } as const;
  const key = KEY;
  const document = toOpenApi(
    contract([operation({ credentials: [bearer, key] }), operation({ method: "PUT", credentials: [key] })]),
  );
  assert.equal(at(document, "components", "securitySchemes"), {
    bearer: { type: "http", scheme: "bearer" },
    "x-key": { type: "apiKey", in: "header", name: "x-key" },
  });
  assert.equal(at(document, ...GET, "security"), [{ bearer: [], "x-key": [] }, { bearer: [] }]);
  assert.equal(at(document, "paths", "/a", "put", "security"), [{ "x-key": [] }, {}]);
});

test("an operation with a param may refuse a path that is encoded wrongly, and one that takes nothing refuses nothing", () => {
  const responsesOf = (answers: readonly Answer[], segments: readonly Segment[] = ["a", byName]): unknown => {
    const [item] = Object.values(
      at(toOpenApi(contract([operation({ answers, segments })])), "paths") as object,
    );
    return at(item, "get", "responses");
  };
  assert.equal(Object.keys(responsesOf([OK], ["a"]) as object), ["200"]);
  const schema = { $ref: "#/components/schemas/Error" };
  assert.equal(at(responsesOf([OK]), "400", "content"), { "application/json": { schema } });
  assert.equal(Object.keys(responsesOf([OK, { ...OK, status: "default" }]) as object), [
    "200",
    "400",
    "default",
  ]);
  assert.equal(Object.keys(responsesOf([OK, DECLINED]) as object), ["200", "400"]);
});

const SESSION: Input = {
  in: "cookie",
  name: "session",
  required: false,
  shape: { kind: "string" },
  location,
};
const DENIED: Answer = { ...DECLINED, status: 401 };

const SECURITY: readonly (readonly [title: string, operation: Partial<Operation>, security: unknown])[] = [
  ["an optional key", { credentials: [KEY] }, [{ "x-key": [] }, {}]],
  [
    "an optional key without which the code answers 401",
    { credentials: [KEY], answers: [OK, DENIED] },
    [{ "x-key": [] }],
  ],
  [
    "a key or a cookie",
    { credentials: [KEY], inputs: [SESSION], answers: [OK, DENIED] },
    [{ "x-key": [] }, { session: [] }],
  ],
  [
    "a cookie of another function",
    {
      credentials: [KEY],
      inputs: [{ ...SESSION, location: { ...location, line: 9 } }],
      answers: [OK, DENIED],
    },
    [{ "x-key": [] }],
  ],
  [
    "a token beside an optional key",
    {
      credentials: [KEY, { scheme: { type: "http", scheme: "Bearer" }, required: true, location }],
      answers: [OK, DENIED],
    },
    [{ bearer: [], "x-key": [] }, { bearer: [] }],
  ],
];

for (const [title, more, security] of SECURITY)
  test(`security: ${title}`, () => {
    const document = toOpenApi(contract([operation(more)]));
    assert.equal(at(document, ...GET, "security"), security);
    for (const [name] of (security as object[]).flatMap(Object.entries))
      assert.ok(at(document, "components", "securitySchemes", name));
  });

const KEYED: ObjectShape = {
  kind: "object",
  properties: ["error", "code"].map((key) => ({ name: key, shape: { kind: "string" }, optional: false })),
};

test("the body of an error that has no name is one component for all operations", () => {
  const answers: readonly Answer[] = [
    { ...OK, bodies: [{ media: "application/json", shape: KEYED }] },
    {
      ...DECLINED,
      bodies: [{ media: "application/json", shape: { kind: "union", of: [KEYED, REFUSED.shape] } }],
    },
    { ...DENIED, bodies: [{ media: "application/problem+json", shape: KEYED }] },
  ];
  const document = toOpenApi(contract([operation({ answers }), operation({ answers, segments: ["b"] })]));
  const schemaOf = (path: string, status: number, media: string): unknown =>
    at(document, "paths", path, "get", "responses", status, "content", media, "schema");
  const error = { $ref: "#/components/schemas/Error.error.code" };
  assert.is(at(schemaOf("/a", 200, "application/json"), "type"), "object");
  for (const path of ["/a", "/b"]) {
    assert.equal(schemaOf(path, 400, "application/json"), {
      anyOf: [error, { $ref: "#/components/schemas/Error" }],
    });
    assert.equal(schemaOf(path, 401, "application/problem+json"), error);
  }
  assert.equal(Object.keys(at(document, "components", "schemas") as object), ["Error", "Error.error.code"]);
});

test("two bodies of errors with the same keys are two components, whatever the order of the operations", () => {
  const nullable = KEYED.properties.map((one) => ({ ...one, shape: { kind: "null" } as const }));
  const other: Shape = { ...KEYED, properties: nullable };
  const routes = [KEYED, other].map((shape, index) =>
    operation({
      segments: [`${index}`],
      answers: [{ ...DECLINED, bodies: [{ media: "application/json", shape }] }],
    }),
  );
  const read = (all: readonly Operation[]): unknown => at(toOpenApi(contract(all)), "components");
  assert.equal(Object.keys(at(read(routes), "schemas") as object), ["Error.error.code", "Error.error.code2"]);
  assert.equal(read([...routes].reverse()), read(routes));
});

const BINARY: readonly (readonly [result: string, content: object])[] = [
  [
    "export function get(): Uint8Array { throw 0; }",
    {
      "application/octet-stream": {
        schema: { type: "string", contentMediaType: "application/octet-stream", format: "binary" },
      },
    },
  ],
  [
    'export function get() { return reply(new Uint8Array(), 200, { "content-type": "image/png" }); }',
    { "image/png": { schema: { type: "string", contentMediaType: "image/png", format: "binary" } } },
  ],
  [
    "export function get(): Blob { throw 0; }",
    { "*/*": { schema: { type: "string", contentMediaType: "application/octet-stream", format: "binary" } } },
  ],
];

for (const [result, content] of BINARY)
  test(`a generator of clients takes the result of ${result} for a Blob`, () => {
    const texts = { "framework.toml": "", "routes/a.ts": `import { reply } from "framework"; ${result}` };
    const document = toOpenApi(readText(new Map(Object.entries(texts))).contract);
    assert.equal(at(document, ...GET, "responses", 200, "content"), content);
  });

test("a note names a header that OpenAPI leaves out, and the way out", () => {
  const texts = {
    "framework.toml": "",
    "routes/a.ts":
      'import type { Header } from "framework"; export function get(authorization: Header<string>) {}',
  };
  const [note] = noteDocument(readText(new Map(Object.entries(texts))).contract);
  assert.is(note?.code, "FW933");
  assert.match(note?.hint ?? "", "token: Bearer");
});

test("headers that come with an answer are texts, without the one that is a media type", () => {
  const answers = [{ ...OK, headers: ["content-type", "location"], description: "Made." }, DECLINED];
  const response = at(toOpenApi(contract([operation({ answers })])), ...GET, "responses", "200");
  assert.equal(at(response, "headers"), { location: { schema: { type: "string" } } });
  assert.is(at(response, "description"), "Made.");
});

test.run();
