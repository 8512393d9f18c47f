/** What an error of SQLite means. */

import { DatabaseError, type DatabaseErrorOptions } from "../engine/error.ts";
import { createRefusal } from "../engine/refusal.ts";

/** The last eight bits of a code. */
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
const UNIQUE = 2067;
const ROW_ID = 2579;

/** An error of Node's SQLite. */
interface SqliteError extends Error {
  readonly errcode: number;
}

type Place = Pick<DatabaseErrorOptions, "table" | "columns">;

/** Finds what SQLite does not say. Asked only where it is needed. */
export interface Questions {
  table(): string | undefined;
  brokenReference(): "still_referenced" | { readonly columns: readonly string[] };
}

const NO_QUESTIONS: Questions = {
  table: () => undefined,
  brokenReference: () => ({ columns: [] }),
};

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
 * @param path of the file; undefined in memory.
 * @returns the error itself where the query is wrong.
 */
export function toDatabaseError(
  error: unknown,
  path: string | undefined,
  questions: Questions = NO_QUESTIONS,
): unknown {
  if (isSqliteError(error)) return toRefusal(error, questions) ?? toFailure(error, path) ?? error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_INVALID_ARG_VALUE") return createRefusal("bad_value", { cause: error });
  if (code === "ERR_INVALID_STATE")
    return new DatabaseError("unavailable", "The database has been closed.", { cause: error });
  return error;
}

function toRefusal(error: SqliteError, questions: Questions): DatabaseError | undefined {
  const place = (): DatabaseErrorOptions => ({
    table: questions.table(),
    ...placeOf(error.message),
    cause: error,
  });
  switch (error.errcode) {
    case UNIQUE:
    case PRIMARY_KEY:
    case ROW_ID:
      return createRefusal("unique", place());
    case NOT_NULL:
      return createRefusal("not_null", place());
    case CHECK:
      return createRefusal("check", place());
    case FOREIGN_KEY: {
      const broken = questions.brokenReference();
      if (broken === "still_referenced") return createRefusal(broken, place());
      return createRefusal("missing_reference", { ...place(), ...broken });
    }
  }
  const code = error.errcode & 255;
  return code === TOO_BIG || code === MISMATCH ? createRefusal("bad_value", place()) : undefined;
}

/** @example placeOf("UNIQUE constraint failed: books.shop, books.isbn") // { table: "books", columns: ["shop", "isbn"] } */
function placeOf(message: string): Place {
  const [, list] = /^(?:UNIQUE|NOT NULL) constraint failed: (.*)$/s.exec(message) ?? [];
  if (list === undefined || /^index /.test(list)) return {};
  const [table, ...columns] = [
    list.split(".")[0],
    ...list.split(", ").map((name) => name.slice(name.indexOf(".") + 1)),
  ];
  return { table, columns: columns.filter((name) => name !== undefined) };
}

function toFailure(error: SqliteError, path: string | undefined): DatabaseError | undefined {
  const [what, hint] = describe(error) ?? [];
  if (what === undefined) return undefined;
  const kind = isBusy(error) ? "unavailable" : "broken";
  const subject = path === undefined ? "The database in memory" : `The database file ${path}`;
  return new DatabaseError(kind, `${subject} ${what}.`, { hint, cause: error });
}

function describe({ errcode, message }: SqliteError): readonly [what: string, hint: string] | undefined {
  switch (errcode & 255) {
    case BUSY:
    case LOCKED:
      return [
        "is locked by another process",
        "Try again later. Other processes keep it locked for too long.",
      ];
    case READ_ONLY:
      return [
        "can't be written",
        "Make the file and its folder writable for this process. A transaction that only reads can't write.",
      ];
    case CANNOT_OPEN:
      return ["can't be opened", "Check that it is not a folder, and that this process may write there."];
    case FULL:
      return ["can't grow, because the disk is full", "Make room on the disk."];
    case IO:
      return [`can't be read or written (${message})`, "Check the disk."];
    case CORRUPT:
      return ["is damaged", "Restore a backup."];
    case NOT_A_DATABASE:
      return ["is not a SQLite database", "Correct the URL, or move the file away."];
    default:
      return undefined;
  }
}

/** What Node says where the file's folder can't be made. */
export function toOpeningError(error: unknown, path: string | undefined): DatabaseError | undefined {
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return undefined;
  return new DatabaseError(
    "broken",
    `The folder of the database file ${path} can't be made (${error.code}).`,
    {
      hint: "Correct the URL, or make the folder yourself, writable for this process.",
      cause: error,
    },
  );
}
