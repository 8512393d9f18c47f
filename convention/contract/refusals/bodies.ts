/** The bodies that the framework gives to what it refuses, and to an `HttpError` with a message. */

import type { IssueCode } from "#runtime/message/issue";
import type { Definitions, Shape } from "#runtime/wire/shape";
import type { Answer, AnswerBody } from "../contract.ts";

export const JSON_TYPE = "application/json";

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

/** No type of a project has a dot in its name. */
const NAMES = { error: "Framework.Error", invalid: "Framework.ValidationError" } as const;

export const ERROR_DEFINITIONS: Definitions = { [NAMES.error]: ERROR, [NAMES.invalid]: INVALID };

/** `{ error: message }` */
export const ERROR_BODY: AnswerBody = { media: JSON_TYPE, shape: { kind: "reference", name: NAMES.error } };

/** The same with the issues, of 422. */
export const INVALID_BODY: AnswerBody = {
  media: JSON_TYPE,
  shape: { kind: "reference", name: NAMES.invalid },
};

const ERROR_TEXT = JSON.stringify(ERROR);

/** A handler that returns an error of the same shape as the framework's gives the same type. */
export function shareError(answer: Answer): Answer {
  if (answer.status === "default" || answer.status < 400) return answer;
  const bodies = answer.bodies.map((body) =>
    body.shape.kind === ERROR.kind && JSON.stringify(body.shape) === ERROR_TEXT
      ? { ...body, shape: ERROR_BODY.shape }
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
