/** What operations share, by the names that it has in the document: `#/components/schemas/…`. */

import type { Contract } from "#convention/contract/contract";
import { compareText } from "#convention/diagnostics/order";
import { isRecord } from "#convention/source/record";
import {
  FILE,
  findDefinition,
  type JsonSchema,
  type Outside,
  toSchema,
  withNotes,
} from "#convention/wire/json-schema";
import { createNameGiver } from "#convention/wire/labels";
import type { ObjectShape, SchemaShape, Shape } from "#runtime/wire/shape";
import { nameKeyOf, type Schemas } from "../schemas/schemas.ts";
import { embed } from "./embed.ts";
import type { JsonObject } from "./json.ts";

/** Gives the JSON Schema of a value that checks by itself. */
export type SchemasOf = Schemas["find"];

/** Collects the schemas that are referred to. */
export interface Components {
  toSchema(shape: Shape): JsonSchema;
  /** Of the body of an error, of which many operations have the same. */
  toErrorSchema(shape: Shape): JsonSchema;
  /** What the JSON Schema of a value that checks by itself says of its properties. */
  membersOf(shape: SchemaShape): SchemaMembers | undefined;
  /** Those that are reached, by name. */
  schemas(): JsonObject;
}

export interface SchemaMembers {
  readonly properties: JsonObject;
  readonly required: readonly unknown[];
}

/** @param errors the bodies of errors. */
export function createComponents(
  { definitions, notes }: Pick<Contract, "definitions" | "notes">,
  errors: readonly Shape[],
  schemas?: SchemasOf,
): Components {
  const nameOf = nameComponents(Object.keys(definitions));
  const bodies = errors.flatMap((shape) =>
    isOwnError(shape) ? [[JSON.stringify(shape), shape] as const] : [],
  );
  for (const [key, shape] of bodies.toSorted(([one], [other]) => compareText(one, other)))
    nameOf(key, nameError(shape));
  const reached = new Map<string, () => JsonSchema>();
  const outside: Outside = {
    refer: (name) =>
      add(nameOf(name), () => withNotes(toSchema(findDefinition(name, definitions), outside), notes[name])),
    // Generators of clients know a file by its format, as OpenAPI 3.0 had it.
    file: { ...FILE, format: "binary" },
    integer: { format: "int64" },
    ask(shape) {
      const found = schemas?.(shape);
      if (found === undefined) return undefined;
      const name = nameOf(nameKeyOf(shape, found), found.name);
      return { $ref: add(name, () => embed(found.schema, `${PLACE}${name}`)) };
    },
  };
  const add = (name: string, make: () => JsonSchema): string => {
    if (!reached.has(name)) reached.set(name, make);
    return `${PLACE}${name}`;
  };
  return {
    toSchema: (shape) => toSchema(shape, outside),
    toErrorSchema: function toErrorSchema(shape): JsonSchema {
      if (shape.kind === "union") return { anyOf: shape.of.map(toErrorSchema) };
      if (!isOwnError(shape)) return toSchema(shape, outside);
      return { $ref: add(nameOf(JSON.stringify(shape), nameError(shape)), () => toSchema(shape, outside)) };
    },
    membersOf(shape) {
      const found = schemas?.(shape);
      if (!isRecord(found?.schema.properties)) return undefined;
      const place = `${PLACE}${nameOf(nameKeyOf(shape, found), found.name)}`;
      const { properties, required } = embed(found.schema, place);
      // Their references lead into the whole.
      if (JSON.stringify(properties).includes(`"${place}`)) outside.ask?.(shape);
      return { properties: properties as JsonObject, required: Array.isArray(required) ? required : [] };
    },
    schemas() {
      // The map grows while it is walked.
      const entries = Array.from(reached, ([name, make]) => [name, make()] as const);
      return Object.fromEntries(entries.sort(([one], [other]) => compareText(one, other)));
    },
  };
}

/** An object that has no name. */
function isOwnError(shape: Shape): shape is ObjectShape {
  return shape.kind === "object" && shape.properties.length > 0;
}

/** By its keys: no type of a project has a dot in its name. @example "Error.error.code" */
function nameError({ properties }: ObjectShape): string {
  return ["Error", ...properties.map(({ name }) => name)].join(".").slice(0, LONGEST_NAME);
}

const LONGEST_NAME = 60;

const PLACE = "#/components/schemas/";

/** Names that differ only in characters that OpenAPI forbids get a number, in their own order, not in that of the routes. */
function nameComponents(definitions: readonly string[]): (key: string, wanted?: string) => string {
  const names = createNameGiver();
  const name = (key: string, wanted = key): string => names.claim(key, toComponentName(wanted));
  for (const one of definitions.toSorted()) name(one);
  return name;
}

/** @example toComponentName("Page<Product>") // "Page_Product" */
export function toComponentName(name: string): string {
  return name.replace(/[^\w.-]+/g, "_").replace(/^_+|_+$/g, "") || "Schema";
}
