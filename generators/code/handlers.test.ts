import { test } from "uvu";
import * as assert from "uvu/assert";
import type { RouteMethod } from "#runtime/routing/route";
import { addCode } from "../edit/code.ts";
import { applyStyle, DEFAULT_STYLE } from "../edit/style.ts";
import type { Field } from "./fields.ts";
import {
  completeParameters,
  type Handler,
  type HandlerParameter,
  handlerCode,
  NOTHING_TAKEN,
} from "./handlers.ts";
import { testCode, testsOf } from "./tests.ts";

function lay(text: string): string {
  return applyStyle(text, DEFAULT_STYLE);
}

function handler(method: RouteMethod, parameters: readonly HandlerParameter[], name = "handler"): Handler {
  return { ...NOTHING_TAKEN, method, name, segments: ["products"], pattern: "/", parameters };
}

/** Without imports. */
function codeOf(handler: Handler): string {
  const text = addCode("views.ts", null, [handlerCode(handler)], "handler", DEFAULT_STYLE);
  return text.replace(/^import .*\n\n/, "");
}

const BODIES: [method: RouteMethod, parameters: readonly HandlerParameter[], expected: string][] = [
  ["GET", [], "export function handler() {\n  return { items: [] };\n}\n"],
  ["GET", [{ name: "id", type: "int" }], "export function handler(id: int) {\n  return { id };\n}\n"],
  ["GET", ["request"], "export function handler(request: Request) {\n  return { path: request.path };\n}\n"],
  [
    "POST",
    [],
    "export async function handler(request: Request) {\n  const item = await request.json();\n  return [{ item }, 201];\n}\n",
  ],
  [
    "POST",
    [{ name: "item", type: "str" }, "request"],
    "export async function handler(item: str, request: Request) {\n  const body = await request.json();\n  return [{ item, body }, 201];\n}\n",
  ],
  [
    "PUT",
    [{ name: "id", type: "number" }],
    "export async function handler(request: Request, id: number) {\n  const item = await request.json();\n  return { id, item };\n}\n",
  ],
  ["DELETE", [], "export function handler() {\n  return { deleted: true };\n}\n"],
  [
    "DELETE",
    [{ name: "id", type: "string" }],
    "export function handler(id: string) {\n  return { deleted: true, id };\n}\n",
  ],
  ["HEAD", [], "export function handler() {\n  return {};\n}\n"],
  ["OPTIONS", [], "export function handler() {\n  return {};\n}\n"],
  [
    "OPTIONS",
    ["request"],
    "export function handler(request: Request) {\n  return { path: request.path };\n}\n",
  ],
];

for (const [method, parameters, expected] of BODIES) {
  const given = parameters.map((one) => (one === "request" ? one : one.name)).join(", ");
  test(`a ${method} handler of (${given}) answers with what it was given`, () => {
    assert.is(codeOf(handler(method, parameters)), `// ${method} /\n${expected}`);
  });
}

const NEW_PRODUCT: Field[] = [
  { name: "name", type: { word: "string", isArray: false }, optional: false },
  { name: "price", type: { word: "int", isArray: false }, optional: true },
];
const QUERY: Field[] = [
  { name: "page", type: { word: "int", isArray: false }, optional: true },
  { name: "tag", type: { word: "string", isArray: true }, optional: false },
];

const TAKING: [what: string, taking: Handler, expected: string][] = [
  [
    "the body's values one by one",
    { ...handler("POST", []), body: NEW_PRODUCT },
    "export function handler(body: Body<NewProduct>) {\n  return [{ name: body.name, price: body.price }, 201];\n}\n",
  ],
  [
    "the body as a whole where a param has the name of one of its fields",
    {
      ...handler("PUT", [{ name: "name", type: "str" }, "request"]),
      body: NEW_PRODUCT,
    },
    "export function handler(\n  name: str,\n  request: Request,\n  body: Body<ProductUpdate>,\n) {\n  return { name, path: request.path, body };\n}\n",
  ],
  [
    "the body under another name where a param is called body",
    {
      ...handler("DELETE", [{ name: "body", type: "int" }]),
      body: NEW_PRODUCT.slice(0, 1),
    },
    "export function handler(body: int, data: Body<ProductDeletion>) {\n  return { deleted: true, body, name: data.name };\n}\n",
  ],
  [
    "the query's values, the required ones first, because TypeScript wants it so",
    { ...handler("GET", []), query: QUERY },
    "export function handler(tag: Query<string[]>, page?: Query<int>) {\n  return { tag, page };\n}\n",
  ],
  [
    "a body that is read by hand, beside the query",
    { ...handler("POST", []), query: QUERY.slice(0, 1) },
    "export async function handler(request: Request, page?: Query<int>) {\n  const item = await request.json();\n  return [{ page, item }, 201];\n}\n",
  ],
];

