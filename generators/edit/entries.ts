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

/**
 * The members of a top-level interface, or the entries of the object that a constant is or that a call takes.
 *
 * @param name of the interface, the constant or the function: `Tables`, `migrations`, `seedDatabase`.
 */
export function findEntries(text: string, name: string): Entries | undefined {
  for (const statement of parseSyntax({ text, file: "" }).statements) {
    const found = findBraces(statement, name);
    if (found === undefined) continue;
    const [nodes, separator] =
      found.type === "TSInterfaceBody" ? ([found.body, ";"] as const) : ([found.properties, ","] as const);
    const entries = nodes.map((one) => toEntry(one, "key" in one ? one.key : undefined));
    return { braces: spanOf(found), entries, separator };
  }
  return undefined;
}

type Braces = Ast.TSInterfaceBody | Ast.ObjectExpression;

function findBraces(node: Ast.Node, name: string): Braces | undefined {
  const own = bare(node);
  if (own.type === "TSInterfaceDeclaration") return own.id.name === name ? own.body : undefined;
  if (own.type === "VariableDeclaration") {
    const found = own.declarations.find(({ id }) => id.type === "Identifier" && id.name === name);
    return found?.init ? toObject(found.init) : undefined;
  }
  if (own.type !== "CallExpression" || pathOf(own.callee)?.join(".") !== name) return undefined;
  return own.arguments.map(toObject).find((one) => one !== undefined);
}

function toObject(node: Ast.Node): Ast.ObjectExpression | undefined {
  const own = bare(node);
  return own.type === "ObjectExpression" ? own : undefined;
}

/** Without `export`, `await`, `as` and `satisfies` around it. */
function bare(node: Ast.Node): Ast.Node {
  if (node.type === "ExportNamedDeclaration" && node.declaration) return bare(node.declaration);
  if (node.type === "AwaitExpression") return bare(node.argument);
  const isWrapper =
    node.type === "ExpressionStatement" ||
    node.type === "TSAsExpression" ||
    node.type === "TSSatisfiesExpression";
  return isWrapper ? bare(node.expression) : node;
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
