/** The one place that parses: source text to a syntax tree. */

import { type Ast, parse } from "#convention/deps/babel-parser";
import { isDeclarationFile, type SourceModule, type Span, type SyntaxProblem } from "./module.ts";
import { type Source, spanOf } from "./tree.ts";

export interface Syntax {
  /** None where the text has a syntax error that the parser can't recover from. */
  readonly statements: readonly Ast.Statement[];
  readonly comments: readonly Span[];
  /** The offset after the shebang and the directives; 0 without them. */
  readonly headEnd: number;
  readonly problems: readonly SyntaxProblem[];
}

/** The file's ending says whether it is JavaScript. */
export function parseSyntax({ text, file }: Source): Syntax {
  try {
    const parsed = parse(text, {
      sourceType: "module",
      attachComment: false,
      plugins: /\.m?js$/.test(file)
        ? ["decorators"]
        : [["typescript", { dts: isDeclarationFile(file) }], "decorators"],
      errorRecovery: true,
    });
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

const sources = new WeakMap<SourceModule, Source>();

export function keepSource(module: SourceModule, source: Source): SourceModule {
  sources.set(module, source);
  return module;
}

/** The text that a module was read from. */
export function sourceOf(module: SourceModule): Source {
  return sources.get(module) ?? { file: module.file, text: "" };
}

type Statements = Syntax["statements"];

const parsedAgain = new WeakMap<Source, WeakRef<Statements>>();

/** The statements of a file that was parsed before, shared by all who ask in one piece of work. */
export function parseAgain(source: Source): Statements {
  const before = parsedAgain.get(source)?.deref();
  if (before) return before;
  const { statements } = parseSyntax(source);
  parsedAgain.set(source, new WeakRef(statements));
  return statements;
}

/** What the parser throws and records. */
interface ParseError {
  readonly loc: Ast.SourceLocation["start"];
  readonly reasonCode: string;
  readonly details: { readonly identifierName?: string };
}

/** The parser's errors have a place. Any other error is not the user's mistake, but one file should not stop the others. */
export function toProblem(error: unknown, file: string): SyntaxProblem {
  const message = error instanceof Error ? error.message : String(error);
  const { loc: place, reasonCode, details } = (error instanceof Error ? error : {}) as Partial<ParseError>;
  const why = error instanceof RangeError ? "it is nested too deeply." : message.replace(/ \(\d+:\d+\)$/, "");
  const location = { file, line: place?.line ?? 1, column: (place?.column ?? 0) + 1 };
  const twice = reasonCode === "VarRedeclaration" ? details?.identifierName : undefined;
  return twice === undefined ? { why, location } : { why, twice, location };
}
