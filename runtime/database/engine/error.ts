/** The errors of databases, the same for every engine. */

import { Problem } from "#runtime/problem";

/**
 * - `unique`: another row has the same value.
 * - `missing_reference`: the row that a foreign key refers to does not exist.
 * - `still_referenced`: other rows refer to the row that the query deletes or changes.
 * - `not_null`, `check`: a column refuses the value.
 * - `bad_value`: the value does not fit the type, such as a text with NUL or a number out of range.
 * - `conflict`: another transaction changed the same rows first. Run the transaction again.
 * - `unavailable`: the database can't be reached, is locked or too slow. Try again later.
 * - `broken`: the database can't write or read, for example on a full disk. A person has to repair it.
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
  /** How to fix it. */
  readonly hint?: string | undefined;
  /** The engine's own error. */
  readonly cause?: unknown;
}

/** An error of a query, with a kind that is the same for every engine. Its message contains no values of the query. */
export class DatabaseError extends Error {
  override readonly name: string = "DatabaseError";
  readonly kind: DatabaseErrorKind;
  /** The table, if the engine reports it. */
  readonly table: string | undefined;
  /** The columns, if the engine reports them. */
  readonly columns: readonly string[];
  /** How to fix it, if known. */
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

/** The error of a query that was queued in a transaction, and would now run outside of it. */
export function lateQuery(): Error {
  return new Error("The transaction of this query has ended.");
}

/** The error of a nested `db.transaction()`, which would need another connection. */
export function transactionInTransaction(): Error {
  return new Error("The queries of this request are part of its transaction, so no other one can begin.");
}

/** The error of a stream in a transaction: its reader would keep the transaction open, and on SQLite block all writes. */
export function streamInTransaction(): Problem {
  return new Problem(
    "A stream can't run in a transaction, which would stay open until the last row is read.",
    "Stream from the database in a route without a transaction, or read pages of rows with limit().",
  );
}
