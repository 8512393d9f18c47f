/** What the body of a function does, as far as its own text says it: whether it throws, and what it returns in place of an error. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import type { FunctionValue } from "./module.ts";
import { parseAgain } from "./syntax.ts";
import { locate, nodesIn, pathOf, type Source } from "./tree.ts";

export interface BodyFacts {
  /** It, or a function written in it, has a `throw`. */
  readonly throws: boolean;
  /** The first value that it returns as a handler returns an error. @property what as in "false". */
  readonly refusal: { readonly what: string; readonly location: Location } | undefined;
  readonly isGenerator: boolean;
}

export type FunctionNode =
  | Ast.FunctionDeclaration
  | Ast.TSDeclareFunction
  | Ast.FunctionExpression
  | Ast.ArrowFunctionExpression;

/** The text that a function is in, and its offset there. */
const places = new WeakMap<FunctionValue, readonly [Source, number]>();

/** Keeps no node: a syntax tree takes many times the memory of its text, and most bodies are never asked for. */
export function keepPlace(
  value: FunctionValue,
  source: Source,
  { start }: Pick<FunctionNode, "start">,
): FunctionValue {
  places.set(value, [source, start ?? 0]);
  return value;
}

const UNREAD_BODY: BodyFacts = {
  throws: false,
  refusal: undefined,
  isGenerator: false,
};

const alreadyRead = new WeakMap<FunctionValue, BodyFacts>();

/** A guard is before many routes. */
export function readBody(value: FunctionValue): BodyFacts {
  const found = alreadyRead.has(value) ? undefined : findBody(value);
  const facts = alreadyRead.get(value) ?? (found ? toFacts(found.source, found.node) : UNREAD_BODY);
  alreadyRead.set(value, facts);
  return facts;
}

/** The function with its body, from its file's text. Undefined for a declaration alone. */
export function findBody(
  value: FunctionValue,
): { readonly source: Source; readonly node: WrittenFunction } | undefined {
  const [source, start] = places.get(value) ?? [];
  if (source === undefined) return undefined;
  const statements = parseAgain(source);
  const known = functionsIn.get(statements) ?? functionsByStart(statements);
  functionsIn.set(statements, known);
  const node = known.get(start ?? 0);
  return node && { source, node };
}

const functionsIn = new WeakMap<readonly Ast.Node[], ReadonlyMap<number, WrittenFunction>>();

function functionsByStart(statements: readonly Ast.Node[]): ReadonlyMap<number, WrittenFunction> {
  return new Map(
    nodesOutside(statements)
      .filter(isFunction)
      .map((node) => [node.start ?? 0, node]),
  );
}

function toFacts(source: Source, node: WrittenFunction): BodyFacts {
  return {
    throws: nodesInside([...node.params, node.body]).some(({ type }) => type === "ThrowStatement"),
    refusal: findRefusal(source, node),
    isGenerator: node.generator ?? false,
  };
}

/** Lists, because a sum of many terms is too deep for a function that calls itself. @param fieldsOf those that are looked into. */
export function nodesInside(
  first: readonly Ast.Node[],
  fieldsOf: (node: Ast.Node) => readonly unknown[] = Object.values,
): Ast.Node[] {
  const all = [...first];
  for (const node of all) for (const field of fieldsOf(node)) all.push(...nodesIn(field));
  return all;
}

/** Functions are among them, but not what is in them. */
export function nodesOutside(first: readonly Ast.Node[]): readonly Ast.Node[] {
  return nodesInside(first, (node) => (/Function|Method/.test(node.type) ? [] : Object.values(node)));
}

export type WrittenFunction = Exclude<FunctionNode, Ast.TSDeclareFunction>;

export function isFunction(node: Ast.Node): node is WrittenFunction {
  const { type } = node;
  return (
    type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression"
  );
}

export function declaredBy(node: Ast.Node): readonly (Ast.Node | null | undefined)[] {
  if (node.type === "VariableDeclarator") return [node.id];
  if (node.type === "CatchClause") return [node.param];
  if (node.type === "ClassDeclaration") return [node.id];
  if (!isFunction(node)) return [];
  return node.type === "ArrowFunctionExpression" ? node.params : [node.id, ...node.params];
}

/** What an expression can come to, without looking into what it calls. */
export function branchesOf(node: Ast.Node): readonly Ast.Node[] {
  switch (node.type) {
    case "ConditionalExpression":
      return [...branchesOf(node.consequent), ...branchesOf(node.alternate)];
    case "LogicalExpression":
      return [...branchesOf(node.left), ...branchesOf(node.right)];
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
      return branchesOf(node.expression);
    default:
      return [node];
  }
}

/** What is at the start of `a.b?.().c[0]`. */
export function rootOf(callee: Ast.Node): Ast.Node {
  for (let node = callee; ; ) {
    if (node.type === "MemberExpression" || node.type === "OptionalMemberExpression") node = node.object;
    else if (node.type === "CallExpression" || node.type === "OptionalCallExpression") node = node.callee;
    else if (node.type === "TSNonNullExpression" || node.type === "ParenthesizedExpression")
      node = node.expression;
    else return node;
  }
}

/** What its `return`s have behind them, branch by branch. */
export function returnedNodes({ body }: WrittenFunction): readonly Ast.Node[] {
  if (body.type !== "BlockStatement") return branchesOf(body);
  return nodesOutside([body]).flatMap((node) =>
    node.type === "ReturnStatement" && node.argument ? branchesOf(node.argument) : [],
  );
}

function findRefusal(source: Source, node: WrittenFunction): BodyFacts["refusal"] {
  for (const value of returnedNodes(node)) {
    const what = nameRefusal(value);
    if (what !== undefined) return { what, location: locate(source, value) };
  }
  return undefined;
}

function nameRefusal(node: Ast.Node): string | undefined {
  if (node.type === "BooleanLiteral" && !node.value) return "false";
  const [made] =
    node.type === "NewExpression" || node.type === "CallExpression" ? (pathOf(node.callee) ?? []) : [];
  if (made === "Response") return "a Response";
  const [, status, third] = node.type === "ArrayExpression" ? node.elements : [];
  const isError = status?.type === "NumericLiteral" && status.value >= 400 && status.value <= 599;
  return isError && third === undefined ? `[…, ${status.value}]` : undefined;
}
