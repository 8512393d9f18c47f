/** Copies of the project's sources in which TypeScript keeps a value and its status apart, and can name every type. */

import { posix } from "node:path";
import type { Ast } from "#convention/deps/babel-parser";
import { VENDORED_FOLDER } from "#convention/layout";
import type { Sources } from "#convention/project";
import { isFunction, returnedNodes, type WrittenFunction } from "#convention/source/bodies";
import { applyEdits, type Edit } from "#convention/source/edits";
import { isDeclarationFile } from "#convention/source/module";
import { toRelative } from "#convention/source/modules";
import { parseSyntax } from "#convention/source/syntax";
import { nameOf, walk } from "#convention/source/tree";
import type { Wanted } from "./wanted.ts";

/**
 * Copies the files of the functions, and all that these import.
 *
 * @param home the path from the folder of the copies to the project, with forward slashes.
 * @returns the texts, by the files of the project that they are copies of.
 */
export function copySources(
  { files, types: { modules } }: Sources,
  functions: Wanted,
  home: string,
): ReadonlyMap<string, string> {
  const wanted = new Set([...functions.values()].map(({ module }) => module.file));
  const parsed: (ParsedFile & { readonly file: string; readonly text: string })[] = [];
  const texts = new Map<string, string>();
  // The set grows while it is read.
  for (const file of wanted) {
    const text = files.read(file);
    if (text === undefined) continue;
    const found = toParsedFile(parseSyntax({ text, file }).statements);
    parsed.push({ file, text, ...found });
    for (const { value } of found.specifiers) {
      const target = modules.resolve(file, value, true);
      if (target !== undefined && isCopied(target)) wanted.add(target);
    }
  }
  for (const { file, text, specifiers, pairs, unexported } of parsed) {
    const edits = [...specifiers.flatMap((node) => pointElsewhere(file, node)), ...pairs.flatMap(toCall)];
    // TypeScript can name only what is exported.
    const more = unexported.length === 0 ? "" : `\nexport type { ${unexported.join(", ")} };\n`;
    texts.set(file, applyEdits(text, edits) + more);
  }
  return texts;

  /** An alias leads to the original, and so does a path out of the project. */
  function pointElsewhere(file: string, node: Ast.StringLiteral): Edit[] {
    const target = modules.resolve(file, node.value, true) ?? modules.locate(file, node.value, true);
    if (target === undefined) return [];
    const path = wanted.has(target) ? target : posix.join(home, target);
    const text = JSON.stringify(toRelative(file, path));
    return [{ start: node.start ?? 0, end: node.end ?? 0, text }];
  }
}

function isCopied(file: string): boolean {
  return /\.m?ts$/.test(file) && !isDeclarationFile(file) && !file.startsWith("../") && !FOREIGN.test(file);
}

const FOREIGN = new RegExp(`^${VENDORED_FOLDER}/|(?:^|/)node_modules/`);

interface ParsedFile {
  readonly specifiers: readonly Ast.StringLiteral[];
  readonly pairs: readonly Ast.ArrayExpression[];
  readonly unexported: readonly string[];
}

function toParsedFile(statements: readonly Ast.Statement[]): ParsedFile {
  const all = walk(statements);
  return {
    specifiers: all.flatMap(specifiersIn),
    pairs: findPairs(statements, all),
    unexported: listUnexportedTypes(statements),
  };
}

function specifiersIn(node: Ast.Node): readonly Ast.StringLiteral[] {
  const source = sourceOf(node);
  return source?.type === "StringLiteral" ? [source] : [];
}

function sourceOf(node: Ast.Node): Ast.Node | null | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return node.source;
    case "TSExternalModuleReference":
      return node.expression;
    case "TSModuleDeclaration":
      return node.id;
    default:
      return undefined;
  }
}

/** Whether a function inside another is a handler's is not known, so that there only a literal status counts. */
function findPairs(statements: readonly Ast.Statement[], all: readonly Ast.Node[]): Ast.ArrayExpression[] {
  const asserted = new Set(all.flatMap((node) => (node.type === "TSAsExpression" ? [node.expression] : [])));
  const outer = new Set(statements.flatMap(functionsOf));
  return all.filter(isFunction).flatMap((written) =>
    returnedNodes(written).filter((node): node is Ast.ArrayExpression => {
      if (node.type !== "ArrayExpression" || asserted.has(node as Ast.Expression)) return false;
      const [first, second, third] = node.elements;
      if (!first || !second || third !== undefined) return false;
      if (first.type === "SpreadElement" || second.type === "SpreadElement") return false;
      return outer.has(written) || isStatus(second);
    }),
  );
}

/** The functions that a statement gives a name. */
function functionsOf(statement: Ast.Statement): readonly WrittenFunction[] {
  const declared =
    statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration"
      ? statement.declaration
      : statement;
  const values =
    declared?.type === "VariableDeclaration" ? declared.declarations.map(({ init }) => init) : [declared];
  return values.flatMap((value) => {
    let inner: Ast.Node | null | undefined = value;
    while (inner?.type === "TSAsExpression" || inner?.type === "TSSatisfiesExpression")
      inner = inner.expression;
    return inner && isFunction(inner) ? [inner] : [];
  });
}

function isStatus(node: Ast.Node): boolean {
  if (node.type === "ConditionalExpression") return isStatus(node.consequent) && isStatus(node.alternate);
  return node.type === "NumericLiteral" && node.value >= 200 && node.value <= 599;
}

function toCall({ start, end }: Ast.ArrayExpression): readonly Edit[] {
  const [from, to] = [start ?? 0, end ?? 0];
  return [
    // The space: `return[x, 201]`.
    { start: from, end: from + 1, text: " $pair(" },
    { start: to - 1, end: to, text: ")" },
  ];
}

/** None of a script, which an `export` would make a module. */
function listUnexportedTypes(statements: readonly Ast.Statement[]): readonly string[] {
  if (!statements.some(({ type }) => /^(?:Import|Export)/.test(type))) return [];
  const exported = new Set(
    statements.flatMap((statement) => {
      const all = statement.type === "ExportNamedDeclaration" ? statement.specifiers : [];
      return all.flatMap((one) =>
        one.type === "ExportSpecifier" ? [nameOf(one.local), nameOf(one.exported)] : [],
      );
    }),
  );
  const declared = statements.flatMap((statement) =>
    statement.type === "TSInterfaceDeclaration" ||
    statement.type === "TSTypeAliasDeclaration" ||
    statement.type === "TSEnumDeclaration" ||
    (statement.type === "ClassDeclaration" && statement.id)
      ? [statement.id?.name ?? ""]
      : [],
  );
  return [...new Set(declared)].filter((name) => !exported.has(name));
}
