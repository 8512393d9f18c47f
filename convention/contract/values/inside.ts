/** What the names of one function mean, as far as its text says it: its constants, and what one call gives to its parameters. */

import type { Ast } from "#convention/deps/babel-parser";
import { branchesOf, declaredBy, findBody, type WrittenFunction } from "../../source/bodies.ts";
import { namesIn, pathOf, type Source, walk } from "../../source/tree.ts";
import type { FunctionSource } from "../../wire/result-types.ts";

/** A function, for one call of it. */
export interface Inside extends FunctionSource {
  readonly source: Source;
  readonly node: WrittenFunction;
  /** Undefined for the functions that the framework calls. */
  readonly call?: Call | undefined;
}

export interface Call {
  /** Up to the first that is spread. */
  readonly arguments: readonly Ast.Node[];
  /** The function that calls, itself without a call: a value is passed through one. */
  readonly from: Inside;
}

/** An expression, and the function that it is written in. */
export interface Value {
  readonly node: Ast.Node;
  readonly inside: Inside;
}

/** @returns undefined for a declaration without a body. */
export function enter({ module, value }: FunctionSource, call?: Call): Inside | undefined {
  const found = findBody(value);
  return found && { module, value, ...found, call };
}

export function toCall(
  { arguments: given }: Pick<Ast.CallExpression, "arguments">,
  { call: _, ...from }: Inside,
): Call {
  const spread = given.findIndex(({ type }) => type === "SpreadElement");
  return { arguments: spread === -1 ? given : given.slice(0, spread), from };
}

/** A parameter, by its index; the value of a constant; null for a name of which nothing is known. */
type LocalName = number | Ast.Node | null;

const namesOf = new WeakMap<WrittenFunction, ReadonlyMap<string, LocalName>>();

/** @returns undefined for a name that the function does not declare. */
export function findLocal({ node }: Inside, name: string): LocalName | undefined {
  const names = namesOf.get(node) ?? readNames(node);
  namesOf.set(node, names);
  return names.get(name);
}

/** A name that is declared more than once may mean either. */
function readNames({ params, body }: WrittenFunction): ReadonlyMap<string, LocalName> {
  const names = new Map<string, LocalName>();
  const note = (declared: Ast.Node | null | undefined, value: LocalName): void => {
    for (const { name } of namesIn(declared)) names.set(name, names.has(name) ? null : value);
  };
  for (const [index, param] of params.entries()) {
    const declared = param.type === "AssignmentPattern" ? param.left : param;
    note(param, declared.type === "Identifier" ? index : null);
  }
  for (const node of walk([body])) {
    if (node.type === "VariableDeclaration")
      for (const { id, init } of node.declarations)
        note(id, node.kind === "const" && id.type === "Identifier" && init ? init : null);
    else if (node.type === "AssignmentExpression")
      for (const { name } of namesIn(node.left)) names.set(name, null);
    else if (node.type !== "VariableDeclarator")
      for (const declared of declaredBy(node)) note(declared, null);
  }
  return names;
}

/** The names of `a.b`, where they mean something outside of the function. */
export function outerPath(node: Ast.Node, inside: Inside): readonly string[] | undefined {
  const path = pathOf(node);
  return path && findLocal(inside, path[0] ?? "") === undefined ? path : undefined;
}

/** What an expression can come to: branch by branch, its constants and parameters followed. */
export function valuesOf(node: Ast.Node, inside: Inside): readonly Value[] {
  return branchesOf(node).flatMap((one): readonly Value[] => {
    if (one.type === "AwaitExpression") return valuesOf(one.argument, inside);
    const local = one.type === "Identifier" ? findLocal(inside, one.name) : undefined;
    const given = typeof local === "number" ? inside.call?.arguments[local] : undefined;
    if (given && inside.call) return valuesOf(given, inside.call.from);
    // Only back in the text, so that it ends.
    const isBefore = typeof local === "object" && local && (local.start ?? 0) < (one.start ?? 0);
    return isBefore ? valuesOf(local, inside) : [{ node: one, inside }];
  });
}
