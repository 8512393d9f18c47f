/** Follows `typeof NewUser` to a Standard Schema: the file of the project that exports the value, and its name there. */

import type { SchemaShape } from "#runtime/core/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceModule, TypeDeclaration, TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { endOf, findNamed } from "./marks.ts";
import type { ScopedType, TypeScope } from "./scope.ts";

/** @returns undefined for a type that is not the type of such a value: it is to be read as a shape. */
export function findSchema(modules: Modules, scoped: ScopedType): SchemaShape | Diagnostic | undefined {
  const { type, scope } = scoped;
  if (type.kind !== "typeof") return undefined;
  const found = findValue(modules, scope.module, type.path);
  if (found === undefined) return undefined;
  const name = type.path.join(".");
  if ("from" in found) return diagnose("FW348", { name, from: found.from }, type.location);
  const { file, exported, declared } = found;
  if (declared && !isSchema(modules, declared.module, declared.name)) return undefined;
  if (exported === undefined) return diagnose("FW347", { name, file }, type.location);
  return { kind: "schema", file, exported };
}

interface FoundValue {
  /** The last file of the project on the way to it. */
  readonly file: string;
  /** Its name among the exports of that file; undefined where it is not one. */
  readonly exported: string | undefined;
  /** Missing for a value of a package, which the file passes on. */
  readonly declared?: { readonly module: SourceModule; readonly name: string };
}

type Found = FoundValue | { readonly from: string } | undefined;

const NO_STEPS: ReadonlySet<string> = new Set();

/** @param passing the file that exports what the name means here, where it does. */
function findValue(
  modules: Modules,
  module: SourceModule,
  [name = "", ...rest]: readonly string[],
  passing?: FoundValue,
  visited = NO_STEPS,
): Found {
  if (module.values.has(name)) {
    const exported = passing?.exported ?? exportedName(module, name);
    return rest.length > 0 ? undefined : { file: module.file, exported, declared: { module, name } };
  }
  const imported = module.imports.get(name);
  const path = imported && (imported.name === "*" ? rest : [imported.name, ...rest]);
  return path && findExported(modules, module, imported.from, path, passing, visited);
}

function exportedName({ exports }: SourceModule, local: string): string | undefined {
  return [...exports].find(
    ([, { from, name, typeOnly }]) => from === null && name === local && !typeOnly,
  )?.[0];
}

function findExported(
  modules: Modules,
  importer: SourceModule,
  from: string,
  [name = "", ...rest]: readonly string[],
  passing: FoundValue | undefined,
  visited: ReadonlySet<string>,
): Found {
  if (modules.locate(importer.file, from) === undefined) return passing ?? { from };
  const file = modules.resolve(importer.file, from);
  const module = file === undefined ? undefined : modules.get(file);
  if (module === undefined || visited.has(`${file} ${name}`)) return undefined;
  const further = new Set(visited).add(`${file} ${name}`);
  const found = module.exports.get(name);
  if (found) {
    const here = rest.length === 0 ? { file: module.file, exported: name } : undefined;
    if (found.typeOnly) return undefined;
    if (found.from === null) return findValue(modules, module, [found.name, ...rest], here, further);
    const path = found.name === "*" ? rest : [found.name, ...rest];
    return findExported(modules, module, found.from, path, here, further);
  }
  for (const star of module.stars) {
    if (star.typeOnly || modules.locate(module.file, star.from) === undefined) continue;
    const brought = findExported(modules, module, star.from, [name, ...rest], passing, further);
    if (brought) return brought;
  }
  return undefined;
}

/** A value is one if its text says neither what its type is, nor that it is something else. */
function isSchema(modules: Modules, module: SourceModule, name: string, visited = NO_STEPS): boolean {
  const value = module.values.get(name);
  const type = module.typeOfConstant(name);
  const scope = { module, parameters: new Map() };
  if (type !== null) return isSchemaType(modules, { type, scope });
  if (value?.kind === "name") {
    if (!module.values.has(value.name)) return true;
    return !visited.has(name) && isSchema(modules, module, value.name, new Set(visited).add(name));
  }
  return value?.kind === "opaque" || (value?.kind === "other" && value.what === "an object");
}

/** The types of packages are not read: what a value is declared to be by one of them is left to it. */
function isSchemaType(modules: Modules, scoped: ScopedType, visited = new Set<TypeDeclaration>()): boolean {
  const { type: end, scope } = endOf(modules, scoped);
  const isOne = (type: TypeExpression, inner: TypeScope): boolean =>
    isSchemaType(modules, { type, scope: inner }, visited);
  if (end.kind === "intersection") return end.of.some((type) => isOne(type, scope));
  if (end.kind === "object") return hasStandard(end);
  const named = findNamed(modules, { type: end, scope });
  if (!named || !("kind" in named)) return false;
  if (named.kind !== "declared") return named.kind === "foreign";
  const { declaration, module, rest } = named;
  if (rest.length > 0 || visited.has(declaration)) return false;
  visited.add(declaration);
  const inner = { module, parameters: new Map() };
  return hasStandard(declaration.type) || declaration.bases.some((base) => isOne(base, inner));
}

function hasStandard(type: TypeExpression | null): boolean {
  const members = type?.kind === "object" ? type.members : [];
  return members.some((member) => member.kind === "property" && member.name === "~standard");
}
