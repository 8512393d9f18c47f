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

/** How much text the kept trees may have: each takes many times the memory of its text. */
const MOST_TEXT = 4 * 1024 * 1024;

/** Trees for those who read the files of a project more than once, the last used ones of so much text. They go with who holds this. */
export class Trees {
  /** The last used one is the last. */
  readonly #kept = new Map<Source, Statements>();
  #size = 0;
  /** By file. */
  readonly #ahead = new Map<string, { readonly text: string; readonly syntax: Syntax }>();
  #sizeAhead = 0;

  /** Parses a file once for those who need its tree, and for {@link take}. */
  parse(source: Source): Syntax {
    const { text, file } = source;
    const before = this.#ahead.get(file);
    if (before?.text === text) return before.syntax;
    const syntax = parseSyntax(source);
    if (this.#sizeAhead + text.length > MOST_TEXT) return syntax;
    this.#sizeAhead += text.length;
    this.#ahead.set(file, { text, syntax });
    return syntax;
  }

  /** What is parsed already, or is now. The next one who takes it parses it again. */
  take(source: Source): Syntax {
    const { text, file } = source;
    const before = this.#ahead.get(file);
    if (!this.#ahead.delete(file) || before === undefined) return parseSyntax(source);
    this.#sizeAhead -= before.text.length;
    return before.text === text ? before.syntax : parseSyntax(source);
  }

  keep(source: Source, statements: Statements): void {
    holders.set(source, this);
    this.#kept.set(source, statements);
    this.#size += source.text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= MOST_TEXT || oldest === source) break;
      this.#kept.delete(oldest);
      this.#size -= oldest.text.length;
    }
  }

  find(source: Source): Statements | undefined {
    const statements = this.#kept.get(source);
    if (statements === undefined) return undefined;
    this.#kept.delete(source);
    this.#kept.set(source, statements);
    return statements;
  }
}

const holders = new WeakMap<Source, Trees>();
const parsedAgain = new WeakMap<Source, WeakRef<Statements>>();

/** The statements of a file that was parsed before. Without {@link Trees}, they are shared by all who ask in one piece of work. */
export function parseAgain(source: Source): Statements {
  const trees = holders.get(source);
  const before = trees ? trees.find(source) : parsedAgain.get(source)?.deref();
  if (before) return before;
  const { statements } = parseSyntax(source);
  if (trees) trees.keep(source, statements);
  else parsedAgain.set(source, new WeakRef(statements));
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
