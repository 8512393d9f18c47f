/**
 * A type as plain data: what a value has to look like. Shapes are read from the project's types, written out as code that checks, and
 * walked to explain what does not fit. They are JSON: no undefined, no infinity, no object twice.
 */

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
}
