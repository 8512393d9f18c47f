/** Which param type a written type means: its names are followed through aliases and imports, from file to file. */

import type { Location, ParamType } from "#runtime/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Parameter, SourceModule, TypeDeclaration, TypeExpression } from "../source/module.ts";
import { explainForeign, type Modules } from "../source/modules.ts";
import { CIRCLE, type DeclaredType, findImportedType, findType, type NamedType } from "../source/names.ts";
import { frameworkName, MARKS } from "../wire/marks.ts";

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
  /** The aliases on the way here, of which none may come again. */
  readonly followed: ReadonlySet<TypeDeclaration>;
}

/** More would be too many for the stack. */
const MOST_ALIASES = 500;

type NamedExpression = Extract<TypeExpression, { readonly arguments: unknown }>;
type ImportedType = Extract<NamedType, { readonly from: string }>;

/** What `framework` and `framework/http` export for signatures. */
const FRAMEWORK_TYPES: ReadonlyMap<string, ResolvedType> = new Map<string, ResolvedType>([
  ["Request", { kind: "request" }],
  ["int", { kind: "param", type: "int" }],
  ["str", { kind: "param", type: "str" }],
]);

/** Names that people try for types, in lower case, and what they mean. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["int", "int"],
  ["integer", "int"],
  ["bigint", "int"],
  ["float", "int"],
  ["number", "int"],
  ["string", "string"],
  ["str", "str"],
  ["req", "Request"],
  ["incomingmessage", "Request"],
  ["param", "string"],
  ["params", "string"],
  ["path", "string"],
  ["pathparam", "string"],
  ["json", "Body<…>"],
  ["jsonbody", "Body<…>"],
  ["formdata", "Form<…>"],
  ["queryparams", "Query<…>"],
  ["urlsearchparams", "Query<…>"],
  ["headers", "Header<…>"],
  ["cookies", "Cookie<…>"],
  ["depends", "From<typeof …>"],
  ["inject", "From<typeof …>"],
]);

/** What a type that is not one was probably meant to be. @example meantType("Params<string>") // "string" */
export function meantType(text: string): string | undefined {
  const name = text.replace(/<.*$/s, "").toLowerCase();
  return MEANT.get(name) ?? (name.endsWith("request") ? "Request" : undefined);
}

function unsupported(text: string, explain?: UnsupportedType["explain"]): UnsupportedType {
  return { kind: "unsupported", text, explain };
}

/** A type whose name leads nowhere. */
function unresolved(text: string, why: string): UnsupportedType {
  return unsupported(text, (location) =>
    diagnose(
      "FW328",
      {
        type: text,
        why,
        instead: "Write `int`, `number`, `string`, `str` or `Request` at the parameter itself",
      },
      location,
    ),
  );
}

export function resolveType(scope: Scope, type: TypeExpression): ResolvedType {
  const { modules, module, generics } = scope;
  switch (type.kind) {
    case "keyword":
      if (type.name === "number") return { kind: "param", type: "int" };
      return type.name === "string" ? { kind: "param", type: "str" } : unsupported(type.text);
    case "name":
      return generics.has(type.path[0] ?? "")
        ? unsupported(type.text)
        : resolveNamed(scope, type, findType(modules, module, type.path));
    case "import":
      return resolveNamed(scope, type, findImportedType(modules, module, type.from, type.path));
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

function resolveNamed(
  scope: Scope,
  { text, arguments: given }: NamedExpression,
  named: NamedType,
): ResolvedType {
  switch (named.kind) {
    case "declared":
      return given.length > 0 ? unsupported(text) : followAlias(scope, named, text);
    case "global":
      return resolveGlobal(named.path, text);
    case "lost":
      return unresolved(text, named.why);
    case "foreign":
      return resolveForeign(named, text);
    case "framework":
      return resolveFramework(named, text);
  }
}

function followAlias(scope: Scope, { module, declaration, rest }: DeclaredType, text: string): ResolvedType {
  const { generics, type } = declaration;
  if (type === null || rest.length > 0 || generics.length > 0) return unsupported(text);
  if (scope.followed.has(declaration)) return unresolved(text, CIRCLE);
  if (scope.followed.size === MOST_ALIASES) return unresolved(text, "too many aliases lead to it");
  const followed = new Set(scope.followed).add(declaration);
  return resolveType({ ...scope, module, generics: new Set(), followed }, type);
}

function resolveGlobal(path: readonly string[], text: string): ResolvedType {
  const name = path[0] === "globalThis" ? path[1] : path[0];
  if (name === "Request" && path.length <= 2) return { kind: "request" };
  const isMeant = name === "int" || name === "str" || MARKS.has(name ?? "");
  if (name !== undefined && isMeant && path.length === 1)
    return unsupported(text, (location) =>
      diagnose(
        "FW307",
        { name, why: "is neither imported nor declared here", right: importOf(name) },
        location,
      ),
    );
  return unsupported(text);
}

function importOf(name: string): string {
  return `import type { ${name} } from "framework";`;
}

function resolveForeign({ from, path: [name = ""] }: ImportedType, text: string): ResolvedType {
  return FRAMEWORK_TYPES.has(name) || MARKS.has(name)
    ? unsupported(text, (location) =>
        diagnose(
          "FW307",
          { name: text, why: `comes from "${from}", so it is not the framework's`, right: importOf(name) },
          location,
        ),
      )
    : unresolved(text, explainForeign(from));
}

function resolveFramework(named: ImportedType, text: string): ResolvedType {
  const name = frameworkName(named) ?? "";
  if (MARKS.has(name)) return unsupported(text);
  return FRAMEWORK_TYPES.get(name) ?? unsupported(text, teachImport(named.from, named.path));
}

/** Undefined for what the framework may well export, but not as a type of a parameter. */
function teachImport(from: string, names: readonly string[]): UnsupportedType["explain"] {
  const name = names.find((one) => one !== "default") ?? "Request";
  const meant = meantType(name) ?? closest(name, [...FRAMEWORK_TYPES.keys(), ...MARKS.keys()]);
  if (meant === undefined) return undefined;
  const what = names[0] === "default" ? "default" : name;
  const type = meant.replace(/<.*$/, "");
  const isOurs = FRAMEWORK_TYPES.has(type) || MARKS.has(type);
  const right = isOurs ? importOf(type) : `\`${type}\` in its place, which makes it a segment of the path`;
  const why = `is not what "${from}" exports`;
  return (location) => diagnose("FW307", { name: what, why, right }, location);
}
