/** Makes the members of a union ones that a look at a value tells apart, or says which two it can't. */

import type { LiteralShape, StringShape } from "#runtime/wire/shape";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { keepFitting } from "./constraints.ts";
import type { ObjectOutline, Outline, Part } from "./outline.ts";
import { toPart } from "./outline.ts";
import { isTemplate, joinTemplates } from "./templates.ts";
import { literalPart, valuesOf } from "./unions.ts";

export interface ToldApart {
  readonly members: readonly Part[];
  /** The property whose literal tells the objects apart. */
  readonly tag?: string;
}

export function tellApart(members: readonly Part[]): ToldApart | Diagnostic {
  const joined = absorbLiterals(joinTexts(members));
  const known = new Map<string, Part>();
  const objects: Part[] = [];
  for (const member of joined) {
    const outline = member.outline();
    if (outline.kind === "object") objects.push(member);
    for (const look of looksOf(outline)) {
      const before = known.get(look);
      if (before) return twins(before, member, look);
      known.set(look, member);
    }
  }
  return objects.length < 2 ? { members: joined } : tagObjects(joined, objects);
}

/** What a look at a value of this type sees. */
function looksOf(outline: Outline): readonly string[] {
  switch (outline.kind) {
    case "literal":
      return [...new Set(outline.values.map((value) => typeof value))];
    case "date":
      return ["string"];
    case "tuple":
      return ["array"];
    case "object":
    case "refused":
      return [];
    default:
      return [outline.kind];
  }
}

const INSTEAD: Readonly<Record<string, string>> = {
  array: "Write one array for both, as in (A | B)[]",
  string: "Write one type for both texts, as in string & Pattern<…>",
  number: "Write one type for both numbers",
};

function twins(one: Part, other: Part, look: string): Diagnostic {
  const isDate = one.outline().kind === "date" || other.outline().kind === "date";
  const instead = isDate ? "Write `Date` or `string` alone" : (INSTEAD[look] ?? "Write one of them");
  return diagnose("FW325", { one: one.text, other: other.text, instead }, other.location);
}

/** Literals and templates are one regular expression. */
function joinTexts(members: readonly Part[]): readonly Part[] {
  const templates = members.filter((member) => isTemplate(member.outline()));
  const [first] = templates;
  if (first === undefined) return members;
  const literal = members.find((member) => member.outline().kind === "literal");
  const values = literal ? valuesOf(literal) : [];
  const texts = values.filter((value) => typeof value === "string");
  if (templates.length + texts.length < 2) return members;
  const shapes = templates.map((template) => template.outline()).filter(isTemplate);
  const joined = toPart(first, "joined templates", joinTemplates(texts, shapes));
  const left = values.filter((value) => typeof value !== "string");
  return members.flatMap((member) => {
    if (member === first) return [joined];
    if (member === literal) return left.length > 0 ? [literalPart(member, left)] : [];
    return templates.includes(member) ? [] : [member];
  });
}

/** `0 | int` is `int`. */
function absorbLiterals(members: readonly Part[]): readonly Part[] {
  const wide = members.map((member) => member.outline()).filter((outline) => isScalar(outline));
  if (wide.length === 0) return members;
  return members.flatMap((member) => {
    const outline = member.outline();
    if (outline.kind !== "literal") return [member];
    const absorbed = new Set(wide.flatMap((one) => keepFitting(outline, one)));
    const left = outline.values.filter((value) => !absorbed.has(value));
    if (left.length === outline.values.length) return [member];
    return left.length > 0 ? [literalPart(member, left)] : [];
  });
}

function isScalar(outline: Outline): outline is StringShape | Extract<Outline, { readonly kind: "number" }> {
  return outline.kind === "string" || outline.kind === "number";
}

/** The first property, in the order of the first object, that has other literals in each object. */
function tagObjects(members: readonly Part[], parts: readonly Part[]): ToldApart | Diagnostic {
  const objects = parts.map((part) => part.outline()).filter((outline) => outline.kind === "object");
  const names = [...(objects[0]?.fields.keys() ?? [])];
  const tag = names.find((name) => findSameTag(objects, name) === undefined);
  if (tag !== undefined) return { members, tag };
  const nearest = names.find((name) => objects.every((one) => literalsOf(one, name) !== undefined));
  const [one, other] = (nearest === undefined ? undefined : findSameTag(objects, nearest)) ?? [0, 1];
  return untagged(parts[one], parts[other]);
}

function untagged(one: Part | undefined, other: Part | undefined): Diagnostic {
  if (!one || !other) throw new Error("There are two objects.");
  const instead = 'Give each a literal property that differs, as in kind: "circle"';
  return diagnose("FW325", { one: one.text, other: other.text, instead }, other.location);
}

/** @returns two objects that a property does not tell apart. */
function findSameTag(objects: readonly ObjectOutline[], name: string): readonly [number, number] | undefined {
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

function literalsOf({ fields }: ObjectOutline, name: string): LiteralShape["values"] | undefined {
  const field = fields.get(name);
  const outline = field && !field.optional ? field.part.outline() : undefined;
  return outline?.kind === "literal" ? outline.values : undefined;
}
