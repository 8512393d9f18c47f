/**
 * The errors with a status that a function throws: each `new HttpError(404, …)` in it, and in the functions of the project that it and
 * these call by name. A status is a number in the text, or one that the call of the function gives to a parameter.
 */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import { resolveType } from "../../rule/param-types.ts";
import { branchesOf } from "../../source/bodies.ts";
import { findDeclaredFunction } from "../../source/declared.ts";
import type { TypeDeclaration } from "../../source/module.ts";
import type { Modules } from "../../source/modules.ts";
import { find } from "../../source/names.ts";
import { childrenOf, locate, nodesIn, walk } from "../../source/tree.ts";
import { literalOf, typeOf } from "../../source/types.ts";
import { findFunction } from "../../wire/result-types.ts";
import { enter, findLocal, type Inside, outerPath, toCall, type Value, valuesOf } from "../values/inside.ts";
import { fieldsOf, readHeaders, type WrittenHeader } from "../values/written-out.ts";

/** An error that is an answer. */
export type ThrownError = { readonly location: Location } & (
  | {
      readonly kind: "error";
      /** Of one that is computed its place. */
      readonly statuses: readonly (number | Location)[];
      /** A message or an object. */
      readonly body: Value | undefined;
      readonly headers: readonly WrittenHeader[];
    }
  | { readonly kind: "response" }
  /** The request's body is read. @property method as in "json". */
  | { readonly kind: "body"; readonly method: string }
);

/** @param location of the function's name. @returns the errors in the order in which they were found. */
export function findThrown(modules: Modules, location: Location): readonly ThrownError[] {
  const declared = findDeclaredFunction(modules, location);
  const first = declared && enter(declared);
  const functions: Inside[] = first ? [first] : [];
  const errors: ThrownError[] = [];
  const followed = new Set<string>();
  // The list grows while it is gone through.
  for (const inside of functions)
    for (const node of nodesReached(inside)) {
      const error = readError(modules, node, inside);
      const call = `${inside.module.file}:${node.start}`;
      if (error) errors.push(error);
      else if (node.type === "CallExpression" && !followed.has(call)) {
        followed.add(call);
        const path = outerPath(node.callee, inside);
        const called = path && findFunction(modules, inside.module, { path });
        const entered = called && enter(called, toCall(node, inside));
        if (entered) functions.push(entered);
      }
    }
  return errors;
}

/** Without what is in a `try` whose `catch` throws nothing. */
function nodesReached({ node: { params, body } }: Inside): readonly Ast.Node[] {
  return walk([...params, body], (node) => {
    const isCaught = node.type === "TryStatement" && node.handler && !throws(node.handler);
    return isCaught ? [node.handler, node.finalizer].flatMap(nodesIn) : childrenOf(node);
  });
}

function throws(node: Ast.Node): boolean {
  return walk([node]).some(({ type }) => type === "ThrowStatement");
}

function readError(modules: Modules, node: Ast.Node, inside: Inside): ThrownError | undefined {
  const location = locate(inside.source, node);
  if (node.type === "ThrowStatement") {
    const made = branchesOf(node.argument).map((one) => nameCallee(modules, one, inside));
    return made.some((name) => /^Response\b/.test(name)) ? { kind: "response", location } : undefined;
  }
  if (node.type === "NewExpression" && nameCallee(modules, node, inside) === "framework HttpError")
    return { kind: "error", location, ...readArguments(node, inside) };
  const method = node.type === "CallExpression" ? readMethod(modules, node.callee, inside) : undefined;
  return method === undefined ? undefined : { kind: "body", method, location };
}

/** What is called, if it is not the project's: "framework HttpError", "Response.json". */
function nameCallee(modules: Modules, node: Ast.Node, inside: Inside): string {
  const isCall = node.type === "NewExpression" || node.type === "CallExpression";
  const path = isCall ? outerPath(node.callee, inside) : undefined;
  const found = path && find(modules, inside.module, { path }, "value");
  if (found?.kind === "framework") return `framework ${found.path.join(".")}`;
  return found?.kind === "global" ? found.path.join(".") : "";
}

/** The name of a method of the request. */
function readMethod(modules: Modules, callee: Ast.Node, inside: Inside): string | undefined {
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier")
    return undefined;
  const { object, property } = callee;
  const index = object.type === "Identifier" ? findLocal(inside, object.name) : undefined;
  const param = typeof index === "number" ? inside.node.params[index] : undefined;
  return param?.type === "Identifier" && isRequest(modules, param, inside) ? property.name : undefined;
}

function isRequest(modules: Modules, param: Ast.Identifier, { source, module }: Inside): boolean {
  const type = typeOf(source, param);
  if (type === null) return param.name === "request";
  const scope = { modules, module, generics: new Set<string>(), followed: new Set<TypeDeclaration>() };
  return resolveType(scope, type).kind === "request";
}

type Arguments = Pick<Extract<ThrownError, { readonly kind: "error" }>, "statuses" | "body" | "headers">;

function readArguments(node: Ast.NewExpression, inside: Inside): Arguments {
  const [status, body, options] = toCall(node, inside).arguments;
  const statuses = status ? valuesOf(status, inside).flatMap(readStatus) : [locate(inside.source, node)];
  const given = options ? valuesOf(options, inside) : [];
  return {
    statuses: [...new Set(statuses)],
    body: body && { node: body, inside },
    headers: given.flatMap((value) => readOption(value, "headers")).flatMap(readHeaders),
  };
}

/** What is not a status of an error is a mistake, and answered with a 500. */
function readStatus({ node, inside }: Value): readonly (number | Location)[] {
  const literal = literalOf(node);
  if (literal === undefined) return [locate(inside.source, node)];
  const isStatus =
    typeof literal === "number" && Number.isInteger(literal) && literal >= 400 && literal <= 599;
  return isStatus ? [literal] : [];
}

/** A property of what is written out. */
export function readOption({ node, inside }: Value, name: string): readonly Value[] {
  const option = node.type === "ObjectExpression" ? fieldsOf(node).get(name) : undefined;
  return option ? valuesOf(option, inside) : [];
}
