/** A shape as JSON Schema 2020-12, with nothing in it that only OpenAPI knows. */

import type {
  Definitions,
  NumberShape,
  ObjectShape,
  Shape,
  StringShape,
  TupleShape,
} from "#runtime/core/wire/shape";

/** JSON, with its keywords in a fixed order. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** @returns the schema, and in `$defs` those definitions that it reaches, in the order in which it does. */
export function toJsonSchema(shape: Shape, definitions: Definitions): JsonSchema {
  const reached = new Set<string>();
  const schema = toSchema(shape, reached);
  // The set grows while it is walked.
  const defs = Array.from(reached, (name) => [name, toSchema(find(name, definitions), reached)] as const);
  return defs.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(defs) };
}

function find(name: string, definitions: Definitions): Shape {
  const found = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return found ?? { kind: "unknown" };
}

function toSchema(shape: Shape, reached: Set<string>): JsonSchema {
  const inner = (one: Shape): JsonSchema => toSchema(one, reached);
  switch (shape.kind) {
    case "unknown":
    case "schema":
      return {};
    case "never":
      return { not: {} };
    case "null":
    case "boolean":
      return { type: shape.kind };
    case "date":
      return { type: "string", format: "date-time" };
    case "file":
      return { type: "string", contentMediaType: "application/octet-stream" };
    case "number":
      return numberSchema(shape);
    case "string":
      return stringSchema(shape);
    case "literal":
      return shape.values.length === 1 ? { const: shape.values[0] } : { enum: shape.values };
    case "array":
      return defined({ type: "array", items: inner(shape.items), ...sizes(shape) });
    case "tuple":
      return tupleSchema(shape, inner);
    case "object":
      return objectSchema(shape, inner);
    case "union":
      return { [shape.tag === undefined ? "anyOf" : "oneOf"]: shape.of.map(inner) };
    case "reference":
      reached.add(shape.name);
      return { $ref: `#/$defs/${toPointer(shape.name)}` };
  }
}

type ToSchema = (shape: Shape) => JsonSchema;

function numberSchema({
  integer,
  min,
  max,
  exclusiveMin,
  exclusiveMax,
  multipleOf,
}: NumberShape): JsonSchema {
  const schema = {
    type: integer ? "integer" : "number",
    minimum: min,
    maximum: max,
    exclusiveMinimum: exclusiveMin,
    exclusiveMaximum: exclusiveMax,
  };
  return withAll(schema, [["multipleOf", multipleOf ?? []]]);
}

function stringSchema({ minLength, maxLength, patterns = [], formats = [] }: StringShape): JsonSchema {
  return withAll({ type: "string", minLength, maxLength }, [
    ["format", formats],
    ["pattern", patterns.map(({ source }) => source)],
  ]);
}

/** A keyword can be in a schema once, so several values of it are in several schemas. */
function withAll(
  schema: JsonSchema,
  keywords: readonly (readonly [string, readonly unknown[]])[],
): JsonSchema {
  const single = keywords.filter(([, values]) => values.length === 1).map(([key, [value]]) => [key, value]);
  const several = keywords.filter(([, values]) => values.length > 1);
  const allOf = several.flatMap(([key, values]) => values.map((value) => ({ [key]: value })));
  return defined({ ...schema, ...Object.fromEntries(single), allOf: allOf.length === 0 ? undefined : allOf });
}

function sizes({ minItems, maxItems, uniqueItems }: Shape & { kind: "array" | "tuple" }): JsonSchema {
  return { minItems, maxItems, uniqueItems };
}

/** `prefixItems` may not be empty. */
function tupleSchema(shape: TupleShape, inner: ToSchema): JsonSchema {
  const least = Math.max(shape.required, shape.minItems ?? 0);
  return defined({
    type: "array",
    prefixItems: shape.items.length === 0 ? undefined : shape.items.map(inner),
    items: shape.rest === undefined ? false : inner(shape.rest),
    ...sizes(shape),
    minItems: least === 0 ? undefined : least,
  });
}

/** Keys that are not declared are dropped, not refused, so `additionalProperties` is never false. */
function objectSchema({ properties, others }: ObjectShape, inner: ToSchema): JsonSchema {
  const required = properties.filter(({ optional }) => !optional).map(({ name }) => name);
  const entries = properties.map(({ name, shape }) => [name, inner(shape)]);
  return defined({
    type: "object",
    properties: entries.length === 0 ? undefined : Object.fromEntries(entries),
    required: required.length === 0 ? undefined : required,
    additionalProperties: others === undefined ? undefined : inner(others),
  });
}

function defined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** A JSON pointer's token (RFC 6901) in the fragment of a URI. */
function toPointer(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
