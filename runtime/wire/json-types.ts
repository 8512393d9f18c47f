/** Which types of JSON a shape takes: what tells the shapes of a union apart, for the text that checks and for the walk that explains. */

import { isObject } from "../message/json.ts";
import type { Definitions, ObjectShape, Shape } from "./shape.ts";

const JSON_TYPES = ["string", "number", "boolean", "null", "array", "object"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** @returns undefined for what JSON has not: an absent value, a file. */
export function jsonTypeOf(value: unknown): JsonType | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isFile(value)) return undefined;
  return JSON_TYPES.find((type) => type === typeof value);
}

export function isFile(value: unknown): value is File {
  return isObject(value) && value instanceof File;
}

/** A shape that is neither a name nor several shapes. */
export type Member = Exclude<Shape, { kind: "reference" | "union" }>;

/** Follows references to a shape that is not one. `never` for a name that refers to nothing but itself. */
export function resolve(shape: Shape, definitions: Definitions): Exclude<Shape, { kind: "reference" }> {
  const seen = new Set<string>();
  let found = shape;
  while (found.kind === "reference") {
    const next = seen.has(found.name) ? undefined : definitions[found.name];
    seen.add(found.name);
    found = next ?? { kind: "never" };
  }
  return found;
}

/** @returns the shapes of a union, and of the unions in it; of any other shape that shape itself. None of them is a reference. */
export function membersOf(shape: Shape, definitions: Definitions, above: readonly Shape[] = []): Member[] {
  const found = resolve(shape, definitions);
  if (found.kind !== "union") return [found];
  if (above.includes(found)) return [];
  return found.of.flatMap((member) => membersOf(member, definitions, [...above, found]));
}

/** @returns the shape of an item of a list; undefined where there can be none, and for what is no list. */
export function itemOf(shape: Shape, index: number): Shape | undefined {
  if (shape.kind === "tuple") return shape.items[index] ?? shape.rest;
  return shape.kind === "array" ? shape.items : undefined;
}

/** @param member is not a union. @returns those that may fit; all for a shape that takes anything. */
export function typesOf(member: Member): readonly JsonType[] {
  switch (member.kind) {
    case "literal":
      return JSON_TYPES.filter((type) => member.values.some((value) => typeof value === type));
    case "date":
      return ["string"];
    case "tuple":
      return ["array"];
    case "never":
    case "file":
      return [];
    case "unknown":
    case "schema":
      return JSON_TYPES;
    default:
      return JSON_TYPES.filter((type) => type === member.kind);
  }
}

/** @returns the property whose literal tells the objects of a union apart, also where a union is in a union. */
export function tagOf(
  shape: Shape,
  objects: readonly ObjectShape[],
  definitions: Definitions,
): string | undefined {
  return tagsIn(shape, definitions, []).find((tag) => {
    const literals = objects.map((object) => tagsOf(object, tag, definitions));
    const all = literals.flat();
    return literals.every(({ length }) => length > 0) && new Set(all).size === all.length;
  });
}

function tagsIn(shape: Shape, definitions: Definitions, above: readonly Shape[]): readonly string[] {
  const found = resolve(shape, definitions);
  if (found.kind !== "union" || above.includes(found)) return [];
  const inner = found.of.flatMap((member) => tagsIn(member, definitions, [...above, found]));
  return found.tag === undefined ? inner : [found.tag, ...inner];
}

/** The literals by which a member of a union with a tag is known. */
export function tagsOf(
  member: ObjectShape,
  tag: string,
  definitions: Definitions,
): readonly (string | number | boolean | null)[] {
  const property = member.properties.find(({ name }) => name === tag);
  if (property === undefined) return [];
  const members = membersOf(property.shape, definitions);
  const literals = members.map((shape) => {
    if (shape.kind === "null") return [null];
    return shape.kind === "literal" ? shape.values : [];
  });
  return literals.every(({ length }) => length > 0) ? literals.flat() : [];
}
