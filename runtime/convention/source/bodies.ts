/** What the body of a function does, as far as its text says it: whether it throws, what it calls, and what it returns in place of an error. */

import type { Location } from "#runtime/core/routing/route";
import type { Ast } from "#runtime/deps/babel-parser";
import type { FunctionValue } from "./module.ts";
import { locate, namesIn, nodesIn, pathOf, type Source } from "./tree.ts";

export interface BodyFacts {
  /** It, or a function written in it, has a `throw`. */
  readonly throws: boolean;
  /** The names between the dots of what it calls, but for methods of its own parameters and of values that it makes. */
  readonly calls: readonly (readonly string[])[];
  /** It calls something that has no name, such as what another call returns. */
  readonly callsUnnamed: boolean;
  /** The first value that it returns as a handler returns an error. @property what as in "false". */
  readonly refusal: { readonly what: string; readonly location: Location } | undefined;
}

export type FunctionNode =
  | Ast.FunctionDeclaration
  | Ast.TSDeclareFunction
  | Ast.FunctionExpression
  | Ast.ArrowFunctionExpression;

/** Their bodies are read when they are first asked for: those of most functions never are. */
const nodes = new WeakMap<FunctionValue, readonly [Source, FunctionNode]>();

export function keepBody(value: FunctionValue, source: Source, node: FunctionNode): FunctionValue {
  nodes.set(value, [source, node]);
  return value;
}

export function readBody(value: FunctionValue): BodyFacts {
  const [source, node] = nodes.get(value) ?? [];
  if (!source || !node || node.type === "TSDeclareFunction")
    return { throws: false, calls: [], callsUnnamed: true, refusal: undefined };
  const all = nodesInside(node.body);
  const own = listOwn(node, all);
  const called = all.flatMap(calleeOf).map((callee) => ({ path: pathOf(callee), root: rootOf(callee) }));
  const foreign = called.filter(({ root }) => root === undefined || !own.has(root));
  return {
    throws: all.some(({ type }) => type === "ThrowStatement"),
    calls: foreign.flatMap(({ path }) => (path ? [path] : [])),
    callsUnnamed: foreign.some(({ path }) => path === null),
    refusal: findRefusal(source, node.body),
  };
}

/**
 * A list, because a sum of many terms is too deep for a function that calls itself.
 * @param isLeftOut tells of a node whether what is in it does not count.
 */
function nodesInside(body: Ast.Node, isLeftOut = (_: Ast.Node) => false): readonly Ast.Node[] {
  const all = [body];
  for (const node of all)
    if (!isLeftOut(node)) for (const field of Object.values(node)) all.push(...nodesIn(field));
  return all;
}

/** The names of its parameters and variables, but for variables that are other names for what it does not make: `const { check } = policy`. */
function listOwn({ params }: FunctionNode, all: readonly Ast.Node[]): ReadonlySet<string> {
  const own = new Set(params.flatMap(namesIn).map(({ name }) => name));
  for (const node of all) {
    if (node.type !== "VariableDeclarator") continue;
    const other = node.init ? aliasedBy(node.init) : undefined;
    if (other === undefined || own.has(other)) for (const { name } of namesIn(node.id)) own.add(name);
  }
  return own;
}

/** The name at the start of `a.b`. What a call returns is another thing. */
function aliasedBy(init: Ast.Node): string | undefined {
  return nodesInside(init).some((node) => calleeOf(node).length > 0) ? undefined : rootOf(init);
}

function calleeOf(node: Ast.Node): readonly Ast.Node[] {
  const isCall =
    node.type === "CallExpression" || node.type === "OptionalCallExpression" || node.type === "NewExpression";
  if (node.type === "TaggedTemplateExpression") return [node.tag];
  return isCall ? [node.callee] : [];
}

/** The name at the start of `a.b?.().c[0]`. */
function rootOf(callee: Ast.Node): string | undefined {
  for (let node = callee; ; ) {
    if (node.type === "Identifier") return node.name;
    if (node.type === "MemberExpression" || node.type === "OptionalMemberExpression") node = node.object;
    else if (node.type === "CallExpression" || node.type === "OptionalCallExpression") node = node.callee;
    else if (node.type === "TSNonNullExpression" || node.type === "ParenthesizedExpression")
      node = node.expression;
    else return undefined;
  }
}

function findRefusal(source: Source, body: Ast.Node): BodyFacts["refusal"] {
  // What a function in it returns is not its own answer.
  const returned = nodesInside(body, isFunction).flatMap((node) =>
    node.type === "ReturnStatement" && node.argument ? [node.argument] : [],
  );
  const values = body.type === "BlockStatement" ? returned : [body];
  for (const value of values) {
    const what = nameRefusal(value);
    if (what !== undefined) return { what, location: locate(source, value) };
  }
  return undefined;
}

function isFunction({ type }: Ast.Node): boolean {
  return /Function|Method/.test(type);
}

function nameRefusal(node: Ast.Node): string | undefined {
  if (node.type === "BooleanLiteral" && !node.value) return "false";
  if (node.type === "NewExpression" && node.callee.type === "Identifier" && node.callee.name === "Response")
    return "a Response";
  const [, status, third] = node.type === "ArrayExpression" ? node.elements : [];
  const isError = status?.type === "NumericLiteral" && status.value >= 400 && status.value <= 599;
  return isError && third === undefined ? `[…, ${status.value}]` : undefined;
}
