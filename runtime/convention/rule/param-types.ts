/** Which param type a written type means: its names are followed through aliases and imports, from file to file. */

import type { Location, ParamType } from "#runtime/core/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { explainMissing } from "../source/exports.ts";
import type { Parameter, SourceModule, TypeExpression } from "../source/module.ts";
import { explainForeign, type Modules } from "../source/modules.ts";

export type ResolvedType =
  | { readonly kind: "request" }
  | { readonly kind: "param"; readonly type: ParamType }
  | UnsupportedType;

export interface UnsupportedType {
  readonly kind: "unsupported";
  /** The type at the end of the aliases. */
  readonly text: string;
  /** Where more can be said than that it is not supported. */
  readonly explain?: ((location: Location) => Diagnostic) | undefined;
  /** What is written at the end of the aliases, and where its names are looked up. */
  readonly end?: { readonly type: TypeExpression; readonly scope: Scope };
}

/** Where the names of a type are looked up. */
export interface Scope {
  readonly modules: Modules;
  readonly module: SourceModule;
  /** The function's own type parameters. */
  readonly generics: ReadonlySet<string>;
  /** The names on the way here, of which none may come again. */
  readonly followed: ReadonlySet<string>;
}

/** @returns the scope after a further name, or undefined where the names form a circle. */
function enter(scope: Scope, module: SourceModule, name: string): Scope | undefined {
  const step = `${module.file} ${name}`;
  if (scope.followed.has(step)) return undefined;
  return { ...scope, module, generics: new Set(), followed: new Set(scope.followed).add(step) };
}

const FRAMEWORK = /^framework(?:\/http)?$/;

/** What `framework` and `framework/http` export for signatures. */
const FRAMEWORK_TYPES: ReadonlyMap<string, ResolvedType> = new Map<string, ResolvedType>([
  ["Request", { kind: "request" }],
  ["int", { kind: "param", type: "int" }],
  ["str", { kind: "param", type: "str" }],
]);

/** What a type that is not one, in lower case, was probably meant to be. */
export const KNOWN_TYPES: ReadonlyMap<string, string> = new Map([
  ["int", "int"],
  ["integer", "int"],
  ["bigint", "int"],
  ["float", "int"],
  ["number", "int"],
  ["string", "string"],
  ["str", "str"],
  ["request", "Request"],
  ["req", "Request"],
]);

function unsupported(text: string, explain?: UnsupportedType["explain"]): UnsupportedType {
  return { kind: "unsupported", text, explain };
}

/** A type whose name leads nowhere. */
function unresolved(text: string, why: string): UnsupportedType {
  return unsupported(text, (location) => diagnose("FW308", { type: text, why }, location));
}

const CIRCLE = "it refers to itself";

export function resolveType(scope: Scope, type: TypeExpression): ResolvedType {
  switch (type.kind) {
    case "keyword":
      if (type.name === "number") return { kind: "param", type: "int" };
      return type.name === "string" ? { kind: "param", type: "str" } : unsupported(type.text);
    case "name":
      return resolveName(scope, type.path, type.text);
    case "import":
      return resolveImport(scope, type.from, type.path, type.text);
    default:
      return { ...unsupported(type.text), end: { type, scope } };
  }
}

/** The parameters of the function type that a type means, if it means one. */
export function findFunctionType(
  scope: Scope,
  type: TypeExpression,
): { readonly parameters: readonly Parameter[]; readonly scope: Scope } | undefined {
  const resolved = resolveType(scope, type);
  const end = resolved.kind === "unsupported" ? resolved.end : undefined;
  return end?.type.kind === "function" ? { parameters: end.type.parameters, scope: end.scope } : undefined;
}

function resolveName(scope: Scope, path: readonly string[], text: string): ResolvedType {
  const [first = "", ...rest] = path;
  const { module, generics } = scope;
  if (generics.has(first)) return unsupported(text);
  if (module.types.has(first)) return rest.length > 0 ? unsupported(text) : followAlias(scope, first, text);
  const imported = module.imports.get(first);
  if (imported === undefined) return resolveGlobal(path, text);
  const names = imported.name === "*" ? rest : [imported.name, ...rest];
  return resolveImport(scope, imported.from, names, text);
}

function resolveGlobal(path: readonly string[], text: string): ResolvedType {
  const name = path[0] === "globalThis" ? path[1] : path[0];
  if (name === "Request" && path.length <= 2) return { kind: "request" };
  if ((name === "int" || name === "str") && path.length === 1)
    return unsupported(text, (location) => diagnose("FW307", { type: name }, location));
  return unsupported(text);
}

function followAlias(scope: Scope, name: string, text: string): ResolvedType {
  const alias = scope.module.types.get(name)?.type;
  const inner = enter(scope, scope.module, `type ${name}`);
  if (inner === undefined) return unresolved(text, CIRCLE);
  return alias ? resolveType(inner, alias) : unsupported(text);
}

/** @param names the exported name first; more than one where it is a namespace. */
function resolveImport(scope: Scope, from: string, names: readonly string[], text: string): ResolvedType {
  const [name = "", ...rest] = names;
  const known = FRAMEWORK_TYPES.get(name);
  if (known && rest.length === 0 && FRAMEWORK.test(from)) return known;
  if (FRAMEWORK.test(from) || from.startsWith("framework/"))
    return unsupported(text, teachImport(from, names));
  if (scope.modules.locate(scope.module.file, from, true) !== undefined)
    return resolveExportedType(scope, from, names, text);
  return known
    ? unsupported(text, (location) => diagnose("FW310", { name: text, from, type: name }, location))
    : unresolved(text, explainForeign(from));
}

/** Undefined for what the framework may well export, but not as a type of a param. */
function teachImport(from: string, names: readonly string[]): UnsupportedType["explain"] {
  const name = names.find((one) => one !== "default") ?? "Request";
  const meant = KNOWN_TYPES.get(name.toLowerCase()) ?? closest(name, FRAMEWORK_TYPES.keys());
  if (meant === undefined) return undefined;
  const type = FRAMEWORK_TYPES.has(meant) ? meant : "int, str";
  const right = `import type { ${type} } from "framework";`;
  const what = names[0] === "default" ? "default" : name;
  return (location) => diagnose("FW309", { name: what, from, right }, location);
}

function resolveExportedType(
  scope: Scope,
  from: string,
  [name = "", ...rest]: readonly string[],
  text: string,
): ResolvedType {
  const file = scope.modules.resolve(scope.module.file, from, true);
  const module = file === undefined ? undefined : scope.modules.get(file);
  if (!module) return unresolved(text, `there is no file "${from}"`);
  const inner = enter(scope, module, `export ${name}`);
  if (inner === undefined) return unresolved(text, CIRCLE);
  const found = module.exports.get(name);
  if (found?.from != null)
    return resolveImport(inner, found.from, found.name === "*" ? rest : [found.name, ...rest], text);
  if (found) return resolveName(inner, [found.name, ...rest], found.name);
  for (const star of module.stars) {
    const brought = resolveImport(inner, star.from, [name, ...rest], text);
    if (brought.kind !== "unsupported" || !brought.explain) return brought;
  }
  return unresolved(text, explainMissing(module, name));
}
