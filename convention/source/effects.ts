/** Whether a module does more than declare when it is loaded: one that does not can be loaded whenever it is needed. */

import type { Ast } from "#convention/deps/babel-parser";
import { isFunction, rootOf } from "./bodies.ts";
import { nodesIn, pathOf } from "./tree.ts";

/** Their functions make a value of what they get, and look at nothing else. */
const PURE_PACKAGE = /^(?:framework(?:\/\w+)?|node:path|node:url|zod|valibot|arktype)$/;
/** But for these. */
const IMPURE_NAME = /^(?:createApp|cwd|resolve|relative|set|config|register|global)/;
/** What their classes make is empty at first. */
const CLASS_PACKAGE = /^node:(?:async_hooks|events)$/;

const PURE_CLASSES = setOf(
  "Array ArrayBuffer Error Map RangeError RegExp Set SyntaxError TextDecoder TextEncoder TypeError URL URLSearchParams Uint8Array WeakMap WeakSet",
);
const PURE_FUNCTIONS = setOf(
  "BigInt Boolean Buffer.alloc Buffer.from Error Number Object.entries Object.freeze Object.fromEntries Object.keys Object.values RegExp String Symbol Symbol.for",
);
/** What their members are does not change. */
const PURE_ROOTS = setOf(
  "BigInt Boolean Buffer Infinity Math NaN Number Object RegExp String Symbol undefined",
);

/** Nodes that do nothing themselves; what is in them may. */
const STILL = setOf(
  "ArrayExpression ArrayPattern AssignmentPattern BigIntLiteral BinaryExpression BooleanLiteral CallExpression ClassBody ClassDeclaration ClassExpression ClassPrivateProperty ClassProperty ConditionalExpression EmptyStatement ExportAllDeclaration ExportDefaultDeclaration ExportNamedDeclaration Identifier ImportDeclaration LogicalExpression MemberExpression MetaProperty NewExpression NullLiteral NumericLiteral ObjectExpression ObjectPattern ObjectProperty OptionalMemberExpression ParenthesizedExpression PrivateName RegExpLiteral RestElement SpreadElement StringLiteral TemplateElement TemplateLiteral TSAsExpression TSNonNullExpression TSSatisfiesExpression UnaryExpression VariableDeclaration VariableDeclarator",
);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

/** Where the names of a file come from. */
export interface Names {
  /** By local name. */
  readonly imports: ReadonlyMap<string, Imported>;
  readonly values: ReadonlyMap<string, unknown>;
}

interface Imported {
  readonly from: string;
  readonly name: string;
}

/**
 * Takes what it does not know for something that acts: reading what others may change, too. What a package does when it is imported for
 * its names counts as nothing.
 *
 * @example findsEffects(statements of "const items = new Map(); export function get() {}", names) // false
 * @example findsEffects(statements of "bus.on('order', send);", names) // true
 */
export function findsEffects(statements: readonly Ast.Statement[], names: Names): boolean {
  const waiting: Ast.Node[] = [...statements];
  // The list grows while it is gone through: a sum of many terms is too deep for a function that calls itself.
  for (const node of waiting) {
    if (isDeclared(node)) continue;
    if (!STILL.has(node.type) || acts(node, names)) return true;
    waiting.push(...evaluatedIn(node));
  }
  return false;
}

/** Types, functions, and the fields that only an instance has. */
function isDeclared(node: Ast.Node): boolean {
  switch (node.type) {
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
      return false;
    case "ObjectMethod":
    case "ClassMethod":
      return !node.computed;
    case "ClassPrivateMethod":
      return true;
    case "ClassProperty":
      return !(node.static || node.computed);
    case "ClassPrivateProperty":
      return !node.static;
    default:
      return isFunction(node) || /^TS(?!Enum|Module|ImportEquals|ExportAssignment)/.test(node.type);
  }
}

