/**
 * JSON-Schema-Test-Suite, draft 2020-12: what a validator must accept and refuse. Schemas that shapes can say are translated, and the text
 * that is written from them is run; of the others the reason is counted. The ten formats are run by their checks.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bodyOf, inputsOf } from "#convention/wire/code/wire.fixture";
import { typesOf } from "#convention/wire/json-types.fixture";
import { HttpError } from "#runtime/message/errors";
import { FORMATS } from "#runtime/wire/formats";
import type { RouteInputs } from "#runtime/wire/inputs";
import type { RequestReader } from "#runtime/wire/request-reader";
import { membersOf, type Property, type Shape } from "#runtime/wire/shape";
import type { Outcome } from "./main.ts";
import { fetchSource } from "./sources.ts";

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

type Schema = Readonly<Record<string, unknown>>;

/** Thrown with the keyword that no shape says. */
class Inexpressible extends Error {}

export async function jsonSchemaCases(): Promise<Outcome> {
  const folder = join(await fetchSource("JSON-Schema-Test-Suite"), "tests/draft2020-12");
  const reasons = new Map<string, number>();
  const failures: string[] = [];
  let cases = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    for (const group of readGroups(join(folder, file))) {
      const run = await prepare(group.schema);
      if (typeof run === "string") reasons.set(run, (reasons.get(run) ?? 0) + group.tests.length);
      else {
        cases += group.tests.length;
        failures.push(...findFailures(group, run).map((failure) => `${file}: ${failure}`));
      }
    }
  }
  const left = [...reasons].sort(([, one], [, other]) => other - one);
  const total = left.reduce((sum, [, count]) => sum + count, cases);
  console.log(`JSON-Schema-Test-Suite: shapes say ${cases} of ${total} tests. The others need:`);
  console.log(left.map(([reason, count]) => `  ${reason}: ${count}`).join("\n"));
  return { cases, failures };
}

export async function jsonSchemaFormatCases(): Promise<Outcome> {
  const folder = join(await fetchSource("JSON-Schema-Test-Suite"), "tests/draft2020-12/optional/format");
  const failures: string[] = [];
  let cases = 0;
  for (const [format, check] of Object.entries(FORMATS)) {
    for (const group of readGroups(join(folder, `${format}.json`))) {
      cases += group.tests.length;
      failures.push(
        ...findFailures(group, (data) => typeof data !== "string" || check(data)).map(
          (failure) => `${format}: ${failure}`,
        ),
      );
    }
  }
  return { cases, failures };
}

function readGroups(file: string): readonly Group[] {
  return JSON.parse(readFileSync(file, "utf8"));
}

function findFailures(group: Group, fits: (data: unknown) => boolean): string[] {
  return group.tests
    .filter(({ data, valid }) => fits(data) !== valid)
    .map(
      ({ description, valid }) => `${group.description}, ${description}: ${valid ? "refused" : "accepted"}`,
    );
}

/** @returns what no shape says, as a keyword. */
async function prepare(schema: unknown): Promise<string | ((data: unknown) => boolean)> {
  try {
    const definitions: Record<string, Shape> = {};
    const shape = new Translation(schema, definitions).toShape(schema);
    const inputs = await inputsOf([bodyOf(shape)], definitions);
    return (data) => fits(inputs, data);
  } catch (error) {
    if (error instanceof Inexpressible) return error.message;
    throw error;
  }
}

