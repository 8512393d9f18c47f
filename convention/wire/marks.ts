/**
 * Recognises marks: the types of the framework around a parameter's type that say where its value comes from. `Body<T>` is the request
 * body, `Query<T>` the query, `From<typeof f>` the result of a provider.
 */

import type { Place } from "#runtime/wire/inputs";
import type { TypeDeclaration, TypeExpression } from "../source/module.ts";
import type { Modules } from "../source/modules.ts";
import { type DeclaredType, find, type NamedType } from "../source/names.ts";
import { enterDeclaration, parameterOf, type ScopedType } from "./scope.ts";

export type MarkName =
  | "Body"
  | "Form"
  | "Query"
  | "Header"
  | "Cookie"
  | "Bearer"
  | "Basic"
  | "ApiKey"
  | "Credential"
  | "From";

/** The marks by name: the place of the value, and an example of a parameter. */
export const MARKS: ReadonlyMap<string, readonly [place: Mark["place"], example: string]> = new Map<
  MarkName,
  readonly [Mark["place"], string]
>([
  ["Body", ["body", "body: Body<NewUser>"]],
  ["Form", ["form", "form: Form<{ title: string }>"]],
  ["Query", ["query", "page: Query<int>"]],
  ["Header", ["header", "if_none_match: Header<string>"]],
  ["Cookie", ["cookie", "theme: Cookie<string>"]],
  ["Bearer", ["bearer", "token: Bearer"]],
  ["Basic", ["basic", "user: Basic"]],
  ["ApiKey", ["api-key", 'key: ApiKey<"x-api-key">']],
  ["Credential", ["credential", 'token: Credential<"Token">']],
  ["From", ["provider", "user: From<typeof requireUser>"]],
]);

/** @example exampleOf("Query") // "Query<int>" */
export function exampleOf(name: string): string {
  return MARKS.get(name)?.[1].replace(/^\w+: /, "") ?? "";
}

/** A mark in the type of a parameter. */
export type Mark = TakeMark | ProviderMark;

/** A mark whose value comes from the request. */
export interface TakeMark extends MarkUse {
  readonly place: Place;
}

/** `From<typeof f>` */
export interface ProviderMark extends MarkUse {
  readonly place: "provider";
}

interface MarkUse {
  readonly name: string;
  /** The type arguments of the mark. */
  readonly of: readonly ScopedType[];
  /** The project's alias for the mark, as `type Json<T> = Body<T>`, if the parameter uses one. */
  readonly alias?: TypeDeclaration | undefined;
  /** True for a union with `undefined`. */
  readonly optional: boolean;
}

const FRAMEWORK = /^framework(?:\/http)?$/;

/** The name of a type imported from `framework` or `framework/http`; undefined for any other type. */
export function frameworkName(named: NamedType): string | undefined {
  return named.kind === "framework" && FRAMEWORK.test(named.from) && named.path.length === 1
    ? named.path[0]
    : undefined;
}

/**
 * Finds the mark of a parameter's type, through aliases of the project: `type Json<T> = Body<T>`.
 *
 * @param followed the aliases that led to this type, to detect cycles; new ones are added.
 */
export function findMark(
  modules: Modules,
  scoped: ScopedType,
  followed: Set<TypeDeclaration> = new Set(),
): Mark | undefined {
  const { type, scope } = endOf(modules, scoped, followed);
  const left = leaveOut(type, "undefined");
  if (left) {
    const mark = findMark(modules, { type: left, scope }, followed);
    return mark && { ...mark, optional: true };
  }
  const named = findNamed(modules, { type, scope });
  const name = named && "kind" in named ? frameworkName(named) : undefined;
  const [place] = MARKS.get(name ?? "") ?? [];
  if (name === undefined || place === undefined) return undefined;
  return { name, place, of: argumentsOf({ type, scope }), alias: [...followed].at(-1), optional: false };
}

/** Resolves aliases of the project to the expression at their end. @param followed collects the aliases. */
export function endOf(
  modules: Modules,
  scoped: ScopedType,
  followed: Set<TypeDeclaration> = new Set(),
): ScopedType {
  // A loop: recursion would overflow the stack for a long chain of aliases.
  for (let end = scoped; ; ) {
    const named = findNamed(modules, end);
    if (named === undefined) return end;
    if (!("kind" in named)) {
      end = named;
      continue;
    }
    if (named.kind !== "declared" || followed.has(named.declaration)) return end;
    const inside = enterAlias(named, end);
    if (inside === undefined) return end;
    followed.add(named.declaration);
    end = inside;
  }
}

/** Resolves a name to a type argument of the enclosing declaration, or to its declaration. Undefined for other expressions. */
export function findNamed(modules: Modules, { type, scope }: ScopedType): NamedType | ScopedType | undefined {
  if (type.kind === "import") return find(modules, scope.module, type, "type");
  if (type.kind !== "name") return undefined;
  return parameterOf(type, scope) ?? find(modules, scope.module, type, "type");
}

function argumentsOf({ type, scope }: ScopedType): ScopedType[] {
  return "arguments" in type ? type.arguments.map((one) => ({ type: one, scope })) : [];
}

/** The body of an alias, with the scope of this use. Undefined for other declarations, and if a type argument is missing. */
function enterAlias({ module, declaration, rest }: DeclaredType, used: ScopedType): ScopedType | undefined {
  const { kind, type } = declaration;
  if (kind !== "alias" || type === null || rest.length > 0) return undefined;
  const scope = enterDeclaration(declaration, module, used);
  return typeof scope === "string" ? undefined : { type, scope };
}

/** Removes a keyword from a union; undefined for a type without it. */
export function leaveOut(type: TypeExpression, keyword: "undefined" | "null"): TypeExpression | undefined {
  if (type.kind !== "union") return undefined;
  const left = type.of.filter((one) => !(one.kind === "keyword" && one.name === keyword));
  const [only] = left;
  if (only === undefined || left.length === type.of.length) return undefined;
  if (left.length === 1) return only;
  return { ...type, of: left, text: left.map(({ text }) => text).join(" | ") };
}

/** Searches a type expression depth-first, and returns the first result of `find`. */
export function findInside<Found>(
  type: TypeExpression,
  find: (part: TypeExpression) => Found | undefined,
): Found | undefined {
  const found = find(type);
  if (found !== undefined) return found;
  for (const part of partsOf(type)) {
    const inside = findInside(part, find);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function partsOf(type: TypeExpression): readonly TypeExpression[] {
  switch (type.kind) {
    case "name":
    case "import":
      return type.arguments;
    case "union":
    case "intersection":
      return type.of;
    case "array":
      return [type.items];
    case "tuple":
      return type.items.map((item) => item.type);
    case "object":
      return type.members.flatMap((member) => ("type" in member && member.type ? [member.type] : []));
    case "indexed":
      return [type.object, type.index];
    default:
      return [];
  }
}
