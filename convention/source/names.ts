/**
 * Resolves the name of a type or a value to its declaration, through imports, re-exports and `export *`. The result says which of five
 * cases it is: declared in the project, from the framework, from another package, global, or not found.
 */

import type { Location } from "#runtime/routing/route";
import { closest } from "../diagnostics/closest.ts";
import { explainMissing } from "./exports.ts";
import type { SourceModule, TypeDeclaration, Value, ValueName as WrittenName } from "./module.ts";
import { explainUnfound, type Modules } from "./modules.ts";
import { isInstalled } from "./packages.ts";

/** The resolution of a name. */
export type Named<Declaration> =
  /** Declared in a file of the project, or of a package that was searched. */
  | Declared<Declaration>
  /** Imported from `framework`; the name may not exist there. */
  | Imported<"framework">
  /** Imported from a package that was not searched. @property importer the module with the import. */
  | (Imported<"foreign"> & { readonly importer: SourceModule })
  /** Neither declared nor imported: a global of TypeScript, or unknown. */
  | { readonly kind: "global"; readonly path: readonly string[] }
  | LostType;

export type NamedType = Named<TypeDeclaration>;
export type NamedValue = Named<Value>;

interface Imported<Kind> {
  readonly kind: Kind;
  /** The specifier. */
  readonly from: string;
  /** The exported name, and the names after it: `["z", "infer"]`. */
  readonly path: readonly string[];
  readonly exporter: Exporter | undefined;
}

/** A name that could not be resolved. */
export interface LostType {
  readonly kind: "lost";
  /** The reason, as the end of a sentence. */
  readonly why: string;
  /** The most similar name, to suggest. */
  readonly nearest?: string | undefined;
  /** True if the file that should declare it is missing or has syntax errors. */
  readonly unread?: boolean;
  /** The declaration, if it exists but is not exported. */
  readonly unexported?: { readonly name: string; readonly location: Location } | undefined;
}

export interface Declared<Declaration> {
  readonly kind: "declared";
  readonly module: SourceModule;
  readonly name: string;
  readonly declaration: Declaration;
  /** The names after the resolved one: `["name"]` for `User.name`. */
  readonly rest: readonly string[];
  readonly exporter: Exporter | undefined;
}

export type DeclaredType = Declared<TypeDeclaration>;
export type DeclaredValue = Declared<Value>;

/** The last module in a chain of re-exports that exports a value at run time, and the exported name. */
export interface Exporter {
  readonly module: SourceModule;
  readonly name: string;
}

/** The reason for a type or value that is only an alias of itself. */
export const CIRCLE = "it refers to itself";

/** The declarations of one kind in a module. */
type Declarations<Declaration> = (module: SourceModule) => ReadonlyMap<string, Declaration>;

const DECLARATIONS: { readonly [Of in keyof Kinds]: Declarations<Kinds[Of]> } = {
  type: ({ types }) => types,
  value: ({ values }) => values,
};

/** The kinds of declarations that a name can have. */
interface Kinds {
  readonly type: TypeDeclaration;
  readonly value: Value;
}

/** The state of a search: the visited exports, to detect cycles, and the last exporter. */
interface SearchState {
  readonly visited: ReadonlySet<string>;
  readonly exporter: Exporter | undefined;
}

const INITIAL_STATE: SearchState = { visited: new Set(), exporter: undefined };

/**
 * Resolves a name in a module. Types of workspace packages are searched, those of installed packages are not. An alias of a value, as
 * in `const a = b`, is a declaration of its own: see {@link followNames}.
 *
 * @example find(modules, module, { path: ["User"] }, "type")
 */
export function find<Of extends keyof Kinds>(
  modules: Modules,
  module: SourceModule,
  written: WrittenName,
  kind: Of,
): Named<Kinds[Of]> {
  return search(modules, module, written, kind, (file) => kind === "type" && !isInstalled(file));
}

/** Like {@link find}, but also searches installed packages, which takes long for many types. */
export function findAnywhere<Of extends keyof Kinds>(
  modules: Modules,
  module: SourceModule,
  written: WrittenName,
  kind: Of,
): Named<Kinds[Of]> {
  return search(modules, module, written, kind, () => true);
}

/** @param enters true for the files of packages to search. */
function search<Of extends keyof Kinds>(
  modules: Modules,
  module: SourceModule,
  { from, path }: WrittenName,
  kind: Of,
  enters: (file: string) => boolean,
): Named<Kinds[Of]> {
  const declarations = DECLARATIONS[kind] as Declarations<Kinds[Of]>;
  let found =
    from === undefined
      ? findDeclared(declarations, modules, module, path, INITIAL_STATE)
      : findImported(declarations, modules, module, from, path, INITIAL_STATE);
  for (const seen = new Set<SourceModule>(); found.kind === "foreign"; ) {
    const file = modules.resolvePackage(found.importer.file, found.from);
    const target = file !== undefined && enters(file) ? modules.get(file) : undefined;
    if (target === undefined || seen.has(target)) return found;
    seen.add(target);
    found = findExported(declarations, modules, target, found.path, INITIAL_STATE);
  }
  return found;
}

/**
 * Resolves a value through aliases: yields the resolution of the name, and for `const a = b` that of `b` too. A cycle ends in a lost name.
 *
 * @param look {@link find} or {@link findAnywhere}.
 */
