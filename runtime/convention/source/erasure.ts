/** TypeScript that is more than types: Node takes the types out of a file and runs what is left, so such a file does not load. */

import type { Ast } from "#runtime/deps/babel-parser";
import type { InerasableSyntax } from "./module.ts";
import { locate, nodesIn, type Source, spanOf } from "./tree.ts";

/** What leaves code behind when the types are taken out of a file, or is not taken for types by Node. */
interface Inerasable extends Omit<InerasableSyntax, "location"> {
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

/** @returns them in their order, wherever they are. */
export function findInerasable(statements: readonly Ast.Statement[], source: Source): InerasableSyntax[] {
  if (!mayBeInerasable(source.text)) return [];
  const found: Inerasable[] = [];
  const waiting: Ast.Node[] = [...statements];
  // The list grows while it is gone through: a sum of many terms is too deep for a function that calls itself.
  for (const node of waiting) {
    const here = inspect(node);
    if (here !== undefined) found.push({ ...here, node });
    else if (!("declare" in node && node.declare))
      for (const field of Object.values(node)) for (const inner of nodesIn(field)) waiting.push(inner);
  }
  return found
    .sort((one, other) => spanOf(one.node).start - spanOf(other.node).start)
    .map(({ what, instead, node }) => ({ what, instead, location: locate(source, node) }));
}

function inspect(node: Ast.Node): Omit<Inerasable, "node"> | undefined {
  switch (node.type) {
    case "TSEnumDeclaration":
      return node.declare ? undefined : { what: "an enum", instead: "an object with `as const`" };
    case "TSModuleDeclaration":
      return node.declare || holdsOnlyTypes(node.body)
        ? undefined
        : { what: "a namespace with code", instead: "a file of its own" };
    case "TSImportEqualsDeclaration":
      return node.importKind === "type" ? undefined : { what: "`import … =`", instead: "`import … from`" };
    case "TSExportAssignment":
      return { what: "`export =`", instead: "`export`" };
    case "TSParameterProperty":
      return { what: "a parameter property", instead: "a field that the constructor sets" };
    case "TSTypeAssertion":
      return { what: "a type assertion in angle brackets", instead: "one with `as`" };
    default:
      return undefined;
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
