/** The operators that only results have: `Awaited`, `ReturnType`, and the marks of parameters whose values a result has. */

import { type Part, type TypePlace, toPart, UNKNOWN } from "./outline.ts";
import { namedIn, settledMembers } from "./sent.ts";
import { unionPart } from "./unions.ts";

/** @param of settled. @returns undefined for an unknown type. */
type Operator = (of: readonly Part[], place: TypePlace) => Part | undefined;

const first: Operator = ([of]) => of;
const text: Operator = (_, place) => toPart(place, "string", { kind: "string" });

/** What `Provided` of the framework does. */
const provided: Operator = ([of]) => {
  const returns = of && returnPart(of);
  return returns && (generatedBy(returns) ?? awaited(returns));
};

export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["Awaited", ([of]) => of && awaited(of)],
  ["ReturnType", ([of]) => of && returnPart(of)],
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
  ["framework From", provided],
  ["$Without", ([of, ...nothing], place) => of && without(of, nothing, place)],
]);

const PROMISES: ReadonlySet<string> = new Set(["Promise", "PromiseLike"]);

/** Of a promise what it resolves to, as deep as they are. */
export function awaited(part: Part): Part {
  const members = settledMembers(part);
  if (!members.some(isPromise)) return part;
  return unionPart(
    part,
    members.map((member) => (isPromise(member) ? awaitedOnce(member) : member)),
  );
}

export function isPromise(part: Part): boolean {
  return PROMISES.has(namedIn(part)?.name ?? "");
}

function awaitedOnce(part: Part): Part {
  const [of] = namedIn(part)?.of ?? [];
  return of ? awaited(of) : toPart(part, "unknown", UNKNOWN);
}

export function returnPart(part: Part): Part | undefined {
  const outline = part.outline();
  return outline.kind === "refused" && outline.sent?.kind === "function" ? outline.sent.returns() : undefined;
}

function generatedBy(part: Part): Part | undefined {
  const named = namedIn(part);
  return named && /^(?:Async)?Generator$/.test(named.name) ? named.of[0] : undefined;
}

/** What is left of a type behind `if (user === undefined) throw …;`. */
function without(of: Part, nothing: readonly Part[], place: TypePlace): Part {
  const kinds = nothing.map((one) => one.outline().kind);
  const members = settledMembers(of);
  const left = members.filter((member) => !kinds.includes(member.outline().kind));
  return left.length === members.length ? of : unionPart(place, left);
}
