/** Finds the `return`s of a middleware that pass on the response of `next()`. */

import type { Ast } from "#convention/deps/babel-parser";
import { branchesOf, findBody, returnedBranches } from "./bodies.ts";
import type { FunctionValue } from "./module.ts";
import { namesIn, walk } from "./tree.ts";

/** @returns for each branch of each `return`, in source order, whether it does; undefined for a function that can't be analysed. */
export function readPassedOn(value: FunctionValue): readonly boolean[] | undefined {
  const { node } = findBody(value) ?? {};
  if (node === undefined) return undefined;
  const [, next] = node.params;
  const isNext = findPassed(next?.type === "Identifier" ? next.name : undefined, walk([node.body]));
  return returnedBranches(node).map((one) => one !== null && isNext(one));
}

/** A variable that only ever holds the response of `next()` counts as that response. @param next the name of the parameter, if any. */
function findPassed(next: string | undefined, nodes: readonly Ast.Node[]): (node: Ast.Node) => boolean {
  const [responses, others] = [new Set<string>(), new Set<string>()];
  const isCall = (node: Ast.Node): boolean => {
    const bare = unwrap(node);
    return bare.type === "CallExpression" && bare.callee.type === "Identifier" && bare.callee.name === next;
  };
  for (const node of nodes) {
    const [target, value] =
      node.type === "VariableDeclarator"
        ? [node.id, node.init]
        : node.type === "AssignmentExpression"
          ? [node.left, node.right]
          : [];
    if (value) for (const { name } of namesIn(target)) (isCall(value) ? responses : others).add(name);
  }
  return (node) => {
    const bare = unwrap(node);
    return isCall(bare) || (bare.type === "Identifier" && responses.has(bare.name) && !others.has(bare.name));
  };
}

/** Strips `await`, parentheses and type assertions. */
function unwrap(node: Ast.Node): Ast.Node {
  if (node.type === "AwaitExpression") return unwrap(node.argument);
  const [only = node, ...more] = branchesOf(node);
  return only === node || more.length > 0 ? node : unwrap(only);
}
