/** How the properties of objects have changed. Of a union, objects with the same tag are compared with each other. */

import { formatShape } from "#convention/wire/format-shape";
import type { Property, Shape } from "#runtime/wire/shape";
import {
  formatLiterals,
  isNamed,
  type Literal,
  type Matched,
  type Member,
  matchMembers,
  type ObjectCase,
} from "./cases.ts";
import { type At, inside, located, note } from "./shape-change.ts";

type ObjectMember = Member<ObjectCase>;

export function compareObjects(was: readonly ObjectMember[], is: readonly ObjectMember[], at: At): void {
  if (was.length === 0 || is.length === 0) return;
  const tag = was.length + is.length > 2 ? findTag(was, is) : undefined;
  const pairs = tag === undefined ? matchMembers(was, is, countShared) : matchTagged(tag, was, is);
  for (const { one, other } of pairs) {
    if (one && other) compareMembers(one, other, tag, at);
    else if (one)
      note(located(at, { before: one.found }), "one-of-removed", { from: formatShape(one.shape) });
    else if (other)
      note(located(at, { after: other.found }), "one-of-added", { to: formatShape(other.shape) });
  }
  if (tag !== undefined) compareTags(tag, was, is, inside(at, tag));
}

/** The literals of objects that go on with others. */
function compareTags(tag: string, was: readonly ObjectMember[], is: readonly ObjectMember[], at: At): void {
  const missing = (from: readonly ObjectMember[], among: readonly ObjectMember[]): readonly Literal[] => {
    const known = new Set(among.flatMap((member) => literalsOf(member, tag)));
    return from.flatMap((member) => {
      const values = literalsOf(member, tag);
      const left = values.filter((value) => !known.has(value));
      return left.length === values.length ? [] : left;
    });
  };
  const [gone, added] = [missing(was, is), missing(is, was)];
  if (gone.length > 0) note(at, "enum-value-removed", { from: formatLiterals(gone) });
  if (added.length > 0) note(at, "enum-value-added", { to: formatLiterals(added) });
}

/** The first property whose literals tell the objects of each union apart. */
function findTag(was: readonly ObjectMember[], is: readonly ObjectMember[]): string | undefined {
  const names = was[0]?.found.properties.map(({ name }) => name) ?? [];
  return names.find((name) =>
    [was, is].every((members) => {
      const literals = members.map((member) => literalsOf(member, name));
      const all = literals.flat();
      return literals.every(({ length }) => length > 0) && new Set(all).size === all.length;
    }),
  );
}

function literalsOf({ found }: ObjectMember, name: string): readonly Literal[] {
  const property = found.properties.find((one) => one.name === name);
  return property?.shape.kind === "literal" && !property.optional ? property.shape.values : [];
}

function matchTagged(
  tag: string,
  was: readonly ObjectMember[],
  is: readonly ObjectMember[],
): readonly Matched<ObjectCase>[] {
  const meets = (one: ObjectMember, other: ObjectMember): boolean =>
    literalsOf(one, tag).some((value) => literalsOf(other, tag).includes(value));
  return [
    ...was.flatMap((one): readonly Matched<ObjectCase>[] => {
      const others = is.filter((other) => meets(one, other));
      return others.length === 0 ? [{ one }] : others.map((other) => ({ one, other }));
    }),
    ...is.filter((other) => !was.some((one) => meets(one, other))).map((other) => ({ other })),
  ];
}

function countShared(one: ObjectCase, other: ObjectCase): number {
  const names = new Set(one.properties.map(({ name }) => name));
  return other.properties.filter(({ name }) => names.has(name)).length;
}

/** @param tag tells it apart. If other literals do now, they are compared for the whole union. */
function compareMembers(one: ObjectMember, other: ObjectMember, tag: string | undefined, at: At): void {
  const isSameTag = tag === undefined || String(literalsOf(one, tag)) === String(literalsOf(other, tag));
  if (isSameTag && isNamed(one, other) && !at.asText) at.scope.compare(one.shape, other.shape, at);
  else compareProperties(one.found, other.found, isSameTag ? undefined : tag, at);
}

function compareProperties(was: ObjectCase, is: ObjectCase, tag: string | undefined, at: At): void {
  const now = new Map(is.properties.map((property) => [property.name, property]));
  for (const property of was.properties) {
    const found = now.get(property.name);
    now.delete(property.name);
    if (property.name !== tag) compareKnown(property, found, is.others, at);
  }
  for (const property of now.values()) compareAdded(property, was.others, at);
  compareOthers(was.others, is.others, inside(at, "*"));
}

/** @param others what takes the value where no property of its name does. */
function compareKnown(was: Property, is: Property | undefined, others: Shape | undefined, at: At): void {
  const shape = is?.shape ?? others;
  if (shape === undefined) {
    const isOptional = was.optional && !isUnknown(was.shape);
    const kind = isOptional ? "optional-property-removed" : "required-property-removed";
    note(inside(at, was.name, { before: was }), kind, { is: false });
    return;
  }
  const place = inside(at, was.name, { before: was, after: is ?? shape });
  const isOptional = is?.optional ?? true;
  // What is not known is optional in an answer, and a change of that is noted as one of the type.
  const isTold = isUnknown(was.shape) && !isUnknown(shape);
  const isLost = !isUnknown(was.shape) && isUnknown(shape);
  if (was.optional && !isOptional && !isTold) note(place, "became-required");
  if (!was.optional && isOptional && !isLost) note(place, "became-optional");
  at.scope.compare(was.shape, shape, place);
}

function isUnknown({ kind }: Shape): boolean {
  return kind === "unknown";
}

/** @param others what has taken the value, where something has. */
function compareAdded(is: Property, others: Shape | undefined, at: At): void {
  const place = inside(at, is.name, { before: others, after: is });
  if (others === undefined) {
    note(place, is.optional ? "optional-property-added" : "required-property-added", { was: false });
    return;
  }
  if (!is.optional) note(place, "became-required");
  at.scope.compare(others, is.shape, place);
}

function compareOthers(was: Shape | undefined, is: Shape | undefined, at: At): void {
  if (was && is) at.scope.compare(was, is, located(at, { before: was, after: is }));
  else if (is) note(at, "other-keys-added", { to: formatShape(is), was: false });
  else if (was) note(at, "other-keys-removed", { from: formatShape(was), is: false });
}
