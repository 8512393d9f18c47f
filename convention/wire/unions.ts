/** Unions: what they come to when their members are put together. */

import type { LiteralShape } from "#runtime/wire/shape";
import {
  createPart,
  membersOfPart,
  NEVER,
  type Outline,
  type Part,
  type TypePlace,
  toPart,
  UNKNOWN,
} from "./outline.ts";

type LiteralValue = LiteralShape["values"][number];

/** Nested unions become one, what holds nothing goes, literals become one member, and what another member includes goes. */
export function unite(parts: readonly Part[]): Outline {
  const members = parts.flatMap(membersOfPart).map(keepRefused);
  if (members.length > 1 && areUnlike(members)) return { kind: "union", of: members };
  if (members.some((member) => member.outline().kind === "unknown")) return UNKNOWN;
  const clash = members.find((member) => member.outline().kind === "never");
  const distinct = joinLiterals(withoutIncluded(withoutRepeated(members)));
  const [first, second] = distinct;
  if (first === undefined) return clash?.outline() ?? NEVER;
  return second === undefined ? first.outline() : { kind: "union", of: distinct };
}

/** Members of one kind each can't repeat or include each other. */
function areUnlike(members: readonly Part[]): boolean {
  const kinds = new Set<string>(ABSORBING);
  for (const member of members) kinds.add(member.outline().kind);
  return kinds.size === ABSORBING.length + members.length;
}

const ABSORBING = ["never", "unknown", "literal", "refused"];

/** A part that is asked about itself refuses, and knows better afterwards: a union that it is a member of has no end. */
function keepRefused(member: Part): Part {
  const outline = member.outline();
  return outline.kind === "refused" ? toPart(member, member.text, outline) : member;
}

/** Without what holds nothing, and without a named type or a keyword that comes twice. */
function withoutRepeated(members: readonly Part[]): Part[] {
  const seen = new Set<string>();
  return members.filter((member) => {
    const { kind } = member.outline();
    if (kind === "never") return false;
    if (kind === "literal" || kind === "refused") return true;
    const label = member.label();
    return !seen.has(label) && seen.add(label);
  });
}

function isPlain(outline: Outline): boolean {
  return (outline.kind === "string" || outline.kind === "number") && Object.keys(outline).length === 1;
}

/** `string` includes every other text, and `number` every other number. */
function withoutIncluded(members: readonly Part[]): Part[] {
  const plain = new Set(
    members
      .map((member) => member.outline())
      .filter(isPlain)
      .map(({ kind }) => kind),
  );
  if (plain.size === 0) return [...members];
  const kept = new Set<string>();
  return members.flatMap((member) => {
    const outline = member.outline();
    if (outline.kind === "literal") {
      const values = outline.values.filter((value) => !includes(plain, value));
      return values.length > 0 ? [literalPart(member, values)] : [];
    }
    if (!plain.has(outline.kind)) return [member];
    return isPlain(outline) && !kept.has(outline.kind) && kept.add(outline.kind) ? [member] : [];
  });
}

/** `int` includes whole numbers. */
function includes(plain: ReadonlySet<string>, value: LiteralValue): boolean {
  return plain.has(typeof value);
}

export function literalPart(place: TypePlace, values: readonly LiteralValue[]): Part {
  const label = values.map((value) => JSON.stringify(value)).join(" | ");
  return toPart(place, label, { kind: "literal", values });
}

function joinLiterals(members: readonly Part[]): readonly Part[] {
  const literals = members.filter((member) => member.outline().kind === "literal");
  const [first] = literals;
  if (first === undefined) return members;
  const joined = literals.length === 1 ? first : literalPart(first, [...new Set(literals.flatMap(valuesOf))]);
  return members.flatMap((member) =>
    member === first ? [joined] : member.outline().kind === "literal" ? [] : [member],
  );
}

export function valuesOf(part: Part): readonly LiteralValue[] {
  const outline = part.outline();
  return outline.kind === "literal" ? outline.values : [];
}

/** The members of a union with each literal alone, to choose from them. */
export function singles(part: Part): readonly Part[] {
  return membersOfPart(part).flatMap((member) => {
    const outline = member.outline();
    return outline.kind === "literal"
      ? outline.values.map((value) => literalPart(member, [value]))
      : [member];
  });
}

/** The union of parts, which are not read yet. */
export function unionPart(place: TypePlace, parts: readonly Part[]): Part {
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  return createPart(
    place,
    () => parts.map((part) => part.label()).join(" | "),
    () => unite(parts),
  );
}

export function isUndefined(part: Part): boolean {
  return part.outline().kind === "undefined";
}

export function isNullish(part: Part): boolean {
  return part.outline().kind === "null" || isUndefined(part);
}

/** Where a value may be missing, `undefined` is not more. */
export function withoutUndefined(part: Part): Part {
  const { kind } = part.outline();
  if (kind !== "union" && kind !== "undefined") return part;
  const members = membersOfPart(part);
  const rest = members.filter((member) => !isUndefined(member));
  if (rest.length === members.length) return part;
  return rest.length === 0 ? toPart(part, "never", NEVER) : unionPart(part, rest);
}
