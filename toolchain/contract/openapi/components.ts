/** What operations share, by the names that it has in the document: `#/components/schemas/…`. */

import { compareText } from "#convention/diagnostics/order";
import { FILE, findDefinition, type JsonSchema, type Outside, toSchema } from "#convention/wire/json-schema";
import { createNameGiver } from "#convention/wire/labels";
import type { Definitions, Shape } from "#runtime/wire/shape";
import { embed } from "./embed.ts";
import type { JsonObject } from "./json.ts";

/** Gives the JSON Schema of a value that checks by itself. */
export type SchemasOf = NonNullable<Outside["ask"]>;

/** Collects the schemas that are referred to. */
export interface Components {
  toSchema(shape: Shape): JsonSchema;
  /** Those that are reached, by name. */
  schemas(): JsonObject;
}

export function createComponents(definitions: Definitions, schemas?: SchemasOf): Components {
  const nameOf = nameComponents(Object.keys(definitions));
  const reached = new Map<string, () => JsonSchema>();
  const outside: Outside = {
    refer: (name) => add(nameOf(name), () => toSchema(findDefinition(name, definitions), outside)),
    // Generators of clients know a file by its format, as OpenAPI 3.0 had it.
    file: { ...FILE, format: "binary" },
    ask(shape) {
      const schema = schemas?.(shape);
      if (schema === undefined) return undefined;
      const name = nameOf(`${shape.file}#${shape.exported}`, shape.exported);
      return { $ref: add(name, () => embed(schema, `${PLACE}${name}`)) };
    },
  };
  const add = (name: string, make: () => JsonSchema): string => {
    if (!reached.has(name)) reached.set(name, make);
    return `${PLACE}${name}`;
  };
  return {
    toSchema: (shape) => toSchema(shape, outside),
    schemas() {
      // The map grows while it is walked.
      const entries = Array.from(reached, ([name, make]) => [name, make()] as const);
      return Object.fromEntries(entries.sort(([one], [other]) => compareText(one, other)));
    },
  };
}

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
