/**
 * The declarations of the vendored runtime: `http.d.ts`, `index.d.ts` for what `framework` has besides, and `database.d.ts`. Each is the
 * text that tsc prints for it, so that whoever goes to the definition of a name reads what its source says.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "@babel/parser";
import { isIdentifier, type Statement, traverseFast } from "@babel/types";

/** A file that tsc has written. */
interface Module {
  readonly file: string;
  readonly text: string;
  readonly statements: readonly Statement[];
  /** Where each name that it imports or exports again comes from. */
  readonly sources: ReadonlyMap<string, string>;
  /** By name, whether it is a type there, whatever it is elsewhere. */
  readonly exported: ReadonlyMap<string, boolean>;
}

interface Declaration {
  readonly name: string;
  readonly module: Module;
  /** Several where a function is overloaded, or a type and a value have one name. None for a name of a package. */
  readonly statements: readonly Statement[];
  /** The package that has it. */
  readonly source?: string;
}

type Declarations = ReadonlyMap<string, Declaration>;

/** What a project with a database has in its own `node_modules`. */
const PACKAGES: readonly string[] = ["kysely", "kysely/migration"];

/**
 * @param compiled the folder with what tsc has written for `runtime/`
 * @param framework the folder of the vendored framework
 * @throws when two declarations have one name, or one needs a package that a project may lack
 */
export function bundleDeclarations(compiled: string, framework: string): void {
  const http = readModule(join(compiled, "http.d.ts"));
  const index = readModule(join(compiled, "index.d.ts"));
  const database = readModule(join(compiled, "database.d.ts"));
  const shared = collect(http);
  writeFileSync(join(framework, "http.d.ts"), format(http, shared, new Map()));
  writeFileSync(join(framework, "index.d.ts"), format(index, collect(index), shared));
  writeFileSync(join(framework, "database.d.ts"), format(database, collect(database), new Map()));
}

function readModule(file: string): Module {
  const text = readFileSync(file, "utf8");
  const { program } = parse(text, { sourceType: "module", plugins: [["typescript", { dts: true }]] });
  const [sources, exported] = [new Map<string, string>(), new Map<string, boolean>()];
  for (const statement of program.body) {
    const source = "source" in statement ? statement.source?.value : undefined;
    const add = (name: string, isType: boolean): void => {
      if (source !== undefined) sources.set(name, source);
      if (statement.type !== "ImportDeclaration") exported.set(name, isType);
    };
    if (statement.type === "ExportAllDeclaration")
      for (const [name, isType] of readModule(toFile(file, statement.source.value)).exported)
        add(name, isType);
    if (statement.type === "ExportNamedDeclaration") for (const name of namesOf(statement)) add(name, false);
    if (statement.type !== "ExportNamedDeclaration" && statement.type !== "ImportDeclaration") continue;
    for (const specifier of statement.specifiers) {
      const named = "exported" in specifier ? specifier.exported : specifier.local;
      const isType = [statement, specifier].some((one) => "exportKind" in one && one.exportKind === "type");
      if (isIdentifier(named)) add(named.name, isType);
    }
  }
  return { file, text, statements: program.body, sources, exported };
}

/** All that an entry exports, and what it is made of, in the order in which a reader meets it. */
function collect(entry: Module): Declarations {
  const found = new Map<string, Declaration>();
  const add = (module: Module, name: string): void => {
    const declaration = find(module, name);
    const known = declaration && found.get(name);
    if (known && placeOf(known) !== placeOf(declaration))
      throw new Error(`${name} is declared in ${placeOf(known)} and in ${placeOf(declaration)}.`);
    if (known || !declaration) return;
    found.set(name, declaration);
    for (const used of declaration.statements.flatMap(usesOf)) add(declaration.module, used);
  };
  for (const name of entry.exported.keys()) add(entry, name);
  return found;
}

function placeOf({ module, source }: Declaration): string {
  return source ?? module.file;
}

