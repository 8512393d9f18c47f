/** For tests: handlers at random, of all that people return without writing its type, and whether what they send is in the contract. */

import type { Answer } from "#convention/contract/contract";
import { pick, type Random } from "#runtime/random.fixture";
import type { Definitions, Shape } from "#runtime/wire/shape";

/** What handlers use, by file. */
export const LIBRARY: Readonly<Record<string, string>> = {
  "lib/data.ts": `
export interface Product { id: number; name: string; tags: readonly string[]; parent?: Product }
interface Stock { count: number; at: Date | null }
export type Role = "admin" | "user";
export const ROLES = ["admin", "user", "guest"] as const;
export const LIMITS = { most: 100, unit: "kg" } as const;
export const products = new Map<number, Product>([
  [1, { id: 1, name: "One", tags: [] }],
  [2, { id: 2, name: "Two", tags: ["a"], parent: { id: 1, name: "One", tags: [] } }],
]);
export const stocks: Record<string, Stock> = { a: { count: 1, at: null }, b: { count: 2, at: new Date(0) } };
export function stockOf(n: number) { return n % 2 ? stocks.a : stocks.b; }
export function roleOf(n: number): Role { return n % 2 ? "admin" : "user"; }
export async function findProduct(n: number) { return products.get(n); }
export function page<T>(items: readonly T[]) { return { items, total: items.length }; }
export function missing(what: string) { return [{ error: what }, 404]; }
export class Point { x = 1; y = 2; }
`,
};

const HEAD = `import type { int } from "framework";
import { findProduct, LIMITS, missing, page, products, type Product, ROLES, roleOf, stockOf } from "../../lib/data.ts";

interface Local { name: string; next?: Local | undefined }
const locals: Local[] = [{ name: "a" }, { name: "b", next: { name: "c" } }];
`;

/** @returns the text of a file of views. */
export function createHandlers(random: Random, count: number): string {
  return HEAD + Array.from({ length: count }, (_, at) => handler(random, `get_x${at}`)).join("\n");
}

function handler(random: Random, name: string): string {
  const isAsync = random(3) === 0;
  const word = isAsync ? "async " : "";
  const writer = createWriter(random, isAsync);
  switch (random(4)) {
    case 0:
      return `export const ${name} = ${word}(n: int) => ${group(writer.result(2))};`;
    case 1:
      return `export const ${name} = ${word}(n: int) => { ${writer.body()} };`;
    default:
      return `export ${word}function ${name}(n: int) { ${writer.body()} }`;
  }
}

/** Braces would begin a block. */
function group(text: string): string {
  return text.startsWith("{") ? `(${text})` : text;
}

interface Writer {
  body(): string;
  result(depth: number): string;
}

const LEAVES: readonly string[] = [
  "1",
  "n",
  "n * 2.5",
  '"text"',
  "`x${n}`",
  "`x${n}` as const",
  "n > 2",
  "true",
  "null",
  "new Date(n)",
  "ROLES[1]",
  "ROLES",
  "LIMITS",
  "roleOf(n)",
  '"fixed" as const',
  "n > 3 ? n : null",
  "String(n)",
  "[n].length",
  "locals",
  "[] as string[]",
];

const OBJECTS: readonly string[] = [
  "products.get(1)!",
  "{ ...products.get(n), more: n }",
  "{ ...LIMITS, most: n }",
  "page([...products.values()])",
  "page(locals)",
  "locals[0]!",
  "stockOf(n)!",
  "{ roles: Object.keys(LIMITS), by: Object.fromEntries(ROLES.map((role) => [role, n])) }",
  "{ list: ROLES.map((role, at) => ({ role, at })) }",
  '{ kind: "a" as const, n }',
  "[...products.values()].map(({ id, name }) => ({ id, name }))",
  "Object.entries(LIMITS)",
  '{ tag: n > 2 ? "big" : "small", even: n % 2 === 0 } satisfies object',
  "{ missing: undefined, n }",
  "{ found: products.get(n) }",
  "{ found: products.get(n) ?? null }",
];

const STATUSES: readonly string[] = ["200", "201", "202", "400", "404", "409", "422", "n > 2 ? 200 : 203"];

