/** A source file as an edit needs it: its imports and names, and which lines each of its functions and tests takes up. */

import { listUnexported } from "#convention/source/exports";
import type {
  ImportStatement,
  Parameter,
  SourceModule,
  Span,
  TypeDeclaration,
  TypeExpression,
} from "#convention/source/module";
import { parseModule } from "#convention/source/reader";
import type { Region } from "./edits.ts";

export interface FunctionOutline extends Region {
  /** Each as it is written: `id: int` has the type `int`; undefined where a parameter is anything but a name with a type. */
  readonly parameters: readonly (ParameterOutline | undefined)[];
}

export interface ParameterOutline {
  readonly name: string;
  readonly type: TypeExpression;
  readonly optional: boolean;
}

export interface InterfaceOutline {
  readonly declaration: TypeDeclaration;
  /** The whole lines, with the comment right above; undefined where it is exported. */
  readonly region: Region | undefined;
}

export interface Outline {
  readonly imports: readonly ImportStatement[];
  /** Every top-level name, types too, with the line that declares it. */
  readonly bindings: ReadonlyMap<string, number>;
  /** The functions among them that are exported under no name. */
  readonly unexported: ReadonlySet<string>;
  /** Every name that it exports, except those of `export *`. */
  readonly exported: ReadonlySet<string>;
  /** The exported function declarations, by name: the whole lines, with the comment right above. */
  readonly functions: ReadonlyMap<string, FunctionOutline>;
  readonly interfaces: ReadonlyMap<string, InterfaceOutline>;
  /** The statements `test("title", …)`, by title, in the same way. */
  readonly tests: ReadonlyMap<string, Region>;
  /** The offset of the last `test.run()` statement that begins a line, before the comments above it. */
  readonly testRun: number | undefined;
  /** The offset of the first statement, or of the end where there is none. */
  readonly firstStatement: number;
  /** The offset after the comment that heads the file, its directives and its shebang. */
  readonly headEnd: number;
}

export interface Unreadable {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}

/** Reads the outline of TypeScript source, or reports where it can't be read. */
export function readOutline(text: string): Outline | Unreadable {
  const module = parseModule(text, "");
  const [problem] = module.problems;
  if (problem !== undefined) {
    const { why: reason, location } = problem;
    return { reason, line: location.line, column: location.column };
  }
  const { imports, firstStatement } = module.places;
  return {
    imports,
    bindings: readBindings(module),
    exported: new Set(module.exports.keys()),
    unexported: new Set(listUnexported(module).keys()),
    functions: readFunctions(text, module),
    interfaces: readInterfaces(text, module),
    tests: readTests(text, module),
    testRun: findTestRun(text, module),
    firstStatement,
    headEnd: findHeadEnd(text, module),
  };
}

export function isUnreadable(outline: Outline | Unreadable): outline is Unreadable {
  return "reason" in outline;
}

function readBindings({ values, types, imports }: SourceModule): ReadonlyMap<string, number> {
  const declared = [...imports, ...types, ...values];
  return new Map(declared.map(([name, { location }]) => [name, location.line]));
}

function readFunctions(text: string, { values, places }: SourceModule): ReadonlyMap<string, FunctionOutline> {
  return new Map(
    [...places.functions].map(([name, statement]) => {
      const value = values.get(name);
      const parameters = value?.kind === "function" ? value.parameters.map(toParameter) : [];
      return [name, { ...regionOf(text, statement, places.comments), parameters }];
    }),
  );
}

function toParameter(parameter: Parameter): FunctionOutline["parameters"][number] {
  if (parameter.kind !== "plain" || parameter.type === null) return undefined;
  const { name, type, optional } = parameter;
  return { name, type, optional };
}

function readInterfaces(
  text: string,
  { types, places }: SourceModule,
): ReadonlyMap<string, InterfaceOutline> {
  const declared = [...types].filter(([, { kind }]) => kind === "interface");
  return new Map(
    declared.map(([name, declaration]) => {
      const statement = places.interfaces.get(name);
      return [name, { declaration, region: statement && regionOf(text, statement, places.comments) }];
    }),
  );
}

function readTests(text: string, { places: { calls, comments } }: SourceModule): ReadonlyMap<string, Region> {
  const tests = calls.flatMap((call): [string, Region][] =>
    call.callee.join(".") === "test" && call.text !== undefined
      ? [[call.text, regionOf(text, call, comments)]]
      : [],
  );
  return new Map(tests);
}

function findTestRun(text: string, { places: { calls, comments } }: SourceModule): number | undefined {
  const run = calls.findLast(({ callee }) => callee.join(".") === "test.run");
  if (run === undefined || !beginsLine(text, run.start)) return undefined;
  return startAbove(text, run, comments, /^\s*$/);
}

/** The lines of a statement and of the comments right above it. */
function regionOf(text: string, statement: Span, comments: readonly Span[]): Region {
  const start = startAbove(text, statement, comments, /^[ \t]*(?:\r?\n)?[ \t]*$/);
  const rest = /^[^\r\n]*/.exec(text.slice(statement.end))?.[0] ?? "";
  return {
    start: start - lineBefore(text, start).replace(/^\uFEFF/, "").length,
    end: statement.end + rest.length,
  };
}

/** Where the comments above a statement begin. @param gap what may be between one and the next. */
function startAbove(text: string, statement: Span, comments: readonly Span[], gap: RegExp): number {
  let [start, next] = [statement.start, statement.start];
  for (let index = comments.length - 1; index >= 0; index--) {
    const comment = comments[index];
    if (comment === undefined || comment.end > next) continue;
    if (!gap.test(text.slice(comment.end, next))) break;
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
  return lineBefore(text, offset).trim() === "";
}

function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}
