/** How one shape differs from another: which values it takes now and did not, and the other way round. One walk over both. */

import { keepFitting } from "#convention/wire/constraints";
import { formatShape } from "#convention/wire/format-shape";
import { itemOf, type ObjectShape, type Property, resolve, type Shape } from "#runtime/wire/shape";
import { type Cases, type Literal, type Member, toCases } from "./cases.ts";
import { compareLimits, isLimited, isList, type ListShape, sizesOf } from "./limits.ts";
import { type At, inside, located, note, noteTypes } from "./note.ts";
import { type Pair, pairUp } from "./pairs.ts";

/** Of a parameter, a body or an answer. */
export function compareWhole(was: Shape, is: Shape, at: At): void {
  compare(was, is, located({ ...at, met: new Map() }, was, is));
}

/** The items of a form's field: below them there are no texts. */
const DEEPEST_TEXT = 2;

/** Two types are compared once, at the first place where they are met: also while they are being compared, so a type may contain itself. */
function compare(was: Shape, is: Shape, around: At): void {
  const at = { ...around, asText: around.asText && around.path.length <= DEEPEST_TEXT };
  const [known, found] = [resolve(was, at.scope.before), resolve(is, at.scope.after)];
  if (at.asText || (known === was && found === is)) {
    compareFound(known, found, at);
    return;
  }
  const others = at.met.get(known) ?? new Set();
  if (others.has(found)) return;
  at.met.set(known, others.add(found));
  const [from, to] = [was, is].map((shape) => (shape.kind === "reference" ? shape.name : undefined));
  const type = { name: to ?? from ?? "", depth: at.path.length, hasChanged: false };
  // Where only one has a name, it is the use that has changed.
  const isBoth = from !== undefined && to !== undefined;
  const inner: At = { ...(isBoth ? located(at, known, found) : at), type };
  compareFound(known, found, inner);
  if (isBoth && from !== to && !type.hasChanged) note(inner, "component-renamed", { from, to });
}

function compareFound(was: Shape, is: Shape, at: At): void {
  const { before, after, isSameSchema } = at.scope;
  const [known, found] = [toCases(was, before), toCases(is, after)];
  if (known.isUnknown || found.isUnknown) {
    if (!found.isUnknown) noteTypes(at, "type-became-known", was, is);
    else if (!known.isUnknown) noteTypes(at, "type-became-unknown", was, is);
  } else if (known.schema || found.schema) {
    // Nobody can look into it, so anything else in its union counts as a change of it.
    const isSame = known.schema && found.schema && isSameSchema(known.schema, found.schema);
    if (!isSame || formatShape(was) !== formatShape(is)) noteTypes(at, "schema-changed", was, is);
  } else if (!at.asText || !compareAsTexts(known, found, was, is, at))
    compareCases(known, found, was, is, at);
}

/** What holds only for texts. @returns whether nothing is left to compare. */
function compareAsTexts(known: Cases, found: Cases, was: Shape, is: Shape, at: At): boolean {
  const [list] = found.members.get("array") ?? [];
  if (list && !known.members.has("array")) {
    const item = itemOf(list.found, 0);
    const isOneEnough = item && (sizesOf(list.found as ListShape).min ?? 0) <= 1;
    noteTypes(at, isOneEnough ? "type-generalized" : "type-changed", was, is);
    if (isOneEnough) compare(was, item, at);
    return true;
  }
  const isText = [...known.members.keys()].some((type) => type !== "number" && type !== "boolean");
  if (isText || !found.members.get("string")?.some(takesAnyText)) return false;
  noteTypes(at, "type-generalized", was, is);
  return true;
}

function takesAnyText({ found }: Member): boolean {
  const isShort = found.kind === "string" && (found.minLength ?? 0) <= 1;
  return isShort && Object.keys(found).every((key) => key === "kind" || key === "minLength");
}

function compareCases(known: Cases, found: Cases, was: Shape, is: Shape, at: At): void {
  if (known.size > 0 && found.size > 0 && !overlaps(known, found)) {
    noteTypes(at, "type-changed", was, is);
    return;
  }
  if (found.isNullable !== known.isNullable)
    note(at, found.isNullable ? "became-nullable" : "became-not-nullable");
  compareTypes(known, found, was, is, at);
  const [from, to] = [valuesOnlyIn(known, found), valuesOnlyIn(found, known)];
  if (from !== "") note(at, "enum-value-removed", { from });
  if (to !== "") note(at, "enum-value-added", { to });
  for (const [type, members] of known.members) compareMembers(members, found.members.get(type) ?? [], at);
}

/** Whether they have a value in common, or are both lists of values. A single value that changes is another type. */
function overlaps(known: Cases, found: Cases): boolean {
  const areEnums =
    known.literals.length > 0 &&
    found.literals.length > 0 &&
    known.literals.length + found.literals.length > 2;
  return (
    (known.isNullable && found.isNullable) ||
    [...known.members.keys()].some((type) => found.members.has(type)) ||
    (areEnums && known.members.size === 0 && found.members.size === 0) ||
    known.literals.some((value) => takesLiteral(found, value)) ||
    found.literals.some((value) => takesLiteral(known, value))
  );
}

function takesLiteral({ literals, members }: Cases, value: Literal): boolean {
  const fits = ({ found }: Member): boolean =>
    found.kind === "boolean" ||
    ((found.kind === "string" || found.kind === "number") &&
      keepFitting({ kind: "literal", values: [value] }, found).length > 0);
  return literals.includes(value) || members.get(typeof value)?.some(fits) === true;
}

