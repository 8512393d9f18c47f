/** The text that generators write, with two spaces, double quotes and semicolons. */

import type { Method } from "#runtime/core/routing/route";
import type { FrameworkType } from "./imports.ts";
import { innerWidth, type Layout } from "./style.ts";

/** A param type as the user may spell it. */
export type TypeWord = "int" | "str" | "number" | "string";

export interface HandlerParam {
  readonly name: string;
  readonly type: TypeWord;
}

/** The word `request` among the params puts the request at that place, used or not. */
export type HandlerParameter = HandlerParam | "request";

export interface HandlerBlueprint {
  readonly method: Method;
  /** The function's name: `get_by_id`, `post`, `del`. */
  readonly name: string;
  /** The route above the function, or null for none. */
  readonly comment: string | null;
  readonly parameters: readonly HandlerParameter[];
}

export interface TestBlueprint {
  readonly method: Method;
  /** As it is printed: `/users/by/id/<user_id>`. */
  readonly pattern: string;
  /** As a client asks for it: `/users/by/id/7`. */
  readonly path: string;
  readonly status: number;
}

type TypeNames = ReadonlyMap<FrameworkType, string>;

const PARSES_A_BODY: readonly Method[] = ["POST", "PUT", "PATCH"];

/** The handler's parameters in their order, with the request in front where its body is read and its place is not given. */
export function completeParameters(
  method: Method,
  parameters: readonly HandlerParameter[],
): readonly HandlerParameter[] {
  if (parameters.includes("request") || !PARSES_A_BODY.includes(method)) return parameters;
  return ["request", ...parameters];
}

/** The types of `framework` that the handlers' signatures name. */
export function typesOf(handlers: readonly HandlerBlueprint[]): readonly FrameworkType[] {
  const all = handlers.flatMap(({ method, parameters }) => completeParameters(method, parameters));
  const types = all.map((parameter) => (parameter === "request" ? "Request" : parameter.type));
  return [...new Set(types)].filter((type) => type === "Request" || type === "int" || type === "str");
}

/**
 * A handler that works: it answers with what it was given.
 *
 * @param names what the file calls the types of `framework`.
 * @param layout of the file it is for, as far as it decides where lines break.
 */
export function handlerBlueprint(blueprint: HandlerBlueprint, names: TypeNames, layout: Layout): string {
  const { method, name, comment } = blueprint;
  const parameters = completeParameters(method, blueprint.parameters);
  const asynchronous = PARSES_A_BODY.includes(method) ? "async " : "";
  const signature = list(
    `export ${asynchronous}function ${name}(`,
    parameters.map((parameter) => formatParameter(parameter, names)),
    ") {",
    layout.width,
  );
  const lines = [signature, ...bodyOf(blueprint, parameters, innerWidth(layout)).map(indented), "}"];
  return `${comment === null ? "" : `// ${comment}\n`}${lines.join("\n")}\n`;
}

function indented(lines: string): string {
  return `  ${lines.replaceAll("\n", "\n  ")}`;
}

function formatParameter(parameter: HandlerParameter, names: TypeNames): string {
  if (parameter === "request") return `request: ${names.get("Request") ?? "Request"}`;
  const { name, type } = parameter;
  return `${name}: ${type === "int" || type === "str" ? (names.get(type) ?? type) : type}`;
}

function bodyOf(
  blueprint: HandlerBlueprint,
  parameters: readonly HandlerParameter[],
  width: number,
): readonly string[] {
  const { method } = blueprint;
  const params = parameters.flatMap((parameter) => (parameter === "request" ? [] : [parameter.name]));
  if (PARSES_A_BODY.includes(method)) {
    const item = unlike(params, ["item", "body", "data"]);
    const read = `const ${item} = await request.json();`;
    if (method !== "POST") return [read, list("return {", [...params, item], "};", width)];
    return [read, ...created([...params, item], width)];
  }
  const echoed = parameters.includes("request") ? [...params, "path: request.path"] : params;
  if (method === "DELETE") return [list("return {", ["deleted: true", ...echoed], "};", width)];
  if (method === "HEAD" || method === "OPTIONS" || echoed.length > 0)
    return [list("return {", echoed, "};", width)];
  return ["return { items: [] };"];
}

function created(fields: readonly string[], width: number): readonly string[] {
  const short = `return [{ ${fields.join(", ")} }, 201];`;
  if (short.length <= width) return [short];
  const answer = unlike(fields, ["created", "answer", "data"]);
  return [list(`const ${answer} = {`, fields, "};", width), `return [${answer}, 201];`];
}

/** The first of the names that no param has. */
function unlike(fields: readonly string[], names: readonly string[]): string {
  return names.find((name) => !fields.includes(name)) ?? `${names[0]}_here`;
}

/** On one line if it fits, else one item on each line, as formatters write a list. */
function list(open: string, items: readonly string[], close: string, width: number): string {
  const space = open.endsWith("{") && items.length > 0 ? " " : "";
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  if (items.length === 0 || line.length <= width) return line;
  return `${open}\n${items.map((item) => `  ${item},\n`).join("")}${close}`;
}

/** Everything a test file needs before its first test; `toRoot` is the way from the file's folder to the project's. */
export function testHeadBlueprint(toRoot: string): string {
  return `import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { app } from "${toRoot}app.ts";

const { url } = await app.listen();
`;
}

export const TEST_RUN = "test.run();\n";

/** The names that {@link testBlueprint} uses: a file that lacks one can't take the test. */
export const TEST_NAMES: readonly string[] = ["request", "test", "assert", "url"];

export function testTitle({ method, pattern, status }: TestBlueprint): string {
  return `${method} ${pattern} answers ${status}`;
}

export function testBlueprint(blueprint: TestBlueprint, layout: Layout): string {
  return `test(${JSON.stringify(testTitle(blueprint))}, async () => {
${indented(requestCall(blueprint, innerWidth(layout)))}
  assert.is(response.statusCode, ${blueprint.status});
});
`;
}

function requestCall({ method, path }: TestBlueprint, width: number): string {
  const address = `\`\${url}${path}\``;
  const open = "const response = await request(";
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(PARSES_A_BODY.includes(method) ? ['body: JSON.stringify({ name: "example" })'] : []),
  ];
  if (options.length === 0) {
    const line = `${open}${address});`;
    return line.length <= width ? line : `${open}\n  ${address},\n);`;
  }
  const line = `${open}${address}, { ${options.join(", ")} });`;
  if (options.length === 1 && line.length <= width) return line;
  if (`${open}${address}, {`.length <= width) {
    return `${open}${address}, {\n${options.map((option) => `  ${option},\n`).join("")}});`;
  }
  return `${open}\n  ${address},\n  {\n${options.map((option) => `    ${option},\n`).join("")}  },\n);`;
}

export function appTomlBlueprint(name: string, prefix: string): string {
  return `[app]
# The label in lists. framework.toml and --app use the folder's name.
name = "${name}"
# Comes before the path of every route.
prefix = "${prefix}"
`;
}
