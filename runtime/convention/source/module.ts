/** What one TypeScript file declares, imports and exports at its top level, as plain data: source text in, no names followed yet. */

import type { Location } from "#runtime/core/routing/route";
import { type Ast, parse } from "#runtime/deps/babel-parser";
import { findInerasable } from "./erasure.ts";

export interface SourceModule {
  readonly file: string;
  /** By exported name; `export *` stands in `stars`. */
  readonly exports: ReadonlyMap<string, ModuleExport>;
  readonly stars: readonly StarExport[];
  readonly values: ReadonlyMap<string, Value>;
  readonly types: ReadonlyMap<string, TypeDeclaration>;
  readonly imports: ReadonlyMap<string, ModuleImport>;
  /** What its statements import at run time, in their order. */
  readonly sources: readonly ImportSource[];
  /** What is wrong with the text. With a syntax error that can't be passed over, nothing else is known of the file. */
  readonly problems: readonly SyntaxProblem[];
  /** TypeScript in it that is more than types. */
  readonly inerasable: readonly InerasableSyntax[];
}

/** A specifier, where it stands. */
export interface ImportSource {
  readonly text: string;
  readonly location: Location;
}

export interface InerasableSyntax {
  readonly what: string;
  readonly instead: string;
  readonly location: Location;
}

export interface SyntaxProblem {
  readonly why: string;
  /** The name that the file declares or exports a second time, if that is what is wrong. */
  readonly twice?: string;
  readonly location: Location;
}

/** Either something of this file, by its local name, or by name something of another one; "*" is all of it as one object. */
export interface ModuleExport {
  readonly name: string;
  /** The specifier of the other file, or null. */
  readonly from: string | null;
  /** Gone when the types are erased. */
  readonly typeOnly: boolean;
  readonly location: Location;
}

export interface StarExport {
  readonly from: string;
  readonly typeOnly: boolean;
  readonly location: Location;
}

/** "*" imports all of the file as one object, "default" its default export. */
export interface ModuleImport {
  readonly name: string;
  readonly from: string;
  readonly typeOnly: boolean;
  readonly location: Location;
}

/** What a top-level name stands for at run time. */
export type Value =
  | FunctionValue
  /** Another name for the same thing: `const a = b`. */
  | { readonly kind: "name"; readonly name: string; readonly location: Location }
  /** Something that may be a function, but not one that can be read here. */
  | { readonly kind: "opaque"; readonly why: string; readonly location: Location }
  /** Something that is no function. */
  | { readonly kind: "other"; readonly what: string; readonly location: Location };

export interface FunctionValue {
  readonly kind: "function";
  readonly parameters: readonly Parameter[];
  /** The names of its own type parameters. */
  readonly generics: readonly string[];
  /** The type that the variable or a `satisfies` gives it, which types its untyped parameters. */
  readonly contextual: TypeExpression | null;
  /** False for a declaration alone, as in `declare function` or an overload without an implementation. */
  readonly body: boolean;
  readonly location: Location;
}

export type Parameter =
  | PlainParameter
  | { readonly kind: "rest" | "destructured"; readonly location: Location };

export interface PlainParameter {
  readonly kind: "plain";
  readonly name: string;
  /** What is written, or what a literal default makes of it; null where there is neither. */
  readonly type: TypeExpression | null;
  /** It has a `?` or a default. */
  readonly optional: boolean;
  readonly location: Location;
}

export type TypeExpression =
  | {
      readonly kind: "keyword";
      readonly name: "number" | "string";
      readonly text: string;
      readonly location: Location;
    }
  /** `int`, or with a dot `framework.int`. */
  | {
      readonly kind: "name";
      readonly path: readonly string[];
      readonly text: string;
      readonly location: Location;
    }
  /** `import("framework").int` */
  | {
      readonly kind: "import";
      readonly from: string;
      readonly path: readonly string[];
      readonly text: string;
      readonly location: Location;
    }
  | {
      readonly kind: "function";
      readonly parameters: readonly Parameter[];
      readonly text: string;
      readonly location: Location;
    }
  | { readonly kind: "other"; readonly text: string; readonly location: Location };

/** `type` null: an interface, a class, an enum or a generic alias, which stands for no param type. */
export interface TypeDeclaration {
  readonly type: TypeExpression | null;
  readonly location: Location;
}

