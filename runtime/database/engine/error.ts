/** What a database refuses, in words that are the same for every engine, and what a transaction does. */

import { Problem } from "#runtime/problem";

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

type RefusalKind = Exclude<DatabaseErrorKind, "unavailable" | "broken">;

type Place = Pick<DatabaseErrorOptions, "table" | "columns">;

const MESSAGES: Readonly<Record<RefusalKind, (place: Place) => string>> = {
  unique: (place) => `Another row${ofTable(place)} has the same ${columnsOf(place, "value")}.`,
  missing_reference: (place) =>
    `The row that ${columnsOf(place, "a column")}${ofTable(place)} refers to does not exist.`,
  still_referenced: () => "Other rows still refer to this row.",
  not_null: (place) => `${columnsOf(place, "A column")}${ofTable(place)} needs a value.`,
  check: (place) => `A check${ofTable(place)} refuses the row.`,
  bad_value: () => "A value does not fit the type of its column.",
  conflict: () => "Another transaction changed the same rows first.",
};

/** @example createRefusal("unique", { table: "books", columns: ["isbn"] }) // "Another row of books has the same isbn." */
export function createRefusal(kind: RefusalKind, options: DatabaseErrorOptions): DatabaseError {
  return new DatabaseError(kind, MESSAGES[kind](options), options);
}

function ofTable({ table }: Place): string {
  return table === undefined ? "" : ` of ${table}`;
}

function columnsOf({ columns = [] }: Place, unknown: string): string {
  return columns.length === 0 ? unknown : columns.join(" and ");
}

/** For a query that waited for its turn in a transaction, and would now run outside of it. */
export function lateQuery(): Error {
  return new Error("The transaction of this query has ended.");
}

/** For `db.transaction()` where `db` is that of a request with a transaction: another one would need another connection. */
export function transactionInTransaction(): Error {
  return new Error("The queries of this request are part of its transaction, so no other one can begin.");
}

/** Its reader decides how long it takes. On SQLite, nobody else could write meanwhile. */
export function streamInTransaction(): Problem {
  return new Problem(
    "A stream can't run in a transaction, which would stay open until the last row is read.",
    "Stream from the database in a route without a transaction, or read pages of rows with limit().",
  );
}
