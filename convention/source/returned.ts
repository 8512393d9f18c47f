/**
 * Infers the result of a function without a declared return type: from literals, parameters and constants of known type, and calls of
 * the project's functions. The types of other expressions are unknown: kind "other".
 */

import type { Ast } from "#convention/deps/babel-parser";
import { findBody, isFunction, nodesOutside, returnedBranches, type WrittenFunction } from "./bodies.ts";
import {
  globalType,
  keyOf,
  keyword,
  type Place,
  placeOf,
  tupleOf,
  typeOfValue,
  unionOf,
  type Width,
  widen,
} from "./literals.ts";
import type { FunctionValue, SourceModule, TypeExpression } from "./module.ts";
import { importedFromFramework } from "./names.ts";
import { namesIn, pathOf, type Source } from "./tree.ts";
import { toArguments, typeOf } from "./types.ts";

export interface Returned {
  /** The awaited type of each `return`, and `undefined` if the end of the body can be reached; for a generator that of each `yield`. */
  readonly types: readonly TypeExpression[];
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
}

/** The names in a function's body. */
interface FunctionScope {
  readonly source: Source;
  readonly module: SourceModule;
  /** The types of parameters and variables. */
  readonly names: Map<string, ReadName>;
  /** Names that are not null or undefined after a guard such as `if (!user) throw …`, with the offset of the guard's end. */
  readonly nonNullish: ReadonlyMap<string, number>;
}

type ReadName = (width: Width) => TypeExpression;

/** @param module the module that declares the function. @returns undefined for a function without a body. */
export function readReturns(value: FunctionValue, module: SourceModule): Returned | undefined {
  const found = findBody(value);
  if (found === undefined) return undefined;
  const { source, node } = found;
  const scope = createScope(node, source, module);
  const isGenerator = node.generator ?? false;
  const nothing = keyword("undefined", { ...placeOf(source, node), text: "undefined" });
  const types = isGenerator
    ? yieldedValues(node).map((one) => read(one, scope, "wide"))
    : returnedBranches(node).map((one) => (one ? toReturned(one, scope) : nothing));
  const isOpen = !isGenerator && node.body.type === "BlockStatement" && !leaves(node.body);
  return { types: widenAlone(isOpen ? [...types, nothing] : types), isAsync: node.async, isGenerator };
}

/** Creates a reader for expressions in a function, which widens literals as in an object. */
export function readValuesOf(
  node: WrittenFunction,
  source: Source,
  module: SourceModule,
): (value: Ast.Node) => TypeExpression {
  const scope = createScope(node, source, module);
  return (value) => read(value, scope, "wide");
}

function yieldedValues({ body }: WrittenFunction): readonly Ast.Node[] {
  return nodesOutside([body]).flatMap((node) =>
    node.type === "YieldExpression" && node.argument ? [node.argument] : [],
  );
}

/** `[user, 201]` is a value and its status: a tuple, where TypeScript infers an array. */
function toReturned(node: Ast.Node, scope: FunctionScope): TypeExpression {
  const elements = node.type === "ArrayExpression" ? node.elements : [];
  const [first, second] = elements;
  const isPair = elements.length === 2 && elements.every((one) => one && one.type !== "SpreadElement");
  if (!isPair || !first || !second) return read(node, scope, "kept");
  return tupleOf([read(first, scope, "wide"), read(second, scope, "kept")], placeOf(scope.source, node));
}

/** TypeScript widens a literal if it is the only result of a function. */
function widenAlone(types: readonly TypeExpression[]): readonly TypeExpression[] {
  const values = new Set(types.map((type) => (type.kind === "literal" ? type.value : type)));
  return values.size === 1 ? types.map(widen) : types;
}

function read(node: Ast.Node, scope: FunctionScope, width: Width): TypeExpression {
  const readInner = (inner: Ast.Node, innerWidth: Width): TypeExpression => {
    const place = placeOf(scope.source, inner);
    return readOther(inner, scope, innerWidth, place) ?? unread(place);
  };
  return typeOfValue(scope.source, node, width, readInner) ?? unread(placeOf(scope.source, node));
}

function unread(place: Place): TypeExpression {
  return { kind: "other", what: "a value", ...place };
}