/** The local name of a default export that has none of its own. */
export const DEFAULT_NAME = "*default*";

/** @param file relative to the project root, for the locations; its ending tells whether it is TypeScript. */
export function parseModule(text: string, file: string): SourceModule {
  try {
    const { program, errors } = parse(text, {
      sourceType: "module",
      plugins: /\.m?js$/.test(file)
        ? ["decorators"]
        : [["typescript", { dts: isDeclarationFile(file) }], "decorators"],
      errorRecovery: true,
      attachComment: false,
      createParenthesizedExpressions: false,
    });
    return readProgram(
      program.body,
      text,
      file,
      (errors ?? []).map((error) => toProblem(error, file)),
    );
  } catch (error) {
    return readProgram([], text, file, [toProblem(error, file)]);
  }
}

/** Declarations only, for a type checker: nothing in it runs. */
export function isDeclarationFile(file: string): boolean {
  return /\.d\.m?ts$/.test(file);
}

/** A parser's error carries its place; anything else is none of the user's mistakes, but one file should not stop the others. */
function toProblem(error: unknown, file: string): SyntaxProblem {
  const message = error instanceof Error ? error.message : String(error);
  const { loc: place, reasonCode, details } = (error instanceof Error ? error : {}) as Partial<ParseError>;
  const why = error instanceof RangeError ? "it is nested too deeply." : message.replace(/ \(\d+:\d+\)$/, "");
  const location = { file, line: place?.line ?? 1, column: (place?.column ?? 0) + 1 };
  const twice = reasonCode === "VarRedeclaration" ? details?.identifierName : undefined;
  return twice === undefined ? { why, location } : { why, twice, location };
}

/** What @babel/parser throws and records. */
interface ParseError {
  readonly loc: Ast.SourceLocation["start"];
  readonly reasonCode: string;
  readonly details: { readonly identifierName?: string };
}

/** What is gathered while the statements are read, one after the other. */
interface Draft {
  readonly file: string;
  readonly text: string;
  readonly exports: Map<string, ModuleExport>;
  readonly stars: StarExport[];
  readonly values: Map<string, Value>;
  readonly types: Map<string, TypeDeclaration>;
  readonly imports: Map<string, ModuleImport>;
  readonly sources: ImportSource[];
  /** Names that an `export { … }` exports, rather than a declaration. */
  readonly listed: Set<string>;
  readonly problems: SyntaxProblem[];
}

function readProgram(
  statements: readonly Ast.Statement[],
  text: string,
  file: string,
  problems: readonly SyntaxProblem[],
): SourceModule {
  const draft: Draft = {
    file,
    text,
    exports: new Map(),
    stars: [],
    values: new Map(),
    types: new Map(),
    imports: new Map(),
    sources: [],
    listed: new Set(),
    problems: [...problems],
  };
  for (const statement of statements) readStatement(draft, statement);
  const { exports, stars, values, types, imports, sources } = draft;
  const inerasable = findInerasable(statements, text).map(({ what, instead, node }) => ({
    what,
    instead,
    location: locate(draft, node),
  }));
  return { file, exports, stars, values, types, imports, sources, problems: draft.problems, inerasable };
}

function readStatement(draft: Draft, statement: Ast.Statement): void {
  switch (statement.type) {
    case "ImportDeclaration":
      readImport(draft, statement);
      return;
    case "ExportNamedDeclaration":
      readNamedExport(draft, statement);
      return;
    case "ExportAllDeclaration": {
      const { source, exportKind } = statement;
      noteSource(draft, source, exportKind);
      draft.stars.push({
        from: source.value,
        typeOnly: exportKind === "type",
        location: locate(draft, statement),
      });
      return;
    }
    case "ExportDefaultDeclaration":
      readDefaultExport(draft, statement);
      return;
    case "TSImportEqualsDeclaration":
      // `export import a = b.c`, which has no export statement around it.
      if (statement.isExport) exportDeclared(draft, statement);
      else declare(draft, statement);
      return;
    default:
      declare(draft, statement);
  }
}

function noteSource(draft: Draft, source: Ast.StringLiteral, kind: string | null | undefined): void {
  if (kind !== "type") draft.sources.push({ text: source.value, location: locate(draft, source) });
}

