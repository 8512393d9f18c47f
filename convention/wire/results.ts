/** Evaluates the operators that only results have: `Awaited`, `ReturnType`, and marks, because a handler may return a parameter. */

import { look, membersOf, type Type, type TypePlace, textType } from "./type.ts";
import { uniteAt } from "./unions.ts";

/** @returns undefined if the type is unknown. */
type Operator = (of: readonly Type[], place: TypePlace) => Type | undefined;

const first: Operator = ([of]) => of;
const text: Operator = (_, place) => textType(place);

/** `From<typeof f>`: the awaited result of a provider, or the type that it yields. */
const provided: Operator = ([of]) => {
  const returns = of && returnOf(of);
  return returns && (generatedBy(returns) ?? awaited(returns));
};

export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["Awaited", ([of]) => of && awaited(of)],
  ["ReturnType", ([of]) => of && returnOf(of)],
  ["NoInfer", first],
  ["Uppercase", text],
  ["Lowercase", text],
  ["Capitalize", text],
  ["Uncapitalize", text],
  ["framework Body", first],
  ["framework Form", first],
  ["framework Query", first],
  ["framework Header", first],
  ["framework Cookie", first],
  ["framework Bearer", text],
  ["framework ApiKey", text],
  ["framework Credential", text],
  ["framework From", provided],
]);

/** The name and type arguments of a type that TypeScript or the framework declares. */
export function namedIn(type: Type): { readonly name: string; readonly of: readonly Type[] } | undefined {
  const found = look(type);
  return found.kind === "named" ? found : undefined;
}

/** TypeScript's `Awaited`: unwraps promises, also nested ones. */
export function awaited(type: Type): Type {
  const members = membersOf(type);
  if (!members.some(isPromise)) return type;
  return uniteAt(
    type.at,
    members.map((member) => (isPromise(member) ? awaitedOnce(member) : member)),
  );
}

export function isPromise(type: Type): boolean {
  return /^Promise(?:Like)?$/.test(namedIn(type)?.name ?? "");
}

function awaitedOnce(type: Type): Type {
  const [of] = namedIn(type)?.of ?? [];
  return of ? awaited(of) : { kind: "unknown", at: type.at };
}

export function returnOf(type: Type): Type | undefined {
  const found = look(type);
  return found.kind === "function" ? found.returns() : undefined;
}

function generatedBy(type: Type): Type | undefined {
  const named = namedIn(type);
  return named && /^(?:Async)?Generator$/.test(named.name) ? named.of[0] : undefined;
}