function createWriter(random: Random, isAsync: boolean): Writer {
  let locals = 0;
  return { body, result };

  function body(): string {
    const lines: string[] = [];
    for (let count = random(4); count > 0; count--) {
      if (random(3) === 0) {
        const text = value(2);
        lines.push(`const v${locals++} = ${text};`);
      } else lines.push(`if (n % ${2 + random(3)} === ${random(2)}) return ${result(1)};`);
    }
    const last = random(6) === 0 ? "" : `return ${result(2)};`;
    return [...lines, last].join(" ");
  }

  function result(depth: number): string {
    switch (random(depth > 0 ? 9 : 7)) {
      case 0:
        return pick(random, ['"text"', "`n is ${n}`", "String(n)"]);
      case 1:
        return "undefined";
      case 2:
        return `[${object(1)}, ${pick(random, STATUSES)}] as const`;
      case 3:
        return random(2) ? "missing(`x${n}`)" : `[${object(2)}, ${pick(random, STATUSES)}]`;
      case 4:
      case 5:
        return `[${object(2)}, ${pick(random, STATUSES)}]`;
      case 6:
        return object(2);
      case 7:
        return `n % 3 === ${random(3)} ? ${result(depth - 1)} : ${result(depth - 1)}`;
      default:
        return isAsync && random(2) ? "findProduct(n)" : object(3);
    }
  }

  function object(depth: number): string {
    if (depth === 0 || random(3) === 0) return pick(random, OBJECTS);
    const names = ["a", "b", "c", "d"].slice(0, 1 + random(4));
    const own = names.map((name) => `${name}: ${value(depth - 1)}`);
    return `{ ${own.join(", ")} }`;
  }

  function value(depth: number): string {
    if (locals > 0 && random(4) === 0) return `v${random(locals)}`;
    if (depth === 0) return pick(random, LEAVES);
    switch (random(6)) {
      case 0:
        return `[${value(depth - 1)}, ${value(depth - 1)}]`;
      case 1:
        return object(depth);
      case 2:
        return `n > ${random(4)} ? ${value(depth - 1)} : ${value(depth - 1)}`;
      case 3:
        return isAsync ? "(await findProduct(n))" : pick(random, OBJECTS);
      default:
        return pick(random, LEAVES);
    }
  }
}

/** Why an answer of a route is none of those in its contract; undefined where it is one. */
export async function findStranger(
  response: Response,
  answers: readonly Answer[],
  definitions: Definitions,
): Promise<string | undefined> {
  const answer = answers.find(({ status }) => status === response.status || status === "default");
  const text = await response.text();
  const sent = `${response.status} ${text.slice(0, 200)}`;
  if (answer === undefined) return `no answer for ${sent}`;
  if (answer.status === "default") return undefined;
  if (text === "" && response.status === 204)
    return answer.bodies.length === 0 ? undefined : `a body for ${sent}`;
  const media = response.headers.get("content-type")?.replace(/;.*/, "");
  const body = answer.bodies.find((one) => one.media === media || one.media === "*/*");
  if (body === undefined) return `no ${media} for ${sent}`;
  const value: unknown = media === "application/json" ? JSON.parse(text) : text;
  return fits(body.shape, value, definitions) ? undefined : `${sent} is not ${JSON.stringify(body.shape)}`;
}

/** Keys that the shape does not have do not fit. */
function fits(shape: Shape, value: unknown, definitions: Definitions): boolean {
  const inner = (one: Shape, of: unknown): boolean => fits(one, of, definitions);
  switch (shape.kind) {
    case "unknown":
      return true;
    case "null":
      return value === null;
    case "boolean":
    case "number":
    case "string":
      if (shape.kind === "string" && typeof value === "string")
        return (shape.patterns ?? []).every(({ source }) => new RegExp(source, "u").test(value));
      return typeof value === shape.kind;
    case "date":
      return typeof value === "string" && !Number.isNaN(Date.parse(value));
    case "literal":
      return shape.values.some((one) => one === value);
    case "reference": {
      const named = definitions[shape.name];
      return named !== undefined && inner(named, value);
    }
    case "union":
      return shape.of.some((one) => inner(one, value));
    case "array":
      return Array.isArray(value) && value.every((item) => inner(shape.items, item));
    case "tuple": {
      if (!Array.isArray(value) || value.length < shape.required) return false;
      return value.every((item, at) => {
        const one = shape.items[at] ?? shape.rest;
        return one !== undefined && inner(one, item);
      });
    }
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      const known = new Map(shape.properties.map((property) => [property.name, property]));
      const entries = new Map(Object.entries(value));
      return (
        shape.properties.every(({ name, optional }) => optional || entries.has(name)) &&
        [...entries].every(([name, of]) => {
          const one = known.get(name)?.shape ?? shape.others;
          return one !== undefined && inner(one, of);
        })
      );
    }
    default:
      return false;
  }
}
