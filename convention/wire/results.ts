/** The operators that only results have: `Awaited`, `ReturnType`, and the marks of parameters whose values a result has. */

import { look, membersOf, type Type, type TypePlace, textType } from "./type.ts";
import { uniteAt } from "./unions.ts";

/** @returns undefined for an unknown type. */
type Operator = (of: readonly Type[], place: TypePlace) => Type | undefined;

const first: Operator = ([of]) => of;
const text: Operator = (_, place) => textType(place);

/** What `Provided` of the framework does. */
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

/** What TypeScript or the framework calls a type that they declare. */
export function namedIn(type: Type): { readonly name: string; readonly of: readonly Type[] } | undefined {
  const found = look(type);
  return found.kind === "named" ? found : undefined;
}

/** Of a promise what it resolves to, as deep as they are. */
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
