/** Converts errors of SQLite to `DatabaseError`. */

import { type CompiledQuery, DeleteQueryNode } from "kysely";
import { createRefusal, DatabaseError, type DatabaseErrorOptions } from "../engine/error.ts";
import { findMissingReferences, tableOf } from "./references.ts";
import type { Session } from "./session.ts";

const [BUSY, LOCKED, TOO_BIG, MISMATCH] = [5, 6, 18, 20];

/** Failures of the file by the last eight bits of the error code, each with the end of its message and a hint. */
const FAILURES: Readonly<Record<number, readonly [what: string, hint: string]>> = {
  [BUSY]: ["is locked by another process", "Try again later. Other processes keep it locked for too long."],
  [LOCKED]: ["is locked by another process", "Try again later. Other processes keep it locked for too long."],
  8: [
    "can't be written",
    "Make the file and its folder writable for this process. A transaction that only reads can't write.",
  ],
  10: ["can't be read or written", "Check the disk."],
  11: ["is damaged", "Restore a backup."],
  13: ["can't grow, because the disk is full", "Make room on the disk."],
  14: ["can't be opened", "Check that it is not a folder, and that this process may write there."],
  26: ["is not a SQLite database", "Correct the URL, or move the file away."],
};

/** Refusals by the whole error code. */
const REFUSALS: Readonly<Record<number, "unique" | "not_null" | "check">> = {
  275: "check",
  1299: "not_null",
  1555: "unique",
  2067: "unique",
  2579: "unique",
};
const FOREIGN_KEY = 787;
/** A pattern of `like` has at most 50,000 bytes. */
const LONG_PATTERN = /^LIKE or GLOB pattern too complex/;

/** An error of Node's SQLite. */
interface SqliteError extends Error {
  readonly errcode: number;
}

/** The failed query and its session, to find details that SQLite does not report. */
export interface Failed {
  readonly session: Session;
  readonly query: CompiledQuery;
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** True if another connection is writing. */
export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && [BUSY, LOCKED].includes(error.errcode & 255);
}

/**
 * @param path the file; undefined in memory.
 * @returns the error itself if the query is wrong.
 */
export function toDatabaseError(error: unknown, path: string | undefined, failed?: Failed): unknown {
  if (isSqliteError(error)) return toRefusal(error, failed) ?? toFailure(error, path) ?? error;
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "ERR_INVALID_ARG_VALUE") return createRefusal("bad_value", { cause: error });
  if (error.code === "ERR_INVALID_STATE")
    return new DatabaseError("unavailable", "The database has been closed.", { cause: error });
  return "syscall" in error ? toFolderError(error, error.code, path) : error;
}

function toRefusal(error: SqliteError, failed: Failed | undefined): DatabaseError | undefined {
  const place = (): DatabaseErrorOptions => ({
    table: failed && tableOf(failed.query),
    ...placeOf(error.message),
    cause: error,
  });
  const kind = REFUSALS[error.errcode];
  if (kind) return createRefusal(kind, place());
  if (error.errcode === FOREIGN_KEY) {
    const columns = failed && missingReferences(failed);
    if (columns === undefined) return createRefusal("still_referenced", place());
    return createRefusal("missing_reference", { ...place(), columns });
  }
  const isValue = [TOO_BIG, MISMATCH].includes(error.errcode & 255) || LONG_PATTERN.test(error.message);
  return isValue ? createRefusal("bad_value", place()) : undefined;
}

/** @example placeOf("UNIQUE constraint failed: books.shop, books.isbn") // { table: "books", columns: ["shop", "isbn"] } */
function placeOf(message: string): DatabaseErrorOptions {
  const [, list] = /^(?:UNIQUE|NOT NULL) constraint failed: (?!index )(.*)$/s.exec(message) ?? [];
  if (list === undefined) return {};
  const columns = list.split(", ").map((name) => name.slice(name.indexOf(".") + 1));
  return { table: list.slice(0, list.indexOf(".")), columns };
}

/** @returns undefined if other rows refer to the deleted or changed row. */
function missingReferences({ session, query }: Failed): readonly string[] | undefined {
  const isDelete = DeleteQueryNode.is(query.query) || /^\s*delete\b/i.test(query.sql);
  return isDelete ? undefined : findMissingReferences(session, query);
}

function toFailure(error: SqliteError, path: string | undefined): DatabaseError | undefined {
  const [what, hint] = FAILURES[error.errcode & 255] ?? [];
  if (what === undefined) return undefined;
  const subject = path === undefined ? "The database in memory" : `The database file ${path}`;
  const message = `${subject} ${what}${(error.errcode & 255) === 10 ? ` (${error.message})` : ""}.`;
  return new DatabaseError(isBusy(error) ? "unavailable" : "broken", message, { hint, cause: error });
}

/** Converts Node's error if the file's folder can't be created. */
function toFolderError(cause: Error, code: unknown, path: string | undefined): DatabaseError {
  const hint = "Correct the URL, or make the folder yourself, writable for this process.";
  const message = `The folder of the database file ${path} can't be made (${code}).`;
  return new DatabaseError("broken", message, { hint, cause });
}
