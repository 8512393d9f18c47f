/**
 * Reads what a function returns, for functions that write no type: literals, parameters and constants whose types are known, and calls of
 * the project's functions. What is computed is not read.
 */

import type { Ast } from "#convention/deps/babel-parser";
import { findBody, isFunction, nodesOutside, returnedBranches, type WrittenFunction } from "./bodies.ts";
import {
  keyOf,
  keyword,
  own,
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
  /** One for each `return` as it is awaited; one more for a body whose end can be reached. Of a generator one for each `yield`. */
  readonly types: readonly TypeExpression[];
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
}

/** The inside of a function. */
interface Inside {
  readonly source: Source;
  readonly module: SourceModule;
  /** The types of its parameters and variables. */
  readonly names: Map<string, ReadName>;
  /** The names that an `if` at the top of the function leaves no nothing in, and the offset behind it. */
  readonly present: ReadonlyMap<string, number>;
}

type ReadName = (width: Width) => TypeExpression;

/** @param module that declares the function. @returns undefined for a function without a body. */
export function readReturns(value: FunctionValue, module: SourceModule): Returned | undefined {
  const found = findBody(value);
  if (found === undefined) return undefined;
  const { source, node } = found;
  const inside = enter(node, source, module);
  const isGenerator = node.generator ?? false;
  const nothing = keyword("undefined", { ...placeOf(source, node), text: "undefined" });
  const types = isGenerator
    ? yieldedValues(node).map((one) => read(one, inside, "wide"))
    : returnedBranches(node).map((one) => (one ? toReturned(one, inside) : nothing));
  const isOpen = !isGenerator && node.body.type === "BlockStatement" && !leaves(node.body);
  return { types: widenAlone(isOpen ? [...types, nothing] : types), isAsync: node.async, isGenerator };
}

/** Reads expressions of a function as TypeScript types what is in an object. */
export function readValuesOf(
  node: WrittenFunction,
  source: Source,
  module: SourceModule,
): (value: Ast.Node) => TypeExpression {
  const inside = enter(node, source, module);
  return (value) => read(value, inside, "wide");
}

function yieldedValues({ body }: WrittenFunction): readonly Ast.Node[] {
  return nodesOutside([body]).flatMap((node) =>
    node.type === "YieldExpression" && node.argument ? [node.argument] : [],
  );
}

/** `[user, 201]` is a value and its status, and no array of both. */
function toReturned(node: Ast.Node, inside: Inside): TypeExpression {
  const elements = node.type === "ArrayExpression" ? node.elements : [];
  const [first, second] = elements;
  const isPair = elements.length === 2 && elements.every((one) => one && one.type !== "SpreadElement");
  if (!isPair || !first || !second) return read(node, inside, "kept");
  return tupleOf([read(first, inside, "wide"), read(second, inside, "kept")], placeOf(inside.source, node));
}

/** TypeScript widens a literal that is all that a function returns. */
function widenAlone(types: readonly TypeExpression[]): readonly TypeExpression[] {
  const values = new Set(types.map((type) => (type.kind === "literal" ? type.value : type)));
  return values.size === 1 ? types.map(widen) : types;
}

function read(node: Ast.Node, inside: Inside, width: Width): TypeExpression {
  const readInner = (inner: Ast.Node, innerWidth: Width): TypeExpression => {
    const place = placeOf(inside.source, inner);
    return readOther(inner, inside, innerWidth, place) ?? unread(place);
  };
  return typeOfValue(inside.source, node, width, readInner) ?? unread(placeOf(inside.source, node));
}

function unread(place: Place): TypeExpression {
  return { kind: "other", what: "a value", ...place };
}

function readOther(node: Ast.Node, inside: Inside, width: Width, place: Place): TypeExpression | null {
  const inner = (one: Ast.Node): TypeExpression => read(one, inside, width);
  switch (node.type) {
    case "Identifier": {
      const type = toNamed(node.name, inside, width, place);
      const isPresent = (inside.present.get(node.name) ?? Number.POSITIVE_INFINITY) <= (node.start ?? 0);
      return isPresent ? own("NonNullable", [type], place) : type;
    }
    case "MemberExpression": {
      const path = pathOf(node);
      if (path === null) return null;
      if (!inside.names.has(path[0] ?? "")) return { kind: "typeof", path, ...place };
      return fieldOf(read(node.object, inside, "kept"), path.at(-1) ?? "", place);
    }
    case "CallExpression":
      return toCall(node, inside, place);
    case "NewExpression":
      return toInstance(node, inside, place);
    case "AwaitExpression":
      return own("Awaited", [inner(node.argument)], place);
    case "TSNonNullExpression":
      return own("NonNullable", [inner(node.expression)], place);
    case "TemplateLiteral":
      return keyword("string", place);
    case "BinaryExpression":
      return isText(node) ? keyword("string", place) : null;
    case "ConditionalExpression":
      return unionOf([inner(node.consequent), inner(node.alternate)], place);
    case "LogicalExpression":
      if (node.operator === "&&") return null;
      return unionOf([own("NonNullable", [inner(node.left)], place), inner(node.right)], place);
    case "ObjectMethod":
      return node.kind === "method" ? { kind: "function", parameters: [], returns: null, ...place } : null;
    default:
      return isFunction(node) ? { kind: "function", parameters: [], returns: null, ...place } : null;
  }
}