for (const [what, taking, expected] of TAKING) {
  test(`a handler answers with ${what}`, () => {
    assert.is(codeOf(taking).split("// ")[1], `${taking.method} /\n${expected}`);
  });
}

test("an interface has a line for each field", () => {
  const long = ["a", "b"].map((letter) => letter.repeat(40));
  const body: Field[] = [...NEW_PRODUCT, { name: "role", type: { values: long }, optional: true }];
  assert.is(
    codeOf({ ...handler("POST", []), body }).split("// ")[0],
    `interface NewProduct {
  name: string;
  price?: int;
  role?: "${long[0]}" | "${long[1]}";
}

`,
  );
});

test("a body has a test that it is answered, and one that it is refused", () => {
  const route = { method: "POST", segments: ["products"], pattern: "/products/" } as const;
  const tests = testsOf({ ...route, body: NEW_PRODUCT, query: QUERY });
  assert.is(
    lay(tests.map(testCode).join("\n")),
    `test("POST /products/ answers", async () => {
  const response = await request(\`\${url}/products/?tag=example&page=7\`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "example", price: 7 }),
  });
  assert.ok(response.statusCode < 400, await response.body.text());
});

test("POST /products/ answers 422 if \`name\` is null", async () => {
  const response = await request(\`\${url}/products/?tag=example&page=7\`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: null }),
  });
  assert.is(response.statusCode, 422);
});
`,
  );
});

test("a request with a param, or with a body that nothing declares, may be refused", () => {
  const id = { name: "id", type: "int" } as const;
  const tests = [
    ...testsOf({ ...NOTHING_TAKEN, method: "DELETE", segments: ["products", id], pattern: "/products/<id>" }),
    ...testsOf({ ...NOTHING_TAKEN, method: "POST", segments: ["products"], pattern: "/products/" }),
  ];
  assert.is(
    lay(tests.map(testCode).join("\n")),
    `test("DELETE /products/<id> answers", async () => {
  const response = await request(\`\${url}/products/7\`, { method: "DELETE" });
  // 4xx is right, too: the values in the request are only samples.
  assert.ok(response.statusCode < 500, await response.body.text());
});

test("POST /products/ answers", async () => {
  const response = await request(\`\${url}/products/\`, {
    method: "POST",
    body: JSON.stringify({ name: "example" }),
  });
  // 4xx is right, too: the values in the request are only samples.
  assert.ok(response.statusCode < 500, await response.body.text());
});
`,
  );
});

test("a request with a long path has each argument on a line of its own, as formatters lay it out", () => {
  const segments = ["products", "x".repeat(40)];
  const [get, remove] = (["GET", "DELETE"] as const).map((method) =>
    lay(
      testsOf({ ...NOTHING_TAKEN, method, segments, pattern: "/" })
        .map(testCode)
        .join(""),
    ),
  );
  const asked = `\`\${url}/${segments.join("/")}\``;
  assert.match(get ?? "", `  const response = await request(\n    ${asked},\n  );\n`);
  assert.match(
    remove ?? "",
    `  const response = await request(\n    ${asked},\n    { method: "DELETE" },\n  );\n`,
  );
});

test("the request is asked for only where the body needs it, or the user wants it", () => {
  assert.equal(completeParameters(handler("GET", [])), []);
  assert.equal(completeParameters(handler("PATCH", [{ name: "id", type: "int" }])), [
    "request",
    { name: "id", type: "int" },
  ]);
  assert.equal(completeParameters(handler("PATCH", [{ name: "id", type: "int" }, "request"])), [
    { name: "id", type: "int" },
    "request",
  ]);
});

test.run();
