/** Turns what is thrown into answers: status, body and headers, as far as the source says them. */

import type { Shape } from "#runtime/wire/shape";
import type { Sources } from "../../project.ts";
import { readValuesOf } from "../../source/returned.ts";
import { pathOf } from "../../source/tree.ts";
import { scopeOf } from "../../wire/result-types.ts";
import { uniteShapes } from "../../wire/unite-shapes.ts";
import { ANYTHING, type Answer } from "../contract.ts";
import { type Value, valuesOf } from "../values/inside.ts";
import { readText } from "../values/written-out.ts";
import { ERROR_BODY, JSON_TYPE } from "./bodies.ts";
import { TOO_LARGE } from "./framework.ts";
import { readOption, type ThrownError } from "./thrown.ts";

export function toErrorAnswers(error: ThrownError, { types }: Sources): readonly Answer[] {
  const { location } = error;
  if (error.kind === "response") return [{ status: "default", bodies: [ANYTHING], headers: [], location }];
  if (error.kind === "body")
    return (REFUSED_BODIES[error.method] ?? []).map(([status, description]) => {
      return { status, description, bodies: [ERROR_BODY], headers: [], location };
    });
  const { statuses, headers, body } = error;
  const values = body ? valuesOf(body.node, body.inside) : [];
  const description = describe(values);
  const given = values.length > 0 ? uniteShapes(values.map((value) => toShape(value, types))) : MESSAGE;
  // What a call gives to a parameter may be unknown, and the parameter's type is not.
  const shape = body && given.kind === "unknown" ? toShape(body, types) : given;
  const type = headers.find(({ name }) => name === "content-type")?.value ?? "";
  const media = IS_JSON.test(type) ? (type.split(";")[0] ?? type).trim().toLowerCase() : JSON_TYPE;
  return statuses.map((status) => ({
    status: typeof status === "number" ? status : "default",
    ...(description !== undefined && { description }),
    bodies: [{ media, shape }],
    headers: headers.map(({ name }) => name).filter((name) => name !== "content-type"),
    location,
  }));
}

const MESSAGE = ERROR_BODY.shape;

const IS_TOO_LARGE = [413, TOO_LARGE] as const;

/** What each method of the request refuses. */
const REFUSED_BODIES: Readonly<Record<string, readonly (readonly [status: number, description: string])[]>> =
  {
    json: [[400, "The request body is not valid JSON"], IS_TOO_LARGE],
    formData: [[400, "The request body is not form data"], IS_TOO_LARGE],
    text: [IS_TOO_LARGE],
    bytes: [IS_TOO_LARGE],
    arrayBuffer: [IS_TOO_LARGE],
    blob: [IS_TOO_LARGE],
  };

/** As the server tells JSON from what an error can't have. */
const IS_JSON = /^application\/(?:[\w.-]+\+)?json\b/i;

/** The message, or the `error` of the object. */
function describe(values: readonly Value[]): string | undefined {
  const texts = values.flatMap((value) => {
    const [text = ""] = [value, ...readOption(value, "error")].flatMap((one) => readText(one) ?? []);
    return text.trim() === "" || /^\{[^{}]*\}$/.test(text.trim()) ? [] : [text.trim()];
  });
  return texts.length === 0 ? undefined : [...new Set(texts)].join("; ");
}

function toShape({ node, inside }: Value, { shapes }: Sources["types"]): Shape {
  if (node.type === "MemberExpression" && pathOf(node)?.at(-1) === "message") return MESSAGE;
  const { module, value, source } = inside;
  const type = readValuesOf(inside.node, source, module)(node);
  return withMessage(shapes.readResult(shapes.part({ type, scope: scopeOf(module, value) })).shape);
}

/** A text is sent as the message. */
function withMessage(shape: Shape): Shape {
  if (shape.kind === "union") return uniteShapes(shape.of.map(withMessage));
  const isText = shape.kind === "literal" && shape.values.every((value) => typeof value === "string");
  return shape.kind === "string" || isText ? MESSAGE : shape;
}
