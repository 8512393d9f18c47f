/** What an error of SQLite means. */

import { DatabaseError } from "../engine/error.ts";
import { createRefusal } from "../engine/refusal.ts";

const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const IO = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const TOO_BIG = 18;
const MISMATCH = 20;
const NOT_A_DATABASE = 26;

const CHECK = 275;
const FOREIGN_KEY = 787;
const NOT_NULL = 1299;
const PRIMARY_KEY = 1555;
const TRIGGER = 1811;
const UNIQUE = 2067;
const ROW_ID = 2579;

/** An error by Node's SQLite. */
interface SqliteError extends Error {
  /** Extended: its last eight bits are the primary code. */
  readonly errcode: number;
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** Another connection is writing. */
export function isBusy(error: unknown): boolean {
  if (!isSqliteError(error)) return false;
  const code = error.errcode & 255;
  return code === BUSY || code === LOCKED;
}

/**
 * @param kind of the statement, as Kysely calls it.
 * @param file undefined for a database in memory.
 * @returns the error itself where it is a mistake in the query.
 */
export function toDatabaseError(error: unknown, kind: string, file: string | undefined): unknown {
  if (error instanceof Error && "code" in error && error.code === "ERR_INVALID_ARG_VALUE")
    return createRefusal("bad_value", { cause: error });
  if (!isSqliteError(error)) return error;
  return toRefusal(error, kind) ?? toUnavailable(error, file) ?? error;
}

function toRefusal(error: SqliteError, kind: string): DatabaseError | undefined {
  switch (error.errcode) {
    case UNIQUE:
    case PRIMARY_KEY:
    case ROW_ID:
      return createRefusal("unique", { ...placeOf(error.message), cause: error });
    case NOT_NULL:
      return createRefusal("not_null", { ...placeOf(error.message), cause: error });
    case CHECK:
      return createRefusal("check", { cause: error });
    case FOREIGN_KEY:
    case TRIGGER:
      return createRefusal(kind === "DeleteQueryNode" ? "still_referenced" : "missing_reference", {
        cause: error,
      });
  }
  const code = error.errcode & 255;
  return code === TOO_BIG || code === MISMATCH ? createRefusal("bad_value", { cause: error }) : undefined;
}

/** @example placeOf("UNIQUE constraint failed: books.shop, books.isbn") // { table: "books", columns: ["shop", "isbn"] } */
function placeOf(message: string): { readonly table?: string; readonly columns?: readonly string[] } {
  const [, list] = /^(?:UNIQUE|NOT NULL|PRIMARY KEY) constraint failed: (.*)$/s.exec(message) ?? [];
  if (list === undefined || list.startsWith("index ")) return {};
  const names = list.split(", ").map((name) => name.split("."));
  const table = names[0]?.[0];
  return {
    ...(table === undefined ? {} : { table }),
    columns: names.map(([, ...column]) => column.join(".")),
  };
}

function toUnavailable(error: SqliteError, file: string | undefined): DatabaseError | undefined {
  const place = file === undefined ? "The database in memory" : `The database file ${file}`;
  const create = (what: string, hint: string): DatabaseError =>
    new DatabaseError("unavailable", `${place} ${what}.`, { hint, cause: error });
  switch (error.errcode & 255) {
    case BUSY:
    case LOCKED:
      return create("is locked by another transaction", "Try again later, or make transactions shorter.");
    case READ_ONLY:
      return create("can't be written", "Make it and its folder writable for this process.");
    case CANNOT_OPEN:
      return create(
        "can't be opened",
        "Check that its folder exists, and that this process may write there.",
      );
    case FULL:
      return create("can't grow: the disk is full", "Make room on the disk.");
    case IO:
      return create(`can't be read or written: ${error.message}`, "Check the disk.");
    case CORRUPT:
      return create("is damaged", "Restore a backup.");
    case NOT_A_DATABASE:
      return create("is not a SQLite database", "Correct the URL, or move the file away.");
    default:
      return undefined;
  }
}
