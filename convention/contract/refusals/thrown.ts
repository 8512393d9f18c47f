/**
 * The errors with a status that a function throws: each `new HttpError(404, …)` in it, and in the functions of the project that it and
 * these call by name. A status is a number in the text, or one that the call of the function gives to a parameter.
 */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import type { Shape } from "#runtime/wire/shape";
import { resolveType } from "../../rule/param-types.ts";
import { branchesOf, nodesInside } from "../../source/bodies.ts";
import { findDeclaredFunction } from "../../source/declared.ts";
import type { TypeDeclaration } from "../../source/module.ts";
import type { Modules } from "../../source/modules.ts";
import { find, followValue } from "../../source/names.ts";
import { locate, namesIn, pathOf } from "../../source/tree.ts";
import { literalOf, typeOf } from "../../source/types.ts";
import type { FunctionSource } from "../../wire/result-types.ts";
import { enter, findLocal, type Inside, outerPath, toCall, type Value, valuesOf } from "../values/inside.ts";
import {
  fieldsOf,
  findText,
  isTextParameter,
  readHeaders,
  readShape,
  readText,
  type WrittenHeader,
} from "../values/written-out.ts";

/** An error that is an answer. */
export type ThrownError = { readonly location: Location } & (
  | {
      readonly kind: "error";
      /** Of one that is computed its place. */
      readonly statuses: readonly (number | Location)[];
      readonly bodies: readonly ErrorBody[];
      readonly headers: readonly WrittenHeader[];
    }
  | { readonly kind: "response" }
  /** The request's body is read. @property method as in "json". */
  | { readonly kind: "body"; readonly method: string }
);

/** What an `HttpError` is given. */
export type ErrorBody =
  | { readonly kind: "message"; readonly text: string | undefined }
  /** @property text its `error`. */
  | { readonly kind: "object"; readonly text: string | undefined; readonly shape: Shape }
  /** What a function of the project returns. */
  | { readonly kind: "returned"; readonly by: FunctionSource };

/** A function, and the `throw` that its call is in. */
interface Frame {
  readonly inside: Inside;
  readonly thrown?: Location | undefined;
}

/** A call, and the place of the `throw` of what it makes. */
interface Use {
  readonly node: Ast.CallExpression | Ast.NewExpression;
  readonly thrown: Location | undefined;
}

/** What was found, by the place of the function: a guard is before many routes. */
const alreadyFound = new WeakMap<Modules, Map<Location, readonly ThrownError[]>>();

/** @param location of the function's name. @returns the errors in the order in which they were found. */
export function findThrown(modules: Modules, location: Location): readonly ThrownError[] {
  const known = alreadyFound.get(modules) ?? new Map<Location, readonly ThrownError[]>();
  alreadyFound.set(modules, known);
  const errors = known.get(location) ?? followFunction(modules, location);
  known.set(location, errors);
  return errors;
}

function followFunction(modules: Modules, location: Location): readonly ThrownError[] {
  const declared = findDeclaredFunction(modules, location);
  const inside = declared && enter(declared.module, declared.value);
  const frames: Frame[] = inside ? [{ inside }] : [];
  const errors: ThrownError[] = [];
  const followed = new Set<string>();
  // The list grows while it is gone through.
  for (const frame of frames)
    for (const use of readUses(frame.inside)) {
      const error = readError(modules, frame, use);
      const call = `${frame.inside.module.file}:${use.node.start}`;
      if (error) errors.push(error);
      else if (!followed.has(call)) {
        followed.add(call);
        const called = enterCallee(modules, use.node, frame.inside);
        if (called) frames.push({ inside: called, thrown: use.thrown && (frame.thrown ?? use.thrown) });
      }
    }
  return errors;
}

/** In the order of the text. */
function readUses({ source, node }: Inside): readonly Use[] {
  const throwOf = new Map<Ast.Node, Location>();
  return nodesReached([...node.params, node.body]).flatMap((one) => {
    if (one.type === "ThrowStatement")
      for (const branch of branchesOf(one.argument)) throwOf.set(branch, locate(source, one));
    const isCall = one.type === "CallExpression" || one.type === "NewExpression";
    return isCall ? [{ node: one, thrown: throwOf.get(one) }] : [];
  });
}