/** The parts that are not names of what is declared, or of a property. */
function evaluatedIn(node: Ast.Node): readonly Ast.Node[] {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "MetaProperty":
      return [];
    case "ExportNamedDeclaration":
      return nodesIn(node.declaration);
    case "VariableDeclarator":
      return [node.id.type === "Identifier" ? null : node.id, node.init].flatMap(nodesIn);
    case "ClassDeclaration":
    case "ClassExpression":
      return [node.superClass, node.decorators, node.body].flatMap(nodesIn);
    case "MemberExpression":
    case "OptionalMemberExpression":
      return node.computed ? [node.object, node.property] : [node.object];
    case "ObjectProperty":
    case "ClassProperty":
      return [...(node.computed ? [node.key] : []), ...nodesIn(node.value)];
    default:
      return Object.values(node).flatMap(nodesIn);
  }
}

function acts(node: Ast.Node, names: Names): boolean {
  switch (node.type) {
    // `import "./listeners.ts"`, which nobody would write for anything else.
    case "ImportDeclaration":
      return node.specifiers.length === 0 && node.importKind !== "type";
    case "UnaryExpression":
      return node.operator === "delete" || node.operator === "throw";
    // A pattern reads members of what it gets.
    case "VariableDeclarator":
      return node.id.type !== "Identifier" && isShared(node.init, names);
    case "MemberExpression":
    case "OptionalMemberExpression":
      return isShared(node, names);
    case "SpreadElement":
      return isShared(node.argument, names);
    case "Identifier":
      return !isKnown(node.name, names);
    case "CallExpression":
    case "NewExpression":
      return !isPure(node, names);
    default:
      return false;
  }
}

function isKnown(name: string, { imports, values }: Names): boolean {
  return imports.has(name) || values.has(name) || PURE_CLASSES.has(name) || PURE_ROOTS.has(name);
}

/** Something that other modules may change, or a member of it. */
function isShared(node: Ast.Node | null | undefined, { imports, values }: Names): boolean {
  const root = node && rootOf(node);
  if (root?.type !== "Identifier" || values.has(root.name)) return false;
  const imported = imports.get(root.name);
  return imported ? !PURE_PACKAGE.test(imported.from) : !PURE_ROOTS.has(root.name);
}

function isPure(node: Ast.CallExpression | Ast.NewExpression, names: Names): boolean {
  const { callee } = node;
  const root = rootOf(callee);
  if (root.type !== "Identifier") return [root, ...node.arguments].every(({ type }) => LITERAL.test(type));
  const imported = names.imports.get(root.name);
  if (imported) return isPurePackage(imported, node);
  if (names.values.has(root.name) || !getsOwnData(node, names)) return false;
  const path = pathOf(callee)?.join(".") ?? "";
  return PURE_FUNCTIONS.has(path) || (node.type === "NewExpression" && PURE_CLASSES.has(path));
}

const LITERAL = /^(?:String|Template|RegExp|Numeric)/;

/** What is imported may change, and a function that it gets may be called at once. */
function getsOwnData(
  { arguments: given }: Ast.CallExpression | Ast.NewExpression,
  { imports }: Names,
): boolean {
  return given.every((one) => !isFunction(one) && !(one.type === "Identifier" && imports.has(one.name)));
}

function isPurePackage(
  { from, name }: Imported,
  { type, callee }: Ast.CallExpression | Ast.NewExpression,
): boolean {
  if (type === "NewExpression" && CLASS_PACKAGE.test(from)) return true;
  return PURE_PACKAGE.test(from) && ![name, ...memberNames(callee)].some((one) => IMPURE_NAME.test(one));
}

/** The names after the dots of what is called: of `z.string().min(1)`, min and string. */
function memberNames(callee: Ast.Node): string[] {
  const members: string[] = [];
  for (let node = callee; ; ) {
    if (node.type === "CallExpression") node = node.callee;
    else if (node.type !== "MemberExpression") return members;
    else {
      if (node.property.type === "Identifier") members.push(node.property.name);
      node = node.object;
    }
  }
}
