/**
 * Shapes: types as plain data. They are read from the project's types, compiled to code that checks values, and walked to explain
 * invalid values. They are JSON: without undefined, infinity and shared objects.
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
  /** `unknown` accepts any JSON, `never` no value. */
  | { readonly kind: "unknown" | "never" | "null" | "boolean" }
  /** A date-time text (RFC 3339) in JSON, a `Date` for the handler. */
  | { readonly kind: "date" }
  /** An uploaded file in a form. */
  | { readonly kind: "file" };

/** A finite number. */
export interface NumberShape {
  readonly kind: "number";
  /** Accept safe integers only: up to ±(2^53 − 1). */
  readonly integer?: true;
  readonly min?: number;
  readonly max?: number;
  readonly exclusiveMin?: number;
  readonly exclusiveMax?: number;
  /** The number must be a multiple of each. */
  readonly multipleOf?: readonly number[];
}

export interface StringShape {
  readonly kind: "string";
  /** Lengths are in Unicode code points, as in JSON Schema. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The text must match all patterns and formats. */
  readonly patterns?: readonly Pattern[];
  readonly formats?: readonly Format[];
}

export interface Pattern {
  /** The source of a regular expression with the flag `u`. */
  readonly source: string;
  /** The template literal type that the pattern was made from, such as `${number}px`, for messages. */
  readonly template?: string;
}

/** The supported formats of JSON Schema 2020-12 (validation, section 7.3). */
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

/** One of the listed values. */
export interface LiteralShape {
  readonly kind: "literal";
  readonly values: readonly (string | number | boolean)[];
}

interface Sized {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** No two items may be equal as JSON. */
  readonly uniqueItems?: true;
}

export interface ArrayShape extends Sized {
  readonly kind: "array";
  readonly items: Shape;
}

export interface TupleShape extends Sized {
  readonly kind: "tuple";
  readonly items: readonly Shape[];
  /** The number of required items. */
  readonly required: number;
  /** The shape of further items; undefined if there may be none. */
  readonly rest?: Shape;
}

export interface ObjectShape {
  readonly kind: "object";
  readonly properties: readonly Property[];
  /** The shape of all other keys, from an index signature or a `Record`. If undefined, other keys are dropped. */
  readonly others?: Shape;
}

export interface Property {
  readonly name: string;
  readonly shape: Shape;
  readonly optional: boolean;
  /** Present in contracts only. */
  readonly notes?: Notes;
}

/** The documentation of a property or a type, from its comment. */
export interface Notes {
  /** Markdown. */
  readonly description?: string;
  readonly deprecated?: true;
  readonly default?: unknown;
  readonly example?: unknown;
}

/** At least two shapes, which differ by their JSON type or by the literal in the property `tag`. */
export interface UnionShape {
  readonly kind: "union";
  readonly of: readonly Shape[];
  /** The property in which the objects have different literals. */
  readonly tag?: string;
}

/** A reference to a named type, which may be recursive. */
export interface ReferenceShape {
  readonly kind: "reference";
  readonly name: string;
}

/** The shapes of named types, by the name in references. */
export type Definitions = Readonly<Record<string, Shape>>;

/** A Standard Schema that the project exports: https://standardschema.dev. */
export interface SchemaShape {
  readonly kind: "schema";
  /** The file that exports it, relative to the project root. */
  readonly file: string;
  readonly exported: string;
  /** The shape means the schema's output, as in a handler's result, instead of its input. */
  readonly isOutput?: true;
}

export function isFile(value: unknown): value is File {
  return isObject(value) && value instanceof File;
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value) && !isFile(value);
}

/** A shape that is neither a reference nor a union. */
export type Member = Exclude<Shape, { kind: "reference" | "union" }>;

/** Follows references to a shape that is not a reference; `never` for a name that refers only to itself. */
export function resolve(shape: Shape, definitions: Definitions): Exclude<Shape, { kind: "reference" }> {
  if (shape.kind !== "reference") return shape;
  const seen = new Set<string>();
  let resolved: Shape = shape;
  while (resolved.kind === "reference") {
    const { name }: ReferenceShape = resolved;
    resolved = (seen.has(name) ? undefined : definitions[name]) ?? { kind: "never" };
    seen.add(name);
  }
  return resolved;
}

/** @returns the members of a union and of nested unions; for any other shape that shape itself. References are resolved. */
export function membersOf(shape: Shape, definitions: Definitions, above: readonly Shape[] = []): Member[] {
  const resolved = resolve(shape, definitions);
  if (resolved.kind !== "union") return [resolved];
  if (above.includes(resolved)) return [];
  return resolved.of.flatMap((member) => membersOf(member, definitions, [...above, resolved]));
}

/** @returns the shape of a list's item; undefined if the list has no such item, or if the shape is not a list. */
export function itemOf(shape: Shape, index: number): Shape | undefined {
  if (shape.kind === "tuple") return shape.items[index] ?? shape.rest;
  return shape.kind === "array" ? shape.items : undefined;
}

/** @returns the first property whose literals discriminate the objects of a union, as in `UnionShape.tag`. */
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

/** @returns the literals that identify a member of a union by its tag. */
export function tagsOf(member: ObjectShape, tag: string, definitions: Definitions): readonly Literal[] {
  const property = member.properties.find(({ name }) => name === tag);
  const literals = property ? membersOf(property.shape, definitions).map(literalsOf) : [];
  return literals.every(({ length }) => length > 0) ? literals.flat() : [];
}

/** @returns none if the shape is not a literal. */
export function literalsOf(shape: Shape): readonly Literal[] {
  if (shape.kind === "null") return [null];
  return shape.kind === "literal" ? shape.values : [];
}

/** @returns the members that match the value's JSON type, and for an object also its tag. */
export function candidatesOf(shape: Shape, value: unknown, definitions: Definitions): readonly Member[] {
  const candidates = membersOf(shape, definitions).filter((member) => hasTypeOf(member, value));
  const objects = candidates.filter((member) => member.kind === "object");
  const tag = objects.length < candidates.length ? undefined : tagOf(objects, definitions);
  if (tag === undefined) return candidates;
  const sent = ownValue(value, tag);
  return objects.filter((object) => tagsOf(object, tag, definitions).some((literal) => literal === sent));
}

function hasTypeOf(member: Member, value: unknown): boolean {
  const { kind } = member;
  if (kind === "literal") return member.values.some((literal) => typeof literal === typeof value);
  if (kind === "array" || kind === "tuple") return Array.isArray(value);
  if (kind === "null") return value === null;
  if (kind === "object") return isRecord(value);
  if (kind === "file") return isFile(value);
  return kind === "unknown" || kind === "schema" || typeof value === (kind === "date" ? "string" : kind);
}

/** Reads an own property. Inherited ones are ignored: `toString` is a key like any other. */
export function ownValue(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined;
}

/** A tuple without a rest has no more items than it declares. */
export function sizesOf(shape: ArrayShape | TupleShape): readonly [least: number, most: number] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape;
  if (shape.kind === "array") return [minItems, maxItems];
  return [Math.max(minItems, shape.required), shape.rest ? maxItems : Math.min(maxItems, shape.items.length)];
}
