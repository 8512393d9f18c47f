/** Which param type a written type means: its names are followed through aliases and imports, from file to file. */

import type { Location, ParamType } from "#runtime/routing/route";
import { diagnose } from "../diagnostics/catalogue.ts";
import { closest } from "../diagnostics/closest.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Parameter, SourceModule, TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import type { NamedType } from "../source/names.ts";
import { endOf, findNamed, frameworkName, MARKS } from "../wire/marks.ts";
import type { ScopedType } from "../wire/scope.ts";

export type ResolvedType =
  | { readonly kind: "request" }
  | { readonly kind: "param"; readonly type: ParamType }
  | UnsupportedType;

export interface UnsupportedType {
  readonly kind: "unsupported";
  /** The type at the end of the aliases. */
  readonly text: string;
  /** Why a type of the framework is not one here. */
  readonly explain?: ((location: Location) => Diagnostic) | undefined;
}

/** Where the names of a type are looked up. */
export interface Scope {
  readonly modules: Modules;
  readonly module: SourceModule;
  /** The function's own type parameters. */
  readonly generics: ReadonlySet<string>;
}

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

/** The function's own type parameters hide the types of their names, and no request can say what they are. */
export function toScoped({ module, generics }: Scope, type: TypeExpression): ScopedType {
  const scope = { module, parameters: new Map() };
  if (generics.size === 0) return { type, scope };
  const own = [...generics].map((name): [string, ScopedType] => {
    const hidden = { kind: "other", what: "a type parameter", text: name, location: type.location } as const;
    return [name, { type: hidden, scope }];
  });
  return { type, scope: { module, parameters: new Map(own) } };
}

/** What is written at the end of the aliases. An alias with type arguments is not followed: `type Body<T> = T` is not a segment. */
export function findEnd(scope: Scope, type: TypeExpression): ScopedType {
  const scoped = toScoped(scope, type);
  const isGeneric = "arguments" in type && type.arguments.length > 0;
  return isGeneric ? scoped : endOf(scope.modules, scoped);
}

export function resolveType(scope: Scope, type: TypeExpression): ResolvedType {
  const end = findEnd(scope, type);
  if (end.type.kind === "keyword" && end.type.name === "number") return { kind: "param", type: "int" };
  if (end.type.kind === "keyword" && end.type.name === "string") return { kind: "param", type: "str" };
  const named = findNamed(scope.modules, end);
  const { text } = end.type;
  const resolved = named && "kind" in named ? resolveNamed(named, text) : undefined;
  return resolved ?? { kind: "unsupported", text };
}

/** Whether a type is a list of texts, as a whole path is. */
export function isTexts(scope: Scope, type: TypeExpression): boolean {
  const {
    type: end,
    scope: { module },
  } = findEnd(scope, type);
  const isList = end.kind === "name" && /^(?:Readonly)?Array$/.test(end.path.join("."));
  const items = end.kind === "array" ? end.items : isList ? end.arguments[0] : undefined;
  if (items === undefined) return false;
  const item = resolveType({ ...scope, module }, items);
  return item.kind === "param" && item.type === "str";
}

/** The parameters of the function type that a type means, if it means one. */
export function findFunctionType(
  scope: Scope,
  type: TypeExpression,
): { readonly parameters: readonly Parameter[]; readonly scope: Scope } | undefined {
  const end = findEnd(scope, type);
  if (end.type.kind !== "function") return undefined;
  return { parameters: end.type.parameters, scope: { ...scope, module: end.scope.module } };
}

/** @returns undefined for a type that is none of the framework's. */
function resolveNamed(named: NamedType, text: string): ResolvedType | undefined {
  const refuse = (name: string, why: string, right: string): UnsupportedType => {
    return {
      kind: "unsupported",
      text,
      explain: (location) => diagnose("FW307", { name, why, right }, location),
    };
  };
  if (named.kind === "declared" || named.kind === "lost") return undefined;
  const [first = "", second = ""] = named.path;
  const name = named.kind === "global" && first === "globalThis" ? second : first;
  const isOurs = FRAMEWORK_TYPES.has(name) || MARKS.has(name);
  switch (named.kind) {
    case "global":
      if (name === "Request") return { kind: "request" };
      return isOurs && named.path.length === 1
        ? refuse(name, "is neither imported nor declared here", importOf(name))
        : undefined;
    case "foreign":
      return isOurs
        ? refuse(text, `comes from "${named.from}", so it is not the framework's`, importOf(name))
        : undefined;
    case "framework": {
      const known = frameworkName(named) ?? "";
      if (MARKS.has(known)) return undefined;
      const meant = FRAMEWORK_TYPES.get(known) ?? findMeant(named.path);
      return typeof meant === "string" ? refuse(first, `is not what "${named.from}" exports`, meant) : meant;
    }
  }
}

function importOf(name: string): string {
  return `import type { ${name} } from "framework";`;
}

/** What to write for a name that the framework does not have. Undefined for what it may well export, but not for a parameter. */
function findMeant(path: readonly string[]): string | undefined {
  const name = path.find((one) => one !== "default") ?? "Request";
  const meant = meantType(name) ?? closest(name, [...FRAMEWORK_TYPES.keys(), ...MARKS.keys()]);
  const type = meant?.replace(/<.*$/, "");
  if (type === undefined) return undefined;
  const isOurs = FRAMEWORK_TYPES.has(type) || MARKS.has(type);
  return isOurs ? importOf(type) : `\`${type}\` in its place, which makes it a segment of the path`;
}
