/**
 * The text that generators write, with two spaces, double quotes and semicolons. Each list has its items on lines of their own: `applyStyle`
 * joins the short ones.
 */

import type { RouteMethod } from "#runtime/routing/route";
import { type Field, formatFieldType } from "./fields.ts";
import type { FrameworkType } from "./imports.ts";

/** A param type as the user may spell it. */
export type TypeWord = "int" | "str" | "str[]" | "number" | "string" | "string[]";

export interface HandlerParam {
  readonly name: string;
  readonly type: TypeWord;
}

/** The word `request` among the params puts the request at that place, used or not. */
export type HandlerParameter = HandlerParam | "request";

export interface HandlerBlueprint {
  readonly method: RouteMethod;
  /** The function's name: `get_by_id`, `post`, `del`. */
  readonly name: string;
  /** The route, which is written above the function. */
  readonly comment: string;
  readonly parameters: readonly HandlerParameter[];
  readonly body?: BodyBlueprint | undefined;
  /** Each is a parameter of its own. */
  readonly query?: readonly Field[] | undefined;
}

/** An interface, and the parameter of that type. */
export interface BodyBlueprint {
  /** The interface's name. */
  readonly type: string;
  readonly fields: readonly Field[];
}

/** What a handler takes off the wire. */
export type Taken = Pick<HandlerBlueprint, "body" | "query">;

export interface TestBlueprint {
  readonly method: RouteMethod;
  /** As it is printed: `/users/by/id/<user_id>`. */
  readonly pattern: string;
  /** As a client asks for it: `/users/by/id/7`. */
  readonly path: string;
  /** Without it, any answer is right that its handler may have meant: a first edit changes the status as a rule. */
  readonly status?: number;
  /** The handler may refuse what the request has: a param's sample value, or a body that nothing declares. */
  readonly mayBeRefused?: boolean;
  /** The JSON that is sent: keys with the code of their values. */
  readonly body?: readonly (readonly [name: string, code: string])[] | undefined;
  /** What the title says of the request, as in "if `name` is null". */
  readonly condition?: string;
}

type TypeNames = ReadonlyMap<FrameworkType, string>;

/** Their handlers read the body themselves where nothing declares it. */
export const PARSES_A_BODY: readonly RouteMethod[] = ["POST", "PUT", "PATCH"];

/** The handler's parameters in their order, with the request in front where it reads the body from it and its place is not given. */
export function completeParameters(
  method: RouteMethod,
  parameters: readonly HandlerParameter[],
  body?: BodyBlueprint,
): readonly HandlerParameter[] {
  if (parameters.includes("request") || !readsBody(method, body)) return parameters;
  return ["request", ...parameters];
}

function readsBody(method: RouteMethod, body: BodyBlueprint | undefined): boolean {
  return PARSES_A_BODY.includes(method) && body === undefined;
}

/** The types of `framework` that the handlers' signatures and interfaces name. */
export function typesOf(handlers: readonly HandlerBlueprint[]): readonly FrameworkType[] {
  const types = handlers.flatMap(({ method, parameters, body, query = [] }): (FrameworkType | TypeWord)[] => {
    const fields = [...(body?.fields ?? []), ...query];
    return [
      ...completeParameters(method, parameters, body).map((one) =>
        one === "request" ? "Request" : one.type,
      ),
      ...(body === undefined ? [] : ["Body" as const]),
      ...(query.length === 0 ? [] : ["Query" as const]),
      ...fields.flatMap(({ type }) => ("word" in type && type.word === "int" ? [type.word] : [])),
    ];
  });
  return [...new Set(types)].filter((type) => type !== "number" && type !== "string" && !isList(type));
}

function isList(type: FrameworkType | TypeWord): type is "str[]" | "string[]" {
  return type.endsWith("[]");
}

/**
 * A handler that works: it answers with what it was given.
 *
 * @param names what the file calls the types of `framework`.
 */
