/** Intersections: the type of the values that fit all of several types. */

import { diagnose } from "../diagnostics/catalogue.ts";
import { addLimits, constrainAll, keepFitting } from "./constraints.ts";
import {
  type ArrayOutline,
  type Clash,
  createPart,
  diagnoseClash,
  type Field,
  NEVER,
  type ObjectOutline,
  type Outline,
  type Part,
  refused,
  refusedLater,
  type TupleOutline,
  type TypePlace,
  toPart,
  UNKNOWN,
} from "./outline.ts";
import { applyLater } from "./sent.ts";
import { unite } from "./unions.ts";

/** More combinations of union members than this are not a type that somebody wrote. */
const MOST_COMBINATIONS = 1000;

export function intersect(place: TypePlace, parts: readonly Part[]): Outline {
  const outlines = parts.map((part) => part.outline());
  const bad = outlines.find(({ kind }) => kind === "refused");
  if (bad?.kind === "refused") {
    const label = (): string => parts.map((part) => part.label()).join(" & ");
    return applyLater(bad, { place, label, of: parts }, (settled) => intersect(place, settled));
  }
  const constraints = outlines.flatMap((one) => (one.kind === "constraints" ? one.constraints : []));
  const rest = parts.filter((_, index) => !isNeutral(outlines[index]));
  if (rest.length === 0) return constraints.length > 0 ? { kind: "constraints", constraints } : UNKNOWN;
  const [only, second] = rest;
  const met = only && second === undefined ? only.outline() : meetAll(place, rest);
  return constrainAll(met, constraints);
}

function isNeutral(outline: Outline | undefined): boolean {
  return outline?.kind === "unknown" || outline?.kind === "constraints";
}

/** The intersection of parts, which are not read yet. */
function intersectionPart(place: TypePlace, parts: readonly Part[]): Part {
  const operands = distinct(parts.flatMap((part) => part.operands ?? [part]));
  const [first] = operands;
  if (operands.length === 1 && first) return first;
  return createPart(
    place,
    () => operands.map((part) => part.label()).join(" & "),
    () => intersect(place, operands),
    "operator",
    operands,
  );
}

function distinct(parts: readonly Part[]): readonly Part[] {
  return [...new Map(parts.map((part) => [part.label(), part])).values()];
}

/** Of unions, every member with every member. */
function meetAll(place: TypePlace, parts: readonly Part[]): Outline {
  let combinations: Part[][] = [[]];
  for (const part of parts) {
    const outline = part.outline();
    if (outline.kind !== "union") for (const chosen of combinations) chosen.push(part);
    else combinations = combinations.flatMap((chosen) => outline.of.map((member) => [...chosen, member]));
    if (combinations.length > MOST_COMBINATIONS) return tooMany(place);
  }
  const [only, second] = combinations;
  if (only && second === undefined) return meetEach(place, only);
  const met = combinations.map((chosen) => meetMembers(place, chosen));
  const possible = met.filter((part) => part.outline().kind !== "refused");
  return unite(possible.length > 0 ? possible : met);
}

function tooMany({ text, location }: TypePlace): Outline {
  const why = `it has more than ${MOST_COMBINATIONS} combinations`;
  return refused(
    diagnose("FW328", { type: text, why, instead: "Write out the combinations that you mean" }, location),
  );
}

function meetMembers(place: TypePlace, chosen: readonly Part[]): Part {
  const parts = distinct(chosen);
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  const outline = meetEach(place, parts);
  const label = parts.map((part) => part.label()).join(" & ");
  return toPart(place, label, isImpossible(outline) ? NEVER : outline);
}

/** Objects of different literals, as in `{ kind: "a" } & { kind: "b" }`. */
function isImpossible(outline: Outline): boolean {
  return (
    outline.kind === "object" &&
    [...outline.fields.values()].some(
      ({ part, optional }) => !optional && part.operands !== undefined && part.outline().kind === "never",
    )
  );
}

function meetEach(place: TypePlace, parts: readonly Part[]): Outline {
  const outlines = parts.map((part) => part.outline());
  const objects = outlines.filter((outline) => outline.kind === "object");
  if (objects.length === outlines.length && objects.length > 0) return mergeObjects(place, objects);
  return outlines.reduce((one, other) => meet(place, one, other));
}

function meet(place: TypePlace, one: Outline, other: Outline): Outline {
  if (one.kind === "never" || one.kind === "refused") return one;
  if (other.kind === "never") return other;
  if (isEmptyObject(other)) return isNothing(one) ? clashOf(place, one, other) : one;
  if (isEmptyObject(one)) return isNothing(other) ? clashOf(place, one, other) : other;
  if (other.kind === "object" && isBrandable(one)) return brand(place, one, other);
  if (one.kind === "object" && isBrandable(other)) return brand(place, other, one);
  if (one.kind === "literal" || other.kind === "literal") return meetLiteral(place, one, other);
  if (one.kind === "array" || one.kind === "tuple") return meetArray(place, one, other);
  if (one.kind !== other.kind) return clashOf(place, one, other);
  if (one.kind === "object" && other.kind === "object") return mergeObjects(place, [one, other]);
  return one.kind === "string" || one.kind === "number" ? addLimits(place, one, limitsOf(other)) : one;
}

