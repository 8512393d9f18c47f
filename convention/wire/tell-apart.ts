/** Makes the members of a union ones that a look at a value tells apart, or says which two it can't. */

import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { keepFitting } from "./constraints.ts";
import { isTemplate, joinTemplates } from "./templates.ts";
import { type LiteralValue, literalType, look, type ObjectType, type Type, valuesOf } from "./type.ts";

export interface ToldApart {
  readonly members: readonly Type[];
  /** The property whose literal tells the objects apart. */
  readonly tag?: string;
}

/** @returns members that a look at a value tells apart, or which two it can't. */
export function tellApart(members: readonly Type[]): ToldApart | Diagnostic {
  const joined = absorbLiterals(joinTexts(members));
  const known = new Map<string, Type>();
  const objects: Type[] = [];
  for (const member of joined) {
    const found = look(member);
    if (found.kind === "object") objects.push(member);
    for (const sign of signsOf(found)) {
      const before = known.get(sign);
      if (before) return alike(before, member, APART);
      known.set(sign, member);
    }
  }
  return objects.length < 2 ? { members: joined } : tagObjects(joined, objects);
}

/** What a look at a value of this type sees. */
function signsOf(type: Type): readonly string[] {
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

function alike({ at: one }: Type, { at: other }: Type, instead: string): Diagnostic {
  return diagnose("FW325", { one: one.text, other: other.text, instead }, other.location);
}

/** Literals and templates are one regular expression. */
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

/** `0 | int` is `int`. */
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

/** The first property, in the order of the first object, that has other literals in each object. */
function tagObjects(members: readonly Type[], types: readonly Type[]): ToldApart | Diagnostic {
  const objects = types.map(look).filter((type) => type.kind === "object");
  const names = [...(objects[0]?.fields.keys() ?? [])];
  const tag = names.find((name) => findSameTag(objects, name) === undefined);
  if (tag !== undefined) return { members, tag };
  const nearest = names.find((name) => objects.every((one) => literalsOf(one, name) !== undefined));
  const [one, other] = (nearest === undefined ? undefined : findSameTag(objects, nearest)) ?? [0, 1];
  const [first, second] = [types[one], types[other]];
  if (!first || !second) throw new Error("There are two objects.");
  return alike(first, second, 'Give each a literal property that differs, as in kind: "circle"');
}

/** @returns two objects that a property does not tell apart. */
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
