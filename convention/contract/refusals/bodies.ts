/** The bodies that the framework gives to what it refuses, and to an `HttpError` with a message. */

import type { IssueCode } from "#runtime/wire/inputs";
import type { ReferenceShape, Shape } from "#runtime/wire/shape";
import type { ShapeReader } from "../../wire/shapes.ts";
import type { Answer, AnswerBody } from "../contract.ts";

export const JSON_TYPE = "application/json";

export interface ErrorBodies {
  /** `{ error: message }` */
  readonly error: AnswerBody;
  /** The same with the issues, of 422. */
  readonly invalid: AnswerBody;
}

const TEXT: Shape = { kind: "string" };

/** All of them, as the type makes sure. */
const CODES: Readonly<Record<IssueCode, true>> = {
  type: true,
  required: true,
  one_of: true,
  min: true,
  max: true,
  exclusive_min: true,
  exclusive_max: true,
  multiple_of: true,
  min_length: true,
  max_length: true,
  pattern: true,
  format: true,
  min_items: true,
  max_items: true,
  unique_items: true,
  repeated: true,
  schema: true,
};

/** What people return as an error, and what is sent for its message. */
const ERROR: Shape = objectOf({ error: TEXT });

const INVALID: Shape = objectOf({
  error: TEXT,
  issues: {
    kind: "array",
    items: objectOf({
      in: textsOf("body", "query", "header", "cookie", "form"),
      pointer: TEXT,
      code: textsOf(...Object.keys(CODES)),
      message: TEXT,
    }),
  },
});

/** Types of the project that requests take were read before, and keep these names. */
export function defineErrorBodies(shapes: ShapeReader): ErrorBodies {
  const toBody = (shape: ReferenceShape): AnswerBody => ({ media: JSON_TYPE, shape });
  return {
    error: toBody(shapes.define("Error", ERROR)),
    invalid: toBody(shapes.define("ValidationError", INVALID)),
  };
}

const ERROR_TEXT = JSON.stringify(ERROR);

/** A handler that returns an error of the same shape as the framework's gives the same type. */
export function shareError(answer: Answer, { error }: ErrorBodies): Answer {
  if (answer.status === "default" || answer.status < 400) return answer;
  const bodies = answer.bodies.map((body) =>
    body.shape.kind === ERROR.kind && JSON.stringify(body.shape) === ERROR_TEXT
      ? { ...body, shape: error.shape }
      : body,
  );
  return { ...answer, bodies };
}

function objectOf(shapes: Readonly<Record<string, Shape>>): Shape {
  const properties = Object.entries(shapes).map(([name, shape]) => ({ name, shape, optional: false }));
  return { kind: "object", properties };
}

function textsOf(...values: readonly string[]): Shape {
  return { kind: "literal", values };
}
