/** How one shape differs from another: which values it takes now and did not, and the other way round. */

import { keepFitting } from "#convention/wire/constraints";
import { formatShape } from "#convention/wire/format-shape";
import {
  itemOf,
  type ObjectShape,
  type Property,
  resolve,
  type Shape,
  type StringShape,
} from "#runtime/wire/shape";
import { type Cases, type ListCase, type Literal, type Member, toCases } from "./cases.ts";
import { compareLimits, isLimited, sizesOf } from "./limits.ts";
import { type At, inside, located, note, noteTypes } from "./note.ts";
import { matchMembers, pairUp } from "./pairs.ts";

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
  const [known, found] = [toCases(was, at.scope.before), toCases(is, at.scope.after)];
  if (known.unknown || found.unknown) {
    if (!found.unknown) noteTypes(at, "type-became-known", was, is);
    else if (!known.unknown) noteTypes(at, "type-became-unknown", was, is);
  } else if (known.schemas.length > 0 || found.schemas.length > 0) {
    const isNamedSame = formatShape(was) === formatShape(is);
    if (!isSameUnion(known, found, at))
      noteTypes(at, isNamedSame ? "schema-changed (source)" : "schema-changed", was, is);
  } else if (!at.asText || !compareAsTexts(known, found, was, is, at))
    compareCases(known, found, was, is, at);
}

/** A schema is the only member of its union that we can't look into, so anything else beside it counts as a change of it. */
function isSameUnion(known: Cases, found: Cases, { scope }: At): boolean {
  const [was, secondWas] = known.schemas;
  const [is, secondIs] = found.schemas;
  if (!was || !is || secondWas || secondIs || known.null !== found.null) return false;
  return String(known.types) === String(found.types) && scope.isSameSchema(was, is);
}

/** What holds only for texts. @returns whether nothing is left to compare. */
function compareAsTexts(known: Cases, found: Cases, was: Shape, is: Shape, at: At): boolean {
  const [single] = found.lists;
  if (single && known.lists.length === 0) {
    const { found: list } = single;
    const items = list.kind === "array" ? list.items : (list.items[0] ?? list.rest);
    const isOneEnough = (sizesOf(list).min ?? 0) <= 1 && items !== undefined;
    noteTypes(at, isOneEnough ? "type-generalized" : "type-changed", was, is);
    if (isOneEnough) compare(was, items, at);
    return true;
  }
  const isText = known.types.some((type) => !["number", "boolean"].includes(type));
  if (isText || !found.strings.some(takesAnyText)) return false;
  noteTypes(at, "type-generalized", was, is);
  return true;
}

function takesAnyText({ found: { minLength = 0, ...others } }: Member<StringShape>): boolean {
  return minLength <= 1 && Object.keys(others).length === 1;
}

function compareCases(known: Cases, found: Cases, was: Shape, is: Shape, at: At): void {
  if (isEmpty(known) && isEmpty(found)) return;
  if (!overlaps(known, found)) {
    noteTypes(at, isSingle(known) && isSingle(found) ? "const-changed" : "type-changed", was, is);
    return;
  }
  if (found.null && !known.null) note(at, "became-nullable");
  if (known.null && !found.null) note(at, "became-not-nullable");
  compareTypes(known, found, was, is, at);
  compareLiterals(known, found, at);
  for (const kind of ["strings", "numbers", "lists", "objects"] as const)
    compareMembers(known[kind], found[kind], at);
}

/** Of two unions the members of one type. */
function compareMembers(was: readonly Member[], is: readonly Member[], at: At): void {
  if (was.length === 0 || is.length === 0) return;
  for (const [one, other] of matchMembers(was, is)) {
    if (one && other) compareMember(one, other, at);
    else if (one) note(located(at, one.found), "one-of-removed", { from: formatShape(one.shape) });
    else if (other)
      note(located(at, undefined, other.found), "one-of-added", { to: formatShape(other.shape) });
  }
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

/** Whether they have a value in common, or are both lists of values. */
function overlaps(known: Cases, found: Cases): boolean {
  if (isEnum(known) && isEnum(found) && !(isSingle(known) && isSingle(found))) return true;
  return (
    known.types.some((type) => found.types.includes(type)) ||
    (known.null && found.null) ||
    known.literals.some((value) => takesLiteral(found, value)) ||
    found.literals.some((value) => takesLiteral(known, value))
  );
}

function isEmpty(cases: Cases): boolean {
  return !cases.null && cases.literals.length === 0 && cases.types.length === 0;
}

function isEnum(cases: Cases): boolean {
  return cases.literals.length > 0 && cases.types.length === 0;
}

function isSingle(cases: Cases): boolean {
  return !cases.null && cases.literals.length === 1 && isEnum(cases);
}

function takesLiteral({ literals, types, strings, numbers }: Cases, value: Literal): boolean {
  if (literals.includes(value) || (typeof value === "boolean" && types.includes("boolean"))) return true;
  return [...strings, ...numbers].some(
    ({ found }) => keepFitting({ kind: "literal", values: [value] }, found).length > 0,
  );
}

function compareTypes(known: Cases, found: Cases, was: Shape, is: Shape, at: At): void {
  const isListed = ({ literals }: Cases, type: string): boolean =>
    literals.some((value) => typeof value === type);
  const gone = known.types.filter((type) => !found.types.includes(type));
  const added = found.types.filter((type) => !known.types.includes(type));
  if (gone.some((type) => isListed(found, type)))
    noteTypes(at, isSingle(found) ? "const-added" : "became-enum", was, is);
  if (added.some((type) => isListed(known, type)))
    noteTypes(at, isSingle(known) ? "const-removed" : "type-generalized", was, is);
  const from = gone.filter((type) => !isListed(found, type)).join(" | ");
  const to = added.filter((type) => !isListed(known, type)).join(" | ");
  if (from !== "") note(at, "list-of-types-narrowed", { from });
  if (to !== "") note(at, "list-of-types-widened", { to });
}

function compareLiterals(known: Cases, found: Cases, at: At): void {
  const [from, to] = [[known, found] as const, [found, known] as const].map(([one, other]) =>
    one.literals
      .filter((value) => !takesLiteral(other, value))
      .map((value) => JSON.stringify(value))
      .join(" | "),
  );
  if (from) note(at, "enum-value-removed", { from });
  if (to) note(at, "enum-value-added", { to });
}

function isList(shape: Shape): shape is ListCase {
  return shape.kind === "array" || shape.kind === "tuple";
}

function compareItems(was: ListCase, is: ListCase, at: At): void {
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
  const inner = inside(at, "*");
  if (was.others && is.others) compare(was.others, is.others, located(inner, was.others, is.others));
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
