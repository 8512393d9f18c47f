/** TypeScript that is more than types: Node takes the types out of a file and runs what is left, so such a file does not load. */

import type { Ast } from "../deps/babel-parser.ts";

/** A declaration that leaves code behind when its types are taken out. */
export interface Inerasable {
  /** As in "an enum". */
  readonly what: string;
  /** What to write in its place. */
  readonly instead: string;
  readonly node: Ast.Node;
}

/** Those at the top level of a file and in its classes; deeper ones are the type checker's to find (`erasableSyntaxOnly`). */
export function findInerasable(statements: readonly Ast.Statement[]): Inerasable[] {
  return statements.flatMap((statement) => {
    const declaration =
      statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration"
        ? statement.declaration
        : statement;
    return declaration ? inspect(declaration) : [];
  });
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
    case "ClassDeclaration":
      return node.body.body.flatMap(inspectMember);
    default:
      return [];
  }
}

function inspectMember(member: Ast.Node): Inerasable[] {
  if (member.type !== "ClassMethod") return [];
  return member.params
    .filter((parameter) => parameter.type === "TSParameterProperty")
    .map((node) => ({ what: "a parameter property", instead: "a field that the constructor sets", node }));
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
