import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatPattern } from "#convention/pattern";
import { formatHandlerName } from "#convention/rule/naming";
import { METHODS, type RouteMethod, type Segment } from "#runtime/routing/route";
import { addCode, type Code } from "../edit/code.ts";
import { applyStyle, DEFAULT_STYLE } from "../edit/style.ts";
import { ERROR, guardCode, MIDDLEWARE } from "../hooks.ts";
import { providerCode, providerTest } from "../provider.ts";
import { toSource } from "../target/names.ts";
import { toParamType } from "../target/words.ts";
import { BODY_METHODS } from "./body-names.ts";
import { FIELD_WORDS, type Field } from "./fields.ts";
import {
  completeParameters,
  type Handler,
  type HandlerParam,
  type HandlerParameter,
  handlerCode,
  NOTHING_TAKEN,
} from "./handlers.ts";
import { type RequestTest, testCode, testFileCode, testsOf } from "./tests.ts";

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

test("every blueprint compiles under the strictest settings and lints clean", () => {
  const folder = mkdtempSync(join(tmpdir(), "blueprints-"));
  try {
    writeMatrix(folder);
    assert.is(
      run(folder, "@biomejs/biome/bin/biome", [
        "check",
        "--formatter-enabled=false",
        "--error-on-warnings",
        ...["_hooks.ts", "app.ts", "apps", "providers", "tests"],
      ]),
      "",
    );
    assert.is(run(folder, "typescript/bin/tsc", ["-p", "."]), "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Each method with each choice of params, short and so long that lines break, as handlers and as tests. */
function writeMatrix(folder: string): void {
  const handlers: Handler[] = [];
  const tests: RequestTest[] = [];
  for (const method of METHODS) {
    for (const [index, [parameters, fields]] of cases().entries()) {
      const name = `${method.toLowerCase()}_case_${index}`;
      const taken = { body: bodyOf(method, fields), query: fields.map(toQuery) };
      const params = parameters.flatMap((one) =>
        one === "request" ? [] : [{ name: one.name, type: toParamType(one.type ?? "string") }],
      );
      const segments: Segment[] = [
        ..."x".repeat(index * 3).split(/(?<=^.{9})/),
        `case${index}`,
        ...params,
      ].filter((one) => one !== "");
      const pattern = formatPattern(segments, index % 2 === 0);
      handlers.push({ ...taken, method, name, segments: [`case-${index}`], pattern, parameters });
      tests.push(...testsOf({ method, segments, pattern, ...taken }));
    }
  }
  const files: Record<string, string> = {
    "biome.json": `${JSON.stringify(BIOME, null, 2)}
`,
    "tsconfig.json": `${JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ["**/*.ts"] }, null, 2)}\n`,
    "package.json": '{ "type": "module" }\n',
    "vendor/framework.d.ts": FRAMEWORK,
    "app.ts": 'export const app = {\n  listen: async () => ({ url: "http://localhost" }),\n};\n',
    "tests/cases.test.ts": testFileCode(tests, []),
    ...Object.fromEntries(
      [1, 2, 3].map((count) => {
        const guards = ["_hooks.ts", "apps/_hooks.ts", "apps/cases/_hooks.ts"].slice(0, count);
        return [`tests/guarded-${count}.test.ts`, testFileCode(tests.slice(0, 1), guards)];
      }),
    ),
    ...Object.fromEntries(choices().flatMap(writeProvider)),
    ...Object.fromEntries(
      ["_hooks.ts", "apps/_hooks.ts", "apps/cases/_hooks.ts"].map((file) => {
        const guard = guardCode(file, { name: "provider_0", file: "providers/provider_0.ts" });
        return [file, written(file, [guard, MIDDLEWARE, ERROR])];
      }),
    ),
    "apps/cases/views.ts": written("views.ts", handlers.map(handlerCode)),
    "apps/plain/views.ts": written("views.ts", handlers.slice(0, 1).map(handlerCode)),
    "apps/long/views.ts": written("views.ts", [
      handlerCode(
        handler("GET", [], String(formatHandlerName({ method: "GET", segments: ["x".repeat(90)] }))),
      ),
    ]),
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
}

function writeProvider(
  parameters: readonly HandlerParameter[],
  index: number,
): [file: string, text: string][] {
  const params = parameters.filter((one): one is HandlerParam => one !== "request");
  const name = `provider_${index}`;
  const file = `providers/${name}.ts`;
  const test = `tests/${name}.test.ts`;
  return [
    [file, written(file, [providerCode(name, params)])],
    [test, providerTest(name, params, toSource(test, file))],
  ];
}

function written(file: string, code: readonly Code[]): string {
  return addCode(file, null, code, "function", DEFAULT_STYLE);
}

function bodyOf(method: RouteMethod, fields: readonly Field[]): readonly Field[] {
  return BODY_METHODS.includes(method) ? fields : [];
}

function toQuery(field: Field): Field {
  return { ...field, name: `q_${field.name}` };
}

/** Each choice of params without a body and query, and some of each kind of fields. */
function cases(): readonly (readonly [params: readonly HandlerParameter[], fields: readonly Field[]])[] {
  const words = FIELD_WORDS.flatMap((word) =>
    [false, true].map((isArray): Field => {
      const name = `${word.toLowerCase()}${isArray ? "s" : ""}`;
      return { name, type: { word, isArray }, optional: isArray };
    }),
  );
  const long = ["one", "two", "three"].map((word) => `${word}-${"x".repeat(20)}`);
  const some: readonly (readonly Field[])[] = [
    NEW_PRODUCT,
    words,
    [{ name: "role", type: { values: ["admin", "it's", 3] }, optional: false }],
    [{ name: "created", type: { values: long }, optional: true }],
    [{ name: "created_where", type: { values: long.map((word) => word.slice(0, 19)) }, optional: false }],
  ];
  const plain = choices().map((params) => [params, []] as const);
  return [
    ...plain,
    ...some.flatMap((fields) =>
      [[], ["request"] as const, choices()[3] ?? []].map((params) => [params, fields] as const),
    ),
  ];
}

function choices(): readonly (readonly HandlerParameter[])[] {
  const id = { name: "id", type: "int" } as const;
  const name = { name: "item", type: "str" } as const;
  const long = [14, 20, 26].map((length) => ({ name: "p".repeat(length), type: "number" }) as const);
  return [
    [],
    ["request"],
    [id],
    [id, name],
    [name, "request"],
    [id, ...long],
    ["request", id, name, ...long, { name: "body", type: "string" }],
  ];
}

const COMPILER_OPTIONS = {
  target: "es2023",
  lib: ["es2023"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  paths: { framework: ["./vendor/framework.d.ts"] },
};

const BIOME = { formatter: { indentStyle: "space" } };

const FRAMEWORK = `export class Request {
  readonly path: string;
  json(): Promise<unknown>;
}
export class HttpError extends Error {
  readonly body: object;
  readonly status: number;
  constructor(status: number, message: string);
}
export type Next = () => Promise<Response>;
export type Bearer = string;
export type From<T extends (...args: never[]) => unknown> = ReturnType<T>;
export function replace(provider: (...args: never[]) => unknown): { with(substitute: () => unknown): object };
export function createApp(options: { providers: object[] }): Promise<{ listen(): Promise<{ url: string }> }>;
export type int = number;
export type str = string;
export type Body<T> = T;
export type Query<T> = T;
`;

/** What the tool found wrong, or "". */
function run(folder: string, tool: string, options: readonly string[]): string {
  const path = fileURLToPath(new URL(`../../node_modules/${tool}`, import.meta.url));
  try {
    execFileSync(process.execPath, [path, ...options], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
      timeout: 180_000,
    });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}\n${stderr}`;
  }
}

test.run();