function readOther(node: Ast.Node, scope: FunctionScope, width: Width, place: Place): TypeExpression | null {
  const inner = (one: Ast.Node): TypeExpression => read(one, scope, width);
  switch (node.type) {
    case "Identifier": {
      const type = toNamed(node.name, scope, width, place);
      const isPresent = (scope.nonNullish.get(node.name) ?? Number.POSITIVE_INFINITY) <= (node.start ?? 0);
      return isPresent ? globalType("NonNullable", [type], place) : type;
    }
    case "MemberExpression": {
      const path = pathOf(node);
      if (path === null) return null;
      if (!scope.names.has(path[0] ?? "")) return { kind: "typeof", path, ...place };
      return fieldOf(read(node.object, scope, "kept"), path.at(-1) ?? "", place);
    }
    case "CallExpression":
      return toCall(node, scope, place);
    case "NewExpression":
      return toInstance(node, scope, place);
    case "AwaitExpression":
      return globalType("Awaited", [inner(node.argument)], place);
    case "TSNonNullExpression":
      return globalType("NonNullable", [inner(node.expression)], place);
    case "TemplateLiteral":
      return keyword("string", place);
    case "BinaryExpression":
      return isText(node) ? keyword("string", place) : null;
    case "ConditionalExpression":
      return unionOf([inner(node.consequent), inner(node.alternate)], place);
    case "LogicalExpression":
      if (node.operator === "&&") return null;
      return unionOf([globalType("NonNullable", [inner(node.left)], place), inner(node.right)], place);
    case "ObjectMethod":
      return node.kind === "method" ? { kind: "function", parameters: [], returns: null, ...place } : null;
    default:
      return isFunction(node) ? { kind: "function", parameters: [], returns: null, ...place } : null;
  }
}

/** True for a sum with a string in it. A loop, because recursion would overflow the stack for many terms. */
function isText(sum: Ast.Node): boolean {
  let left = sum;
  for (; left.type === "BinaryExpression" && left.operator === "+"; left = left.left)
    if (/^(?:StringLiteral|TemplateLiteral)$/.test(left.right.type)) return true;
  return /^(?:StringLiteral|TemplateLiteral)$/.test(left.type);
}

function toNamed(name: string, { names, module }: FunctionScope, width: Width, place: Place): TypeExpression {
  const local = names.get(name);
  if (local) return local(width);
  if (name === "undefined") return keyword("undefined", place);
  const constant = module.typeOfConstant(name);
  if (constant?.kind === "literal") return width === "wide" ? widen(constant) : constant;
  return { kind: "typeof", path: [name], ...place };
}

function fieldOf(object: TypeExpression, name: string, place: Place): TypeExpression {
  return { kind: "indexed", object, index: { kind: "literal", value: name, ...place }, ...place };
}

/** @example `reply(user, 201)` is a `Reply<User, 201>`. */
function toCall(node: Ast.CallExpression, scope: FunctionScope, place: Place): TypeExpression | null {
  const path = pathOf(node.callee);
  if (path === null || scope.names.has(path[0] ?? "")) return null;
  const name = importedFromFramework(scope.module, path);
  const fromFramework = (type: string, types: readonly TypeExpression[]): TypeExpression => {
    return { kind: "import", from: "framework", path: [type], arguments: types, ...place };
  };
  if (name === "events") return fromFramework("EventStream", [unread(place)]);
  if (name === "file") return fromFramework("FileResult", []);
  if (name !== "reply") return globalType("ReturnType", [{ kind: "typeof", path, ...place }], place);
  const [value, status] = node.arguments;
  if (value === undefined || status === undefined) return null;
  return fromFramework("Reply", [read(value, scope, "wide"), read(status, scope, "kept")]);
}

function toInstance(
  node: Ast.NewExpression,
  { source, names }: FunctionScope,
  place: Place,
): TypeExpression | null {
  const path = pathOf(node.callee);
  if (names.has(path?.[0] ?? "")) return null;
  const { typeArguments } = node;
  const types = typeArguments?.type === "TSTypeParameterInstantiation" ? typeArguments : null;
  return path && { kind: "name", path, arguments: toArguments(source, types), ...place };
}

/** Collects the names of a body. A `let` may change, and a `const` in an inner block may shadow, so their types are unknown. */
function createScope(node: WrittenFunction, source: Source, module: SourceModule): FunctionScope {
  const { body } = node;
  const top: readonly Ast.Node[] = body.type === "BlockStatement" ? body.body : [];
  const scope: FunctionScope = { source, module, names: new Map(), nonNullish: findNonNullish(top) };
  for (const parameter of node.params) bind(parameter, scope, undefined);
  for (const inner of nodesOutside([body])) {
    if (inner.type === "VariableDeclaration")
      for (const { id, init } of inner.declarations) {
        const isKnown = inner.kind === "const" && init && top.includes(inner);
        bind(id, scope, isKnown ? (width) => read(init, scope, width) : undefined);
      }
    else if (inner.type === "FunctionDeclaration" || inner.type === "ClassDeclaration") {
      if (inner.id) bind(inner.id, scope, undefined);
    } else if (inner.type === "CatchClause" && inner.param) bind(inner.param, scope, undefined);
    else if (inner.type === "AssignmentExpression")
      for (const { name } of namesIn(inner.left)) scope.names.set(name, () => unread(placeOf(source, inner)));
  }
  return scope;
}

