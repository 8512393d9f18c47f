/** Evaluates intersections: merges objects, applies constraints, and detects contradictions. */

import { addLimits, constrainAll, keepFitting } from "./constraints.ts";
import {
  type ArrayType,
  type Clash,
  type Field,
  isNullish,
  type Kind,
  labelOf,
  lazily,
  look,
  membersOf,
  NEVER,
  nameKind,
  type ObjectType,
  type Origin,
  objectOf,
  refuse,
  refusedAmong,
  type TupleType,
  type Type,
  type TypePlace,
  UNKNOWN,
} from "./type.ts";
import { unite } from "./unions.ts";

/** The limit of combinations of union members, beyond any real type. */
const MOST_COMBINATIONS = 1000;

/** @param isResult ignores the brand of a branded scalar, `string & { brand: "id" }`. */
export function intersect(place: TypePlace, types: readonly Type[], isResult: boolean): Kind {
  const refusedOperand = refusedAmong(types);
  if (refusedOperand) return refusedOperand;
  const found = types.map(look);
  const constraints = found.flatMap((one) => (one.kind === "constraints" ? one.constraints : []));
  const rest = types.filter((_, index) => !/^(?:unknown|constraints)$/.test(found[index]?.kind ?? ""));
  const [only, second] = rest;
  if (only === undefined) return constraints.length > 0 ? { kind: "constraints", constraints } : UNKNOWN;
  if (second === undefined && constraints.length === 0) return only;
  return constrainAll(second === undefined ? look(only) : meetAll(place, rest, isResult), constraints);
}

/** The intersection of the types of a property or an item, with a label. */
function intersectAt(place: TypePlace, types: readonly Type[], isResult: boolean): Type {
  const operands = distinct(types);
  const [first] = operands;
  if (operands.length === 1 && first) return first;
  const { text, location } = place;
  const label = (): string => operands.map(labelOf).join(" & ");
  const at: Origin = { text, location, label, isOperator: true };
  return { ...intersect(place, operands, isResult), at };
}

function distinct(types: readonly Type[]): readonly Type[] {
  return [...new Map(types.map((type) => [labelOf(type), type])).values()];
}

/** Distributes over unions: combines every member with every member. */
function meetAll(place: TypePlace, types: readonly Type[], isResult: boolean): Kind {
  let combinations: Type[][] = [[]];
  for (const type of types) {
    const members = membersOf(type);
    if (members.length === 1) for (const chosen of combinations) chosen.push(type);
    else combinations = combinations.flatMap((chosen) => members.map((member) => [...chosen, member]));
    if (combinations.length > MOST_COMBINATIONS) return tooMany(place);
  }
  const [only, second] = combinations;
  if (only && second === undefined) return meetEach(place, only, isResult);
  const met = combinations.map((chosen) => meetMembers(place, chosen, isResult));
  const possible = met.filter(({ kind }) => kind !== "refused");
  return unite(possible.length > 0 ? possible : met);
}

function tooMany(place: TypePlace): Kind {
  const why = `it has more than ${MOST_COMBINATIONS} combinations`;
  const instead = "Write out the combinations that you mean";
  return refuse("FW328", { type: place.text, why, instead }, place);
}

function meetMembers({ location }: TypePlace, chosen: readonly Type[], isResult: boolean): Type {
  const types = distinct(chosen);
  const [first] = types;
  if (types.length === 1 && first) return first;
  const text = types.map(labelOf).join(" & ");
  const met = meetEach({ text, location }, types, isResult);
  return { ...(isImpossible(met) ? NEVER : met), at: { text, location } };
}

/** True if a shared property has no value, as in `{ kind: "a" } & { kind: "b" }`. */
function isImpossible(type: Kind): boolean {
  return (
    type.kind === "object" &&
    [...type.fields.values()].some(
      ({ read, optional, isShared }) => !optional && isShared === true && look(read()).kind === "never",
    )
  );
}

function meetEach(place: TypePlace, types: readonly Type[], isResult: boolean): Kind {
  const found = types.map(look);
  const objects = found.filter((type) => type.kind === "object");
  if (objects.length === found.length && objects.length > 0) return mergeObjects(place, objects, isResult);
  return found.reduce<Kind>((one, other) => meet(place, one, other, isResult), UNKNOWN);
}

