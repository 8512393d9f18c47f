/** What a function makes, calls and throws, as far as its text says it, without what a `catch` around it surely swallows. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import { branchesOf, declaredBy, isFunction, nodesInside, nodesOutside } from "./bodies.ts";
import { locate, namesIn, nodesIn, pathOf, type Source } from "./tree.ts";
import {
  calleePath,
  callOf,
  type LocalName,
  nameOfKey,
  toWritten,
  UNWRITTEN,
  type Written,
  type WrittenCall,
  type WrittenScope,
} from "./written.ts";

export interface ThrowFacts {
  /** What a call of it leaves out. */
  readonly defaults: readonly Written[];
  /** In the order of the text. */
  readonly uses: readonly Use[];
  /** What it returns or yields. */
  readonly gives: readonly Written[];
  /** Of a constructor of a class that extends another, with what `super(…)` is given. */
  readonly superCall?: readonly Written[];
}

/** Something in a function that can lead to an error. */
export type Use =
  | ({ readonly kind: "made" | "called" } & WrittenCall & { readonly thrown: Thrown | undefined })
  /** `throw NOT_FOUND` */
  | { readonly kind: "thrown"; readonly path: readonly string[]; readonly location: Location }
  /** `throw` of something that the text does not name. */
  | { readonly kind: "unnamed"; readonly location: Location }
  /** A method of a parameter, or of what is made: `request.json()`, `new Users().find(id)`. */
  | ({ readonly kind: "method"; readonly of: Written; readonly name: string } & Omit<WrittenCall, "path"> & {
        readonly thrown: Thrown | undefined;
      });

/** The `throw` that something is in. */
export interface Thrown {
  readonly location: Location;
  /** It is what is thrown, and not a part of it. */
  readonly isWhole: boolean;
}

/** Anything that runs when it is called. */
export type Callable =
  | Ast.FunctionDeclaration
  | Ast.FunctionExpression
  | Ast.ArrowFunctionExpression
  | Ast.ObjectMethod
  | Ast.ClassMethod
  | Ast.ClassPrivateMethod;

export function toThrowFacts(source: Source, node: Callable): ThrowFacts {
  const walk = walkFunction(source, node);
  const scope: WrittenScope = { source, find: readLocals(node.params, walk.nodes) };
  const superCall = findSuperCall(node);
  return {
    defaults: node.params.map((param) =>
      param.type === "AssignmentPattern" ? toWritten(scope, param.right) : UNWRITTEN,
    ),
    uses: findUses(scope, walk),
    gives: findGiven(node).map((value) => toWritten(scope, value)),
    ...(superCall && { superCall: callOf(scope, superCall).arguments }),
  };
}

function findGiven({ body }: Callable): readonly Ast.Node[] {
  if (body.type !== "BlockStatement") return [body];
  return nodesOutside([body]).flatMap((node) =>
    (node.type === "ReturnStatement" || node.type === "YieldExpression") && node.argument
      ? [node.argument]
      : [],
  );
}

function findSuperCall({ body }: Callable): Ast.CallExpression | undefined {
  if (body.type !== "BlockStatement") return undefined;
  for (const statement of body.body) {
    const call = statement.type === "ExpressionStatement" ? statement.expression : undefined;
    if (call?.type === "CallExpression" && call.callee.type === "Super") return call;
  }
  return undefined;
}

/** A name that is declared more than once may mean either. */
function readLocals(params: Callable["params"], nodes: readonly Ast.Node[]): WrittenScope["find"] {
  const names = new Map<string, LocalName>();
  const note = (name: string, value: LocalName): void => {
    names.set(name, names.has(name) ? "unknown" : value);
  };
  for (const [index, param] of params.entries()) {
    const bare = param.type === "AssignmentPattern" ? param.left : param;
    if (bare.type === "Identifier") note(bare.name, index);
    else for (const { name } of namesIn(bare)) note(name, "unknown");
  }
  for (const inner of nodes) {
    if (inner.type === "VariableDeclaration" && inner.kind === "const")
      for (const { id, init } of inner.declarations)
        if (id.type === "Identifier") note(id.name, init ?? "unknown");
        else for (const { name } of namesIn(id)) note(name, "unknown");
    else if (inner.type === "VariableDeclaration")
      for (const { id } of inner.declarations) for (const { name } of namesIn(id)) note(name, "unknown");
    else if (inner.type !== "VariableDeclarator")
      for (const { name } of declaredBy(inner).flatMap(namesIn)) note(name, "unknown");
  }
  return (name) => names.get(name);
}

/** What is known of the place of a node. */
interface Place {
  readonly isCaught: boolean;
  readonly thrown: Thrown | undefined;
}

