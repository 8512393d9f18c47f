/** A JSON Schema as a shape, for the client's types. What TypeScript could not say is left out, and what is not understood is any JSON. */

import type { JsonSchema } from "#convention/wire/json-schema";
import type { ObjectShape, Property, Shape } from "#runtime/wire/shape";

const ANY: Shape = { kind: "unknown" };

type Read = (schema: unknown) => Shape;

/**
 * @param name of the definition that it becomes: it may refer to itself.
 * @example shapeOf({ type: "array", items: { $ref: "#" } }, "Tree") // { kind: "array", items: { kind: "reference", name: "Tree" } }
 */
export function shapeOf(root: JsonSchema, name: string): Shape {
  return read(root, []);

  /** @param open the references that it is in: another part that contains itself has no name. */
  function read(schema: unknown, open: readonly string[]): Shape {
    if (schema === false) return { kind: "never" };
    if (!isSchema(schema)) return ANY;
    const { $ref } = schema;
    if ($ref === "#") return { kind: "reference", name };
    if (typeof $ref !== "string") return readSchema(schema, (inner) => read(inner, open));
    const target = open.includes($ref) ? undefined : resolvePointer(root, $ref);
    return target === undefined ? ANY : read(target, [...open, $ref]);
  }
}

function readSchema(schema: JsonSchema, read: Read): Shape {
  const { anyOf, oneOf, allOf, type } = schema;
  if ("const" in schema) return literal([schema.const]);
  if (Array.isArray(schema.enum)) return literal(schema.enum);
  const members = [anyOf, oneOf].find(Array.isArray) ?? [];
  if (members.length > 0) return unite(members.map(read));
  if (Array.isArray(allOf)) return merge([{ ...schema, allOf: undefined }, ...allOf].map(read));
  if (Array.isArray(type)) return unite(type.map((one) => read({ ...schema, type: one })));
  switch (type ?? (isSchema(schema.properties) ? "object" : undefined)) {
    case "string":
      return { kind: "string" };
    case "number":
    case "integer":
      return { kind: "number" };
    case "boolean":
      return { kind: "boolean" };
    case "null":
      return { kind: "null" };
    case "array":
      return readArray(schema, read);
    case "object":
      return readObject(schema, read);
    default:
      return ANY;
  }
}

function readArray({ prefixItems, items, minItems }: JsonSchema, read: Read): Shape {
  if (!Array.isArray(prefixItems)) return { kind: "array", items: read(items) };
  const required = Math.min(Number(minItems ?? 0), prefixItems.length);
  const rest = items === false ? {} : { rest: read(items) };
  return { kind: "tuple", items: prefixItems.map(read), required, ...rest };
}

function readObject(
  { properties = {}, required, additionalProperties }: JsonSchema,
  read: Read,
): ObjectShape {
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const all = Object.entries(properties as JsonSchema).map(([name, schema]): Property => {
    const { description } = isSchema(schema) ? schema : {};
    const notes = typeof description === "string" ? { notes: { description } } : {};
    return { name, shape: read(schema), optional: !isRequired(name), ...notes };
  });
  const isOpen = additionalProperties === true || isSchema(additionalProperties);
  return { kind: "object", properties: all, ...(isOpen && { others: read(additionalProperties) }) };
}

/** Of objects all that they have together. */
function merge(shapes: readonly Shape[]): Shape {
  const known = shapes.filter(({ kind }) => kind !== "unknown");
  const objects = known.filter((shape) => shape.kind === "object");
  const [first = ANY] = known;
  if (known.length < 2 || objects.length < known.length) return known.length < 2 ? first : ANY;
  return { kind: "object", properties: objects.flatMap(({ properties }) => properties) };
}

function literal(values: readonly unknown[]): Shape {
  const simple = values.filter((value) => ["string", "number", "boolean"].includes(typeof value));
  const shapes: Shape[] = simple.length > 0 ? [{ kind: "literal", values: simple as string[] }] : [];
  if (values.includes(null)) shapes.push({ kind: "null" });
  return values.every((value) => value === null || simple.includes(value)) ? unite(shapes) : ANY;
}

function unite(shapes: readonly Shape[]): Shape {
  const [first = ANY, ...more] = shapes;
  return more.length === 0 ? first : { kind: "union", of: shapes };
}

/** RFC 6901, below `#`. */
function resolvePointer(root: JsonSchema, pointer: string): unknown {
  if (!pointer.startsWith("#")) return undefined;
  const steps = decodeURIComponent(pointer.slice(1)).split("/").slice(1);
  return steps.reduce<unknown>((found, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return isSchema(found) || Array.isArray(found) ? Reflect.get(found, key) : undefined;
  }, root);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