function limitsOf(outline: Outline): object {
  const { kind: _, ...limits } = outline;
  return limits;
}

function isNothing({ kind }: Outline): boolean {
  return kind === "null" || kind === "undefined";
}

/** `{}` includes everything but null and undefined. */
function isEmptyObject(outline: Outline): boolean {
  return (
    outline.kind === "object" && outline.fields.size === 0 && !outline.others && outline.odd.length === 0
  );
}

function isBrandable({ kind }: Outline): boolean {
  return kind === "string" || kind === "number" || kind === "literal";
}

/** `string & { readonly brand: "id" }`: nothing that a request carries, and a result of it is the text alone. */
function brand(place: TypePlace, scalar: Outline, object: Outline): Outline {
  const { clash } = clashOf(place, scalar, object);
  return refusedLater(() => diagnoseClash(clash), {
    kind: "same",
    as: () => toPart(place, place.text, scalar),
  });
}

function clashOf(place: TypePlace, one: Outline, other: Outline): { kind: "never"; clash: Clash } {
  const why =
    one.kind === "literal" && other.kind === "literal"
      ? "they have no literal in common"
      : `nothing is both ${nameOutline(one)} and ${nameOutline(other)}`;
  return { kind: "never", clash: { why, place } };
}

function nameOutline({ kind }: Outline): string {
  const names: Partial<Record<Outline["kind"], string>> = { string: "text", date: "a Date", file: "a File" };
  return names[kind] ?? (/^[aou]/.test(kind) ? `an ${kind}` : kind === "null" ? kind : `a ${kind}`);
}

function meetLiteral(place: TypePlace, one: Outline, other: Outline): Outline {
  const [literal, rest] = one.kind === "literal" ? [one, other] : [other, one];
  if (literal.kind !== "literal") return clashOf(place, one, other);
  const fitting =
    rest.kind === "literal"
      ? literal.values.filter((value) => rest.values.includes(value))
      : rest.kind === "string" || rest.kind === "number"
        ? keepFitting(literal, rest)
        : [];
  return fitting.length > 0 ? { kind: "literal", values: fitting } : clashOf(place, one, other);
}

function meetArray(place: TypePlace, one: ArrayOutline | TupleOutline, other: Outline): Outline {
  if (other.kind === "array") {
    const meetItems = (part: Part): Part => intersectionPart(place, [part, other.items]);
    const { kind: _, items: __, ...limits } = other;
    return addLimits(place, mapItems(one, meetItems), limits);
  }
  if (one.kind === "array" && other.kind === "tuple") return meetArray(place, other, one);
  return clashOf(place, one, other);
}

function mapItems(
  outline: ArrayOutline | TupleOutline,
  map: (part: Part) => Part,
): ArrayOutline | TupleOutline {
  if (outline.kind === "array") return { ...outline, items: map(outline.items) };
  return {
    ...outline,
    items: outline.items.map(({ part, optional }) => ({ part: map(part), optional })),
    ...(outline.rest && { rest: map(outline.rest) }),
  };
}

/** A property has all the types that the objects give it, and those of an index signature. */
function mergeObjects(place: TypePlace, objects: readonly ObjectOutline[]): Outline {
  const found = new Map<string, Field[]>();
  for (const { fields } of objects)
    for (const [name, field] of fields) found.set(name, [...(found.get(name) ?? []), field]);
  const indexed = objects.filter(({ others }) => others !== undefined);
  const fields = new Map<string, Field>();
  for (const [name, declared] of found) {
    const indexes = indexed.flatMap((one) => (one.fields.has(name) ? [] : (one.others ?? [])));
    const part = joinParts([...declared.map((field) => field.part), ...indexes]);
    fields.set(name, { part, optional: declared.every(({ optional }) => optional) });
  }
  const others = indexed.flatMap((one) => one.others ?? []);
  return {
    kind: "object",
    fields,
    odd: objects.flatMap(({ odd }) => odd),
    ...(others.length > 0 && { others: intersectionPart(place, others) }),
  };
}

function joinParts([first, ...more]: readonly Part[]): Part {
  if (first === undefined) throw new Error("A property has a type.");
  const last = more.at(-1);
  if (last === undefined) return first;
  const text = [first, ...more].map((part) => part.text).join(" & ");
  return intersectionPart({ text, location: last.location }, [first, ...more]);
}
