/** Follows the name of a type or a value to its declaration: through imports, re-exports and `export *`, from file to file. */

import type { Location } from "#runtime/routing/route";
import { closest } from "../diagnostics/closest.ts";
import { explainMissing } from "./exports.ts";
import type { SourceModule, TypeDeclaration, Value, ValueName as WrittenName } from "./module.ts";
import { explainUnfound, type Modules } from "./modules.ts";
import { isInstalled } from "./packages.ts";

/** What a written name means. */
export type Named<Declaration> =
  /** A file of the project declares it. */
  | Declared<Declaration>
  /** An import from `framework`, whether it exports such a name or not. */
  | Imported<"framework">
  /** An import of what is not a file of the project. @property importer the file that writes it. */
  | (Imported<"foreign"> & { readonly importer: SourceModule })
  /** Neither declared nor imported: one of TypeScript's own types, or none. */
  | { readonly kind: "global"; readonly path: readonly string[] }
  | LostType;

export type NamedType = Named<TypeDeclaration>;
export type NamedValue = Named<Value>;

interface Imported<Kind> {
  readonly kind: Kind;
  readonly from: string;
  readonly path: readonly string[];
  readonly exporter: Exporter | undefined;
}

/** It leads nowhere. */
export interface LostType {
  readonly kind: "lost";
  /** As the end of a sentence. */
  readonly why: string;
  /** What was probably meant. */
  readonly nearest?: string | undefined;
  /** The file that should have it is missing, or has errors. */
  readonly unread?: boolean;
  /** The file declares it, but does not export it. */
  readonly unexported?: { readonly name: string; readonly location: Location } | undefined;
}

export interface Declared<Declaration> {
  readonly kind: "declared";
  readonly module: SourceModule;
  readonly name: string;
  readonly declaration: Declaration;
  /** What follows the name after a dot. */
  readonly rest: readonly string[];
  readonly exporter: Exporter | undefined;
}

export type DeclaredType = Declared<TypeDeclaration>;
export type DeclaredValue = Declared<Value>;

/** The last file on the way to a declaration that exports it at run time, and its name there. */
export interface Exporter {
  readonly module: SourceModule;
  readonly name: string;
}

/** Why a type can't be resolved that is made of itself alone. */
export const CIRCLE = "it refers to itself";

/** What a file declares of one kind. */
type Declarations<Declaration> = (module: SourceModule) => ReadonlyMap<string, Declaration>;

const DECLARATIONS: { readonly [Of in keyof Kinds]: Declarations<Kinds[Of]> } = {
  type: ({ types }) => types,
  value: ({ values }) => values,
};

/** What a name can mean. */
interface Kinds {
  readonly type: TypeDeclaration;
  readonly value: Value;
}

/** Where a search has been. */
interface Way {
  readonly visited: ReadonlySet<string>;
  readonly exporter: Exporter | undefined;
}

const AT_FIRST: Way = { visited: new Set(), exporter: undefined };

/**
 * What a name means that a module writes. Types of the workspace's own packages are followed like those of the project. Another name
 * for the same value, as in `const a = b`, is a declaration.
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

/** As {@link find}, but also looks into the types of installed packages, which takes long where they are many. */
export function findAnywhere<Of extends keyof Kinds>(
  modules: Modules,
  module: SourceModule,
  written: WrittenName,
  kind: Of,
): Named<Kinds[Of]> {
  return search(modules, module, written, kind, () => true);
}

/** @param enters whether to look into a file of a package. */
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
      ? findDeclared(declarations, modules, module, path, AT_FIRST)
      : findImported(declarations, modules, module, from, path, AT_FIRST);
  for (const seen = new Set<SourceModule>(); found.kind === "foreign"; ) {
    const file = modules.resolvePackage(found.importer.file, found.from);
    const target = file !== undefined && enters(file) ? modules.get(file) : undefined;
    if (target === undefined || seen.has(target)) return found;
    seen.add(target);
    found = findExported(declarations, modules, target, found.path, AT_FIRST);
  }
  return found;
}