/** Without what is in a `try` whose `catch` keeps the error. */
function nodesReached(first: readonly Ast.Node[]): readonly Ast.Node[] {
  const nodes = nodesInside(first, (node) => {
    const isCaught = node.type === "TryStatement" && node.handler && !isPassedOn(node.handler);
    return isCaught ? [node.handler, node.finalizer] : Object.values(node);
  });
  return nodes.sort((one, other) => (one.start ?? 0) - (other.start ?? 0));
}

/** The error that a `catch` names is thrown again, kept under another name, or given to a function, which may throw it. */
function isPassedOn({ param, body }: Ast.CatchClause): boolean {
  const names = new Set(namesIn(param).map(({ name }) => name));
  const isError = (node: Ast.Node): boolean =>
    (node.type === "Identifier" && names.has(node.name)) ||
    (node.type === "TSAsExpression" && isError(node.expression));
  return nodesInside([body]).some((node) => {
    if (node.type === "ThrowStatement") return branchesOf(node.argument).some(isError);
    if (node.type === "VariableDeclarator") return node.init ? isError(node.init) : false;
    if (node.type === "AssignmentExpression") return isError(node.right);
    return node.type === "CallExpression" && node.arguments.some(isError) && !isLog(node.callee);
  });
}

/** `console.error(error)` and `request.log.warn(error)` throw nothing. */
function isLog(callee: Ast.Node): boolean {
  return pathOf(callee)?.some((name) => /^(?:console|log|logger)$/.test(name)) ?? false;
}

function enterCallee(modules: Modules, node: Use["node"], inside: Inside): Inside | undefined {
  const callee = node.type === "CallExpression" ? findFunction(modules, node.callee, inside) : undefined;
  return callee && enter(callee.module, callee.value, toCall(node, inside));
}

/** @returns undefined for what is not a function of the project with a name of its own. */
function findFunction(modules: Modules, callee: Ast.Node, inside: Inside): FunctionSource | undefined {
  const path = outerPath(callee, inside);
  const found = path && followValue(modules, inside.module, { path });
  const value = found?.rest.length === 0 ? found.declaration : undefined;
  return found && value?.kind === "function" ? { module: found.module, value } : undefined;
}

function readError(modules: Modules, { inside, thrown: around }: Frame, use: Use): ThrownError | undefined {
  const { node, thrown } = use;
  const path = outerPath(node.callee, inside);
  const named = path && find(modules, inside.module, { path }, "value");
  const location = thrown ?? around ?? locate(inside.source, node);
  if (named?.kind === "framework" && named.path.join(".") === "HttpError" && node.type === "NewExpression")
    return { kind: "error", location, ...readArguments(modules, node, inside) };
  if (thrown && named?.kind === "global" && named.path[0] === "Response")
    return { kind: "response", location };
  const method = path ? undefined : readMethod(modules, node.callee, inside);
  return method === undefined ? undefined : { kind: "body", method, location: locate(inside.source, node) };
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

type Arguments = Pick<Extract<ThrownError, { readonly kind: "error" }>, "statuses" | "bodies" | "headers">;

function readArguments(modules: Modules, node: Use["node"], inside: Inside): Arguments {
  const [status, body, options] = toCall(node, inside).arguments;
  const statuses = status ? valuesOf(status, inside).flatMap(readStatus) : [locate(inside.source, node)];
  const given = options ? valuesOf(options, inside) : [];
  return {
    statuses: [...new Set(statuses)],
    bodies: body ? readBodies(modules, body, inside) : [],
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

function readOption({ node, inside }: Value, name: string): readonly Value[] {
  const option = node.type === "ObjectExpression" ? fieldsOf(node).get(name) : undefined;
  return option ? valuesOf(option, inside) : [];
}

function readBodies(modules: Modules, node: Ast.Node, inside: Inside): readonly ErrorBody[] {
  if (isTextParameter(node, inside)) return [{ kind: "message", text: findText(node, inside) }];
  return valuesOf(node, inside).map((value) => readErrorBody(modules, value));
}

function readErrorBody(modules: Modules, value: Value): ErrorBody {
  const { node, inside } = value;
  const by = node.type === "CallExpression" ? findFunction(modules, node.callee, inside) : undefined;
  if (by) return { kind: "returned", by };
  const text = readText(value);
  if (text !== undefined || literalOf(node) !== undefined) return { kind: "message", text };
  const [error] = readOption(value, "error");
  return { kind: "object", text: error && readText(error), shape: readShape(value) };
}
