/**
 * A type as plain data: what a value has to look like. Shapes are read from the project's types, written out as code that checks, and
 * walked to explain what does not fit. They are JSON: no undefined, no infinity, no object twice.
 */

import { isObject } from "../message/json.ts";

export type Shape =
  | NumberShape
  | StringShape
  | LiteralShape
  | ArrayShape
  | TupleShape
  | ObjectShape
  | UnionShape
  | ReferenceShape
  | SchemaShape
  /** Any JSON; `never` is fit by nothing. */
  | { readonly kind: "unknown" | "never" | "null" | "boolean" }
  /** In JSON a text with a date-time (RFC 3339), for the handler a `Date`. */
  | { readonly kind: "date" }
  /** An uploaded file of a form. */
  | { readonly kind: "file" };

/** Finite numbers. */
export interface NumberShape {
  readonly kind: "number";
  /** No fraction, and exact: at most 2^53 − 1 from zero. */
  readonly integer?: true;
  readonly min?: number;
  readonly max?: number;
  readonly exclusiveMin?: number;
  readonly exclusiveMax?: number;
  /** Each of them. */
  readonly multipleOf?: readonly number[];
}

export interface StringShape {
  readonly kind: "string";
  /** In Unicode code points, as in JSON Schema. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** All of them. */
  readonly patterns?: readonly Pattern[];
  readonly formats?: readonly Format[];
}

export interface Pattern {
  /** Of a regular expression with the flag `u`. */
  readonly source: string;
  /** The template literal type that it was made of, as in `${number}px`, for messages. */
  readonly template?: string;
}

/** The formats of JSON Schema 2020-12 (validation, section 7.3) that are checked. */
export type Format =
  | "date"
  | "date-time"
  | "duration"
  | "email"
  | "hostname"
  | "ipv4"
  | "ipv6"
  | "time"
  | "uri"
  | "uuid";

/** One of these values. */
export interface LiteralShape {
  readonly kind: "literal";
  readonly values: readonly (string | number | boolean)[];
}

interface Sized {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** No two items are equal, as JSON. */
  readonly uniqueItems?: true;
}

export interface ArrayShape extends Sized {
  readonly kind: "array";
  readonly items: Shape;
}

export interface TupleShape extends Sized {
  readonly kind: "tuple";
  readonly items: readonly Shape[];
  /** How many of the items must be there. */
  readonly required: number;
  /** What may follow them; without it nothing may. */
  readonly rest?: Shape;
}

export interface ObjectShape {
  readonly kind: "object";
  readonly properties: readonly Property[];
  /** Of all other keys, from an index signature or a `Record`. Without it they are dropped. */
  readonly others?: Shape;
}

export interface Property {
  readonly name: string;
  readonly shape: Shape;
  readonly optional: boolean;
  /** In a contract alone. */
  readonly notes?: Notes;
}

/** What a comment says of a property or a type. */
export interface Notes {
  /** Markdown. */
  readonly description?: string;
  readonly deprecated?: true;
  readonly default?: unknown;
  readonly example?: unknown;
}

/** At least two shapes that a look at the value tells apart: by its JSON type, or by the literal in the property `tag`. */
export interface UnionShape {
  readonly kind: "union";
  readonly of: readonly Shape[];
  /** The objects among them have different literals here. */
  readonly tag?: string;
}

/** A type with a name, which may contain itself. */
export interface ReferenceShape {
  readonly kind: "reference";
  readonly name: string;
}

/** The shapes of the types with names, by the name that references use. */
export type Definitions = Readonly<Record<string, Shape>>;

/** A value of the project that checks by itself: https://standardschema.dev. */
export interface SchemaShape {
  readonly kind: "schema";
  /** The file that exports it, relative to the project root. */
  readonly file: string;
  readonly exported: string;
  /** What it gives, as in the result of a handler, and not what it takes. */
  readonly isOutput?: true;
}

export function isFile(value: unknown): value is File {
  return isObject(value) && value instanceof File;
}

/** True for what is an object in JSON. */
export function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value) && !isFile(value);
}

/** A shape that is neither a name nor several shapes. */
export type Member = Exclude<Shape, { kind: "reference" | "union" }>;

/** Follows references to a shape that is not one. `never` for a name that refers to nothing but itself. */
export function resolve(shape: Shape, definitions: Definitions): Exclude<Shape, { kind: "reference" }> {
  if (shape.kind !== "reference") return shape;
  const seen = new Set<string>();
  let found: Shape = shape;
  while (found.kind === "reference") {
    const { name }: ReferenceShape = found;
    found = (seen.has(name) ? undefined : definitions[name]) ?? { kind: "never" };
    seen.add(name);
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

/** @returns the property whose literal tells the objects of a union apart: the first one, as in the union's own `tag`. */
export function tagOf(objects: readonly ObjectShape[], definitions: Definitions): string | undefined {
  const [first, ...more] = objects;
  if (first === undefined || more.length === 0) return undefined;
  return first.properties.find(({ name }) => {
    const literals = objects.map((object) => tagsOf(object, name, definitions));
    const all = literals.flat();
    return literals.every(({ length }) => length > 0) && new Set(all).size === all.length;
  })?.name;
}

type Literal = LiteralShape["values"][number] | null;

/** The literals by which a member of a union with a tag is known. */
export function tagsOf(member: ObjectShape, tag: string, definitions: Definitions): readonly Literal[] {
  const property = member.properties.find(({ name }) => name === tag);
  const literals = property ? membersOf(property.shape, definitions).map(literalsOf) : [];
  return literals.every(({ length }) => length > 0) ? literals.flat() : [];
}

/** @returns none for a shape that values are no part of. */
export function literalsOf(shape: Shape): readonly Literal[] {
  if (shape.kind === "null") return [null];
  return shape.kind === "literal" ? shape.values : [];
}

/** @returns the members that a value may fit, judged by its JSON type, and an object also by its tag. */
export function candidatesOf(shape: Shape, value: unknown, definitions: Definitions): readonly Member[] {
  const candidates = membersOf(shape, definitions).filter((member) => hasTypeOf(member, value));
  const objects = candidates.filter((member) => member.kind === "object");
  const tag = objects.length < candidates.length ? undefined : tagOf(objects, definitions);
  if (tag === undefined) return candidates;
  const given = ownValue(value, tag);
  return objects.filter((object) => tagsOf(object, tag, definitions).some((one) => one === given));
}

function hasTypeOf(member: Member, value: unknown): boolean {
  const { kind } = member;
  if (kind === "literal") return member.values.some((one) => typeof one === typeof value);
  if (kind === "array" || kind === "tuple") return Array.isArray(value);
  if (kind === "null") return value === null;
  if (kind === "object") return isRecord(value);
  if (kind === "file") return isFile(value);
  return kind === "unknown" || kind === "schema" || typeof value === (kind === "date" ? "string" : kind);
}

/** What a value inherits does not count: `toString` is a key like any other. */
export function ownValue(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined;
}

/** A tuple without a rest has no more items than it declares. */
export function sizesOf(shape: ArrayShape | TupleShape): readonly [least: number, most: number] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape;
  if (shape.kind === "array") return [minItems, maxItems];
  return [Math.max(minItems, shape.required), shape.rest ? maxItems : Math.min(maxItems, shape.items.length)];
}
