/** Which names at the top of a file its code declares or uses: not a function's own names, and not the names of properties. */

import type { Ast } from "#convention/deps/babel-parser";
import { parseSyntax } from "#convention/source/syntax";
import { namesIn, nodesIn, pathOf } from "#convention/source/tree";

/** Code, and the names that the code around it has declared for itself. */
interface Scoped {
  readonly node: Ast.Node;
  readonly own: ReadonlySet<string>;
}

/** The names in source text that can be read, outside its imports. */
export function readUses(text: string): ReadonlySet<string> {
  const uses = new Set<string>();
  const own: ReadonlySet<string> = new Set();
  const waiting: Scoped[] = parseSyntax({ text, file: "" }).statements.map((node) => ({ node, own }));
  // The list grows while it is gone through: a sum of many terms is too deep for a function that calls itself.
  for (const scoped of waiting) {
    for (const name of namesUsed(scoped)) uses.add(name);
    for (const inner of scopesIn(scoped)) waiting.push(inner);
  }
  return uses;
}

function namesUsed({ node, own }: Scoped): readonly string[] {
  const type = typeNamed(node);
  // A value of the same name does not hide a type.
  const types = type === undefined ? [] : [type];
  return node.type === "Identifier" && !own.has(node.name) ? [...types, node.name] : types;
}

function scopesIn({ node, own }: Scoped): readonly Scoped[] {
  // These are names of another module.
  if (node.type === "ImportDeclaration" || (node.type === "ExportNamedDeclaration" && node.source)) return [];
  const names = ownNames(node);
  const inner = names.length === 0 ? own : new Set([...own, ...names]);
  const left = FIELDS_LEFT_OUT[node.type] ?? [];
  return Object.entries(node)
    .filter(([field]) => !left.includes(field) && !(PROPERTY_NAMES.includes(field) && !isComputed(node)))
    .flatMap(([, value]) => nodesIn(value).map((one) => ({ node: one, own: inner })));
}

/** What comes after a dot or before a colon names a property, unless it is in brackets. */
const PROPERTY_NAMES: readonly string[] = ["property", "key"];

function isComputed(node: Ast.Node): boolean {
  return "computed" in node && node.computed === true;
}

/** Other names that mean nothing outside their own statement or type. */
const FIELDS_LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  ExportSpecifier: ["exported"],
  ExportNamespaceSpecifier: ["exported"],
  LabeledStatement: ["label"],
  BreakStatement: ["label"],
  ContinueStatement: ["label"],
  TSQualifiedName: ["right"],
  TSNamedTupleMember: ["label"],
  TSEnumMember: ["id"],
  TSTypeReference: ["typeName"],
};

/** @example typeNamed(…) // "framework" of `framework.int`, and "int" of `int` */
function typeNamed(node: Ast.Node): string | undefined {
  if (node.type === "TSTypeReference") return pathOf(node.typeName)?.[0];
  return node.type === "TSExpressionWithTypeArguments" ? pathOf(node.expression)?.[0] : undefined;
}

/** What a function, a block or a type of a function has names for: its parameters, and what is declared in it. */
function ownNames(node: Ast.Node): readonly string[] {
  const fields = node as unknown as Readonly<Record<string, unknown>>;
  const params = ["params", "parameters", "param"].flatMap((field) => nodesIn(fields[field]));
  // A block has its statements in a list; what else has a body has one node there.
  const statements = Array.isArray(fields.body) ? nodesIn(fields.body) : [];
  const cases = nodesIn(fields.cases).flatMap((one) => (one.type === "SwitchCase" ? one.consequent : []));
  const heads = [...nodesIn(fields.init), ...nodesIn(fields.left)].filter(
    ({ type }) => type === "VariableDeclaration",
  );
  return [
    ...(node.type === "FunctionExpression" || node.type === "ClassExpression" ? [node.id] : []),
    ...params.flatMap(namesIn),
    ...[...statements, ...cases, ...heads].flatMap(declaredBy),
  ].flatMap((id) => id?.name ?? []);
}

function declaredBy(statement: Ast.Node): readonly (Ast.Identifier | null | undefined)[] {
  if (statement.type === "VariableDeclaration")
    return statement.declarations.flatMap(({ id }) => namesIn(id));
  const isNamed = statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration";
  return isNamed ? [statement.id] : [];
}
