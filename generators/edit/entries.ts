/** The entries of an object or an interface: `books: BookTable;` is added to them, and the rest stays as it is. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Edit } from "#convention/source/edits";
import { parseSyntax } from "#convention/source/syntax";
import { nodesIn, pathOf, spanOf } from "#convention/source/tree";
import type { Region } from "./insert.ts";
import type { Style } from "./style.ts";

export interface Entry extends Region {
  readonly name: string;
}

/** What is between two braces. */
export interface Entries {
  /** From the opening brace to behind the closing one. */
  readonly braces: Region;
  readonly entries: readonly Entry[];
  /** What is between two entries. */
  readonly separator: "," | ";";
}

/** The members of an interface; undefined where the file has none of this name. */
export function findInterface(text: string, name: string): Entries | undefined {
  const found = declarations(text).find(
    (one): one is Ast.TSInterfaceDeclaration => one.type === "TSInterfaceDeclaration" && one.id.name === name,
  );
  if (found === undefined) return undefined;
  const entries = found.body.body.map((one) => toEntry(one, "key" in one ? one.key : undefined));
  return { braces: spanOf(found.body), entries, separator: ";" };
}

/** The object that a top-level constant is. */
export function findConstant(text: string, name: string): Entries | undefined {
  const values = declarations(text).flatMap((one) =>
    one.type === "VariableDeclaration" ? one.declarations : [],
  );
  const found = values.find(({ id }) => id.type === "Identifier" && id.name === name);
  return toEntries(found?.init);
}

/** The first object among the arguments of a call at the top of the file. @example findArgument(text, "seedDatabase") */
export function findArgument(text: string, callee: string): Entries | undefined {
  const calls = statementsOf(text).map((one) =>
    one.type === "ExpressionStatement" ? bare(one.expression) : one,
  );
  const found = calls.find(
    (one): one is Ast.CallExpression =>
      one.type === "CallExpression" && pathOf(one.callee)?.join(".") === callee,
  );
  return toEntries(found?.arguments.find((one) => bare(one).type === "ObjectExpression"));
}

function statementsOf(text: string): readonly Ast.Node[] {
  return parseSyntax({ text, file: "" }).statements;
}

function declarations(text: string): readonly Ast.Node[] {
  return statementsOf(text).map((one) =>
    one.type === "ExportNamedDeclaration" && one.declaration ? one.declaration : one,
  );
}

function toEntries(node: Ast.Node | null | undefined): Entries | undefined {
  const object = node && bare(node);
  if (object?.type !== "ObjectExpression") return undefined;
  const entries = object.properties.map((one) => toEntry(one, "key" in one ? one.key : undefined));
  return { braces: spanOf(object), entries, separator: "," };
}

/** Without `await`, `as` and `satisfies` around it. */
function bare(node: Ast.Node): Ast.Node {
  if (node.type === "AwaitExpression") return bare(node.argument);
  if (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression") return bare(node.expression);
  return node;
}

/** Of a spread or a signature the name is "". */
function toEntry(node: Ast.Node, key: unknown): Entry {
  const [name] = nodesIn(key);
  if (name?.type === "Identifier") return { ...spanOf(node), name: name.name };
  return { ...spanOf(node), name: name?.type === "StringLiteral" ? name.value : "" };
}

/**
 * Adds an entry as the last one, on lines of its own.
 *
 * @param entry styled, without what comes after it.
 */
export function addEntry(
  text: string,
  { braces, entries, separator }: Entries,
  entry: string,
  style: Style,
): Edit {
  const { eol, indent } = style;
  const outer = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", braces.start) + 1))?.[0] ?? "";
  const end = separator === ";" && !style.semicolons ? "" : separator;
  const own = entry
    .split(eol)
    .map((line) => eol + outer + indent + line)
    .join("");
  const [start, close] = [braces.start + 1, braces.end - 1];
  const inside = text.slice(start, close);
  const last = entries.at(-1);
  if (last === undefined || (!inside.includes("\n") && !inside.includes("/*"))) {
    const others = entries.map((one) => eol + outer + indent + bareEntry(text, one) + end);
    const kept = last === undefined ? inside.trimEnd() : others.join("");
    return { start, end: close, text: `${kept}${own}${end}${eol}${outer}` };
  }
  const rest = text.slice(last.end, close);
  const isSeparated = /^\s*[,;]/.test(rest) || /[,;]$/.test(text.slice(last.start, last.end));
  const tail =
    /^[ \t]*[,;]?[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(rest)?.[0] ?? /^(?:\s*[,;])?/.exec(rest)?.[0] ?? "";
  const added = `${isSeparated ? "" : end}${tail}${own}${end}`;
  return { start: last.end, end: last.end + tail.length, text: added };
}

function bareEntry(text: string, { start, end }: Entry): string {
  return text.slice(start, end).replace(/[,;]$/, "");
}
