/** One value of a path, a query, headers or cookies. */

import type { Input } from "#convention/contract/contract";
import { isBody } from "#convention/wire/clashes";
import { formatLimits } from "#convention/wire/format-shape";
import { defined, withNotes } from "#convention/wire/json-schema";
import { objectsOf } from "#convention/wire/texts";
import { type ArrayShape, membersOf, type Shape } from "#runtime/wire/shape";
import type { JsonObject } from "./json.ts";
import type { Surroundings } from "./surroundings.ts";

/** OpenAPI describes these elsewhere, and ignores them among the parameters (3.1.1, section 4.8.12.1). */
const ELSEWHERE: readonly string[] = ["accept", "content-type", "authorization"];

/** Without what OpenAPI can't say, or says elsewhere. */
export function toParameters(inputs: readonly Input[], surroundings: Surroundings): readonly JsonObject[] {
  return inputs.flatMap((input) => {
    const { in: place, name, isRest } = input;
    if (isBody(input) || (place === "header" && ELSEWHERE.includes(name))) return [];
    if (!isRest) return [toParameter(input, surroundings)];
    const named = toSchemaParameters(input, surroundings);
    if (named.length > 0) return named;
    return place === "query" ? [toRestParameter(input, inputs, surroundings)] : [];
  });
}

function toParameter(input: Input, { components, definitions }: Surroundings): JsonObject {
  if (input.in === "path" && isArray(input.shape)) return toWholePath(input, input.shape);
  const { in: place, name, shape } = input;
  const { default: value, example } = input;
  const schema = withNotes(components.toSchema(shape), { default: value, example });
  const isRepeated = membersOf(shape, definitions).some(({ kind }) => kind === "array" || kind === "tuple");
  const repeated = place === "query" && isRepeated ? EXPLODED : {};
  return { name, in: place, ...aboutIt(input), ...repeated, schema };
}

/** A param of OpenAPI is one segment, so a whole path is a text with a note, and our page sends its slashes as they are. */
function toWholePath(input: Input, shape: ArrayShape): JsonObject {
  const { description = "" } = input;
  const text = formatLimits(shape);
  const note = "All that is left of the path: one or more segments, with slashes between them.";
  const type = text === ANY_PATH ? "" : ` As a list they are \`${text}\`.`;
  const about = aboutIt({ ...input, description: [description, note + type].filter(Boolean).join("\n\n") });
  return { name: input.name, in: "path", ...about, "x-whole-path": true, schema: TEXT_SCHEMA };
}

function isArray(shape: Shape): shape is ArrayShape {
  return shape.kind === "array";
}

const TEXT_SCHEMA = { type: "string", minLength: 1 };
const ANY_PATH = formatLimits({ kind: "array", items: { kind: "string", minLength: 1 }, minItems: 1 });

/** A key for each value: `tag=a&tag=b`. */
const EXPLODED = { style: "form", explode: true };

/** The properties of a value that checks by itself, where its JSON Schema says them. */
function toSchemaParameters(input: Input, { components }: Surroundings): readonly JsonObject[] {
  const { in: place, shape, required: isRequired } = input;
  const { properties = {}, required = [] } = (shape.kind === "schema" && components.membersOf(shape)) || {};
  return Object.entries(properties)
    .filter(([name]) => place !== "header" || !ELSEWHERE.includes(name.toLowerCase()))
    .map(([name, schema]) => ({
      name,
      in: place,
      ...defined({ required: (isRequired && required.includes(name)) || undefined }),
      ...(place === "query" && EXPLODED),
      schema,
    }));
}

/**
 * All other keys are one object. Its own name is in no request, so it must only be free. Of a value that checks by itself nothing is known,
 * and what is not known is not required.
 */
function toRestParameter(input: Input, inputs: readonly Input[], surroundings: Surroundings): JsonObject {
  const { shape } = input;
  const isWhole = objectsOf(shape, surroundings.definitions).length > 0;
  const others: Shape = shape.kind === "schema" ? { kind: "unknown" } : shape;
  const object: Shape = isWhole ? shape : { kind: "object", properties: [], others };
  const about = aboutIt({ ...input, required: input.required && shape.kind !== "schema" });
  const schema = surroundings.components.toSchema(object);
  return { name: freeName(input, inputs), in: "query", ...about, ...EXPLODED, schema };
}

/** Several functions can each take all other keys. */
function freeName(input: Input, inputs: readonly Input[]): string {
  const taken = inputs.filter((one) => one.in === "query" && !one.isRest).map(({ name }) => name);
  const rests = inputs.filter((one) => one.in === "query" && one.isRest);
  let name = `others${rests.indexOf(input) || ""}`;
  while (taken.includes(name)) name += "_";
  return name;
}

/** What a parameter says besides its name, its place and its schema. */
function aboutIt({ description, deprecated, required }: Input): JsonObject {
  return defined({ description, deprecated, required: required || undefined });
}