export function handlerBlueprint(blueprint: HandlerBlueprint, names: TypeNames): string {
  const { method, name, comment, body, query = [] } = blueprint;
  const parameters = completeParameters(method, blueprint.parameters, body);
  const taken = takenBy(blueprint);
  const asynchronous = readsBody(method, body) ? "async " : "";
  const texts = [
    ...parameters.map((parameter) => formatParameter(parameter, names)),
    ...(body === undefined ? [] : [`${taken.body}: ${names.get("Body") ?? "Body"}<${body.type}>`]),
    ...requiredFirst(query).map((field) => formatQuery(field, names)),
  ];
  const signature = list(`export ${asynchronous}function ${name}(`, texts, ") {");
  const lines = [signature, ...bodyOf(blueprint, parameters).map(indented), "}"];
  return `// ${comment}\n${lines.join("\n")}\n`;
}

/** The interface of a handler's body. */
export function bodyBlueprint({ type, fields }: BodyBlueprint, names: TypeNames): string {
  const lines = fields.map((field) => formatProperty(field, names));
  return `interface ${type} {\n${lines.map((line) => `${indented(line)}\n`).join("")}}\n`;
}

function formatProperty({ name, type, optional }: Field, names: TypeNames): string {
  return `${name}${optional ? "?" : ""}: ${formatFieldType(type, names)};`;
}

/** TypeScript allows no required parameter after an optional one. */
export function requiredFirst(query: readonly Field[]): readonly Field[] {
  return query.toSorted((one, other) => Number(one.optional) - Number(other.optional));
}

function formatQuery({ name, type, optional }: Field, names: TypeNames): string {
  const mark = names.get("Query") ?? "Query";
  return `${name}${optional ? "?" : ""}: ${mark}<${formatFieldType(type, names)}>`;
}

export function indented(lines: string): string {
  return `  ${lines.replaceAll("\n", "\n  ")}`;
}

export function formatParameter(parameter: HandlerParameter, names: TypeNames): string {
  if (parameter === "request") return `request: ${names.get("Request") ?? "Request"}`;
  const { name, type } = parameter;
  return `${name}: ${type === "int" || type === "str" ? (names.get(type) ?? type) : type}`;
}

/** What the handler is given, by the names that it has for them. */
function takenBy({ parameters, body, query = [] }: HandlerBlueprint): {
  readonly params: readonly string[];
  /** Undefined where it takes none off the wire. */
  readonly body: string | undefined;
} {
  const params = [
    ...parameters.flatMap((parameter) => (parameter === "request" ? [] : [parameter.name])),
    ...requiredFirst(query).map(({ name }) => name),
  ];
  return { params, body: body && unlike(params, ["body", "data", "input"]) };
}

function bodyOf(blueprint: HandlerBlueprint, parameters: readonly HandlerParameter[]): readonly string[] {
  const { method, body } = blueprint;
  const { params } = takenBy(blueprint);
  if (readsBody(method, body)) {
    const item = unlike(params, ["item", "body", "data"]);
    const read = `const ${item} = await request.json();`;
    if (method !== "POST") return [read, list("return {", [...params, item], "};")];
    return [read, created([...params, item])];
  }
  const deleted = method === "DELETE" ? ["deleted: true"] : [];
  const path = parameters.includes("request") ? ["path: request.path"] : [];
  const own = [...deleted, ...params, ...path];
  const echoed = [...own, ...echoBody(blueprint, own)];
  if (method === "POST") return [created(echoed)];
  if (method === "GET" && echoed.length === 0) return ["return { items: [] };"];
  return [list("return {", echoed, "};")];
}

/** The body's values one by one; as a whole where one has the name of another property. */
function echoBody(blueprint: HandlerBlueprint, own: readonly string[]): readonly string[] {
  const name = takenBy(blueprint).body;
  if (blueprint.body === undefined || name === undefined) return [];
  const keys = own.map((property) => property.replace(/:.*/, ""));
  const fields = blueprint.body.fields.map((field) => field.name);
  return fields.some((field) => keys.includes(field))
    ? [name]
    : fields.map((field) => `${field}: ${name}.${field}`);
}

