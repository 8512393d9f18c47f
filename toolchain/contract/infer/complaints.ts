/** What TypeScript says against a copy, and how a copy is changed so that it is written all the same. */

import type { Ast } from "#convention/deps/babel-parser";
import { applyEdits, type Edit } from "#convention/source/edits";
import { parseSyntax } from "#convention/source/syntax";

export interface Complaint {
  /** Relative to the folder of the copies. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly code: number;
  readonly message: string;
}

const COMPLAINT = /^(.+?)\((\d+),(\d+)\): error TS(\d+): (.*)$/gm;

export function readComplaints(output: string): readonly Complaint[] {
  return [...output.matchAll(COMPLAINT)].map(([, file = "", line, column, code, message = ""]) => ({
    file: file.replaceAll("\\", "/"),
    line: Number(line),
    column: Number(column),
    code: Number(code),
    // The name of the folder is another one each time.
    message: message.trim().replace(/[^'"\s]*\.framework-infer-\w+\//g, ""),
  }));
}

/** For one of these TypeScript writes no declarations of the whole file: the type has no name there, or is too long. */
export function isAboutNames({ code }: Complaint): boolean {
  return /^(?:2527|2742|2883|4\d{3}|7056|9\d{3})$/.test(String(code));
}

export interface Quieted {
  readonly text: string;
  /** By the local names of the functions whose types are now `any`. */
  readonly withheld: ReadonlyMap<string, Complaint>;
}

/** Writes `any` as the type of what TypeScript can't write the type of. */
export function quieten(text: string, file: string, complaints: readonly Complaint[]): Quieted {
  const { statements } = parseSyntax({ text, file });
  const withheld = new Map<string, Complaint>();
  const edits = complaints.flatMap((complaint): Edit[] => {
    const offset = offsetOf(text, complaint);
    const found = statements.flatMap(declaredIn).find(({ node }) => contains(node, offset));
    if (found === undefined || withheld.has(found.name)) return [];
    withheld.set(found.name, complaint);
    return [{ start: found.typeAt, end: found.typeAt, text: ": any " }];
  });
  return { text: applyEdits(text, edits), withheld };
}

function offsetOf(text: string, { line, column }: Complaint): number {
  const before = text.split("\n", line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, column - 1);
}

function contains({ start, end }: Ast.Node, offset: number): boolean {
  return (start ?? 0) <= offset && offset < (end ?? 0);
}

/** Something whose type is not written. */
interface Untyped {
  readonly name: string;
  readonly node: Ast.Node;
  /** Where its type would be written. */
  readonly typeAt: number;
}

function declaredIn(statement: Ast.Statement): readonly Untyped[] {
  const isExport =
    statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
  const node = isExport ? statement.declaration : statement;
  if (node?.type === "FunctionDeclaration" && !node.returnType)
    return [{ name: node.id?.name ?? "*default*", node, typeAt: node.body.start ?? 0 }];
  if (node?.type !== "VariableDeclaration") return [];
  return node.declarations.flatMap((one) =>
    one.id.type === "Identifier" && !one.id.typeAnnotation
      ? [{ name: one.id.name, node: one, typeAt: one.id.end ?? 0 }]
      : [],
  );
}