/** All that is in a function but its types, each node with its place. */
interface Walk {
  readonly nodes: Ast.Node[];
  readonly places: Place[];
}

const OUTSIDE: Place = { isCaught: false, thrown: undefined };

/** Most nodes have none in them, and do nothing themselves. */
const LEAVES: ReadonlySet<string> = new Set([
  "Identifier",
  "StringLiteral",
  "NumericLiteral",
  "BooleanLiteral",
  "NullLiteral",
  "TemplateElement",
]);

/** With a list, because a sum of many terms is too deep for a function that calls itself. */
function walkFunction(source: Source, { params, body }: Callable): Walk {
  const nodes: Ast.Node[] = [...params, body];
  const places: Place[] = nodes.map(() => OUTSIDE);
  const visit: Visit = (node, place) => {
    if (LEAVES.has(node.type)) return;
    nodes.push(node);
    places.push(place);
  };
  for (const [index, node] of nodes.entries()) visitParts(source, node, places[index] ?? OUTSIDE, visit);
  return { nodes, places };
}

/** In the order of the text. */
function findUses(scope: WrittenScope, { nodes, places }: Walk): readonly Use[] {
  const thrownLater = findThrownLater(scope, nodes);
  const uses: [start: number, use: Use][] = [];
  for (const [index, node] of nodes.entries()) {
    const { isCaught, thrown } = places[index] ?? OUTSIDE;
    if (isCaught) continue;
    for (const use of usesOf(scope, node, thrownLater.get(node) ?? thrown)) uses.push([node.start ?? 0, use]);
  }
  return uses.sort(([one], [other]) => one - other).map(([, use]) => use);
}

/** The values of constants that are thrown: what makes them is thrown there. */
function findThrownLater(
  { source, find }: WrittenScope,
  nodes: readonly Ast.Node[],
): ReadonlyMap<Ast.Node, Thrown> {
  const values = new Map<Ast.Node, Thrown>();
  for (const node of nodes) {
    if (node.type !== "ThrowStatement" || node.argument.type !== "Identifier") continue;
    const value = find(node.argument.name);
    const thrown = { location: locate(source, node), isWhole: true };
    for (const branch of typeof value === "object" ? branchesOf(value) : []) values.set(branch, thrown);
  }
  return values;
}

function usesOf(scope: WrittenScope, node: Ast.Node, thrown: Thrown | undefined): readonly Use[] {
  switch (node.type) {
    case "NewExpression":
    case "CallExpression": {
      const path = calleePath(scope, node.callee);
      const kind = node.type === "NewExpression" ? "made" : "called";
      const use = path
        ? [{ kind, path, ...callOf(scope, node), thrown } as const]
        : toMethod(scope, node, thrown);
      return [...use, ...node.arguments.flatMap((one) => toPassed(scope, one))];
    }
    case "ThrowStatement":
      return branchesOf(node.argument).flatMap((value) => toThrownName(scope, value, node));
    default:
      return NO_USES;
  }
}

const NO_USES: readonly Use[] = [];

/** A function that is passed on by its name is called, too: `items.map(toItem)`. */
function toPassed(scope: WrittenScope, node: Ast.Node): Use[] {
  const path = calleePath(scope, node);
  if (path === undefined) return [];
  return [{ kind: "called", path, arguments: [], location: locate(scope.source, node), thrown: undefined }];
}

const HAS_METHODS: ReadonlySet<Written["kind"]> = new Set(["parameter", "made", "called"]);

function toMethod(
  scope: WrittenScope,
  node: Ast.CallExpression | Ast.NewExpression,
  thrown: Thrown | undefined,
): Use[] {
  const { callee } = node;
  if (node.type !== "CallExpression" || callee.type !== "MemberExpression") return [];
  if (callee.computed || callee.property.type !== "Identifier") return [];
  const of = toWritten(scope, callee.object);
  if (!HAS_METHODS.has(of.kind)) return [];
  const { name } = callee.property;
  return [
    { kind: "method", of, name, ...callOf(scope, node), location: locate(scope.source, callee), thrown },
  ];
}

/** What has a name in the function was made in it, or is thrown again. */
function toThrownName(scope: WrittenScope, value: Ast.Node, statement: Ast.Node): Use[] {
  const path = pathOf(value);
  const location = locate(scope.source, statement);
  if (path) return scope.find(path[0] ?? "") === undefined ? [{ kind: "thrown", path, location }] : [];
  const isCall = value.type === "CallExpression" || value.type === "NewExpression";
  return isCall && calleePath(scope, value.callee) === undefined && isOfOther(scope, value.callee)
    ? [{ kind: "unnamed", location }]
    : [];
}

