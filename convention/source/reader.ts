/** Parses a source file to a {@link SourceModule}: what its statements declare, import and export. */

import type { Ast } from "#convention/deps/babel-parser";
import type { Location } from "#runtime/routing/route";
import { toClassDeclaration } from "./classes.ts";
import { findInerasable } from "./erasure.ts";
import { typeOfConstant } from "./literals.ts";
import type {
  CallStatement,
  FunctionValue,
  ImportedName,
  ImportSource,
  ImportStatement,
  InerasableSyntax,
  ModuleExport,
  ModuleImport,
  SourceModule,
  StarExport,
  SyntaxProblem,
  TypeDeclaration,
  Value,
} from "./module.ts";
import { parseSyntax, toProblem } from "./syntax.ts";
import { locate, nameOf, namesIn, pathOf, type Source, spanOf, toSource } from "./tree.ts";
import { toTypeDeclaration, typeOf } from "./types.ts";
import { toFunction, toValue } from "./values.ts";

/** The local name of an anonymous default export. */
const DEFAULT_NAME = "*default*";

/** The module under construction while the statements are read in order. */
interface Draft {
  readonly source: Source;
  readonly exports: Map<string, ModuleExport>;
  readonly stars: StarExport[];
  readonly values: Map<string, Value>;
  readonly types: Map<string, TypeDeclaration>;
  readonly imports: Map<string, ModuleImport>;
  readonly sources: ImportSource[];
  readonly problems: SyntaxProblem[];
  /** Names exported by `export { … }`. */
  readonly listed: Set<string>;
  readonly statements: ImportStatement[];
  readonly calls: CallStatement[];
  /** The offset of the first statement that declares each value. */
  readonly declarations: Map<string, number>;
  /** Variable declarations by name. */
  readonly variables: Map<string, readonly [declarator: Ast.VariableDeclarator, isConst: boolean]>;
}

/** @param file the path relative to the project root; its extension selects JavaScript or TypeScript. */
export function parseModule(text: string, file: string): SourceModule {
  const syntax = parseSyntax({ text, file });
  const source = toSource(text, file);
  const draft: Draft = {
    source,
    exports: new Map(),
    stars: [],
    values: new Map(),
    types: new Map(),
    imports: new Map(),
    sources: [],
    problems: [...syntax.problems],
    listed: new Set(),
    statements: [],
    calls: [],
    declarations: new Map(),
    variables: new Map(),
  };
  const inerasable = readStatements(draft, syntax.statements);
  const { source: _, listed: __, statements, calls, declarations, variables, ...declared } = draft;
  const { comments, headEnd } = syntax;
  const firstStatement = syntax.statements[0]?.start ?? text.length;
  return {
    ...declared,
    file,
    inerasable,
    places: { imports: statements, calls, comments, declarations, headEnd, firstStatement },
    typeOfConstant(name) {
      const variable = variables.get(name);
      return variable ? typeOfConstant(source, ...variable) : null;
    },
  };
}

/** Catches stack overflows: the parser reads `a!!!!` with a loop, but our recursion over the tree can be too deep. */
function readStatements(draft: Draft, statements: readonly Ast.Statement[]): readonly InerasableSyntax[] {
  try {
    const { values, declarations } = draft;
    const names = values.keys();
    for (const statement of statements) {
      readStatement(draft, statement);
      while (declarations.size < values.size)
        declarations.set(names.next().value ?? "", statement.start ?? 0);
    }
    return findInerasable(statements, draft.source);
  } catch (error) {
    draft.problems.push(toProblem(error, draft.source.file));
    return [];
  }
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
      const typeOnly = exportKind === "type";
      draft.stars.push({ from: source.value, typeOnly, location: locate(draft.source, statement) });
      return;
    }
    case "ExportDefaultDeclaration":
      readDefaultExport(draft, statement);
      return;
    case "ExpressionStatement":
      readCall(draft, statement);
      return;
    default:
      declare(draft, statement);
  }
}

function noteSource(draft: Draft, source: Ast.StringLiteral, kind: string | null | undefined): void {
  if (kind !== "type") draft.sources.push({ text: source.value, location: locate(draft.source, source) });
}