function readImport(draft: Draft, { specifiers, source, importKind }: Ast.ImportDeclaration): void {
  noteSource(draft, source, importKind);
  for (const specifier of specifiers) {
    const named = specifier.type === "ImportSpecifier";
    const whole = specifier.type === "ImportNamespaceSpecifier" ? "*" : "default";
    draft.imports.set(specifier.local.name, {
      name: named ? nameOf(specifier.imported) : whole,
      from: source.value,
      typeOnly: importKind === "type" || (named && specifier.importKind === "type"),
      location: locate(draft, specifier),
    });
  }
}

function exportDeclared(draft: Draft, declaration: Ast.Statement): void {
  for (const { name, typeOnly, location } of declare(draft, declaration)) {
    const before = draft.exports.get(name);
    if (!before || before.typeOnly) draft.exports.set(name, { name, from: null, typeOnly, location });
    else if (!typeOnly && draft.listed.has(name)) refuseSecondExport(draft, name, location);
  }
}

function readNamedExport(draft: Draft, statement: Ast.ExportNamedDeclaration): void {
  const { declaration, specifiers, source, exportKind } = statement;
  if (declaration) exportDeclared(draft, declaration);
  if (source) noteSource(draft, source, exportKind);
  for (const specifier of specifiers) {
    if (specifier.type === "ExportDefaultSpecifier") continue;
    const named = specifier.type === "ExportSpecifier";
    const name = nameOf(specifier.exported);
    const typeOnly = exportKind === "type" || (named && specifier.exportKind === "type");
    const location = locate(draft, specifier.exported);
    const before = draft.exports.get(name);
    if (before && !before.typeOnly) {
      if (!typeOnly) refuseSecondExport(draft, name, location);
      continue;
    }
    if (!typeOnly) draft.listed.add(name);
    draft.exports.set(name, {
      name: named ? nameOf(specifier.local) : "*",
      from: source?.value ?? null,
      typeOnly,
      location,
    });
  }
}

/** In TypeScript the parser leaves it to the type checker, but no engine loads such a file. */
function refuseSecondExport(draft: Draft, name: string, location: Location): void {
  const why = `\`${name}\` has already been exported. Exported identifiers must be unique.`;
  draft.problems.push({ why, twice: name, location });
}

function readDefaultExport(draft: Draft, statement: Ast.ExportDefaultDeclaration): void {
  const { declaration } = statement;
  const location = locate(draft, statement);
  const before = draft.exports.get("default");
  const overloads = before && draft.values.get(before.name);
  const isOverload = overloads?.kind === "function" && !overloads.body;
  if (before && !before.typeOnly && !isOverload) {
    if (!isInterface(declaration)) refuseSecondExport(draft, "default", location);
    return;
  }
  let name = DEFAULT_NAME;
  if (declaration.type === "FunctionDeclaration" || declaration.type === "TSDeclareFunction") {
    name = declaration.id?.name ?? DEFAULT_NAME;
    declareFunction(draft, name, declaration, declaration.id ? locate(draft, declaration.id) : location);
  } else if (declaration.type === "Identifier") {
    name = declaration.name;
  } else if (declaration.type === "ClassDeclaration") {
    draft.values.set(name, { kind: "other", what: "a class", location });
  } else if (!isInterface(declaration)) {
    draft.values.set(name, toValue(draft, declaration, null, location));
  }
  draft.exports.set("default", { name, from: null, typeOnly: isInterface(declaration), location });
}

/** The parser gives this node, which the types of a default export leave out. */
function isInterface({ type }: Ast.Node): boolean {
  return type === "TSInterfaceDeclaration";
}

interface Declared {
  readonly name: string;
  readonly typeOnly: boolean;
  readonly location: Location;
}

