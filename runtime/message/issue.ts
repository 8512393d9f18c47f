/** What is wrong with a request, as a client gets it. */

/** One way in which a value does not fit its type. */
export interface ValidationIssue {
  readonly in: "body" | "query" | "header" | "cookie" | "form";
  /** A JSON pointer (RFC 6901) to the value; "" for all of it. */
  readonly pointer: string;
  readonly code: IssueCode;
  /** As in "at least 3 characters". It never repeats the value. */
  readonly message: string;
}

export type IssueCode =
  | "type"
  | "required"
  | "one_of"
  | "min"
  | "max"
  | "exclusive_min"
  | "exclusive_max"
  | "multiple_of"
  | "min_length"
  | "max_length"
  | "pattern"
  | "format"
  | "min_items"
  | "max_items"
  | "unique_items"
  /** Given more than once, where one value is asked for. */
  | "repeated"
  /** Said by a Standard Schema. */
  | "schema";
