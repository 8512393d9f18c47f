/**
 * The text of handlers, with two spaces, double quotes and semicolons. Each list has its items on lines of their own: `applyStyle`
 * joins the short ones.
 */

import type { Route, RouteMethod } from "#runtime/routing/route";
import type { Code, Use } from "../edit/code.ts";
import { nameBody } from "./body-names.ts";
import { type Field, formatFieldType } from "./fields.ts";

/** A param type as the user may spell it. */
export type TypeWord = "int" | "str" | "str[]" | "number" | "string" | "string[]";

export interface HandlerParam {
  readonly name: string;
  /** Undefined: the type that the file has for it, or `string`. */
  readonly type: TypeWord | undefined;
}

/** The word `request` among the params puts the request at that place, used or not. */
export type HandlerParameter = HandlerParam | "request";

/** What a handler takes off the wire: nothing of what is empty. */
export interface Taken {
  readonly body: readonly Field[];
  /** Each is a parameter of its own. */
  readonly query: readonly Field[];
}

export const NOTHING_TAKEN: Taken = { body: [], query: [] };

export interface Handler extends Taken, Pick<Route, "method" | "segments" | "pattern"> {
  /** The function's name: `get_by_id`, `post`, `del`. */
  readonly name: string;
  readonly parameters: readonly HandlerParameter[];
}

/** Their handlers read the body themselves where nothing declares it. */
export const PARSES_A_BODY: readonly RouteMethod[] = ["POST", "PUT", "PATCH"];

/** The handler's parameters in their order, with the request in front where it reads the body from it and its place is not given. */
export function completeParameters({
  method,
  parameters,
  body,
}: Pick<Handler, "method" | "parameters" | "body">): readonly HandlerParameter[] {
  const reads = PARSES_A_BODY.includes(method) && body.length === 0;
  return parameters.includes("request") || !reads ? parameters : ["request", ...parameters];
}

/** A handler that works: it answers with what it was given. The interface of its body is above it. */
export function handlerCode(handler: Handler): Code {
  const { method, name, pattern, body, query } = handler;
  const isAsync = PARSES_A_BODY.includes(method) && body.length === 0;
  const own = namesOf(handler);
  return {
    name,
    write(use, free) {
      const type = body.length === 0 ? "" : free(nameBody(method, handler.segments) ?? "");
      const signature = [
        ...completeParameters(handler).map((one) => formatParameter(one, use)),
        ...(type === "" ? [] : [`${own.body}: ${use("Body")}<${type}>`]),
        ...requiredFirst(query).map(
          (field) => `${property(field)}: ${use("Query")}<${formatFieldType(field.type, use)}>`,
        ),
      ];
      const lines = body.map((field) => `  ${property(field)}: ${formatFieldType(field.type, use)};\n`);
      const above = type === "" ? "" : `interface ${type} {\n${lines.join("")}}\n\n`;
      const open = list(`export ${isAsync ? "async " : ""}function ${name}(`, signature, ") {");
      return `${above}// ${method} ${pattern}\n${open}\n${bodyOf(handler).map(indented).join("\n")}\n}\n`;
    },
  };
}

function property({ name, optional }: Field): string {
  return name + (optional ? "?" : "");
}

/** TypeScript allows no required parameter after an optional one. */
export function requiredFirst(query: readonly Field[]): readonly Field[] {
  return query.toSorted((one, other) => Number(one.optional) - Number(other.optional));
}

export function formatParameter(parameter: HandlerParameter, use: Use): string {
  if (parameter === "request") return `request: ${use("Request")}`;
  const { name, type = "string" } = parameter;
  return `${name}: ${type === "int" || type === "str" ? use(type) : type}`;
}

/** What the handler is given, by the names that it has for them. */
function namesOf({ parameters, query }: Handler): {
  readonly params: readonly string[];
  readonly body: string;
  readonly item: string;
} {
  const params = [
    ...parameters.flatMap((one) => (one === "request" ? [] : [one.name])),
    ...requiredFirst(query).map(({ name }) => name),
  ];
  return {
    params,
    body: unlike(params, ["body", "data", "input"]),
    item: unlike(params, ["item", "body", "data"]),
  };
}

function bodyOf(handler: Handler): readonly string[] {
  const { method, body } = handler;
  const { params, item } = namesOf(handler);
  if (PARSES_A_BODY.includes(method) && body.length === 0) {
    const read = `const ${item} = await request.json();`;
    const answer = [...params, item];
    return [read, method === "POST" ? created(answer) : list("return {", answer, "};")];
  }
  const deleted = method === "DELETE" ? ["deleted: true"] : [];
  const path = handler.parameters.includes("request") ? ["path: request.path"] : [];
  const own = [...deleted, ...params, ...path];
  const echoed = [...own, ...echoBody(handler, own)];
  if (method === "POST") return [created(echoed)];
  if (method === "GET" && echoed.length === 0) return ["return { items: [] };"];
  return [list("return {", echoed, "};")];
}

/** The body's values one by one; as a whole where one has the name of another property. */
function echoBody(handler: Handler, own: readonly string[]): readonly string[] {
  const { body } = namesOf(handler);
  const keys = own.map((one) => one.replace(/:.*/, ""));
  const fields = handler.body.map(({ name }) => name);
  return fields.some((field) => keys.includes(field))
    ? [body]
    : fields.map((field) => `${field}: ${body}.${field}`);
}

function created(fields: readonly string[]): string {
  return list("return [", [list("{", fields, "}"), "201"], "];");
}

/** The first of the names that no param has. */
export function unlike(params: readonly string[], names: readonly string[]): string {
  return names.find((name) => !params.includes(name)) ?? `${names[0]}_here`;
}

export function list(open: string, items: readonly string[], close: string): string {
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => `${indented(item)},\n`).join("")}${close}`;
}

export function indented(lines: string): string {
  return `  ${lines.replaceAll("\n", "\n  ")}`;
}
