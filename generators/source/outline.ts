/** What a source file declares at its top level, and where: enough to add to the file without touching the rest of it. */

import { parse } from "#runtime/deps/babel-parser";
import type { Region } from "./edits.ts";

export interface ImportedName {
  /** The name in the module it comes from; `*` and `default` for those forms. */
  readonly imported: string;
  readonly local: string;
  /** It stands in braces: `import { Request }`. */
  readonly isNamed: boolean;
  /** `import { type Request }`, with the word at this name. */
  readonly typeOnly: boolean;
  readonly start: number;
  readonly end: number;
}

export interface ImportLine {
  readonly source: string;
  /** `import type { … }`, with the word for the whole line. */
  readonly typeOnly: boolean;
  readonly names: readonly ImportedName[];
  readonly start: number;
  readonly end: number;
}

export interface FunctionOutline extends Region {
  /** Each as it is written: `id: int` has the type `int`; undefined where a parameter is anything but a name with a type. */
  readonly parameters: readonly ({ readonly name: string; readonly type: string } | undefined)[];
}

export interface Outline {
  readonly imports: readonly ImportLine[];
  /** Every top-level name, types too, with the line that declares it. */
  readonly bindings: ReadonlyMap<string, number>;
  /** The functions among them that are exported under no name. */
  readonly unexported: ReadonlySet<string>;
  /** The exported function declarations, by name: the whole lines, with the comment that stands right above. */
  readonly functions: ReadonlyMap<string, FunctionOutline>;
  /** The statements `test("title", …)`, by title, in the same way. */
  readonly tests: ReadonlyMap<string, Region>;
  /** The offset of the last `test.run()` statement that begins a line, before the comment that stands above it. */
  readonly testRun: number | undefined;
  /** The offset of the first statement, or of the end where there is none. */
  readonly firstStatement: number;
  /** The offset behind the comment that heads the file, its directives and its shebang. */
  readonly headEnd: number;
}

export interface Unreadable {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}

/** A node of the parser's tree, as far as it is read here: the parser's own types don't leave its file. */
export interface Node {
  readonly type: string;
  readonly start?: number | null;
  readonly end?: number | null;
  readonly loc?: { readonly start: { readonly line: number } } | null;
  readonly leadingComments?: readonly { readonly start?: number; readonly end?: number }[] | null;
  readonly [field: string]: unknown;
}

/** Reads the outline of TypeScript source, or tells where it can't be read. Pure: nothing is loaded or run. */
export function readOutline(text: string): Outline | Unreadable {
  let body: readonly Node[];
  let headEnd = 0;
  try {
    const { program } = parseSource(text);
    body = program.body as unknown as readonly Node[];
    const heads = [program.interpreter, ...program.directives] as unknown as readonly (Node | null)[];
    for (const head of heads) headEnd = Math.max(headEnd, head?.end ?? 0);
  } catch (error) {
    return toUnreadable(error);
  }
  const first = body[0];
  return {
    imports: body.filter((node) => node.type === "ImportDeclaration").map(toImportLine),
    bindings: readBindings(body),
    unexported: readUnexported(body),
    functions: readFunctions(text, body),
    tests: readTests(text, body),
    testRun: findTestRun(text, body),
    firstStatement: first === undefined ? text.length : startOf(first),
    headEnd: Math.max(headEnd, first === undefined ? text.length : headCommentEnd(text, first)),
  };
}

export const parseSource = (text: string): ReturnType<typeof parse> =>
  parse(text, { sourceType: "module", plugins: ["typescript", "decorators"] });

export function isUnreadable(outline: Outline | Unreadable): outline is Unreadable {
  return "reason" in outline;
}

function toUnreadable(error: unknown): Unreadable {
  if (!(error instanceof SyntaxError)) throw error;
  const { line, column } = (error as { loc?: { line: number; column: number } }).loc ?? {
    line: 1,
    column: 0,
  };
  return { reason: error.message.replace(/ \(\d+:\d+\)$/, ""), line, column: column + 1 };
}

const startOf = (node: Node): number => node.start ?? 0;
const endOf = (node: Node): number => node.end ?? 0;
export const child = (node: Node, field: string): Node | undefined =>
  (node[field] ?? undefined) as Node | undefined;
export const children = (node: Node, field: string): readonly Node[] =>
  (node[field] ?? []) as readonly Node[];
/** An identifier's name or a string's value: both may name an export. */
export const nameOf = (node: Node | undefined): string => String(node?.name ?? node?.value ?? "");

function toImportLine(node: Node): ImportLine {
  return {
    source: nameOf(child(node, "source")),
    typeOnly: node.importKind === "type",
    names: children(node, "specifiers").map(toImportedName),
    start: startOf(node),
    end: endOf(node),
  };
}

function toImportedName(node: Node): ImportedName {
  const forms: Record<string, string> = { ImportDefaultSpecifier: "default", ImportNamespaceSpecifier: "*" };
  return {
    imported: forms[node.type] ?? nameOf(child(node, "imported")),
    local: nameOf(child(node, "local")),
    isNamed: node.type === "ImportSpecifier",
    typeOnly: node.importKind === "type",
    start: startOf(node),
    end: endOf(node),
  };
}