export function* followNames(
  modules: Modules,
  module: SourceModule,
  written: WrittenName,
  look: typeof find,
): Generator<NamedValue, undefined> {
  const visited = new Set<Value>();
  for (let found = look(modules, module, written, "value"); ; ) {
    yield found;
    if (found.kind !== "declared" || found.declaration.kind !== "name") return undefined;
    const { module: declaring, declaration, rest } = found;
    const isCircle = visited.has(declaration);
    visited.add(declaration);
    found = isCircle
      ? { kind: "lost", why: CIRCLE }
      : look(modules, declaring, { path: [declaration.name, ...rest] }, "value");
  }
}

/** Resolves a value through aliases to its declaration. @returns undefined if that is not in the project. */
export function followValue(
  modules: Modules,
  module: SourceModule,
  written: WrittenName,
): DeclaredValue | undefined {
  for (const found of followNames(modules, module, written, find))
    if (found.kind === "declared" && found.declaration.kind !== "name") return found;
  return undefined;
}

/** The module to import a value from: preferably the declaring one. Undefined if no module exports it. */
export function exporterOf({ module, name, exporter }: DeclaredValue): Exporter | undefined {
  if (exporter?.module === module) return exporter;
  for (const [exported, one] of module.exports)
    if (one.from === null && one.name === name && !one.typeOnly) return { module, name: exported };
  return exporter;
}

function findDeclared<Declaration>(
  declarationsOf: Declarations<Declaration>,
  modules: Modules,
  module: SourceModule,
  path: readonly string[],
  state: SearchState,
): Named<Declaration> {
  const [name = "", ...rest] = path;
  const declaration = declarationsOf(module).get(name);
  if (declaration) return { kind: "declared", module, name, declaration, rest, exporter: state.exporter };
  const imported = module.imports.get(name);
  if (imported === undefined) return { kind: "global", path };
  const names = imported.name === "*" ? rest : [imported.name, ...rest];
  return findImported(declarationsOf, modules, module, imported.from, names, state);
}

function findImported<Declaration>(
  declarationsOf: Declarations<Declaration>,
  modules: Modules,
  module: SourceModule,
  from: string,
  path: readonly string[],
  state: SearchState,
): Named<Declaration> {
  const { exporter } = state;
  const entry = toFramework(from, modules.locate(module.file, from, true));
  if (entry !== undefined) return { kind: "framework", from: entry, path, exporter };
  const file = modules.resolve(module.file, from, true);
  if (file !== undefined && !modules.mayExport(file, path[0] ?? ""))
    return { kind: "lost", why: `${file} does not export it` };
  const target = file === undefined ? undefined : modules.get(file);
  if (target) return findExported(declarationsOf, modules, target, path, state);
  return modules.locate(module.file, from, true) === undefined
    ? { kind: "foreign", from, path, exporter, importer: module }
    : { kind: "lost", why: explainUnfound(from), unread: true };
}

function findExported<Declaration>(
  declarationsOf: Declarations<Declaration>,
  modules: Modules,
  module: SourceModule,
  [name = "", ...rest]: readonly string[],
  state: SearchState,
): Named<Declaration> {
  const step = `${module.file} ${name}`;
  if (state.visited.has(step)) return { kind: "lost", why: CIRCLE };
  const visited = new Set(state.visited).add(step);
  const found = module.exports.get(name);
  if (found) {
    const exporter = rest.length > 0 || found.typeOnly ? undefined : { module, name };
    const further = { visited, exporter };
    if (found.from === null)
      return findDeclared(declarationsOf, modules, module, [found.name, ...rest], further);
    const names = found.name === "*" ? rest : [found.name, ...rest];
    return findImported(declarationsOf, modules, module, found.from, names, further);
  }
  let fallback: Named<Declaration> | undefined;
  for (const star of name === "default" ? [] : module.stars) {
    const further = { visited, exporter: state.exporter };
    const candidate = findImported(declarationsOf, modules, module, star.from, [name, ...rest], further);
    if (candidate.kind === "declared" || candidate.kind === "global") return candidate;
    // The framework's exports are unknown here, so a file that has the name takes precedence.
    if (candidate.kind === "framework" || (candidate.kind === "lost" && candidate.unread))
      fallback ??= candidate;
  }
  if (fallback?.kind === "framework") return fallback;
  if (module.problems.length > 0) return { kind: "lost", why: explainMissing(module, name), unread: true };
  // Suggest types for types, and values for values.
  const declarations = declarationsOf(module);
  const candidates = [...module.exports].filter(
    ([, one]) => one.from !== null || declarations.has(one.name) || module.imports.has(one.name),
  );
  const nearest = closest(
    name,
    candidates.map(([exported]) => exported),
  );
  const location = module.values.get(name)?.location;
  const unexported = location && rest.length === 0 ? { name, location } : undefined;
  return fallback ?? { kind: "lost", why: explainMissing(module, name), nearest, unexported };
}

/** The entry point of the framework that an import names; also by path, as editors insert it: `#vendor/framework/http.js`. */
export function toFramework(specifier: string, path: string = specifier): string | undefined {
  if (/^framework(?:\/|$)/.test(specifier)) return specifier;
  const found = /^[#./]*vendor\/framework(\/(?!index)\w+)?(?:\/index)?(?:\.d)?(?:\.[jt]s)?$/.exec(path);
  return found ? `framework${found[1] ?? ""}` : undefined;
}

/** The framework's name of a function, given the dotted name in a call; undefined for other functions. */
export function importedFromFramework(
  { imports, values }: SourceModule,
  path: readonly string[],
): string | undefined {
  const [root = "", second, third] = path;
  const imported = values.has(root) ? undefined : imports.get(root);
  if (!/^framework(?:\/http)?$/.test(toFramework(imported?.from ?? "") ?? "")) return undefined;
  if (imported?.name === "*") return third === undefined ? second : undefined;
  return second === undefined ? imported?.name : undefined;
}