/** False for a method of what the function has of its own, which throws again what it was given. */
function isOfOther({ find }: WrittenScope, callee: Ast.Node): boolean {
  const [root = ""] = pathOf(callee) ?? [];
  return find(root) === undefined;
}

type Visit = (node: Ast.Node, place: Place) => void;

function visitParts(source: Source, node: Ast.Node, place: Place, visit: Visit): void {
  switch (node.type) {
    case "TryStatement": {
      const { block, handler, finalizer } = node;
      visit(block, handler && swallows(handler.param, [handler.body]) ? { ...place, isCaught: true } : place);
      if (handler) visit(handler, place);
      if (finalizer) visit(finalizer, place);
      return;
    }
    case "ThrowStatement":
      visit(node.argument, { ...place, thrown: { location: locate(source, node), isWhole: true } });
      return;
    case "ExpressionStatement":
      // It is made and dropped.
      if (node.expression.type === "NewExpression")
        for (const one of node.expression.arguments) visit(one, place);
      else visit(node.expression, place);
      return;
    case "CallExpression": {
      const object = swallowedBy(node);
      if (object) {
        visit(object, { ...place, isCaught: true });
        for (const one of node.arguments) visit(one, place);
        return;
      }
    }
  }
  const { thrown } = place;
  visitChildren(
    node,
    !thrown?.isWhole || isPassing(node) ? place : { ...place, thrown: { ...thrown, isWhole: false } },
    visit,
  );
}

/** What has the value of one of its parts. */
function isPassing({ type }: Ast.Node): boolean {
  return /^(?:Conditional|Logical|Parenthesized|Await|TSAs|TSSatisfies|TSNonNull)Expression$/.test(type);
}

/** They have no code in them, or are looked at nowhere. */
const WITHOUT_CODE: ReadonlySet<string> = new Set([
  "loc",
  "extra",
  "typeAnnotation",
  "typeParameters",
  "returnType",
  "typeArguments",
]);

function visitChildren(node: Ast.Node, place: Place, visit: Visit): void {
  for (const field in node) {
    const value: unknown = node[field as keyof typeof node];
    if (typeof value !== "object" || value === null || WITHOUT_CODE.has(field)) continue;
    for (const inner of nodesIn(value))
      visit(inner, isFunction(inner) && place.thrown ? { ...place, thrown: undefined } : place);
  }
}

/** `promise.catch(() => …)` */
function swallowedBy({ callee, arguments: [handler] }: Ast.CallExpression): Ast.Node | undefined {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return undefined;
  if (callee.property.name !== "catch" || !handler || !isFunction(handler)) return undefined;
  return swallows(handler.params[0], [handler.body]) ? callee.object : undefined;
}

/** Calls that are only told of an error. */
const TOLD = new Set(["console", "log", "logger", "String"]);

/** True where what was caught is certainly not thrown again: a `throw` names it, or a function is given it, where it may be. */
function swallows(param: Ast.Node | null | undefined, body: readonly Ast.Node[]): boolean {
  const names = new Set(namesIn(param).map(({ name }) => name));
  const isCaught = (node: Ast.Node): boolean => node.type === "Identifier" && names.has(node.name);
  return !nodesInside(body).some((node) => {
    if (node.type === "ThrowStatement") return branchesOf(node.argument).some(isCaught);
    if (node.type !== "CallExpression" || !node.arguments.some(isCaught)) return false;
    return !TOLD.has(pathOf(node.callee)?.[0] ?? "");
  });
}

/** A class, as far as what it throws is concerned. */
export interface WrittenClass {
  readonly superPath: readonly string[] | undefined;
  /** By name; `constructor` is one of them. */
  readonly methods: ReadonlyMap<string, Callable>;
  readonly statics: ReadonlyMap<string, Callable>;
}

export function toWrittenClass({
  superClass,
  body,
}: Ast.ClassDeclaration | Ast.ClassExpression): WrittenClass {
  const [methods, statics] = [new Map<string, Callable>(), new Map<string, Callable>()];
  for (const member of body.body) {
    const isMethod = member.type === "ClassMethod";
    const value = member.type === "ClassProperty" && member.value ? member.value : undefined;
    const callable = isMethod ? member : value && isFunction(value) ? value : undefined;
    const name = isMethod || member.type === "ClassProperty" ? nameOfKey(member) : undefined;
    if (callable && name !== undefined && "static" in member)
      (member.static ? statics : methods).set(name, callable);
  }
  return { superPath: (superClass && pathOf(superClass)) ?? undefined, methods, statics };
}
