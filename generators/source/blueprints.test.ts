import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatHandlerName } from "#runtime/convention/rule/naming";
import { formatPattern } from "#runtime/core/routing/pattern";
import { METHODS, type Method, type Segment } from "#runtime/core/routing/route";
import { toTests } from "../tests.ts";
import { toParamType } from "../words.ts";
import {
  appTomlBlueprint,
  completeParameters,
  type HandlerBlueprint,
  type HandlerParameter,
  handlerBlueprint,
  TEST_RUN,
  testBlueprint,
  testHeadBlueprint,
} from "./blueprints.ts";
import { createSource } from "./source.ts";
import { DEFAULT_STYLE } from "./style.ts";

const NAMES = new Map([
  ["Request", "Request"],
  ["int", "int"],
  ["str", "str"],
] as const);

function blueprint(
  method: Method,
  parameters: readonly HandlerParameter[],
  name = "handler",
): HandlerBlueprint {
  return { method, name, comment: null, parameters };
}

const BODIES: [method: Method, parameters: readonly HandlerParameter[], expected: string][] = [
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
    assert.is(handlerBlueprint(blueprint(method, parameters), NAMES, DEFAULT_STYLE), expected);
  });
}

test("the request is asked for only where the body needs it, or the user wants it", () => {
  assert.equal(completeParameters("GET", []), []);
  assert.equal(completeParameters("PATCH", [{ name: "id", type: "int" }]), [
    "request",
    { name: "id", type: "int" },
  ]);
  assert.equal(completeParameters("PATCH", [{ name: "id", type: "int" }, "request"]), [
    { name: "id", type: "int" },
    "request",
  ]);
});

test("every blueprint compiles under the strictest settings and is as Biome leaves it", () => {
  const folder = mkdtempSync(join(tmpdir(), "blueprints-"));
  try {
    writeMatrix(folder);
    assert.is(
      run(folder, "@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "app.ts", "apps", "tests"]),
      "",
    );
    assert.is(run(folder, "typescript/bin/tsc", ["-p", "."]), "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Each method with each choice of params, short and so long that lines break, as handlers and as tests. */
function writeMatrix(folder: string): void {
  const handlers: HandlerBlueprint[] = [];
  const tests: string[] = [];
  for (const method of METHODS) {
    for (const [index, parameters] of choices().entries()) {
      const name = `${method.toLowerCase()}_case_${index}`;
      handlers.push({ ...blueprint(method, parameters, name), comment: `${method} /case/${index}` });
      const params = parameters.flatMap((one) =>
        one === "request" ? [] : [{ name: one.name, type: toParamType(one.type) }],
      );
      const segments: Segment[] = [
        ..."x".repeat(index * 3).split(/(?<=^.{9})/),
        `case${index}`,
        ...params,
      ].filter((one) => one !== "");
      const pattern = formatPattern(segments, index % 2 === 0);
      for (const one of toTests({ method, segments, pattern })) tests.push(testBlueprint(one, DEFAULT_STYLE));
    }
  }
  const files: Record<string, string> = {
    "biome.json": `${JSON.stringify(BIOME, null, 2)}
`,
    "tsconfig.json": `${JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ["**/*.ts"] }, null, 2)}\n`,
    "package.json": '{ "type": "module" }\n',
    "vendor/framework.d.ts": FRAMEWORK,
    "app.ts": 'export const app = {\n  listen: async () => ({ url: "http://localhost" }),\n};\n',
    "tests/cases.test.ts": [testHeadBlueprint("../"), ...tests, TEST_RUN].join("\n"),
    "apps/cases/views.ts": createSource(handlers, DEFAULT_STYLE),
    "apps/plain/views.ts": createSource(handlers.slice(0, 1), DEFAULT_STYLE),
    "apps/long/views.ts": createSource(
      [blueprint("GET", [], String(formatHandlerName({ method: "GET", segments: ["x".repeat(90)] })))],
      DEFAULT_STYLE,
    ),
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
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

for (const app of ["products", "users"]) {
  test(`the sample app ${app} has the app.toml that a generated app has`, () => {
    const file = fileURLToPath(new URL(`../../template/apps/${app}/app.toml`, import.meta.url));
    assert.is(readFileSync(file, "utf8"), appTomlBlueprint(app, `/${app}`));
  });
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
export type int = number;
export type str = string;
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
