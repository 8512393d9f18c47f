/** Turns what is thrown into answers: status, body and headers, as far as the source says them. */

import type { Property, Shape } from "#runtime/wire/shape";
import { type Closed, knownText, UNWRITTEN } from "../../source/written.ts";
import { uniteShapes } from "../../wire/unite-shapes.ts";
import type { Answer, AnswerBody } from "../contract.ts";
import { alternativesOf } from "../values/closing.ts";
import { readHeaders, type WrittenHeader } from "../values/headers.ts";
import { type ErrorBodies, JSON_TYPE } from "./bodies.ts";
import type { ThrownError } from "./thrown.ts";

export function toErrorAnswers(
  { kind, arguments: given, location }: ThrownError,
  bodies: ErrorBodies,
  bodyLimit: number,
): readonly Answer[] {
  const [status = UNWRITTEN, body = UNWRITTEN, options = UNWRITTEN] = given;
  if (kind === "response") {
    const unknown: AnswerBody = { media: "*/*", shape: { kind: "unknown" } };
    return [{ status: "default", bodies: [unknown], headers: [], location }];
  }
  if (kind === "body") {
    const refused = REFUSED_BODIES[String(knownText(status))] ?? [];
    return refused.map(([code, description]) => {
      const shown = description.replace("{limit}", String(bodyLimit));
      return { status: code, description: shown, bodies: [bodies.error], headers: [], location };
    });
  }
  const headers = options.kind === "object" ? readHeaders(options.fields.get("headers")) : [];
  const description = describe(body);
  return errorStatusesOf(status).map((code) => ({
    status: code,
    ...(description !== undefined && { description }),
    bodies: toBodies(given.length < 2 ? undefined : body, bodies, headers),
    headers: headers.map(({ name }) => name).filter((name) => name !== "content-type"),
    location,
  }));
}

const TOO_LARGE = [413, "The request body is larger than {limit} bytes"] as const;

/** What each method of the request refuses. */
const REFUSED_BODIES: Readonly<Record<string, readonly (readonly [status: number, description: string])[]>> =
  {
    json: [[400, "The request body is not valid JSON"], TOO_LARGE],
    formData: [[400, "The request body is not form data"], TOO_LARGE],
    text: [TOO_LARGE],
    bytes: [TOO_LARGE],
    arrayBuffer: [TOO_LARGE],
    blob: [TOO_LARGE],
  };

/** What is not a status of an error is a mistake, and answered with a 500. */
function errorStatusesOf(status: Closed): readonly Answer["status"][] {
  const values = alternativesOf(status).flatMap((value): readonly Answer["status"][] => {
    if (value.kind !== "literal") return ["default"];
    const code = Number(value.value);
    return Number.isInteger(code) && code >= 400 && code <= 599 ? [code] : [];
  });
  return [...new Set(values)];
}

function describe(body: Closed): string | undefined {
  const texts = alternativesOf(body).flatMap((value) => {
    const error = value.kind === "object" ? value.fields.get("error") : value;
    const text = error && knownText(error)?.trim();
    return text && !/^\{[^{}]*\}$/.test(text) ? [text] : [];
  });
  return texts.length === 0 ? undefined : [...new Set(texts)].join("; ");
}

/** As the server tells JSON from what an error can't have. */
const IS_JSON = /^application\/(?:[\w.-]+\+)?json\b/i;

/** @param body undefined where nothing of the error is known. */
function toBodies(
  body: Closed | undefined,
  { error }: ErrorBodies,
  headers: readonly WrittenHeader[],
): readonly AnswerBody[] {
  const type = headers.find(({ name }) => name === "content-type")?.value ?? "";
  const media = IS_JSON.test(type) ? (type.split(";")[0] ?? type).trim().toLowerCase() : JSON_TYPE;
  const shapes =
    body === undefined ? [error.shape] : alternativesOf(body).map((value) => toBodyShape(value, error));
  return [{ media, shape: uniteShapes(shapes) }];
}

function toBodyShape(value: Closed, { shape }: AnswerBody): Shape {
  const isMessage = knownText(value) !== undefined || (value.kind === "literal" && value.value !== undefined);
  return isMessage ? shape : toShape(value);
}

/** As TypeScript types what is written: a text is any text. */
function toShape(value: Closed): Shape {
  switch (value.kind) {
    case "literal":
      return value.value === null ? { kind: "null" } : { kind: typeof value.value as "string" | "number" };
    case "text":
      return { kind: "string" };
    case "either":
      return uniteShapes(value.of.map((one) => toShape(one)));
    case "list":
      return { kind: "array", items: toItemShape(value.of) };
    case "object": {
      const properties = [...value.fields].map(([name, field]): Property => {
        const shape = toShape(field);
        // It may be undefined, and then it is not there.
        return { name, shape, optional: shape.kind === "unknown" };
      });
      const others: Shape = { kind: "unknown" };
      return { kind: "object", properties, ...(!value.isWhole && { others }) };
    }
    default:
      return { kind: "unknown" };
  }
}

function toItemShape(items: readonly Closed[]): Shape {
  return items.length === 0 ? { kind: "unknown" } : uniteShapes(items.map((item) => toShape(item)));
}
