/** Makes a union discriminable by one look at a value: by JSON type, or for objects by a literal tag. Reports two members that are not. */

import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { keepFitting } from "./constraints.ts";
import { isTemplate, joinTemplates } from "./templates.ts";
import { type LiteralValue, literalType, look, type ObjectType, type Type, valuesOf } from "./type.ts";

export interface DiscriminatedUnion {
  /** The members, with strings and templates joined where possible. */
  readonly members: readonly Type[];
  /** The discriminant: a property with a different literal in each object. */
  readonly tag?: string;
}

/** @returns a diagnostic with two members that can't be distinguished. */
export function discriminate(members: readonly Type[]): DiscriminatedUnion | Diagnostic {
  const joined = absorbLiterals(joinTexts(members));
  const known = new Map<string, Type>();
  const objects: Type[] = [];
  for (const member of joined) {
    const found = look(member);
    if (found.kind === "object") objects.push(member);
    for (const jsonType of jsonTypesOf(found)) {
      const before = known.get(jsonType);
      if (before) return refuseAmbiguous(before, member, APART);
      known.set(jsonType, member);
    }
  }
  return objects.length < 2 ? { members: joined } : tagObjects(joined, objects);
}

/** The JSON types of a type's values. Objects are discriminated by a tag instead. */
function jsonTypesOf(type: Type): readonly string[] {
  switch (type.kind) {
    case "literal":
      return [...new Set(type.values.map((value) => typeof value))];
    case "date":
      return ["string"];
    case "tuple":
      return ["array"];
    case "object":
    case "refused":
      return [];
    default:
      return [type.kind];
  }
}

const APART = "Write one of them, or one type for both, as in (A | B)[] or string & Pattern<…>";

function refuseAmbiguous({ at: one }: Type, { at: other }: Type, instead: string): Diagnostic {
  return diagnose("FW325", { one: one.text, other: other.text, instead }, other.location);
}

/** Joins string literals and template literal types to one regular expression. */
function joinTexts(members: readonly Type[]): readonly Type[] {
  const templates = members.filter(isTemplate);
  const [first] = templates;
  if (first === undefined) return members;
  const literal = members.find(({ kind }) => kind === "literal");
  const values = literal ? valuesOf(literal) : [];
  const texts = values.filter((value) => typeof value === "string");
  if (templates.length + texts.length < 2) return members;
  const joined: Type = { ...joinTemplates(texts, templates), at: first.at };
  const left = values.filter((value) => typeof value !== "string");
  return members.flatMap((member) => {
    if (member === first) return [joined];
    if (member === literal) return left.length > 0 ? [literalType(left, member.at)] : [];
    return isTemplate(member) ? [] : [member];
  });
}

/** Drops literals that a scalar includes: `0 | int` is `int`. */
function absorbLiterals(members: readonly Type[]): readonly Type[] {
  const wide = members.filter((member) => member.kind === "string" || member.kind === "number");
  if (wide.length === 0) return members;
  return members.flatMap((member) => {
    if (member.kind !== "literal") return [member];
    const absorbed = new Set(wide.flatMap((one) => keepFitting(member, one)));
    const left = member.values.filter((value) => !absorbed.has(value));
    if (left.length === member.values.length) return [member];
    return left.length > 0 ? [literalType(left, member.at)] : [];
  });
}

/** Chooses the discriminant: the first property, in the order of the first object, with a different literal in each object. */
function tagObjects(members: readonly Type[], types: readonly Type[]): DiscriminatedUnion | Diagnostic {
  const objects = types.map(look).filter((type) => type.kind === "object");
  const names = [...(objects[0]?.fields.keys() ?? [])];
  const tag = names.find((name) => findSameTag(objects, name) === undefined);
  if (tag !== undefined) return { members, tag };
  const nearest = names.find((name) => objects.every((one) => literalsOf(one, name) !== undefined));
  const [one, other] = (nearest === undefined ? undefined : findSameTag(objects, nearest)) ?? [0, 1];
  const [first, second] = [types[one], types[other]];
  if (!first || !second) throw new Error("There are two objects.");
  return refuseAmbiguous(first, second, 'Give each a literal property that differs, as in kind: "circle"');
}

/** @returns the indexes of two objects that the property does not distinguish. */
function findSameTag(objects: readonly ObjectType[], name: string): readonly [number, number] | undefined {
  const known = new Map<unknown, number>();
  for (const [index, object] of objects.entries()) {
    const values = literalsOf(object, name);
    if (values === undefined) return index === 0 ? [0, 1] : [0, index];
    for (const value of values) {
      const before = known.get(value);
      if (before !== undefined) return [before, index];
    }
    for (const value of values) known.set(value, index);
  }
  return undefined;
}

function literalsOf({ fields }: ObjectType, name: string): readonly LiteralValue[] | undefined {
  const field = fields.get(name);
  const type = field && !field.optional ? look(field.read()) : undefined;
  return type?.kind === "literal" ? type.values : undefined;
}