function valuesOnlyIn({ literals }: Cases, other: Cases): string {
  const values = literals.filter((value) => !takesLiteral(other, value));
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

function compareTypes(known: Cases, found: Cases, was: Shape, is: Shape, at: At): void {
  const isListed = ({ literals }: Cases, type: string): boolean =>
    literals.some((value) => typeof value === type);
  const gone = [...known.members.keys()].filter((type) => !found.members.has(type));
  const added = [...found.members.keys()].filter((type) => !known.members.has(type));
  if (gone.some((type) => isListed(found, type))) noteTypes(at, "became-enum", was, is);
  if (added.some((type) => isListed(known, type))) noteTypes(at, "type-generalized", was, is);
  const from = gone.filter((type) => !isListed(found, type)).join(" | ");
  const to = added.filter((type) => !isListed(known, type)).join(" | ");
  if (from !== "") note(at, "list-of-types-narrowed", { from });
  if (to !== "") note(at, "list-of-types-widened", { to });
}

/** Of two unions the members of one type. */
function compareMembers(was: readonly Member[], is: readonly Member[], at: At): void {
  if (is.length === 0) return;
  for (const [one, other] of matchMembers(was, is)) {
    if (one && other) compareMember(one, other, at);
    else if (one) note(located(at, one.found), "one-of-removed", { from: formatShape(one.shape) });
    else if (other)
      note(located(at, undefined, other.found), "one-of-added", { to: formatShape(other.shape) });
  }
}

/** First those that are written alike, then those that have a literal in common, as in `kind: "a"`, and then the only one that is left. */
function matchMembers(was: readonly Member[], is: readonly Member[]): readonly Pair<Member>[] {
  const pairs: Pair<Member>[] = [];
  let left = was;
  const free = [...is];
  for (const keysOf of [({ shape }: Member) => [JSON.stringify(shape)], tagsOf])
    left = left.filter((one) => {
      const keys = keysOf(one);
      const at = free.findIndex((other) => keysOf(other).some((key) => keys.includes(key)));
      if (at !== -1) pairs.push([one, free.splice(at, 1)[0]]);
      return at === -1;
    });
  if (left.length === 1 && free.length === 1) return [...pairs, [left[0], free[0]]];
  return [
    ...pairs,
    ...left.map((one): Pair<Member> => [one, undefined]),
    ...free.map((other): Pair<Member> => [undefined, other]),
  ];
}

/** The literals of properties that are always there. */
function tagsOf({ found }: Member): readonly string[] {
  const properties = found.kind === "object" ? found.properties : [];
  return properties.flatMap(({ name, shape, optional }) =>
    shape.kind === "literal" && !optional ? shape.values.map((value) => JSON.stringify([name, value])) : [],
  );
}

function compareMember(one: Member, other: Member, at: At): void {
  const isNamed = [one, other].some(({ shape }) => shape.kind === "reference");
  const [was, is] = [one.found, other.found];
  if (isNamed && !at.asText) compare(one.shape, other.shape, at);
  else if (was.kind === "object" && is.kind === "object") compareProperties(was, is, at);
  else if (isLimited(was) && isLimited(is)) {
    compareLimits(was, is, at);
    if (isList(was) && isList(is)) compareItems(was, is, at);
  }
}

function compareItems(was: ListShape, is: ListShape, at: At): void {
  const length = Math.max(...[was, is].map((list) => (list.kind === "tuple" ? list.items.length : 0)));
  for (let index = 0; index <= length; index++) {
    const [one, other] = [itemOf(was, index), itemOf(is, index)];
    if (one && other) compare(one, other, inside(at, index === length ? "*" : String(index)));
  }
}

/** A property that the object has not is one of its other keys. */
function compareProperties(was: ObjectShape, is: ObjectShape, at: At): void {
  const [rest, restNow] = [was, is].map(({ others }) => others && { shape: others, optional: true });
  for (const [one, other] of pairUp(was.properties, is.properties, ({ name }) => name)) {
    const place = inside(at, (one ?? other)?.name ?? "");
    const [known, found] = [one ?? rest, other ?? restNow];
    const placed = located(place, one ?? rest?.shape, other ?? restNow?.shape);
    compareNeed(known, found, placed);
    if (known && found) compare(known.shape, found.shape, placed);
  }
  const inner = located(inside(at, "*"), was.others, is.others);
  if (was.others && is.others) compare(was.others, is.others, inner);
  else if (is.others)
    note({ ...inner, before: undefined }, "other-keys-added", { to: formatShape(is.others) });
  else if (was.others) note({ ...inner, after: undefined }, "other-keys-removed");
}

type Needed = Pick<Property, "shape" | "optional">;

/** Whether it is there, and has to be. */
export function compareNeed(was: Needed | undefined, is: Needed | undefined, at: At): void {
  if (was && is) {
    // A change of what is not known is noted as one of the type.
    const [wasUnknown, isUnknown] = [was, is].map(({ shape }) => shape.kind === "unknown");
    if (was.optional && !is.optional && (isUnknown || !wasUnknown)) note(at, "became-required");
    if (!was.optional && is.optional && (wasUnknown || !isUnknown)) note(at, "became-optional");
  } else if (was) {
    // What is not known is optional in an answer.
    const need = was.optional && was.shape.kind !== "unknown" ? "optional" : "required";
    note({ ...at, after: undefined }, `${need}-property-removed`);
  } else if (is)
    note({ ...at, before: undefined }, `${is.optional ? "optional" : "required"}-property-added`);
}
