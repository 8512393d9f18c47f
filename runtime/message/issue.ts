/** The validation issues of a request, as clients receive them. */

/** A mismatch between a value and its declared type. */
export interface ValidationIssue {
  readonly in: "body" | "query" | "header" | "cookie" | "form";
  /** A JSON pointer (RFC 6901) to the value; "" for the whole input. */
  readonly pointer: string;
  readonly code: IssueCode;
  /** The requirement, such as "at least 3 characters". It never repeats the value. */
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
  /** The field occurs more than once, but one value is expected. */
  | "repeated"
  /** An issue from a Standard Schema. */
  | "schema";
