/** One value of a path, a query, headers or cookies. */

import type { Input } from "#convention/contract/contract";
import { isBody } from "#convention/wire/clashes";
import { defined, withNotes } from "#convention/wire/json-schema";
import type { Shape } from "#runtime/wire/shape";
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
    return place === "query" ? [toRestParameter(input, inputs, surroundings)] : [];
  });
}

function toParameter(input: Input, { components, isList }: Surroundings): JsonObject {
  const { in: place, name, shape } = input;
  const { default: value, example } = input;
  const schema = withNotes(components.toSchema(shape), { default: value, example });
  const repeated = place === "query" && isList(shape) ? EXPLODED : {};
  return { name, in: place, ...aboutIt(input), ...repeated, schema };
}

/** A key for each value: `tag=a&tag=b`. */
const EXPLODED = { style: "form", explode: true };

/** All other keys are one object. Its own name is in no request, so it must only be free. */
function toRestParameter(input: Input, inputs: readonly Input[], surroundings: Surroundings): JsonObject {
  const { shape } = input;
  const isWhole = shape.kind === "schema" || surroundings.objectsOf(shape).length > 0;
  const object: Shape = isWhole ? shape : { kind: "object", properties: [], others: shape };
  const schema = surroundings.components.toSchema(object);
  return { name: freeName(input, inputs), in: "query", ...aboutIt(input), ...EXPLODED, schema };
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