/** Undefined for a global name, and for a parameter of a type. */
function find(module: Module, name: string): Declaration | undefined {
  const statements = module.statements.filter((statement) => namesOf(statement).includes(name));
  if (statements.length > 0) return { name, module, statements };
  const source = module.sources.get(name);
  if (source === undefined) return undefined;
  if (PACKAGES.includes(source)) return { name, module, statements: [], source };
  if (!/^[.#]/.test(source)) throw new Error(`${module.file} declares something with ${name} of ${source}.`);
  return find(readModule(toFile(module.file, source)), name);
}

function toFile(importer: string, source: string): string {
  const [root = ""] = /^.*[\\/](?=(?:runtime|convention)[\\/])/.exec(importer) ?? [];
  const path = source.replace(/^#/, root).replace(/\.ts$/, "");
  return `${resolve(dirname(importer), path)}.d.ts`;
}

/** The names that a statement declares. */
function namesOf(statement: Statement): string[] {
  const declaration = declarationOf(statement);
  if (declaration.type === "VariableDeclaration")
    return declaration.declarations.flatMap(({ id }) => (isIdentifier(id) ? [id.name] : []));
  return "id" in declaration && isIdentifier(declaration.id) ? [declaration.id.name] : [];
}

function declarationOf(statement: Statement): Statement {
  return (statement.type === "ExportNamedDeclaration" && statement.declaration) || statement;
}

/** The types and values that a declaration names. */
function usesOf(statement: Statement): string[] {
  const names: string[] = [];
  traverseFast(statement, (node) => {
    const used =
      (node.type === "TSTypeReference" && node.typeName) ||
      (node.type === "TSTypeQuery" && node.exprName) ||
      (node.type === "TSInterfaceHeritage" && node.expression) ||
      (node.type === "ClassDeclaration" && node.superClass);
    if (used && isIdentifier(used)) names.push(used.name);
  });
  return names;
}

/** @param shared what `framework/http` has: it is taken from there. */
function format(entry: Module, declarations: Declarations, shared: Declarations): string {
  const [purpose = ""] = /^\/\*\*[\s\S]*?\*\//.exec(entry.text) ?? [];
  const own = [...declarations.values()].filter(({ name }) => !shared.has(name));
  const used = new Set(own.flatMap(({ statements }) => statements.flatMap(usesOf)));
  const imported = [...shared.keys()].filter((name) => used.has(name));
  const hidden = own.filter((declaration) => isValue(declaration) && entry.exported.get(declaration.name));
  return [
    purpose,
    ...formatPackages(own),
    ...(shared.size === 0
      ? []
      : [`import type { ${imported.join(", ")} } from "./http.js";`, 'export * from "./http.js";']),
    // Without a list of exports, a declaration that has no `export` is exported all the same.
    `export { ${hidden.map(({ name }) => `type ${name}`).join(", ")} };`,
    ...own
      .filter(({ source }) => source === undefined)
      .map((declaration) => {
        const isExported = entry.exported.has(declaration.name) && !hidden.includes(declaration);
        return `\n${textOf(declaration, isExported)}`;
      }),
    "",
  ].join("\n");
}

function formatPackages(declarations: readonly Declaration[]): string[] {
  return PACKAGES.flatMap((source) => {
    const names = declarations.filter((one) => one.source === source).map(({ name }) => name);
    return names.length > 0 ? [`import type { ${names.join(", ")} } from ${JSON.stringify(source)};`] : [];
  });
}

function isValue({ statements }: Declaration): boolean {
  return statements.some((statement) => !/^TS(?:Interface|TypeAlias)/.test(declarationOf(statement).type));
}

/** Each statement with its comment. */
function textOf({ module, statements }: Declaration, isExported: boolean): string {
  const texts = statements.map((statement) => {
    // The first one has the comment at the top of the file, too.
    const comments = (statement.leadingComments ?? []).slice(statement === module.statements[0] ? 1 : 0);
    const text = module.text.slice(comments.at(-1)?.start ?? statement.start ?? 0, statement.end ?? 0);
    return isExported ? text : text.replace(/^export (?=declare |interface |type )/m, "");
  });
  return texts.join("\n");
}
