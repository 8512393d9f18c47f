/** What an expression comes to, as far as its text says it: literals, names, and what is made and called. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import { branchesOf } from "./bodies.ts";
import type { Literal } from "./module.ts";
import { locate, namesIn, pathOf, type Source } from "./tree.ts";
import { literalOf } from "./types.ts";

export type Written =
  | Simple
  | WrittenObject<Written>
  | WrittenList<Written>
  | WrittenTemplate
  /** A parameter of the function that it is written in. */
  | { readonly kind: "parameter"; readonly index: number }
  /** A name that the function does not declare. */
  | { readonly kind: "name"; readonly path: readonly string[] }
  | ({ readonly kind: "made" | "called" } & WrittenCall);

/** A value in which no name is left to follow. */
export type Closed = Simple | WrittenObject<Closed> | WrittenList<Closed>;

type Simple =
  | { readonly kind: "literal"; readonly value: Literal }
  /** A text with `{name}` for what it says later. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unknown" };

interface WrittenObject<Part> {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, Part>;
  /** False where more is spread into it. */
  readonly isWhole: boolean;
}

interface WrittenList<Part> {
  readonly kind: "list" | "either";
  readonly of: readonly Part[];
}

/** A text that is put together of parts. */
interface WrittenTemplate {
  readonly kind: "template";
  readonly of: readonly { readonly value: Written; readonly name: string }[];
}

/** `new path(…)` or `path(…)` */
export interface WrittenCall {
  readonly path: readonly string[];
  /** Up to the first that is spread. */
  readonly arguments: readonly Written[];
  readonly location: Location;
}

/** What the names of a function mean. */
export interface WrittenScope {
  readonly source: Source;
  /** @returns undefined for a name that is not declared in the function. */
  readonly find: (name: string) => LocalName | undefined;
}

/** A parameter, by its index; the value of a constant; or a name of which nothing is known. */
export type LocalName = number | Ast.Node | "unknown";

export const UNWRITTEN: Closed = { kind: "unknown" };

/** How many names and parts may lead to each other. */
const MOST_PARTS = 20;

export function toWritten(scope: WrittenScope, node: Ast.Node, depth = 0): Written {
  const [first, ...more] = branchesOf(node);
  if (first === undefined || depth > MOST_PARTS) return UNWRITTEN;
  if (more.length > 0)
    return { kind: "either", of: [first, ...more].map((one) => toWritten(scope, one, depth + 1)) };
  const value = literalOf(first);
  if (value !== undefined) return { kind: "literal", value };
  switch (first.type) {
    case "AwaitExpression":
      return toWritten(scope, first.argument, depth + 1);
    case "TemplateLiteral":
      return toTemplate(scope, first, depth + 1);
    case "BinaryExpression":
      return toWrittenSum(scope, first, depth + 1);
    case "ObjectExpression":
      return toWrittenObject(scope, first, depth + 1);
    case "ArrayExpression":
      return { kind: "list", of: first.elements.map((one) => toWrittenItem(scope, one, depth + 1)) };
    case "NewExpression":
    case "CallExpression":
      return toMapped(scope, first, depth + 1) ?? toWrittenCall(scope, first, depth + 1);
    default:
      return toWrittenName(scope, first, depth + 1);
  }
}

function toWrittenItem(scope: WrittenScope, node: Ast.Node | null, depth: number): Written {
  return node === null || node.type === "SpreadElement" ? UNWRITTEN : toWritten(scope, node, depth);
}

function toTemplate(
  scope: WrittenScope,
  { quasis, expressions }: Ast.TemplateLiteral,
  depth: number,
): Written {
  const parts = quasis.flatMap(({ value }, index) => {
    const text: Written = { kind: "literal", value: value.cooked ?? value.raw };
    const gap = expressions[index];
    return [{ value: text, name: "" }, ...(gap ? [toGap(scope, gap, depth)] : [])];
  });
  return { kind: "template", of: parts };
}

function toGap(scope: WrittenScope, node: Ast.Node, depth: number): WrittenTemplate["of"][number] {
  return { value: toWritten(scope, node, depth), name: pathOf(node)?.at(-1) ?? "…" };
}

/** A text, where one of the two is. */
function toWrittenSum(
  scope: WrittenScope,
  { operator, left, right }: Ast.BinaryExpression,
  depth: number,
): Written {
  const parts = [left, right].map((one) => toGap(scope, one, depth));
  const isText = parts.some(({ value }) => value.kind === "template" || knownText(value) !== undefined);
  return operator === "+" && isText ? { kind: "template", of: parts } : UNWRITTEN;
}

