/** A source file as an edit needs it: its imports, its names, and where its parts begin. */

import { listUnexported } from "#convention/source/exports";
import type { ImportStatement, SourceModule, Span, TypeDeclaration } from "#convention/source/module";
import { parseModule } from "#convention/source/reader";
import { orRefused, Refused, refuse } from "../refused.ts";

export interface Outline {
  readonly imports: readonly ImportStatement[];
  /** Every top-level name, types too, with the line that declares it. */
  readonly bindings: ReadonlyMap<string, number>;
  /** The functions among them that are exported under no name. */
  readonly unexported: ReadonlySet<string>;
  /** Every name that it exports, except those of `export *`. */
  readonly exported: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, TypeDeclaration>;
  /** The offset of the last `test.run()` statement that begins a line, before the comments above it. */
  readonly testRun: number | undefined;
  /** The offset after the comment that heads the file, its directives and its shebang. */
  readonly headEnd: number;
}

/** Reads the outline of TypeScript source. @throws {Refused} where it can't be read. */
export function readOutline(file: string, text: string): Outline {
  const module = parseModule(text, "");
  const [problem] = module.problems;
  if (problem !== undefined) {
    const { line, column } = problem.location;
    const why = `it has a syntax error (${problem.why.replace(/\.$/, "")})`;
    refuse("FW612", { file, why, hint: "Fix it, and run the command again." }, { file, line, column });
  }
  return {
    imports: module.places.imports,
    bindings: readBindings(module),
    exported: new Set(module.exports.keys()),
    unexported: new Set(listUnexported(module).keys()),
    types: module.types,
    testRun: findTestRun(text, module),
    headEnd: findHeadEnd(text, module),
  };
}

/** As {@link readOutline}, or why not: as the end of "… was left alone because". */
export function tryOutline(file: string, text: string): Outline | string {
  const outline = orRefused(() => readOutline(file, text));
  if (!(outline instanceof Refused)) return outline;
  return `it has a syntax error in line ${outline.diagnostics[0]?.locations[0]?.line}`;
}

/** Of a text to which only whole statements were added since it was read. */
export function outlineOf(text: string): Outline {
  return readOutline("the planned text", text);
}

function readBindings({ values, types, imports }: SourceModule): ReadonlyMap<string, number> {
  const declared = [...imports, ...types, ...values];
  return new Map(declared.map(([name, { location }]) => [name, location.line]));
}

function findTestRun(text: string, { places: { calls, comments } }: SourceModule): number | undefined {
  const run = calls.findLast(({ callee }) => callee.join(".") === "test.run");
  if (run === undefined || !beginsLine(text, run.start)) return undefined;
  return startAbove(text, run, comments);
}

/** Where the comments above a statement begin. */
function startAbove(text: string, statement: Span, comments: readonly Span[]): number {
  let [start, next] = [statement.start, statement.start];
  for (const comment of comments.toReversed()) {
    if (comment.end > next) continue;
    if (text.slice(comment.end, next).trim() !== "") break;
    next = comment.start;
    if (beginsLine(text, next)) start = next;
  }
  return start;
}

/** A comment at the top with a blank line below it speaks of the file; one right above a statement speaks of that statement. */
function findHeadEnd(text: string, { places }: SourceModule): number {
  const { comments, firstStatement, headEnd } = places;
  if (firstStatement === text.length) return text.length;
  const heads = comments.filter(
    ({ end }) => end <= firstStatement && /^[ \t]*\r?\n[ \t]*\r?\n/.test(text.slice(end)),
  );
  return Math.max(headEnd, heads.at(-1)?.end ?? 0);
}

function beginsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() === "";
}