function readBindings(body: readonly Node[]): ReadonlyMap<string, number> {
  const bindings = new Map<string, number>();
  for (const statement of body) {
    const declared = child(statement, "declaration") ?? statement;
    for (const name of namesDeclaredBy(declared)) {
      bindings.set(name, (declared.loc ?? statement.loc)?.start.line ?? 1);
    }
  }
  bindings.delete("");
  return bindings;
}

function readUnexported(body: readonly Node[]): ReadonlySet<string> {
  const functions = body.flatMap((statement) => {
    if (statement.type === "FunctionDeclaration") return [nameOf(child(statement, "id"))];
    return statement.type === "VariableDeclaration"
      ? children(statement, "declarations").filter(holdsFunction).flatMap(namesDeclaredBy)
      : [];
  });
  const exported = body
    .filter(({ type, source }) => type === "ExportNamedDeclaration" && !source)
    .flatMap((statement) => children(statement, "specifiers"))
    .map((specifier) => nameOf(child(specifier, "local")));
  return new Set(functions.filter((name) => !exported.includes(name)));
}

function holdsFunction(declaration: Node): boolean {
  return /^(?:ArrowFunction|Function)Expression$/.test(child(declaration, "init")?.type ?? "");
}

export function namesDeclaredBy(node: Node): readonly string[] {
  if (node.type === "ImportDeclaration")
    return children(node, "specifiers").map((name) => nameOf(child(name, "local")));
  if (node.type === "VariableDeclaration")
    return children(node, "declarations").flatMap((one) => namesIn(child(one, "id")));
  return [nameOf(child(node, "id"))];
}

/** The names that a pattern binds: `{ a, b: [c] }` binds a and c. */
export function namesIn(pattern: Node | undefined): readonly string[] {
  switch (pattern?.type) {
    case "Identifier":
      return [nameOf(pattern)];
    case "ObjectPattern":
      return children(pattern, "properties").flatMap((one) =>
        namesIn(child(one, "value") ?? child(one, "argument")),
      );
    case "ArrayPattern":
      return children(pattern, "elements").flatMap((one) => namesIn(one ?? undefined));
    case "AssignmentPattern":
      return namesIn(child(pattern, "left"));
    case "RestElement":
      return namesIn(child(pattern, "argument"));
    default:
      return [];
  }
}

function readFunctions(text: string, body: readonly Node[]): ReadonlyMap<string, FunctionOutline> {
  const exported = body.filter(({ type }) => type === "ExportNamedDeclaration");
  const functions = exported.flatMap((statement): [string, FunctionOutline][] => {
    const declared = child(statement, "declaration");
    if (declared?.type !== "FunctionDeclaration") return [];
    const parameters = children(declared, "params").map((param) => toParameter(text, param));
    return [[nameOf(child(declared, "id")), { ...regionOf(text, statement), parameters }]];
  });
  return new Map(functions);
}

function toParameter(text: string, param: Node): FunctionOutline["parameters"][number] {
  const annotation = child(param, "typeAnnotation");
  const type = annotation && child(annotation, "typeAnnotation");
  if (param.type !== "Identifier" || type === undefined) return undefined;
  return { name: nameOf(param), type: text.slice(startOf(type), endOf(type)) };
}

function readTests(text: string, body: readonly Node[]): ReadonlyMap<string, Region> {
  const tests = body.flatMap((statement): [string, Region][] => {
    const call = child(statement, "expression");
    if (call?.type !== "CallExpression" || nameOf(child(call, "callee")) !== "test") return [];
    const [title] = children(call, "arguments");
    return title?.type === "StringLiteral" ? [[nameOf(title), regionOf(text, statement)]] : [];
  });
  return new Map(tests);
}

/** The lines of a statement and of the comments right above it. */
function regionOf(text: string, statement: Node): Region {
  let start = startOf(statement);
  for (const comment of statement.leadingComments?.toReversed() ?? []) {
    if (/^[ \t]*\r?\n[ \t]*$/.test(text.slice(comment.end ?? 0, start))) start = comment.start ?? 0;
  }
  const rest = /^[^\r\n]*/.exec(text.slice(endOf(statement)))?.[0] ?? "";
  return {
    start: start - lineBefore(text, start).replace(/^\uFEFF/, "").length,
    end: endOf(statement) + rest.length,
  };
}

function findTestRun(text: string, body: readonly Node[]): number | undefined {
  const run = body.findLast((node) => {
    const call = child(node, "expression");
    const callee = call?.type === "CallExpression" ? child(call, "callee") : undefined;
    return (
      callee !== undefined &&
      nameOf(child(callee, "object")) === "test" &&
      nameOf(child(callee, "property")) === "run"
    );
  });
  if (run === undefined || lineBefore(text, startOf(run)).trim() !== "") return undefined;
  const above = run.leadingComments?.find((comment) => lineBefore(text, comment.start ?? 0).trim() === "");
  return above?.start ?? startOf(run);
}

/** A comment at the top with a blank line below it speaks of the file; one right above a statement speaks of that statement. */
function headCommentEnd(text: string, first: Node): number {
  let end = 0;
  for (const comment of first.leadingComments ?? []) {
    const after = text.slice(comment.end ?? 0);
    if (/^[ \t]*\r?\n[ \t]*\r?\n/.test(after)) end = comment.end ?? 0;
  }
  return end;
}

function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}