/** A sum with a text in it. With a loop, because many terms are too deep for a function that calls itself. */
function isText(sum: Ast.Node): boolean {
  let left = sum;
  for (; left.type === "BinaryExpression" && left.operator === "+"; left = left.left)
    if (/^(?:StringLiteral|TemplateLiteral)$/.test(left.right.type)) return true;
  return /^(?:StringLiteral|TemplateLiteral)$/.test(left.type);
}

function toNamed(name: string, { names, module }: Inside, width: Width, place: Place): TypeExpression {
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
function toCall(node: Ast.CallExpression, inside: Inside, place: Place): TypeExpression | null {
  const path = pathOf(node.callee);
  if (path === null || inside.names.has(path[0] ?? "")) return null;
  const name = importedFromFramework(inside.module, path);
  const fromFramework = (type: string, given: readonly TypeExpression[]): TypeExpression => {
    return { kind: "import", from: "framework", path: [type], arguments: given, ...place };
  };
  if (name === "events") return fromFramework("EventStream", [unread(place)]);
  if (name === "file") return fromFramework("FileResult", []);
  if (name !== "reply") return own("ReturnType", [{ kind: "typeof", path, ...place }], place);
  const [value, status] = node.arguments;
  if (value === undefined || status === undefined) return null;
  return fromFramework("Reply", [read(value, inside, "wide"), read(status, inside, "kept")]);
}

function toInstance(node: Ast.NewExpression, { source, names }: Inside, place: Place): TypeExpression | null {
  const path = pathOf(node.callee);
  if (names.has(path?.[0] ?? "")) return null;
  const given = node.typeArguments?.type === "TSTypeParameterInstantiation" ? node.typeArguments : null;
  return path && { kind: "name", path, arguments: toArguments(source, given), ...place };
}

/** What a `let` holds may change, and a name in an inner block may mean something else outside of it. */
function enter(node: WrittenFunction, source: Source, module: SourceModule): Inside {
  const { body } = node;
  const top: readonly Ast.Node[] = body.type === "BlockStatement" ? body.body : [];
  const inside: Inside = { source, module, names: new Map(), present: findPresent(top) };
  for (const parameter of node.params) bind(parameter, inside, undefined);
  for (const inner of nodesOutside([body])) {
    if (inner.type === "VariableDeclaration")
      for (const { id, init } of inner.declarations) {
        const isKnown = inner.kind === "const" && init && top.includes(inner);
        bind(id, inside, isKnown ? (width) => read(init, inside, width) : undefined);
      }
    else if (inner.type === "FunctionDeclaration" || inner.type === "ClassDeclaration") {
      if (inner.id) bind(inner.id, inside, undefined);
    } else if (inner.type === "CatchClause" && inner.param) bind(inner.param, inside, undefined);
    else if (inner.type === "AssignmentExpression")
      for (const { name } of namesIn(inner.left))
        inside.names.set(name, () => unread(placeOf(source, inner)));
  }
  return inside;
}

/** Declares the names of a pattern. @param given reads what it takes apart, if the pattern does not write its type. */
function bind(pattern: Ast.Node, inside: Inside, given: ReadName | undefined): void {
  const place = placeOf(inside.source, pattern);
  switch (pattern.type) {
    case "Identifier": {
      const written = typeOf(inside.source, pattern);
      const type =
        written && pattern.optional ? unionOf([written, keyword("undefined", place)], place) : written;
      declare(pattern.name, inside, place, type ? () => type : given);
      return;
    }
    case "AssignmentPattern": {
      bind(pattern.left, inside, () => {
        const instead = read(pattern.right, inside, "wide");
        if (!given) return instead;
        return unionOf([own("Exclude", [given("wide"), keyword("undefined", place)], place), instead], place);
      });
      return;
    }
    case "ObjectPattern": {
      const type = typeOf(inside.source, pattern);
      const whole = type ? () => type : given;
      for (const property of pattern.properties) {
        const name = property.type === "ObjectProperty" ? keyOf(property) : undefined;
        const target = property.type === "RestElement" ? property.argument : property.value;
        const isKnown = whole !== undefined && name !== undefined;
        bind(target, inside, () => (isKnown ? fieldOf(whole("kept"), name, place) : unread(place)));
      }
      return;
    }
    default:
      for (const { name } of namesIn(pattern)) declare(name, inside, place, undefined);
  }
}

/** Of two variables with one name, nobody knows here which is meant. */
function declare(name: string, { names }: Inside, place: Place, type: ReadName | undefined): void {
  const unknown = unread({ ...place, text: name });
  let isReading = false;
  const readOnce: ReadName = (width) => {
    // It may be made of itself.
    if (isReading || !type) return unknown;
    isReading = true;
    const found = type(width);
    isReading = false;
    return found;
  };
  names.set(name, names.has(name) ? () => unknown : readOnce);
}

/** `if (!user) throw …;` and `if (user === undefined) return …;` say something of all that follows. */
function findPresent(statements: readonly Ast.Node[]): ReadonlyMap<string, number> {
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

/** Whether nothing behind a statement runs after it. */
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