function fits(inputs: RouteInputs, data: unknown): boolean {
  try {
    // The body's code asks nothing of the request.
    return inputs.read({ body: data } as RequestReader) !== undefined;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}

const TYPES = ["string", "number", "boolean", "null", "array", "object"] as const;
type Type = (typeof TYPES)[number];

/** Which keywords are about values of a type; others are about all. */
const KEYWORDS: Readonly<Record<string, Type>> = {
  minLength: "string",
  maxLength: "string",
  pattern: "string",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  items: "array",
  prefixItems: "array",
  minItems: "array",
  maxItems: "array",
  uniqueItems: "array",
  properties: "object",
  required: "object",
  additionalProperties: "object",
};
const ANNOTATIONS = [
  "$schema",
  "$comment",
  "$defs",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
];
const GENERAL = ["type", "enum", "const", "anyOf", "oneOf", "$ref"];

class Translation {
  readonly #root: unknown;
  readonly #definitions: Record<string, Shape>;

  constructor(root: unknown, definitions: Record<string, Shape>) {
    this.#root = root;
    this.#definitions = definitions;
  }

  toShape(schema: unknown): Shape {
    if (typeof schema === "boolean") return { kind: schema ? "unknown" : "never" };
    if (!isSchema(schema)) throw new Inexpressible("a schema that is none");
    const keywords = Object.keys(schema).filter((keyword) => !ANNOTATIONS.includes(keyword));
    const foreign = keywords.find((keyword) => !GENERAL.includes(keyword) && !(keyword in KEYWORDS));
    if (foreign !== undefined) throw new Inexpressible(foreign);
    if (keywords.length === 0) return { kind: "unknown" };
    const alone = ["$ref", "anyOf", "oneOf"].find((keyword) => keywords.includes(keyword));
    if (alone !== undefined && keywords.length > 1) throw new Inexpressible(`${alone} beside other keywords`);
    if (alone === "$ref") return this.#refer(schema.$ref);
    if (alone !== undefined) return this.#toUnion(schema[alone], alone);
    if ("enum" in schema || "const" in schema) return this.#toLiterals(schema, keywords);
    return this.#toTypes(schema, keywords);
  }

  #refer(pointer: unknown): Shape {
    if (typeof pointer !== "string" || !/^#(?:\/|$)/.test(pointer))
      throw new Inexpressible("$ref to another document");
    const keys = decodeURIComponent(pointer).split("/").slice(1);
    let found = this.#root;
    for (const key of keys) {
      const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
      found = Array.isArray(found) ? found[Number(name)] : isSchema(found) ? found[name] : undefined;
    }
    if (!Object.hasOwn(this.#definitions, pointer)) {
      this.#definitions[pointer] = { kind: "never" };
      this.#definitions[pointer] = this.toShape(found);
    }
    return { kind: "reference", name: pointer };
  }

  /** A type of TypeScript is met by what meets one of its parts, so these have to exclude each other by their types. */
  #toUnion(schemas: unknown, keyword: string): Shape {
    const of = (Array.isArray(schemas) ? schemas : []).map((schema) => this.toShape(schema));
    const types = of.flatMap((shape) => membersOf(shape, this.#definitions).flatMap(typesOf));
    if (new Set(types).size < types.length) throw new Inexpressible(`${keyword} of what nothing tells apart`);
    return { kind: "union", of };
  }

  #toLiterals(schema: Schema, keywords: readonly string[]): Shape {
    if (keywords.some((keyword) => !["enum", "const", "type"].includes(keyword)))
      throw new Inexpressible("enum or const beside other keywords");
    const given: readonly unknown[] =
      "const" in schema ? [schema.const] : (schema.enum as readonly unknown[]);
    if (given.some((value) => typeof value === "object" && value !== null))
      throw new Inexpressible("enum or const with an object or an array");
    const values = given.filter((value) => value !== null) as (string | number | boolean)[];
    const literals: Shape[] = values.length > 0 ? [{ kind: "literal", values }] : [];
    if (schema.type !== undefined && schema.type !== typeof values[0])
      throw new Inexpressible("enum or const of another type");
    return { kind: "union", of: given.includes(null) ? [...literals, { kind: "null" }] : literals };
  }

  #toTypes(schema: Schema, keywords: readonly string[]): Shape {
    const named = schema.type === undefined ? TYPES : [schema.type].flat();
    const of = named.map((type) => this.#toType(String(type), schema));
    const isLoose = keywords.every((keyword) => keyword === "type");
    return isLoose && of.length === 1 && of[0] ? of[0] : { kind: "union", of };
  }

  #toType(type: string, schema: Schema): Shape {
    switch (type) {
      case "string": {
        const { minLength, maxLength, pattern } = schema;
        return plain({
          kind: "string",
          minLength,
          maxLength,
          patterns: pattern === undefined ? undefined : [{ source: pattern }],
        });
      }
      case "number":
      case "integer": {
        const { minimum: min, maximum: max, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
        return plain({
          kind: "number",
          integer: type === "integer" ? true : undefined,
          min,
          max,
          exclusiveMin: exclusiveMinimum,
          exclusiveMax: exclusiveMaximum,
          multipleOf: multipleOf === undefined ? undefined : [multipleOf],
        });
      }
      case "array":
        return this.#toItems(schema);
      case "object":
        return this.#toObject(schema);
      default:
        return { kind: type === "null" ? "null" : "boolean" };
    }
  }

  #toItems({ prefixItems, items, minItems, maxItems, uniqueItems }: Schema): Shape {
    const sizes = { minItems, maxItems, uniqueItems: uniqueItems === true ? true : undefined };
    const rest = items === undefined ? ({ kind: "unknown" } as const) : this.toShape(items);
    if (!Array.isArray(prefixItems)) return plain({ kind: "array", items: rest, ...sizes });
    const first = prefixItems.map((item) => this.toShape(item));
    return plain({
      kind: "tuple",
      items: first,
      required: 0,
      rest: items === false ? undefined : rest,
      ...sizes,
    });
  }

  #toObject({ properties, required, additionalProperties = true }: Schema): Shape {
    const names = Array.isArray(required) ? required.map(String) : [];
    const schemas = isSchema(properties) ? properties : {};
    const declared = Object.entries(schemas).map(
      ([name, schema]): Property => ({ name, shape: this.toShape(schema), optional: !names.includes(name) }),
    );
    const more = names
      .filter((name) => !Object.hasOwn(schemas, name))
      .map((name): Property => ({ name, shape: { kind: "unknown" }, optional: false }));
    if (more.length > 0 && additionalProperties !== true)
      throw new Inexpressible("a required key that is not declared");
    return { kind: "object", properties: [...declared, ...more], others: this.toShape(additionalProperties) };
  }
}

/** Without the keys that are undefined. */
function plain(shape: object): Shape {
  return Object.fromEntries(
    Object.entries(shape).filter(([, value]) => value !== undefined),
  ) as object as Shape;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
