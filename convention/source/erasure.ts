/** TypeScript that is more than types: Node erases the types of a file and runs the rest, so such a file does not load. No engine runs a decorator. */

import type { Ast } from "#convention/deps/babel-parser";
import type { InerasableSyntax } from "./module.ts";
import { childrenOf, locate, type Source, walk } from "./tree.ts";

/**
 * What comes before a `<` distinguishes an assertion from a comparison and from type arguments. An assertion may begin a line, since a
 * comment or a statement without semicolon ends before it. It never follows the slashes of `// GET /users/<id>`, which generated code is full of.
 */
const ASSERTION =
  /(?:^|[()[{},;:=?!&|^~+*%.>-]|\/(?!(?<=\/[\w.~<> -]*\/)<\w+>(?:[/\s"'`:,.)|\\]|$))|<(?!<)|\b(?:await|case|default|delete|do|else|extends|in|instanceof|new|of|return|throw|typeof|void|yield))[^\S\n]*<\s*[\w\p{ID_Start}$({['"`|&/\\-]/mu;

/** Not the tag of a comment, which follows a `*`, and not the name of a package, which follows a quote. */
const DECORATOR = /(?:^|\b(?:default|export)|[^\w*\s@"'`])[^\S\n]*@[\w\p{ID_Start}$(]/mu;

/** A text without all signs of one line has nothing to find. A comment may be wherever a space may be. */
const SIGNS: readonly (readonly RegExp[])[] = [
  [/\b(?:enum|module|namespace)(?:\s+[^\s=.,;:)]|\/[*/])/],
  [/\b(?:import(?:\s+(?:type\s+)?[^\s"'{;=]+)?|export)\s*(?:=|\/[*/])/],
  [/\bconstructor\b/, /\b(?:override|private|protected|public|readonly)\b/],
  [/\bclass\b/, DECORATOR],
  [ASSERTION],
];

/** @returns false where the text certainly has none, which spares most files a parser. */
export function mayBeInerasable(text: string): boolean {
  return SIGNS.some((signs) => signs.every((sign) => sign.test(text)));
}

/** @returns them in their order, wherever they are. */
export function findInerasable(statements: readonly Ast.Statement[], source: Source): InerasableSyntax[] {
  if (!mayBeInerasable(source.text)) return [];
  const nodes = walk(statements, (node) => {
    const isLeft = inspect(node) !== undefined || ("declare" in node && node.declare);
    return isLeft ? [] : childrenOf(node);
  });
  return nodes.flatMap((node) => {
    const found = inspect(node);
    return found ? [{ ...found, location: locate(source, node) }] : [];
  });
}

/** What would still need code after the types are erased, or what Node does not erase. */
function inspect(node: Ast.Node): Omit<InerasableSyntax, "location"> | undefined {
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
    case "Decorator":
      return { what: "a decorator", instead: "a call of its function" };
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
