/** Analyses function bodies: whether a function throws, whether it returns errors, and which values it returns. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import type { FunctionValue, Span } from "./module.ts";
import { parseFunction } from "./syntax.ts";
import { childrenOf, locate, pathOf, type Source, spanOf, walk } from "./tree.ts";

export interface BodyFacts {
  /** True if the function or a nested one has a `throw`. */
  readonly throws: boolean;
  /** The first `return` of an error: `false`, a Response, or a pair with a status from 400. @property what as in "false". */
  readonly refusal: { readonly what: string; readonly location: Location } | undefined;
  readonly isGenerator: boolean;
}

export type FunctionNode =
  | Ast.FunctionDeclaration
  | Ast.TSDeclareFunction
  | Ast.FunctionExpression
  | Ast.ArrowFunctionExpression;

/** The source of a function. The node is held weakly, because a syntax tree takes many times the memory of its text. */
interface Place {
  readonly source: Source;
  readonly span: Span;
  node: WeakRef<Ast.Node>;
}

const places = new WeakMap<FunctionValue, Place>();

/** Remembers the source of a function, for {@link findBody}. */
export function keepPlace(value: FunctionValue, source: Source, node: FunctionNode): FunctionValue {
  places.set(value, { source, span: spanOf(node), node: new WeakRef(node) });
  return value;
}

const UNREAD_BODY: BodyFacts = { throws: false, refusal: undefined, isGenerator: false };

const alreadyRead = new WeakMap<FunctionValue, BodyFacts>();

/** Cached, because a guard runs before many routes. */
export function readBody(value: FunctionValue): BodyFacts {
  const known = alreadyRead.get(value);
  if (known) return known;
  const found = findBody(value);
  const facts = found ? toFacts(found.source, found.node) : UNREAD_BODY;
  alreadyRead.set(value, facts);
  return facts;
}

interface Body {
  readonly source: Source;
  readonly node: WrittenFunction;
}

/** The syntax tree of a function, parsed again if it was collected. Undefined for a function without a body. */
export function findBody(value: FunctionValue): Body | undefined {
  const place = value.body ? places.get(value) : undefined;
  const node = place && (place.node.deref() ?? parseFunction(place.source, place.span));
  if (!place || !node || !isFunction(node)) return undefined;
  place.node = new WeakRef(node);
  return { source: place.source, node };
}

function toFacts(source: Source, node: WrittenFunction): BodyFacts {
  return {
    throws: walk([...node.params, node.body]).some(({ type }) => type === "ThrowStatement"),
    refusal: findRefusal(source, node),
    isGenerator: node.generator ?? false,
  };
}

/** Lists the nodes of a tree without entering nested functions; a nested function itself is listed. */
export function nodesOutside(first: readonly Ast.Node[]): readonly Ast.Node[] {
  return walk(first, (node) => (/Function|Method/.test(node.type) ? [] : childrenOf(node)));
}

export type WrittenFunction = Exclude<FunctionNode, Ast.TSDeclareFunction>;

export function isFunction(node: Ast.Node): node is WrittenFunction {
  const { type } = node;
  return (
    type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression"
  );
}

/** The patterns of the names that a node declares. */
export function declaredBy(node: Ast.Node): readonly (Ast.Node | null | undefined)[] {
  if (node.type === "VariableDeclarator") return [node.id];
  if (node.type === "CatchClause") return [node.param];
  if (node.type === "ClassDeclaration") return [node.id];
  if (!isFunction(node)) return [];
  return node.type === "ArrowFunctionExpression" ? node.params : [node.id, ...node.params];
}

/** The possible values of an expression: both branches of `?:`, `&&`, `||` and `??`. */
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

/** The value of each `return`, or null for a bare one. Each branch of `?:` is a value with its own location. */
export function returnedBranches({ body }: WrittenFunction): readonly (Ast.Node | null)[] {
  if (body.type !== "BlockStatement") return armsOf(body);
  return nodesOutside([body]).flatMap((node): readonly (Ast.Node | null)[] => {
    if (node.type !== "ReturnStatement") return [];
    return node.argument ? armsOf(node.argument) : [null];
  });
}

function armsOf(node: Ast.Node): readonly Ast.Node[] {
  if (node.type === "ParenthesizedExpression") return armsOf(node.expression);
  if (node.type !== "ConditionalExpression") return [node];
  return [...armsOf(node.consequent), ...armsOf(node.alternate)];
}

/** The possible values of all `return`s, as by {@link branchesOf}. */
export function returnedNodes(node: WrittenFunction): readonly Ast.Node[] {
  return returnedBranches(node).flatMap((one) => (one ? branchesOf(one) : []));
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