/** @param close follows the names in a part. */
export function joinTemplate({ of }: WrittenTemplate, close: (value: Written) => Closed): Closed {
  const texts = of.map(({ value, name }) => {
    const closed = close(value);
    return closed.kind === "literal" ? String(closed.value) : (knownText(closed) ?? `{${name}}`);
  });
  return { kind: "text", text: texts.join("") };
}

/** @returns undefined for what may be another value. */
export function knownText(value: Written): string | undefined {
  if (value.kind === "literal" && typeof value.value === "string") return value.value;
  return value.kind === "text" ? value.text : undefined;
}

function toWrittenObject(scope: WrittenScope, { properties }: Ast.ObjectExpression, depth: number): Written {
  const fields = new Map<string, Written>();
  let isWhole = true;
  for (const property of properties) {
    const name = property.type === "SpreadElement" ? undefined : nameOfKey(property);
    if (name === undefined) isWhole = false;
    else
      fields.set(
        name,
        property.type === "ObjectProperty" ? toWritten(scope, property.value, depth) : UNWRITTEN,
      );
  }
  return { kind: "object", fields, isWhole };
}

/** @returns undefined for a name that is computed. */
export function nameOfKey({
  key,
  computed,
}: Pick<Ast.ObjectProperty, "key"> & { computed?: boolean | null | undefined }): string | undefined {
  if (key.type === "Identifier" && !computed) return key.name;
  const value = literalOf(key);
  return value === undefined ? undefined : String(value);
}

function toWrittenCall(
  scope: WrittenScope,
  node: Ast.NewExpression | Ast.CallExpression,
  depth: number,
): Written {
  const path = calleePath(scope, node.callee);
  if (path === undefined) return UNWRITTEN;
  const kind = node.type === "NewExpression" ? "made" : "called";
  return { kind, path, ...callOf(scope, node, depth) };
}

/** `names.map((name) => ({ name }))` */
function toMapped(
  scope: WrittenScope,
  { callee, arguments: [mapper] }: Ast.NewExpression | Ast.CallExpression,
  depth: number,
): Written | undefined {
  const method = callee.type === "MemberExpression" && !callee.computed ? callee.property : undefined;
  if (method?.type !== "Identifier" || method.name !== "map") return undefined;
  if (mapper?.type !== "ArrowFunctionExpression" || mapper.body.type === "BlockStatement") return undefined;
  const own = new Set(mapper.params.flatMap(namesIn).map(({ name }) => name));
  const find: WrittenScope["find"] = (name) => (own.has(name) ? "unknown" : scope.find(name));
  return { kind: "list", of: [toWritten({ ...scope, find }, mapper.body, depth)] };
}

export function callOf(
  scope: WrittenScope,
  node: Pick<Ast.CallExpression, "arguments"> & Ast.Node,
  depth = 0,
): Omit<WrittenCall, "path"> {
  const spread = node.arguments.findIndex(({ type }) => type === "SpreadElement");
  const known = spread === -1 ? node.arguments : node.arguments.slice(0, spread);
  return {
    arguments: known.map((one) => toWritten(scope, one, depth + 1)),
    location: locate(scope.source, node),
  };
}

/** The names of what is called; `this` at the beginning, too. Undefined for what begins with a name of the function's own. */
export function calleePath({ find }: WrittenScope, callee: Ast.Node): readonly string[] | undefined {
  const isOfThis = callee.type === "MemberExpression" && callee.object.type === "ThisExpression";
  if (isOfThis)
    return callee.property.type === "Identifier" && !callee.computed
      ? ["this", callee.property.name]
      : undefined;
  const path = pathOf(callee);
  if (path === null) return undefined;
  const local = find(path[0] ?? "");
  if (local === undefined) return path;
  // `const other = name` is another name for it.
  const named = typeof local === "object" ? pathOf(local) : null;
  return named && find(named[0] ?? "") === undefined ? [...named, ...path.slice(1)] : undefined;
}

function toWrittenName(scope: WrittenScope, node: Ast.Node, depth: number): Written {
  const path = pathOf(node);
  if (path === null) return UNWRITTEN;
  const [root = "", ...rest] = path;
  const local = scope.find(root);
  if (local === undefined) return root === "undefined" ? UNWRITTEN : { kind: "name", path };
  // Of an error it is a text.
  if (path.length > 1 && path.at(-1) === "message") return { kind: "text", text: "{message}" };
  if (local === "unknown") return UNWRITTEN;
  const value: Written =
    typeof local === "number" ? { kind: "parameter", index: local } : toWritten(scope, local, depth);
  return rest.length === 0 ? value : pickField(value, rest);
}

/** What follows a value after dots. */
export function pickField(value: Written, path: readonly string[]): Written {
  let found = value;
  for (const name of path)
    found = (found.kind === "object" ? found.fields.get(name) : undefined) ?? UNWRITTEN;
  return found;
}