/**
 * What a name means, and what each further name on the way means: `const a = b` is another name for `b`. A circle ends in a lost name.
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

/** The declaration at the end of all names. @returns undefined where no file of the project has it. */
export function followValue(
  modules: Modules,
  module: SourceModule,
  written: WrittenName,
): DeclaredValue | undefined {
  for (const found of followNames(modules, module, written, find))
    if (found.kind === "declared" && found.declaration.kind !== "name") return found;
  return undefined;
}

/** The file from which a declared value can be imported, if possible the one that declares it. Undefined where none exports it. */
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
  way: Way,
): Named<Declaration> {
  const [name = "", ...rest] = path;
  const declaration = declarationsOf(module).get(name);
  if (declaration) return { kind: "declared", module, name, declaration, rest, exporter: way.exporter };
  const imported = module.imports.get(name);
  if (imported === undefined) return { kind: "global", path };
  const names = imported.name === "*" ? rest : [imported.name, ...rest];
  return findImported(declarationsOf, modules, module, imported.from, names, way);
}

function findImported<Declaration>(
  declarationsOf: Declarations<Declaration>,
  modules: Modules,
  module: SourceModule,
  from: string,
  path: readonly string[],
  way: Way,
): Named<Declaration> {
  const { exporter } = way;
  const entry = toFramework(from, modules.locate(module.file, from, true));
  if (entry !== undefined) return { kind: "framework", from: entry, path, exporter };
  const file = modules.resolve(module.file, from, true);
  if (file !== undefined && !modules.mayExport(file, path[0] ?? ""))
    return { kind: "lost", why: `${file} does not export it` };
  const target = file === undefined ? undefined : modules.get(file);
  if (target) return findExported(declarationsOf, modules, target, path, way);
  return modules.locate(module.file, from, true) === undefined
    ? { kind: "foreign", from, path, exporter, importer: module }
    : { kind: "lost", why: explainUnfound(from), unread: true };
}

function findExported<Declaration>(
  declarationsOf: Declarations<Declaration>,
  modules: Modules,
  module: SourceModule,
  [name = "", ...rest]: readonly string[],
  way: Way,
): Named<Declaration> {
  const step = `${module.file} ${name}`;
  if (way.visited.has(step)) return { kind: "lost", why: CIRCLE };
  const visited = new Set(way.visited).add(step);
  const found = module.exports.get(name);
  if (found) {
    const exporter = rest.length > 0 || found.typeOnly ? undefined : { module, name };
    const further = { visited, exporter };
    if (found.from === null)
      return findDeclared(declarationsOf, modules, module, [found.name, ...rest], further);
    const names = found.name === "*" ? rest : [found.name, ...rest];
    return findImported(declarationsOf, modules, module, found.from, names, further);
  }
  let other: Named<Declaration> | undefined;
  for (const star of name === "default" ? [] : module.stars) {
    const further = { visited, exporter: way.exporter };
    const brought = findImported(declarationsOf, modules, module, star.from, [name, ...rest], further);
    if (brought.kind === "declared" || brought.kind === "global") return brought;
    // Whether the framework has such a name is not known here, so another file that has it comes first.
    if (brought.kind === "framework" || (brought.kind === "lost" && brought.unread)) other ??= brought;
  }
  if (other?.kind === "framework") return other;
  if (module.problems.length > 0) return { kind: "lost", why: explainMissing(module, name), unread: true };
  // No type where a value is looked for, and the other way round.
  const declarations = declarationsOf(module);
  const alike = [...module.exports].filter(
    ([, one]) => one.from !== null || declarations.has(one.name) || module.imports.has(one.name),
  );
  const nearest = closest(
    name,
    alike.map(([exported]) => exported),
  );
  const location = module.values.get(name)?.location;
  const unexported = location && rest.length === 0 ? { name, location } : undefined;
  return other ?? { kind: "lost", why: explainMissing(module, name), nearest, unexported };
}

/** The entry of the framework that an import names, also by the path that editors write: `#vendor/framework/http.js`. */
export function toFramework(specifier: string, path: string = specifier): string | undefined {
  if (/^framework(?:\/|$)/.test(specifier)) return specifier;
  const found = /^[#./]*vendor\/framework(\/(?!index)\w+)?(?:\/index)?(?:\.d)?(?:\.[jt]s)?$/.exec(path);
  return found ? `framework${found[1] ?? ""}` : undefined;
}

/** The name of what is imported from the framework. */
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
