/** What a source file declares at its top level, and where: enough to add to the file without touching the rest of it. */

import { parse } from "#runtime/deps/babel-parser";

export interface ImportedName {
  /** The name in the module it comes from; `*` and `default` for those forms. */
  readonly imported: string;
  readonly local: string;
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

export interface Outline {
  readonly imports: readonly ImportLine[];
  /** Every top-level name, types too, with the line that declares it. */
  readonly bindings: ReadonlyMap<string, number>;
  /** The functions among them that are exported under no name. */
  readonly unexported: ReadonlySet<string>;
  /** The offset of the last `test.run()` statement, before the comment that stands above it. */
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
interface Node {
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
    const { program } = parse(text, { sourceType: "module", plugins: ["typescript", "decorators"] });
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
    testRun: findTestRun(text, body),
    firstStatement: first === undefined ? text.length : startOf(first),
    headEnd: Math.max(headEnd, first === undefined ? text.length : headCommentEnd(text, first)),
  };
}

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
const child = (node: Node, field: string): Node | undefined => (node[field] ?? undefined) as Node | undefined;
const children = (node: Node, field: string): readonly Node[] => (node[field] ?? []) as readonly Node[];
/** An identifier's name or a string's value: both may name an export. */
const nameOf = (node: Node | undefined): string => String(node?.name ?? node?.value ?? "");

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

function namesDeclaredBy(node: Node): readonly string[] {
  if (node.type === "ImportDeclaration")
    return children(node, "specifiers").map((name) => nameOf(child(name, "local")));
  if (node.type === "VariableDeclaration")
    return children(node, "declarations").flatMap((one) => namesIn(child(one, "id")));
  return [nameOf(child(node, "id"))];
}

/** The names that a pattern binds: `{ a, b: [c] }` binds a and c. */
function namesIn(pattern: Node | undefined): readonly string[] {
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
  if (run === undefined) return undefined;
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
