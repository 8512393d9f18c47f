/** What a database refuses, in words that are the same for every engine. */

/**
 * - `unique`: another row has the same value.
 * - `missing_reference`: the row that a foreign key names does not exist.
 * - `still_referenced`: other rows refer to the row that was to be deleted or changed.
 * - `not_null`, `check`: a column refuses the value.
 * - `bad_value`: the value does not fit the type, as a NUL in a text or a number out of range.
 * - `conflict`: another transaction changed the same rows first. Run the transaction again.
 * - `unavailable`: the database can't be reached, is locked or too slow. Try again later.
 * - `broken`: the database can't write or read, as on a full disk or in a damaged file. A person has to repair it.
 */
export type DatabaseErrorKind =
  | "unique"
  | "missing_reference"
  | "still_referenced"
  | "not_null"
  | "check"
  | "bad_value"
  | "conflict"
  | "unavailable"
  | "broken";

export interface DatabaseErrorOptions {
  readonly table?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  /** What a person can do. */
  readonly hint?: string | undefined;
  /** What the engine said. */
  readonly cause?: unknown;
}

/** What queries throw where the database refuses them. The message has no values of the query in it. */
export class DatabaseError extends Error {
  override readonly name: string = "DatabaseError";
  readonly kind: DatabaseErrorKind;
  /** As far as the engine says it. */
  readonly table: string | undefined;
  /** As far as the engine says them. */
  readonly columns: readonly string[];
  /** What a person can do, if it is known. */
  readonly hint: string | undefined;

  constructor(kind: DatabaseErrorKind, message: string, options: DatabaseErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.kind = kind;
    this.table = options.table;
    this.columns = options.columns ?? [];
    this.hint = options.hint;
  }
}
