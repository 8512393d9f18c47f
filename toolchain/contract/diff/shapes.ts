/** How one shape differs from another: which values it takes now and did not, and the other way round. */

import { keepFitting } from "#convention/wire/constraints";
import { formatShape } from "#convention/wire/format-shape";
import { itemOf, type ObjectShape, type Property, type Shape, type StringShape } from "#runtime/wire/shape";
import {
  type Cases,
  type ListCase,
  type Literal,
  type Member,
  resolveShape,
  toCases,
  typesIn,
} from "./cases.ts";
import { compareLimits, isLimited, type Limited, sizesOf } from "./limits.ts";
import { type At, inside, located, note, noteTypes } from "./note.ts";
import { matchMembers, pairUp } from "./pairs.ts";

/** Of a parameter, a body or an answer. */
export function compareWhole(was: Shape, is: Shape, at: At): void {
  const scope = { ...at.scope, met: new Map(), count: 0, ofTypes: 0 };
  compare(was, is, located({ ...at, scope }, was, is));
}

/** The items of a form's field: below them there are no texts. */
const DEEPEST_TEXT = 2;

/** Two types are compared once, at the first place where they are met: also while they are being compared, so a type may contain itself. */
function compare(was: Shape, is: Shape, at: At): void {
  const { scope } = at;
  const [known, found] = [resolveShape(was, scope.before), resolveShape(is, scope.after)];
  const asText = at.asText && at.path.length <= DEEPEST_TEXT;
  if (asText || (known === was && found === is)) {
    compareFound(known, found, { ...at, asText });
    return;
  }
  const others = scope.met.get(known) ?? new Set();
  if (others.has(found)) return;
  scope.met.set(known, others.add(found));
  const [from, to] = [was, is].map((shape) => (shape.kind === "reference" ? shape.name : undefined));
  const isBoth = from !== undefined && to !== undefined;
  // Where only one has a name, it is the use that has changed.
  const place = isBoth ? located(at, known, found) : at;
  const inner: At = { ...place, type: to ?? from, inType: [], asText };
  const { count, ofTypes } = scope;
  compareFound(known, found, inner);
  const isSame = scope.count - count === scope.ofTypes - ofTypes;
  if (isBoth && from !== to && isSame) note(inner, "component-renamed", { from, to });
  scope.ofTypes = ofTypes + scope.count - count;
}

function compareFound(was: Shape, is: Shape, at: At): void {
  const { before, after } = at.scope;
  const [known, found] = [toCases(was, before), toCases(is, after)];
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
  return String(typesIn(known)) === String(typesIn(found)) && scope.isSameSchema(was, is);
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
  const isScalar = known.lists.length === 0 && !known.file && known.objects.length === 0;
  if (!isScalar || known.strings.length > 0 || !found.strings.some(takesAnyText)) return false;
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
  else if (isLimited(was) && isLimited(is)) compareLimited(was, is, at);
}

/** Whether they have a value in common, or are both lists of values. */
function overlaps(known: Cases, found: Cases): boolean {
  if (isEnum(known) && isEnum(found) && !(isSingle(known) && isSingle(found))) return true;
  const types = typesIn(found);
  if (typesIn(known).some((type) => types.includes(type))) return true;
  if (known.null && found.null) return true;
  return (
    known.literals.some((value) => takesLiteral(found, value)) ||
    found.literals.some((value) => takesLiteral(known, value))
  );
}

function isEmpty(cases: Cases): boolean {
  return !cases.null && cases.literals.length === 0 && typesIn(cases).length === 0;
}

function isEnum(cases: Cases): boolean {
  return cases.literals.length > 0 && typesIn(cases).length === 0;
}

function isSingle(cases: Cases): boolean {
  return !cases.null && cases.literals.length === 1 && typesIn(cases).length === 0;
}

function takesLiteral({ literals, boolean, strings, numbers }: Cases, value: Literal): boolean {
  if (literals.includes(value) || (boolean && typeof value === "boolean")) return true;
  return [...strings, ...numbers].some(
    ({ found }) => keepFitting({ kind: "literal", values: [value] }, found).length > 0,
  );
}

function compareTypes(known: Cases, found: Cases, was: Shape, is: Shape, at: At): void {
  const [types, now] = [typesIn(known), typesIn(found)];
  const isListed = ({ literals }: Cases, type: string): boolean =>
    literals.some((value) => typeof value === type);
  const gone = types.filter((type) => !now.includes(type));
  const added = now.filter((type) => !types.includes(type));
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
  const gone = known.literals.filter((value) => !takesLiteral(found, value));
  const added = found.literals.filter((value) => !takesLiteral(known, value));
  const toText = (values: readonly Literal[]): string =>
    values.map((value) => JSON.stringify(value)).join(" | ");
  if (gone.length > 0) note(at, "enum-value-removed", { from: toText(gone) });
  if (added.length > 0) note(at, "enum-value-added", { to: toText(added) });
}

function compareLimited(was: Limited, is: Limited, at: At): void {
  const [before, after] = [formatsOf(was), formatsOf(is)];
  const isLess = before.some((format) => !after.includes(format));
  const isMore = after.some((format) => !before.includes(format));
  if (isLess && isMore) noteTypes(at, "type-changed", was, is);
  else if (isLess || isMore) noteTypes(at, isMore ? "type-specialized" : "type-generalized", was, is);
  compareLimits(was, is, at);
  if (isList(was) && isList(is)) compareItems(was, is, at);
}

function formatsOf(shape: Limited): readonly string[] {
  if (shape.kind === "number") return shape.integer ? ["integer"] : [];
  return shape.kind === "string" ? (shape.formats ?? []) : [];
}

function isList(shape: Shape): shape is ListCase {
  return shape.kind === "array" || shape.kind === "tuple";
}

function compareItems(was: ListCase, is: ListCase, at: At): void {
  const length = Math.max(...[was, is].map((list) => (list.kind === "tuple" ? list.items.length : 0)));
  for (let index = 0; index <= length; index++) {
    const [one, other] = [itemOf(was, index), itemOf(is, index)];
    const place = inside(at, index === length ? "*" : String(index));
    if (one && other) compare(one, other, place);
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
  const [others, inner] = [is.others, inside(at, "*")];
  if (was.others && others) compare(was.others, others, located(inner, was.others, others));
  else if (others) note(inner, "other-keys-added", { to: formatShape(others), was: false });
  else if (was.others) note(inner, "other-keys-removed", { from: formatShape(was.others), is: false });
}

type Needed = Pick<Property, "shape" | "optional">;

/** Whether it is there, and has to be. */
export function compareNeed(was: Needed | undefined, is: Needed | undefined, at: At): void {
  if (!was || !is) {
    // What is not known is optional in an answer.
    if (was)
      note(at, `${was.optional && !isUnknown(was) ? "optional" : "required"}-property-removed`, {
        is: false,
      });
    if (is) note(at, `${is.optional ? "optional" : "required"}-property-added`, { was: false });
    return;
  }
  // A change of what is not known is noted as one of the type.
  const isTold = isUnknown(was) && !isUnknown(is);
  const isLost = !isUnknown(was) && isUnknown(is);
  if (was.optional && !is.optional && !isTold) note(at, "became-required");
  if (!was.optional && is.optional && !isLost) note(at, "became-optional");
}

function isUnknown({ shape }: Needed): boolean {
  return shape.kind === "unknown";
}