function created(fields: readonly string[]): string {
  return list("return [", [list("{", fields, "}"), "201"], "];");
}

/** The first of the names that no param has. */
export function unlike(fields: readonly string[], names: readonly string[]): string {
  return names.find((name) => !fields.includes(name)) ?? `${names[0]}_here`;
}

export function list(open: string, items: readonly string[], close: string): string {
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => `${indented(item)},\n`).join("")}${close}`;
}

/**
 * Everything a test file needs before its first test.
 *
 * @param toRoot the way from the file's folder to the project's.
 * @param guards the `_hooks.ts` whose guards would refuse the requests, because they have no credentials.
 */
export function testHeadBlueprint(toRoot: string, guards: readonly string[]): string {
  const isOpen = guards.length === 0;
  return `${isOpen ? "" : 'import { createApp, replace } from "framework";\n'}import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";
${isOpen ? `import { app } from "${toRoot}app.ts";\n` : importGuards(toRoot, guards)}
${isOpen ? "" : `${openApp("const app = await createApp(", guards)}\n`}const { url } = await app.listen();
`;
}

/** @returns lines, each with its end; "" without a guard. */
function importGuards(toRoot: string, guards: readonly string[]): string {
  const lines = guards.map((file, index) => {
    const name = index === 0 ? "guard" : `guard as ${guardName(index)}`;
    return `import { ${name} } from "${toRoot}${file}";\n`;
  });
  return lines.join("");
}

function guardName(index: number): string {
  return index === 0 ? "guard" : `guard${index + 1}`;
}

/** Lets every request through. @param open the call that creates the app, up to its options. */
function openApp(open: string, guards: readonly string[]): string {
  if (guards.length === 0) return `${open});`;
  const replaced = guards.map((_, index) => `replace(${guardName(index)}).with(() => {})`);
  return `// The guards are replaced, so that these requests need no credentials.
${list(`${open}{`, [list("providers: [", replaced, "]")], "});")}`;
}

export const TEST_RUN = "test.run();\n";

/** The names that {@link testBlueprint} uses: a file that lacks one can't take the test. */
export const TEST_NAMES: readonly string[] = ["request", "test", "assert", "url"];

export function testTitle({ method, pattern, status, condition }: TestBlueprint): string {
  const words = [method, pattern, "answers", status, condition];
  return words.filter((word) => word !== undefined).join(" ");
}

export function testBlueprint(blueprint: TestBlueprint): string {
  return `test(${JSON.stringify(testTitle(blueprint))}, async () => {
${indented([requestCall(blueprint), ...expectation(blueprint)].join("\n"))}
});
`;
}

/** What the answer says is in the message, because a status alone does not say why. */
function expectation({ status, mayBeRefused }: TestBlueprint): readonly string[] {
  if (status !== undefined) return [`assert.is(response.statusCode, ${status});`];
  if (!mayBeRefused) return ["assert.ok(response.statusCode < 400, await response.body.text());"];
  return [
    "// 4xx is right, too: the values in the request are only samples.",
    "assert.ok(response.statusCode < 500, await response.body.text());",
  ];
}

function requestCall({ method, path, body }: TestBlueprint): string {
  const fields = body?.map(([name, code]) => `${name}: ${code}`);
  const sent = fields ?? (PARSES_A_BODY.includes(method) ? ['name: "example"'] : undefined);
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(fields === undefined ? [] : ['headers: { "content-type": "application/json" }']),
    ...(sent === undefined ? [] : [list("body: JSON.stringify({", sent, "})")]),
  ];
  const open = `const response = await request(\`\${url}${path}\``;
  return options.length === 0 ? `${open});` : list(`${open}, {`, options, "});");
}

export function appTomlBlueprint(name: string, prefix: string): string {
  return `[app]
# The label in lists. framework.toml and --app use the folder's name.
name = "${name}"
# Comes before the path of every route.
prefix = "${prefix}"
`;
}