function readImport(draft: Draft, statement: Ast.ImportDeclaration): void {
  const { specifiers, source, importKind } = statement;
  noteSource(draft, source, importKind);
  const typeOnly = importKind === "type";
  const names = specifiers.map(toImportedName);
  draft.statements.push({ source: source.value, typeOnly, names, ...spanOf(statement) });
  for (const [index, name] of names.entries()) {
    draft.imports.set(name.local, {
      name: name.imported,
      from: source.value,
      typeOnly: typeOnly || name.typeOnly,
      location: locate(draft.source, specifiers[index] ?? statement),
    });
  }
}

function toImportedName(specifier: Ast.ImportDeclaration["specifiers"][number]): ImportedName {
  const isNamed = specifier.type === "ImportSpecifier";
  const whole = specifier.type === "ImportNamespaceSpecifier" ? "*" : "default";
  return {
    imported: isNamed ? nameOf(specifier.imported) : whole,
    local: specifier.local.name,
    isNamed,
    typeOnly: isNamed && specifier.importKind === "type",
    ...spanOf(specifier),
  };
}

function readCall(draft: Draft, statement: Ast.ExpressionStatement): void {
  const { expression } = statement;
  const callee = expression.type === "CallExpression" ? pathOf(expression.callee) : null;
  if (expression.type !== "CallExpression" || callee === null) return;
  const [first] = expression.arguments;
  const text = first?.type === "StringLiteral" ? first.value : undefined;
  draft.calls.push({ callee, text, ...spanOf(statement) });
}

function exportDeclared(draft: Draft, declaration: Ast.Statement): void {
  for (const { name, typeOnly, location } of declare(draft, declaration)) {
    const before = draft.exports.get(name);
    if (!before || before.typeOnly) draft.exports.set(name, { name, from: null, typeOnly, location });
    else if (!typeOnly && draft.listed.has(name)) noteSecondExport(draft, name, location);
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
    const location = locate(draft.source, specifier.exported);
    const before = draft.exports.get(name);
    if (before && !before.typeOnly) {
      if (!typeOnly) noteSecondExport(draft, name, location);
      continue;
    }
    if (!typeOnly) draft.listed.add(name);
    const local = named ? nameOf(specifier.local) : "*";
    draft.exports.set(name, { name: local, from: source?.value ?? null, typeOnly, location });
  }
}

/** In TypeScript the parser leaves duplicate exports to the type checker, but no engine loads such a file. */
function noteSecondExport(draft: Draft, name: string, location: Location): void {
  const why = `\`${name}\` has already been exported. Exported identifiers must be unique.`;
  draft.problems.push({ why, twice: name, location });
}

function readDefaultExport(draft: Draft, statement: Ast.ExportDefaultDeclaration): void {
  const { declaration } = statement;
  const location = locate(draft.source, statement);
  const before = draft.exports.get("default");
  const overloads = before && draft.values.get(before.name);
  const isOverload = overloads?.kind === "function" && !overloads.body;
  if (before && !before.typeOnly && !isOverload) {
    if (!isInterface(declaration)) noteSecondExport(draft, "default", location);
    return;
  }
  let name = DEFAULT_NAME;
  if (declaration.type === "FunctionDeclaration" || declaration.type === "TSDeclareFunction") {
    name = declaration.id?.name ?? DEFAULT_NAME;
    declareFunction(
      draft,
      name,
      declaration,
      declaration.id ? locate(draft.source, declaration.id) : location,
    );
  } else if (declaration.type === "Identifier") {
    name = declaration.name;
  } else if (declaration.type === "ClassDeclaration") {
    name = declaration.id?.name ?? DEFAULT_NAME;
    draft.values.set(name, { kind: "other", what: "a class", location });
  } else if (isInterface(declaration)) {
    name = declareType(draft, declaration as Ast.Node as Ast.TSInterfaceDeclaration).name;
  } else {
    draft.values.set(name, toValue(draft.source, declaration, null, location));
  }
  draft.exports.set("default", { name, from: null, typeOnly: isInterface(declaration), location });
}

/** Babel's types omit interfaces from the nodes that a default export can have. */
function isInterface({ type }: Ast.Node): boolean {
  return type === "TSInterfaceDeclaration";
}

type Declared = Omit<ModuleExport, "from">;