/** Notes what a declaration declares. @returns the names, for an `export` before it. */
function declare(draft: Draft, statement: Ast.Statement): Declared[] {
  switch (statement.type) {
    case "FunctionDeclaration":
    case "TSDeclareFunction": {
      if (!statement.id) return [];
      const location = locate(draft, statement.id);
      declareFunction(draft, statement.id.name, statement, location);
      return [{ name: statement.id.name, typeOnly: false, location }];
    }
    case "VariableDeclaration":
      return statement.declarations.flatMap((declarator) =>
        declareVariable(draft, declarator, statement.declare === true),
      );
    case "ClassDeclaration":
      return statement.id ? [declareThing(draft, statement.id, "a class", true)] : [];
    case "TSEnumDeclaration":
      return [declareThing(draft, statement.id, "an enum", true)];
    case "TSModuleDeclaration":
      return statement.id.type === "Identifier"
        ? [declareThing(draft, statement.id, "a namespace", false)]
        : [];
    case "TSImportEqualsDeclaration": {
      const location = locate(draft, statement.id);
      draft.values.set(statement.id.name, { kind: "opaque", why: "it is made by `import … =`", location });
      return [{ name: statement.id.name, typeOnly: statement.importKind === "type", location }];
    }
    case "TSInterfaceDeclaration": {
      const location = locate(draft, statement.id);
      draft.types.set(statement.id.name, { type: null, location });
      return [{ name: statement.id.name, typeOnly: true, location }];
    }
    case "TSTypeAliasDeclaration": {
      const location = locate(draft, statement.id);
      const type = statement.typeParameters ? null : toType(draft, statement.typeAnnotation);
      draft.types.set(statement.id.name, { type, location });
      return [{ name: statement.id.name, typeOnly: true, location }];
    }
    default:
      return [];
  }
}

function declareFunction(
  draft: Draft,
  name: string,
  node: Ast.FunctionDeclaration | Ast.TSDeclareFunction,
  location: Location,
): void {
  const before = draft.values.get(name);
  // Of overloads the implementation counts; it comes last.
  if (node.type === "TSDeclareFunction" && before?.kind === "function" && before.body) return;
  draft.values.set(name, toFunction(draft, node, null, location));
}

function declareThing(draft: Draft, id: Ast.Identifier, what: string, isType: boolean): Declared {
  const location = locate(draft, id);
  const before = draft.values.get(id.name);
  if (before === undefined) draft.values.set(id.name, { kind: "other", what, location });
  if (isType) draft.types.set(id.name, { type: null, location });
  return { name: id.name, typeOnly: false, location };
}

function declareVariable(draft: Draft, declarator: Ast.VariableDeclarator, ambient: boolean): Declared[] {
  const { id, init } = declarator;
  if (id.type !== "Identifier") {
    return namesIn(id).map((name) => {
      const location = locate(draft, name);
      draft.values.set(name.name, { kind: "opaque", why: "it is taken out of another value", location });
      return { name: name.name, typeOnly: false, location };
    });
  }
  const location = locate(draft, id);
  const contextual = typeOf(draft, id);
  if (init) draft.values.set(id.name, toValue(draft, init, contextual, location));
  else if (ambient)
    draft.values.set(id.name, {
      kind: "function",
      parameters: [],
      generics: [],
      contextual,
      body: false,
      location,
    });
  else draft.values.set(id.name, { kind: "opaque", why: "it is given its value later", location });
  return [{ name: id.name, typeOnly: false, location }];
}

/** Every name that a pattern such as `{ a, b: [c] }` declares. */
function namesIn(pattern: Ast.Node | null): Ast.Identifier[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap(namesIn);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

function toValue(draft: Draft, node: Ast.Node, contextual: TypeExpression | null, location: Location): Value {
  switch (node.type) {
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return toFunction(draft, node, contextual, location);
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return toValue(draft, node.expression, contextual ?? toType(draft, node.typeAnnotation), location);
    case "TSNonNullExpression":
    case "ParenthesizedExpression":
    case "TSInstantiationExpression":
      return toValue(draft, node.expression, contextual, location);
    case "Identifier":
      return node.name === "undefined"
        ? { kind: "other", what: "undefined", location }
        : { kind: "name", name: node.name, location };
    case "CallExpression": {
      const wrapper = textOf(draft, node.callee);
      return { kind: "opaque", why: `it is what \`${wrapper}(…)\` returns`, location };
    }
    default: {
      const what = NO_FUNCTIONS.get(node.type);
      if (what !== undefined) return { kind: "other", what, location };
      return { kind: "opaque", why: `it is the value of \`${textOf(draft, node)}\``, location };
    }
  }
}

/** Expressions that certainly are no functions. */
const NO_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["StringLiteral", "a string"],
  ["TemplateLiteral", "a string"],
  ["NumericLiteral", "a number"],
  ["BigIntLiteral", "a number"],
  ["UnaryExpression", "no function"],
  ["BooleanLiteral", "true or false"],
  ["NullLiteral", "null"],
  ["RegExpLiteral", "a regular expression"],
  ["ObjectExpression", "an object"],
  ["ArrayExpression", "an array"],
  ["ClassExpression", "a class"],
  ["NewExpression", "an object"],
]);

