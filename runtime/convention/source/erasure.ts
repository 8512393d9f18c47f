/** TypeScript that is more than types: Node takes the types out of a file and runs what is left, so such a file does not load. */

import type { Ast } from "#runtime/deps/babel-parser";

/** What leaves code behind when the types are taken out of a file, or is not taken for types by Node. */
export interface Inerasable {
  /** As in "an enum". */
  readonly what: string;
  /** What to write in its place. */
  readonly instead: string;
  readonly node: Ast.Node;
}

/**
 * What stands before a `<` tells an assertion from a comparison and from type arguments. A line's beginning may, since a comment or a
 * statement without semicolon ends before it; the slashes of `// GET /users/<id>` don't, of which generated code is full.
 */
const ASSERTION =
  /(?:^|[()[{},;:=?!&|^~+*%.>-]|\/(?!(?<=\/[\w.~<> -]*\/)<\w+>(?:[/\s"'`:,.)|\\]|$))|<(?!<)|\b(?:await|case|default|delete|do|else|extends|in|instanceof|new|of|return|throw|typeof|void|yield))[^\S\n]*<\s*[\w\p{ID_Start}$({['"`|&/\\-]/mu;

/** Unless all signs of one line are in a text, there is nothing to find in it. A comment can stand wherever a space can. */
const SIGNS: readonly (readonly RegExp[])[] = [
  [/\b(?:enum|module|namespace)(?:\s+[^\s=.,;:)]|\/[*/])/],
  [/\b(?:import(?:\s+(?:type\s+)?[^\s"'{;=]+)?|export)\s*(?:=|\/[*/])/],
  [/\bconstructor\b/, /\b(?:override|private|protected|public|readonly)\b/],
  [ASSERTION],
];

/** @returns false where the text holds none for sure, which spares most files a parser. */
export function mayBeInerasable(text: string): boolean {
  return SIGNS.some((signs) => signs.every((sign) => sign.test(text)));
}

/** @param text of the statements. @returns them in their order, wherever they are. */
export function findInerasable(statements: readonly Ast.Statement[], text: string): Inerasable[] {
  if (!mayBeInerasable(text)) return [];
  const found: Inerasable[] = [];
  const waiting: unknown[] = [...statements];
  // It takes more while it is gone through: a sum of many terms is too deep for a function that calls itself.
  for (const value of waiting) {
    const here = isNode(value) ? inspect(value) : [];
    found.push(...here);
    if (here.length === 0) for (const child of childrenOf(value)) waiting.push(child);
  }
  return found.sort((one, other) => (one.node.start ?? 0) - (other.node.start ?? 0));
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isNode(value) && !("declare" in value && value.declare) ? Object.values(value) : [];
}

function isNode(value: unknown): value is Ast.Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function inspect(node: Ast.Node): Inerasable[] {
  switch (node.type) {
    case "TSEnumDeclaration":
      return node.declare ? [] : [{ what: "an enum", instead: "an object with `as const`", node }];
    case "TSModuleDeclaration":
      return node.declare || holdsOnlyTypes(node.body)
        ? []
        : [{ what: "a namespace with code", instead: "a file of its own", node }];
    case "TSImportEqualsDeclaration":
      return node.importKind === "type" ? [] : [{ what: "`import … =`", instead: "`import … from`", node }];
    case "TSExportAssignment":
      return [{ what: "`export =`", instead: "`export`", node }];
    case "TSParameterProperty":
      return [{ what: "a parameter property", instead: "a field that the constructor sets", node }];
    case "TSTypeAssertion":
      return [{ what: "a type assertion in angle brackets", instead: "one with `as`", node }];
    default:
      return [];
  }
}

function holdsOnlyTypes(body: Ast.Node): boolean {
  if (body.type === "TSModuleDeclaration") return holdsOnlyTypes(body.body);
  if (body.type !== "TSModuleBlock") return false;
  return body.body.every((statement) => {
    const inner = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (!inner) return false;
    if (inner.type === "TSModuleDeclaration") return holdsOnlyTypes(inner.body);
    return inner.type === "TSInterfaceDeclaration" || inner.type === "TSTypeAliasDeclaration";
  });
}
