/** One operation: what it takes, and what it answers. */

import type { Answer, AnswerBody, Input, Operation } from "#convention/contract/contract";
import { isBody } from "#convention/wire/clashes";
import { defined } from "#convention/wire/json-schema";
import { hasFile, objectsOf } from "#convention/wire/texts";
import type { Shape } from "#runtime/wire/shape";
import type { Components } from "./components.ts";
import { type JsonObject, orNothing } from "./json.ts";
import { toParameters } from "./parameter.ts";
import type { Path } from "./paths.ts";
import type { Surroundings } from "./surroundings.ts";

export function toOperation(
  operation: Operation,
  { template, params }: Pick<Path, "template" | "params">,
  surroundings: Surroundings,
): JsonObject {
  const { id, method, tag, summary, description, deprecated, inputs } = operation;
  return defined({
    operationId: id,
    tags: tag === undefined ? undefined : [tag],
    summary: summary ?? `${method} ${template}`,
    description,
    deprecated,
    parameters: orNothing(toParameters(withParamNames(inputs, params), surroundings)),
    requestBody: toRequestBody(inputs, surroundings),
    responses: toResponses(operation, surroundings),
    security: orNothing(surroundings.security.toRequirements(operation)),
  });
}

/** @param params the names that the path's template gives to its params, in order. */
function withParamNames(inputs: readonly Input[], params: readonly string[]): readonly Input[] {
  const inPath = inputs.filter(({ in: place }) => place === "path");
  return inputs.map((input) => ({ ...input, name: params[inPath.indexOf(input)] ?? input.name }));
}

function toRequestBody(inputs: readonly Input[], surroundings: Surroundings): JsonObject | undefined {
  const bodies = inputs.filter(isBody);
  if (bodies.length === 0) return undefined;
  const content = bodies.flatMap((body) =>
    toContent(body, surroundings).map(
      ([media, shape]) => [media, { schema: surroundings.components.toSchema(shape) }] as const,
    ),
  );
  return defined({
    description: bodies.map((body) => body.description).find((one) => one !== undefined),
    content: Object.fromEntries(content),
    required: bodies.some((body) => body.required) || undefined,
  });
}

/** A form with a file in it comes in parts. One whose files may be left out may come without them as text, too. */
function toContent(
  { in: place, shape }: Input,
  { definitions }: Surroundings,
): readonly (readonly [media: string, shape: Shape])[] {
  if (place === "body") return [["application/json", shape]];
  const parts = ["multipart/form-data", shape] as const;
  if (!hasFile(shape, definitions)) return [["application/x-www-form-urlencoded", shape], parts];
  const [object, second] = objectsOf(shape, definitions);
  if (object === undefined || second !== undefined) return [parts];
  const texts = object.properties.filter((property) => !hasFile(property.shape, definitions));
  const isText = object.properties.every((property) => property.optional || texts.includes(property));
  // Generators of clients take the first one.
  return isText ? [parts, ["application/x-www-form-urlencoded", { ...object, properties: texts }]] : [parts];
}

function toResponses({ answers, segments }: Operation, { components, refused }: Surroundings): JsonObject {
  const responses = answers.map((answer) => [answer.status, toResponse(answer, components)] as const);
  const isRefused = answers.some(({ status }) => status !== "default" && status >= 400 && status < 500);
  const hasParam = segments.some((segment) => typeof segment !== "string");
  // Keys that are numbers come first in any case, and in their order.
  return Object.fromEntries(isRefused || !hasParam ? responses : [["400", toRefusal()], ...responses]);

  /** A param may be encoded wrongly. Another answer of this status can only be among those that are not known. */
  function toRefusal(): JsonObject {
    const isKnown = answers.every(({ status }) => status !== "default");
    const content = isKnown
      ? { [refused.media]: { schema: components.toSchema(refused.shape) } }
      : { "*/*": { schema: {} } };
    return { description: "The path is encoded wrongly.", content };
  }
}

function toResponse(answer: Answer, components: Components): JsonObject {
  const { status, description, bodies, headers } = answer;
  const content = bodies.map(
    (body) => [body.media, { schema: toBodySchema(body, answer, components) }] as const,
  );
  return defined({
    description: description ?? describe(status),
    headers: orNothing(toHeaders(headers)),
    content: orNothing(Object.fromEntries(content)),
  });
}

function toBodySchema({ media, shape }: AnswerBody, answer: Answer, components: Components): JsonObject {
  if (isError(answer)) return components.toErrorSchema(shape);
  const schema = components.toSchema(shape);
  return shape.kind === "file" && media !== "*/*" ? { ...schema, contentMediaType: media } : schema;
}

export function isError({ status }: Answer): boolean {
  return status !== "default" && status >= 400;
}

/** OpenAPI says the type of the content elsewhere, and ignores it here (3.1.1, section 4.8.17.1). */
function toHeaders(names: readonly string[]): JsonObject {
  const own = names.filter((name) => name !== "content-type");
  return Object.fromEntries(own.map((name) => [name, { schema: { type: "string" } }]));
}

function describe(status: Answer["status"]): string {
  if (status === "default") return "The status is not known before it is sent.";
  return process.getBuiltinModule("node:http").STATUS_CODES[status] ?? `Status ${status}`;
}
