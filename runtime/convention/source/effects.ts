/** Whether a module does more than declare when it is loaded: one that does not can be loaded whenever it is needed. */

import type { Ast } from "#runtime/deps/babel-parser";
import { isFunction, rootOf } from "./bodies.ts";
import { nodesIn } from "./tree.ts";

/** What calls of these do, nobody else can see. The framework's own functions and those of libraries for schemas make a value. */
const HARMLESS_PACKAGE = /^(?:framework|node:|zod|valibot|arktype)(?:\/|(?<=:)|$)/;

/** The same of these names, where a file does not give them another meaning. */
const HARMLESS_NAMES: ReadonlySet<string> = new Set(
  "Array ArrayBuffer BigInt Boolean Buffer Date Error Headers Intl JSON Map Math Number Object RegExp Set String Symbol TextDecoder TextEncoder TypeError URL URLSearchParams Uint8Array WeakMap WeakSet".split(
    " ",
  ),
);

/** Nodes that do nothing themselves; what is in them may. */
const STILL: ReadonlySet<string> = new Set(
  "ArrayExpression ArrayPattern AssignmentPattern BigIntLiteral BinaryExpression BooleanLiteral CallExpression ClassBody ClassDeclaration ClassExpression ClassPrivateProperty ClassProperty ConditionalExpression EmptyStatement ExportAllDeclaration ExportDefaultDeclaration ExportNamedDeclaration ExportSpecifier Identifier ImportDeclaration LogicalExpression MemberExpression MetaProperty NewExpression NullLiteral NumericLiteral ObjectExpression ObjectPattern ObjectProperty OptionalCallExpression OptionalMemberExpression ParenthesizedExpression PrivateName RegExpLiteral RestElement SpreadElement StringLiteral TaggedTemplateExpression TemplateElement TemplateLiteral TSAsExpression TSNonNullExpression TSSatisfiesExpression UnaryExpression VariableDeclaration VariableDeclarator".split(
    " ",
  ),
);

/** Where the names of a file come from. */
export interface Names {
  /** By local name, with the specifier. */
  readonly imports: ReadonlyMap<string, { readonly from: string }>;
  readonly values: ReadonlyMap<string, unknown>;
}

/**
 * Takes what it does not know for something that acts. What a package does when it is imported for its names counts as nothing.
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
    if (node.type !== "ImportDeclaration")
      for (const field of Object.values(node)) waiting.push(...nodesIn(field));
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

function acts(node: Ast.Node, names: Names): boolean {
  switch (node.type) {
    // `import "./listeners.ts"`, which nobody would write for anything else.
    case "ImportDeclaration":
      return node.specifiers.length === 0 && node.importKind !== "type";
    case "UnaryExpression":
      return node.operator === "delete" || node.operator === "throw";
    case "TaggedTemplateExpression":
      return !isHarmless(node.tag, names);
    case "CallExpression":
    case "NewExpression":
    case "OptionalCallExpression":
      return !isHarmless(node.callee, names);
    default:
      return false;
  }
}

function isHarmless(callee: Ast.Node, { imports, values }: Names): boolean {
  const root = rootOf(callee);
  if (root.type !== "Identifier") return /Literal$|^ArrayExpression$/.test(root.type);
  const from = imports.get(root.name)?.from;
  if (from !== undefined) return HARMLESS_PACKAGE.test(from);
  return !values.has(root.name) && HARMLESS_NAMES.has(root.name);
}
