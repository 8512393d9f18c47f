/** Finds TypeScript syntax that Node can't load: it only erases types, so enums, namespaces and the like fail. So do decorators. */

import type { Ast } from "#convention/deps/babel-parser";
import type { InerasableSyntax } from "./module.ts";
import { childrenOf, locate, type Source, walk } from "./tree.ts";

/**
 * A type assertion, `<T>value`. The text before `<` distinguishes it from a comparison and from type arguments. It may begin a line, since
 * a comment or a statement without semicolon can end there. Paths in comments don't match: generated code is full of `// GET /users/<id>`.
 */
const ASSERTION =
  /(?:^|[()[{},;:=?!&|^~+*%.>-]|\/(?!(?<=\/[\w.~<> -]*\/)<\w+>(?:[/\s"'`:,.)|\\]|$))|<(?!<)|\b(?:await|case|default|delete|do|else|extends|in|instanceof|new|of|return|throw|typeof|void|yield))[^\S\n]*<\s*[\w\p{ID_Start}$({['"`|&/\\-]/mu;

/** A decorator. Excludes tags in comments, which follow a `*`, and package names, which follow a quote. */
const DECORATOR = /(?:^|\b(?:default|export)|[^\w*\s@"'`])[^\S\n]*@[\w\p{ID_Start}$(]/mu;

/** Each row is one kind of syntax: it needs a match for every pattern of the row. Comments are possible wherever spaces are. */
const SIGNS: readonly (readonly RegExp[])[] = [
  [/\b(?:enum|module|namespace)(?:\s+[^\s=.,;:)]|\/[*/])/],
  [/\b(?:import(?:\s+(?:type\s+)?[^\s"'{;=]+)?|export)\s*(?:=|\/[*/])/],
  [/\bconstructor\b/, /\b(?:override|private|protected|public|readonly)\b/],
  [/\bclass\b/, DECORATOR],
  [ASSERTION],
];

/** @returns false if the text certainly has no such syntax; most files then need no parser. */
export function mayBeInerasable(text: string): boolean {
  return SIGNS.some((signs) => signs.every((sign) => sign.test(text)));
}

/** @returns the syntax in source order, at any depth. */
export function findInerasable(statements: readonly Ast.Statement[], source: Source): InerasableSyntax[] {
  if (!mayBeInerasable(source.text)) return [];
  const nodes = walk(statements, (node) => {
    const isLeaf = inspect(node) !== undefined || ("declare" in node && node.declare);
    return isLeaf ? [] : childrenOf(node);
  });
  return nodes.flatMap((node) => {
    const found = inspect(node);
    return found ? [{ ...found, location: locate(source, node) }] : [];
  });
}

/** Recognises a node that emits code, or that Node does not erase. */
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
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (!declared) return false;
    if (declared.type === "TSModuleDeclaration") return holdsOnlyTypes(declared.body);
    return declared.type === "TSInterfaceDeclaration" || declared.type === "TSTypeAliasDeclaration";
  });
}
