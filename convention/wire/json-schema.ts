/** Converts shapes to JSON Schema 2020-12, without OpenAPI's extensions. */

import { escapeKey } from "#runtime/escape";
import type {
  Definitions,
  LiteralShape,
  Notes,
  NumberShape,
  ObjectShape,
  SchemaShape,
  Shape,
  StringShape,
  TupleShape,
} from "#runtime/wire/shape";

/** A schema as JSON. Its keywords are in a fixed order. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The parts of a schema that the caller decides. */
export interface Outside {
  /** @returns the `$ref` to a definition. */
  refer(name: string): string;
  /** Asks a Standard Schema for its JSON Schema. Undefined, or without this method, any JSON is valid. */
  ask?(shape: SchemaShape): JsonSchema | undefined;
  /** The schema of an uploaded file. @defaultValue {@link FILE} */
  readonly file?: JsonSchema;
  /** Additional keywords of an integer. */
  readonly integer?: JsonSchema;
}

export const FILE: JsonSchema = { type: "string", contentMediaType: "application/octet-stream" };

/** @returns the schema, with the definitions that it refers to in `$defs`. */
export function toJsonSchema(shape: Shape, definitions: Definitions): JsonSchema {
  const reached = new Set<string>();
  const outside: Outside = {
    refer(name) {
      reached.add(name);
      return `#/$defs/${toPointer(name)}`;
    },
  };
  const schema = toSchema(shape, outside);
  // The set grows during the loop, because definitions refer to others.
  const defs = Array.from(
    reached,
    (name) => [name, toSchema(findDefinition(name, definitions), outside)] as const,
  );
  return defs.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(defs) };
}

/** For an unknown name any JSON is valid. */
export function findDefinition(name: string, definitions: Definitions): Shape {
  const found = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return found ?? { kind: "unknown" };
}

/** Converts a shape; `outside` formats its references. */
export function toSchema(shape: Shape, outside: Outside): JsonSchema {
  const inner = (one: Shape): JsonSchema => toSchema(one, outside);
  switch (shape.kind) {
    case "unknown":
      return {};
    case "schema":
      return outside.ask?.(shape) ?? {};
    case "never":
      return { not: {} };
    case "null":
    case "boolean":
      return { type: shape.kind };
    case "date":
      return { type: "string", format: "date-time" };
    case "file":
      return outside.file ?? FILE;
    case "number":
      return numberSchema(shape, outside.integer);
    case "string":
      return stringSchema(shape);
    case "literal":
      return literalSchema(shape.values);
    case "array":
      return defined({ type: "array", items: inner(shape.items), ...sizes(shape) });
    case "tuple":
      return tupleSchema(shape, inner);
    case "object":
      return objectSchema(shape, inner);
    case "union":
      return { [shape.tag === undefined ? "anyOf" : "oneOf"]: shape.of.map(inner) };
    case "reference":
      return { $ref: outside.refer(shape.name) };
  }
}

type ToSchema = (shape: Shape) => JsonSchema;

/** Includes `type`, because client generators ignore the type of `enum` values. */
function literalSchema(values: LiteralShape["values"]): JsonSchema {
  const types = [...new Set(values.map((value) => typeof value))];
  const type = types.length === 1 ? types[0] : types;
  return values.length === 1 ? { type, const: values[0] } : { type, enum: values };
}

function numberSchema(
  { integer, min, max, exclusiveMin, exclusiveMax, multipleOf }: NumberShape,
  ofInteger?: JsonSchema,
): JsonSchema {
  const schema = {
    type: integer ? "integer" : "number",
    ...(integer && ofInteger),
    minimum: min,
    maximum: max,
    exclusiveMinimum: exclusiveMin,
    exclusiveMaximum: exclusiveMax,
  };
  return defined(multipleOf ? withAll(schema, [["multipleOf", multipleOf]]) : schema);
}

function stringSchema({ minLength, maxLength, patterns = [], formats = [] }: StringShape): JsonSchema {
  const schema = { type: "string", minLength, maxLength };
  if (patterns.length + formats.length === 0) return defined(schema);
  const sources = patterns.map(({ source }) => source);
  return defined(
    withAll(schema, [
      ["format", formats],
      ["pattern", sources],
    ]),
  );
}

/** Adds keywords with several values: a schema can have a keyword only once, so more values need an `allOf`. */
function withAll(
  schema: JsonSchema,
  keywords: readonly (readonly [string, readonly unknown[]])[],
): JsonSchema {
  const all: Record<string, unknown> = { ...schema };
  const allOf: JsonSchema[] = [];
  for (const [key, values] of keywords) {
    if (values.length === 1) all[key] = values[0];
    else for (const value of values) allOf.push({ [key]: value });
  }
  return allOf.length === 0 ? all : { ...all, allOf };
}

function sizes({ minItems, maxItems, uniqueItems }: Shape & { kind: "array" | "tuple" }): JsonSchema {
  return { minItems, maxItems, uniqueItems };
}

/** The schema of forbidden items. Not `false`, which some tools read as a missing schema. */
const NOTHING_FITS: Shape = { kind: "never" };

/** JSON Schema forbids an empty `prefixItems`. */
function tupleSchema(shape: TupleShape, inner: ToSchema): JsonSchema {
  const least = Math.max(shape.required, shape.minItems ?? 0);
  return defined({
    type: "array",
    prefixItems: shape.items.length === 0 ? undefined : shape.items.map(inner),
    items: inner(shape.rest ?? NOTHING_FITS),
    ...sizes(shape),
    minItems: least === 0 ? undefined : least,
  });
}

/** Undeclared keys are dropped, not refused, so `additionalProperties` is never false. */
function objectSchema({ properties, others }: ObjectShape, inner: ToSchema): JsonSchema {
  const required = properties.filter(({ optional }) => !optional).map(({ name }) => name);
  const entries = properties.map(({ name, shape, notes }) => [name, withNotes(inner(shape), notes)]);
  return defined({
    type: "object",
    properties: entries.length === 0 ? undefined : Object.fromEntries(entries),
    required: required.length === 0 ? undefined : required,
    additionalProperties: others === undefined ? undefined : inner(others),
  });
}

/** Adds the notes of a comment. JSON Schema 2020-12 allows keywords beside a `$ref`. */
export function withNotes(schema: JsonSchema, notes: Notes | undefined): JsonSchema {
  if (notes === undefined) return schema;
  const { description, deprecated, default: value, example } = notes;
  const examples = example === undefined ? undefined : [example];
  return defined({ ...schema, description, deprecated, default: value, examples });
}

/** @returns the schema without undefined keywords. */
export function defined(schema: JsonSchema): JsonSchema {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

/** Formats a token of a JSON pointer (RFC 6901) in the fragment of a URI. */
function toPointer(name: string): string {
  return encodeURIComponent(escapeKey(name));
}