/** Records a declaration. @returns the declared names, for an `export` in front. */
function declare(draft: Draft, statement: Ast.Statement): Declared[] {
  switch (statement.type) {
    case "FunctionDeclaration":
    case "TSDeclareFunction": {
      if (!statement.id) return [];
      const location = locate(draft.source, statement.id);
      declareFunction(draft, statement.id.name, statement, location);
      return [{ name: statement.id.name, typeOnly: false, location }];
    }
    case "VariableDeclaration":
      return statement.declarations.flatMap((declarator) => declareVariable(draft, declarator, statement));
    case "ClassDeclaration":
      return statement.id ? [declareNonFunction(draft, statement.id, "a class", statement)] : [];
    case "TSEnumDeclaration":
      return [declareNonFunction(draft, statement.id, "an enum", statement)];
    case "TSModuleDeclaration":
      return statement.id.type === "Identifier"
        ? [declareNonFunction(draft, statement.id, "a namespace")]
        : [];
    case "TSImportEqualsDeclaration": {
      const location = locate(draft.source, statement.id);
      draft.values.set(statement.id.name, { kind: "opaque", why: "it is made by `import … =`", location });
      return [{ name: statement.id.name, typeOnly: statement.importKind === "type", location }];
    }
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return [declareType(draft, statement)];
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
  // The implementation comes after its overloads; a later signature must not replace it.
  if (node.type === "TSDeclareFunction" && before?.kind === "function" && before.body) return;
  const value = toFunction(draft.source, node, null, location);
  const isOverload = before?.kind === "function" && !before.body;
  draft.values.set(name, isOverload ? withOverload(value, before) : value);
}

/** Mutates the value: `bodies.ts` has a WeakMap keyed by it, so a copy would lose its body. */
function withOverload(value: FunctionValue, before: FunctionValue): FunctionValue {
  return Object.assign(value, { overloads: [...(before.overloads ?? []), before] });
}

function declareType(draft: Draft, node: Ast.TSInterfaceDeclaration | Ast.TSTypeAliasDeclaration): Declared {
  const { name } = node.id;
  draft.types.set(name, toTypeDeclaration(draft.source, node, draft.types.get(name)));
  return { name, typeOnly: true, location: locate(draft.source, node.id) };
}

function declareNonFunction(
  draft: Draft,
  id: Ast.Identifier,
  what: string,
  node?: Ast.ClassDeclaration | Ast.TSEnumDeclaration,
): Declared {
  const location = locate(draft.source, id);
  const before = draft.values.get(id.name);
  if (before === undefined) draft.values.set(id.name, { kind: "other", what, location });
  if (node?.type === "ClassDeclaration")
    draft.types.set(id.name, toClassDeclaration(draft.source, node, location));
  else if (node) draft.types.set(id.name, { kind: "enum", generics: [], type: null, bases: [], location });
  return { name: id.name, typeOnly: false, location };
}

function declareVariable(
  draft: Draft,
  declarator: Ast.VariableDeclarator,
  { kind, declare: ambient }: Ast.VariableDeclaration,
): Declared[] {
  const { id, init } = declarator;
  if (id.type !== "Identifier") {
    return namesIn(id).map((name) => {
      const location = locate(draft.source, name);
      draft.values.set(name.name, { kind: "opaque", why: "it is destructured from another value", location });
      return { name: name.name, typeOnly: false, location };
    });
  }
  const location = locate(draft.source, id);
  const value = toVariableValue();
  // A function's type is not inferred from its declarator, so drop the tree: it takes many times the memory of its text.
  const isFunction = value.kind === "function" && value.body && value.contextual === null;
  if (!isFunction) draft.variables.set(id.name, [declarator, kind === "const"]);
  draft.values.set(id.name, value);
  return [{ name: id.name, typeOnly: false, location }];

  function toVariableValue(): Value {
    const contextual = id.type === "Identifier" ? typeOf(draft.source, id) : null;
    if (init) return toValue(draft.source, init, contextual, location);
    if (!ambient) return { kind: "opaque", why: "it gets its value later", location };
    return {
      kind: "function",
      parameters: [],
      generics: [],
      contextual,
      returns: null,
      body: false,
      location,
    };
  }
}