type FunctionNode =
  | Ast.FunctionDeclaration
  | Ast.TSDeclareFunction
  | Ast.FunctionExpression
  | Ast.ArrowFunctionExpression;

function toFunction(
  draft: Draft,
  node: FunctionNode,
  contextual: TypeExpression | null,
  location: Location,
): FunctionValue {
  const typeParameters =
    node.typeParameters?.type === "TSTypeParameterDeclaration" ? node.typeParameters.params : [];
  return {
    kind: "function",
    parameters: toParameters(draft, node.params),
    generics: typeParameters.map(({ name }) => name),
    contextual,
    body: node.type !== "TSDeclareFunction",
    location,
  };
}

/** A `this` parameter is a type for the inside of the function; nothing is passed for it. */
function toParameters(draft: Draft, nodes: readonly Ast.Node[]): Parameter[] {
  return nodes
    .filter((node) => !(node.type === "Identifier" && node.name === "this"))
    .map((node) => toParameter(draft, node));
}

function toParameter(draft: Draft, node: Ast.Node): Parameter {
  const location = locate(draft, node);
  if (node.type === "RestElement") return { kind: "rest", location };
  const target = node.type === "AssignmentPattern" ? node.left : node;
  if (target.type !== "Identifier") return { kind: "destructured", location };
  const fallback = node.type === "AssignmentPattern" ? literalType(draft, node.right) : null;
  const optional = node.type === "AssignmentPattern" || target.optional === true;
  return { kind: "plain", name: target.name, type: typeOf(draft, target) ?? fallback, optional, location };
}

/** `id = 5` makes a number of `id`, for TypeScript as for us. */
function literalType(draft: Draft, node: Ast.Expression): TypeExpression | null {
  if (node.type !== "NumericLiteral" && node.type !== "StringLiteral") return null;
  const name = node.type === "NumericLiteral" ? "number" : "string";
  return { kind: "keyword", name, text: name, location: locate(draft, node) };
}

function typeOf(draft: Draft, id: Ast.Identifier): TypeExpression | null {
  return id.typeAnnotation?.type === "TSTypeAnnotation"
    ? toType(draft, id.typeAnnotation.typeAnnotation)
    : null;
}

function toType(draft: Draft, node: Ast.TSType): TypeExpression {
  const [location, text] = [locate(draft, node), textOf(draft, node)];
  switch (node.type) {
    case "TSNumberKeyword":
      return { kind: "keyword", name: "number", text, location };
    case "TSStringKeyword":
      return { kind: "keyword", name: "string", text, location };
    case "TSParenthesizedType":
      return toType(draft, node.typeAnnotation);
    case "TSTypeReference": {
      const path = node.typeParameters ? null : pathOf(node.typeName);
      return path ? { kind: "name", path, text, location } : { kind: "other", text, location };
    }
    case "TSImportType": {
      const path = node.qualifier && !node.typeParameters ? pathOf(node.qualifier) : null;
      if (!path) return { kind: "other", text, location };
      return { kind: "import", from: node.argument.value, path, text, location };
    }
    case "TSFunctionType":
      return { kind: "function", parameters: toParameters(draft, node.parameters), text, location };
    default:
      return { kind: "other", text, location };
  }
}

function pathOf(name: Ast.TSEntityName): string[] | null {
  if (name.type === "Identifier") return [name.name];
  if (name.type !== "TSQualifiedName") return null;
  const left = pathOf(name.left);
  return left && [...left, name.right.name];
}

function nameOf(node: Ast.Identifier | Ast.StringLiteral): string {
  return node.type === "Identifier" ? node.name : node.value;
}

const LONGEST_TEXT = 60;

/** The source text of a node on one line, shortened. */
function textOf(draft: Draft, { start, end }: Ast.Node): string {
  const text = draft.text
    .slice(start ?? 0, Math.min(end ?? 0, (start ?? 0) + 4 * LONGEST_TEXT))
    .replace(/\s+/g, " ");
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function locate(draft: Draft, node: Ast.Node): Location {
  const start = node.loc?.start;
  return { file: draft.file, line: start?.line ?? 1, column: (start?.column ?? 0) + 1 };
}