/** Declares the names of a pattern. @param readValue infers the destructured value, for a pattern without an annotation. */
function bind(pattern: Ast.Node, scope: FunctionScope, readValue: ReadName | undefined): void {
  const place = placeOf(scope.source, pattern);
  switch (pattern.type) {
    case "Identifier": {
      const written = typeOf(scope.source, pattern);
      const type =
        written && pattern.optional ? unionOf([written, keyword("undefined", place)], place) : written;
      declare(pattern.name, scope, place, type ? () => type : readValue);
      return;
    }
    case "AssignmentPattern": {
      bind(pattern.left, scope, () => {
        const fallback = read(pattern.right, scope, "wide");
        if (!readValue) return fallback;
        const present = globalType("Exclude", [readValue("wide"), keyword("undefined", place)], place);
        return unionOf([present, fallback], place);
      });
      return;
    }
    case "ObjectPattern": {
      const type = typeOf(scope.source, pattern);
      const whole = type ? () => type : readValue;
      for (const property of pattern.properties) {
        const name = property.type === "ObjectProperty" ? keyOf(property) : undefined;
        const target = property.type === "RestElement" ? property.argument : property.value;
        const isKnown = whole !== undefined && name !== undefined;
        bind(target, scope, () => (isKnown ? fieldOf(whole("kept"), name, place) : unread(place)));
      }
      return;
    }
    default:
      for (const { name } of namesIn(pattern)) declare(name, scope, place, undefined);
  }
}

/** Two variables of one name have an unknown type, because scopes are not tracked. */
function declare(name: string, { names }: FunctionScope, place: Place, type: ReadName | undefined): void {
  const unknown = unread({ ...place, text: name });
  let isReading = false;
  const readOnce: ReadName = (width) => {
    // The initializer may refer to the variable itself.
    if (isReading || !type) return unknown;
    isReading = true;
    const found = type(width);
    isReading = false;
    return found;
  };
  names.set(name, names.has(name) ? () => unknown : readOnce);
}

/** Finds guards: after `if (!user) throw …;` or `if (user === undefined) return …;`, `user` is not null or undefined. */
function findNonNullish(statements: readonly Ast.Node[]): ReadonlyMap<string, number> {
  return new Map(
    statements.flatMap((one): (readonly [string, number])[] => {
      if (one.type !== "IfStatement" || !leaves(one.consequent)) return [];
      const { test } = one;
      const isNegated = test.type === "UnaryExpression" && test.operator === "!";
      const isCompared =
        test.type === "BinaryExpression" &&
        (test.operator === "==" || test.operator === "===") &&
        (test.right.type === "NullLiteral" ||
          (test.right.type === "Identifier" && test.right.name === "undefined"));
      const name = isNegated ? test.argument : isCompared ? test.left : undefined;
      return name?.type === "Identifier" ? [[name.name, one.end ?? 0]] : [];
    }),
  );
}

/** True if control never reaches the end of a statement. */
function leaves(statement: Ast.Node | null | undefined): boolean {
  switch (statement?.type) {
    case "ReturnStatement":
    case "ThrowStatement":
      return true;
    case "BlockStatement":
      return statement.body.some(leaves);
    case "IfStatement":
      return leaves(statement.consequent) && leaves(statement.alternate);
    case "TryStatement": {
      const { block, handler, finalizer } = statement;
      return leaves(finalizer) || (leaves(block) && (!handler || leaves(handler.body)));
    }
    case "SwitchStatement": {
      const { cases } = statement;
      const isWhole = cases.some(({ test }) => !test) && cases.at(-1)?.consequent.some(leaves) === true;
      return isWhole && !cases.some(breaks);
    }
    case "WhileStatement": {
      const { test, body } = statement;
      return test.type === "BooleanLiteral" && test.value && !breaks(body);
    }
    default:
      return false;
  }
}

function breaks(node: Ast.Node): boolean {
  return nodesOutside([node]).some(({ type }) => type === "BreakStatement");
}
