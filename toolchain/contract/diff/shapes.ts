/** How one shape differs from another: which values it takes now and did not, and the other way round. */

import { keepFitting } from "#convention/wire/constraints";
import { formatShape } from "#convention/wire/format-shape";
import { placeOf } from "#convention/wire/places";
import {
  type Definitions,
  itemOf,
  type NumberShape,
  type SchemaShape,
  type Shape,
  type StringShape,
} from "#runtime/wire/shape";
import {
  type Cases,
  formatLiterals,
  isNamed,
  type ListCase,
  type Literal,
  type Member,
  matchMembers,
  resolveShape,
  toCases,
  typesIn,
} from "./cases.ts";
import { compareListLimits, compareNumberLimits, compareTextLimits, sizesOf } from "./limits.ts";
import { compareObjects } from "./objects.ts";
import { type At, inside, located, note, noteTypes, type Scope, type ShapeChange } from "./shape-change.ts";

/** @param asText the values are texts, as in a query: what was taken as a number may be taken as a text, too. */
export type CompareShapes = (before: Shape, after: Shape, asText?: boolean) => readonly ShapeChange[];

/** @param isSameSchema whether two values of the project that check by themselves take the same. */
export function createShapeComparison(
  before: Definitions,
  after: Definitions,
  isSameSchema: (before: SchemaShape, after: SchemaShape) => boolean,
): CompareShapes {
  return (was, is, asText = false) => {
    const changes: ShapeChange[] = [];
    const compare = createCompare();
    const scope: Scope = { before, after, isSameSchema, compare, changes };
    const places = { before: placeOf(was), after: placeOf(is) };
    compare(was, is, { scope, path: [], type: undefined, inType: [], ...places, asText });
    return changes;
  };
}

/** The items of a form's field: below them there are no texts. */
const DEEPEST_TEXT = 2;

/** Two types are compared once, at the first place where they are met: also while they are being compared, so a type may contain itself. */
function createCompare(): Scope["compare"] {
  const met = new Map<Shape, Set<Shape>>();
  /** How many of the changes are in a type with a name. */
  let noted = 0;
  return (was, is, at) => {
    const { before, after, changes } = at.scope;
    const [known, found] = [resolveShape(was, before), resolveShape(is, after)];
    const asText = at.asText && at.path.length <= DEEPEST_TEXT;
    if (asText || (known === was && found === is)) {
      compareFound(known, found, { ...at, asText });
      return;
    }
    const others = met.get(known) ?? new Set();
    if (others.has(found)) return;
    met.set(known, others.add(found));
    const [one, other] = [was, is].map((shape) => (shape.kind === "reference" ? shape.name : undefined));
    const isBoth = one !== undefined && other !== undefined;
    // Where only one has a name, it is the use that has changed.
    const place = isBoth ? located(at, { before: known, after: found }) : at;
    const type = other ?? one;
    const inner: At = { ...place, type, inType: [], asText };
    const [count, notedBefore] = [changes.length, noted];
    compareFound(known, found, inner);
    const isSame = changes.length - count === noted - notedBefore;
    if (isBoth && one !== other && isSame) note(inner, "component-renamed", { from: one, to: other });
    noted = notedBefore + changes.length - count;
  };
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
    if (isOneEnough) at.scope.compare(was, items, at);
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
  compareAlike(known.strings, found.strings, at, compareTexts);
  compareAlike(known.numbers, found.numbers, at, compareNumbers);
  compareAlike(known.lists, found.lists, at, compareLists);
  compareObjects(known.objects, found.objects, at);
}

type Alike = StringShape | NumberShape | ListCase;

function compareAlike<Found extends Alike>(
  was: readonly Member<Found>[],
  is: readonly Member<Found>[],
  at: At,
  compare: (was: Found, is: Found, at: At) => void,
): void {
  if (was.length === 0 || is.length === 0) return;
  for (const { one, other } of matchMembers(was, is)) {
    if (one && other) {
      if (isNamed(one, other) && !at.asText) at.scope.compare(one.shape, other.shape, at);
      else compare(one.found, other.found, at);
    } else if (one) note(at, "one-of-removed", { from: formatShape(one.shape) });
    else if (other) note(at, "one-of-added", { to: formatShape(other.shape) });
  }
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
  if (gone.length > 0) note(at, "enum-value-removed", { from: formatLiterals(gone) });
  if (added.length > 0) note(at, "enum-value-added", { to: formatLiterals(added) });
}

function compareTexts(was: StringShape, is: StringShape, at: At): void {
  const { formats = [] } = was;
  const { formats: now = [] } = is;
  const isLess = formats.some((format) => !now.includes(format));
  const isMore = now.some((format) => !formats.includes(format));
  if (isLess && isMore) noteTypes(at, "type-changed", was, is);
  else if (isMore) noteTypes(at, "type-specialized", was, is);
  else if (isLess) noteTypes(at, "type-generalized", was, is);
  compareTextLimits(was, is, at);
}

function compareNumbers(was: NumberShape, is: NumberShape, at: At): void {
  if (was.integer !== is.integer)
    noteTypes(at, was.integer ? "type-generalized" : "type-specialized", was, is);
  compareNumberLimits(was, is, at);
}

function compareLists(was: ListCase, is: ListCase, at: At): void {
  compareListLimits(was, is, at);
  const length = Math.max(...[was, is].map((list) => (list.kind === "tuple" ? list.items.length : 0)));
  for (let index = 0; index <= length; index++) {
    const [one, other] = [itemOf(was, index), itemOf(is, index)];
    const place = inside(at, index === length ? "*" : String(index));
    if (one && other) at.scope.compare(one, other, place);
  }
}