function meet(place: TypePlace, one: Kind, other: Kind, isResult: boolean): Kind {
  if (one.kind === "unknown") return other;
  if (one.kind === "never" || one.kind === "refused") return one;
  if (other.kind === "never") return other;
  if (isEmptyObject(other)) return isNullish(one) ? clashOf(place, one, other) : one;
  if (isEmptyObject(one)) return isNullish(other) ? clashOf(place, one, other) : other;
  if (isResult && other.kind === "object" && isBrandable(one)) return one;
  if (isResult && one.kind === "object" && isBrandable(other)) return other;
  if (one.kind === "literal" || other.kind === "literal") return meetLiteral(place, one, other);
  if (one.kind === "array" || one.kind === "tuple") return meetArray(place, one, other, isResult);
  if (one.kind !== other.kind) return clashOf(place, one, other);
  if (one.kind === "object" && other.kind === "object") return mergeObjects(place, [one, other], isResult);
  return one.kind === "string" || one.kind === "number" ? addLimits(place, one, limitsOf(other)) : one;
}

function limitsOf(type: Kind): object {
  const { kind: _, at: __, ...limits } = type as Type;
  return limits;
}

/** `{}` includes all values except null and undefined. */
function isEmptyObject(type: Kind): boolean {
  return type.kind === "object" && type.fields.size === 0 && !type.others && !type.memberErrors;
}

function isBrandable({ kind }: Kind): boolean {
  return kind === "string" || kind === "number" || kind === "literal";
}

function clashOf(place: TypePlace, one: Kind, other: Kind): { kind: "never"; clash: Clash } {
  const why =
    one.kind === "literal" && other.kind === "literal"
      ? "they have no literal in common"
      : `nothing is both ${nameKind(one)} and ${nameKind(other)}`;
  return { kind: "never", clash: { why, place } };
}

function meetLiteral(place: TypePlace, one: Kind, other: Kind): Kind {
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

function meetArray(place: TypePlace, one: ArrayType | TupleType, other: Kind, isResult: boolean): Kind {
  if (one.kind === "array" && other.kind === "tuple") return meetArray(place, other, one, isResult);
  if (other.kind !== "array") return clashOf(place, one, other);
  const meetItems = (type: Type): Type => intersectAt(place, [type, other.items], isResult);
  const { items: _, ...limits } = limitsOf(other) as Partial<ArrayType>;
  if (one.kind === "array") return addLimits(place, { ...one, items: meetItems(one.items) }, limits);
  const items = one.items.map(({ type, optional }) => ({ type: meetItems(type), optional }));
  return addLimits(place, { ...one, items, ...(one.rest && { rest: meetItems(one.rest) }) }, limits);
}

/** A property has the intersection of its types in all objects, and of the index signatures of objects without it. */
function mergeObjects(place: TypePlace, objects: readonly ObjectType[], isResult: boolean): Kind {
  const found = new Map<string, Field[]>();
  for (const { fields } of objects)
    for (const [name, field] of fields) {
      const before = found.get(name);
      if (before) before.push(field);
      else found.set(name, [field]);
    }
  const indexed = objects.filter(({ others }) => others !== undefined);
  const fields = new Map<string, Field>();
  for (const [name, declared] of found) {
    const indexes = indexed.flatMap((one) => (one.fields.has(name) ? [] : (one.others ?? [])));
    fields.set(name, joinFields(place, declared, indexes, isResult));
  }
  const others = indexed.flatMap((one) => one.others ?? []);
  const memberErrors = objects.flatMap((one) => one.memberErrors ?? []);
  const index = others.length > 0 ? intersectAt(place, others, isResult) : undefined;
  return objectOf(fields, index, memberErrors);
}

function joinFields(
  { text: whole }: TypePlace,
  declared: readonly Field[],
  indexes: readonly Type[],
  isResult: boolean,
): Field {
  const [first] = declared;
  if (first === undefined) throw new Error("A property has a type.");
  const optional = declared.every((field) => field.optional);
  if (declared.length + indexes.length === 1) return { ...first, optional };
  const last = indexes.at(-1)?.at.location ?? declared.at(-1)?.location ?? first.location;
  const read = (): Type => {
    const types = [...declared.map((field) => field.read()), ...indexes];
    const text = types.map(({ at }) => at.text).join(" & ");
    return intersectAt({ text, location: last }, types, isResult);
  };
  return { read: lazily({ text: whole, location: last }, read), optional, location: last, isShared: true };
}
