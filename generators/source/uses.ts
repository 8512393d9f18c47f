/** Which of the names at the top of a file its code declares or uses: not what a function calls its own so, and no property's name. */

import { child, children, type Node, nameOf, namesDeclaredBy, namesIn, parseSource } from "./outline.ts";

/** The names in source text that can be read, outside its imports. */
export function readUses(text: string): ReadonlySet<string> {
  const uses = new Set<string>();
  const body = parseSource(text).program.body as unknown as readonly Node[];
  for (const node of body) collectUses(node, new Set(), uses);
  return uses;
}

/** @param own the names that the code around the node has for something of its own. */
function collectUses(node: Node, own: ReadonlySet<string>, uses: Set<string>): void {
  // These are names of another module.
  if (node.type === "ImportDeclaration" || (node.type === "ExportNamedDeclaration" && node.source)) return;
  if (node.type === "Identifier" && !own.has(nameOf(node))) uses.add(nameOf(node));
  const type = typeNamed(node);
  // A value of the same name does not hide a type.
  if (type !== undefined) uses.add(type);
  const inner = new Set([...own, ...ownNames(node)]);
  const left = FIELDS_LEFT_OUT[node.type] ?? [];
  for (const [field, value] of Object.entries(node)) {
    if (NO_NODES.includes(field) || left.includes(field)) continue;
    if (PROPERTY_NAMES.includes(field) && node.computed !== true) continue;
    for (const one of Array.isArray(value) ? value : [value])
      if (typeof one === "object" && one !== null && "type" in one) collectUses(one as Node, inner, uses);
  }
}

/** Comments are no nodes, and a place holds none. */
const NO_NODES: readonly string[] = ["loc", "extra", "leadingComments", "innerComments", "trailingComments"];

/** What stands behind a dot or before a colon names a property, unless it is in brackets. */
const PROPERTY_NAMES: readonly string[] = ["property", "key"];

/** Other names that mean nothing outside of where they stand. */
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
function typeNamed(node: Node): string | undefined {
  const fields: Readonly<Record<string, string>> = {
    TSTypeReference: "typeName",
    TSInterfaceHeritage: "expression",
    TSClassImplements: "expression",
    TSExpressionWithTypeArguments: "expression",
  };
  const field = fields[node.type];
  let named = field === undefined ? undefined : child(node, field);
  while (named?.type === "TSQualifiedName") named = child(named, "left");
  return named === undefined ? undefined : nameOf(named);
}

/** What a function, a block or a type of a function has names for: its parameters, and what is declared in it. */
function ownNames(node: Node): readonly string[] {
  const params = [...children(node, "params"), ...children(node, "parameters"), child(node, "param")];
  const statements = [
    ...listIn(node, "body"),
    ...children(node, "cases").flatMap((one) => listIn(one, "consequent")),
  ];
  const heads = [child(node, "init"), child(node, "left")].filter(
    (one) => one?.type === "VariableDeclaration",
  );
  const name = /^(?:Function|Class)Expression$/.test(node.type) ? nameOf(child(node, "id")) : "";
  return [
    name,
    ...params.flatMap(namesIn),
    ...[...statements, ...heads].flatMap((one) => (one && isDeclaration(one) ? namesDeclaredBy(one) : [])),
  ];
}

function isDeclaration({ type }: Node): boolean {
  return /^(?:Variable|Function|Class)Declaration$/.test(type);
}

/** A block has its statements in a list; what else has a body has one node there. */
function listIn(node: Node, field: string): readonly Node[] {
  return Array.isArray(node[field]) ? children(node, field) : [];
}
