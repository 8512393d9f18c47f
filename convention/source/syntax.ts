/** Parses source text to Babel's syntax tree. No other module calls the parser. */

import { type Ast, type ParserOptions, parse, parseExpression } from "#convention/deps/babel-parser";
import { isDeclarationFile, type Span, type SyntaxProblem } from "./module.ts";
import { type Source, spanOf } from "./tree.ts";

export interface Syntax {
  /** Empty after a syntax error that the parser can't recover from. */
  readonly statements: readonly Ast.Statement[];
  readonly comments: readonly Span[];
  /** The offset after the shebang and the directives; 0 without them. */
  readonly headEnd: number;
  readonly problems: readonly SyntaxProblem[];
}

/** The file extension selects JavaScript or TypeScript. */
export function parseSyntax({ text, file }: Pick<Source, "text" | "file">): Syntax {
  try {
    const parsed = parse(text, toOptions(file));
    const { body, interpreter, directives } = parsed.program;
    return {
      statements: body,
      comments: (parsed.comments ?? []).map(spanOf),
      headEnd: (directives.at(-1) ?? interpreter)?.end ?? 0,
      problems: (parsed.errors ?? []).map((error) => toProblem(error, file)),
    };
  } catch (error) {
    return { statements: [], comments: [], headEnd: 0, problems: [toProblem(error, file)] };
  }
}

/** Parses one function of a file again, at its original offset. */
export function parseFunction({ text, file }: Source, { start, end }: Span): Ast.Expression | undefined {
  try {
    return parseExpression(text.slice(start, end), { ...toOptions(file), startIndex: start });
  } catch {
    return undefined;
  }
}

function toOptions(file: string): ParserOptions {
  const plugins: ParserOptions["plugins"] = /\.m?js$/.test(file)
    ? ["decorators"]
    : [["typescript", { dts: isDeclarationFile(file) }], "decorators"];
  return { sourceType: "module", attachComment: false, locations: false, errorRecovery: true, plugins };
}

/** The fields of an error from the parser. */
interface ParseError {
  readonly loc: { readonly line: number; readonly column: number };
  readonly reasonCode: string;
  readonly details: { readonly identifierName?: string };
}

/** Converts any error to a problem of the file: an error without a location is our bug, but should not stop the other files. */
export function toProblem(error: unknown, file: string): SyntaxProblem {
  const message = error instanceof Error ? error.message : String(error);
  const { loc: place, reasonCode, details } = (error instanceof Error ? error : {}) as Partial<ParseError>;
  const why = error instanceof RangeError ? "it is nested too deeply." : message.replace(/ \(\d+:\d+\)$/, "");
  const location = { file, line: place?.line ?? 1, column: (place?.column ?? 0) + 1 };
  const twice = reasonCode === "VarRedeclaration" ? details?.identifierName : undefined;
  return twice === undefined ? { why, location } : { why, twice, location };
}
