/** Reads what the `return`s of a function have behind them, as types: for functions that write no type. */

import type { Ast } from "#convention/deps/babel-parser";
import { findBody, nodesOutside, type WrittenFunction } from "./bodies.ts";
import {
  enter,
  keyword,
  own,
  returnedValues,
  type Surroundings,
  typeOfExpression,
  widen,
} from "./expressions.ts";
import type { FunctionValue, SourceModule, TypeExpression } from "./module.ts";
import { leaves } from "./narrowing.ts";
import { locate, type Source, textOf } from "./tree.ts";

export interface Returned {
  /** One for each `return` as it is awaited; one more for a body whose end can be reached. Of a generator one for each `yield`. */
  readonly types: readonly TypeExpression[];
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
}

/** @param module that declares the function. @returns undefined for a function without a body. */
export function readReturns(value: FunctionValue, module: SourceModule): Returned | undefined {
  const found = findBody(value);
  if (found === undefined) return undefined;
  const { source, node } = found;
  const inside = enter(node, { source, module, names: new Map(), facts: [] });
  const isGenerator = node.generator ?? false;
  const values = isGenerator ? yieldedValues(node) : returnedBranches(node);
  const types = values.map((one) => {
    if (one === null) return nothing(source, node);
    return isGenerator ? typeOfExpression(one, inside, "wide") : toReturned(one, inside);
  });
  const isOpen = !isGenerator && endsWithoutReturn(node);
  return {
    types: widenAlone(isOpen ? [...types, nothing(source, node)] : types),
    isAsync: node.async,
    isGenerator,
  };
}

/** What each `return` has behind it, or null; the branches of `?:` apart. */
export function returnedBranches(node: WrittenFunction): readonly (Ast.Node | null)[] {
  return returnedValues(node).flatMap((one): (Ast.Node | null)[] =>
    one ? [...resultBranchesOf(one)] : [null],
  );
}

function yieldedValues({ body }: WrittenFunction): readonly Ast.Node[] {
  return nodesOutside([body]).flatMap((node) =>
    node.type === "YieldExpression" && node.argument ? [node.argument] : [],
  );
}

/** Each branch has a place of its own. */
function resultBranchesOf(node: Ast.Node): readonly Ast.Node[] {
  if (node.type === "ParenthesizedExpression") return resultBranchesOf(node.expression);
  if (node.type !== "ConditionalExpression") return [node];
  return [...resultBranchesOf(node.consequent), ...resultBranchesOf(node.alternate)];
}

/** `[user, 201]` is a pair, and no array of both. */
function toReturned(node: Ast.Node, inside: Surroundings): TypeExpression {
  const [first, second, third] = node.type === "ArrayExpression" ? node.elements : [];
  if (
    !first ||
    !second ||
    third !== undefined ||
    first.type === "SpreadElement" ||
    second.type === "SpreadElement"
  )
    return typeOfExpression(node, inside);
  const place = { text: textOf(inside.source, node), location: locate(inside.source, node) };
  const items = [typeOfExpression(first, inside, "wide"), typeOfExpression(second, inside)];
  return own("$Pair", [...items, typeOfExpression(node, inside)], place);
}

/** TypeScript widens a literal that is all that a function returns. */
function widenAlone(types: readonly TypeExpression[]): readonly TypeExpression[] {
  const values = new Set(types.map((type) => (type.kind === "literal" ? type.value : type)));
  return values.size === 1 ? types.map(widen) : types;
}

function endsWithoutReturn({ body }: WrittenFunction): boolean {
  return body.type === "BlockStatement" && !leaves(body);
}

function nothing(source: Source, node: WrittenFunction): TypeExpression {
  return keyword("undefined", { text: "undefined", location: locate(source, node) });
}
