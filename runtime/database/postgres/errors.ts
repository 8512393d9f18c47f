/** What an error of a Postgres server, or of the way to it, means. */

import { isProblem } from "#runtime/problem";
import { createRefusal, DatabaseError, type DatabaseErrorOptions } from "../engine/error.ts";

/** What a server says. */
interface ServerError extends Error {
  readonly code: string;
  readonly detail?: string;
  readonly table?: string;
  readonly column?: string;
}

/** Of the class of data exceptions: what depends on the values. */
const BAD_VALUES: readonly string[] = [
  "22001",
  "22003",
  "22007",
  "22008",
  "22009",
  "22021",
  "22P02",
  "22P03",
  "22P05",
];

/** Resources, connections, shutdown, a lock. */
const UNAVAILABLE = /^(?:08|28|53|57P0|57014|55P03|3D000)/;

/** A full disk, no memory, a disk or file that fails, damaged data, a server that only reads. */
const BROKEN = /^(?:53[12]00|58|25006|XX00[12])/;

const NETWORK =
  /^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOENT|ACCES|HOSTDOWN)$/;

/** What `pg` says without a code. */
const GONE =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/;
const NO_TURN = /^timeout exceeded when trying to connect/;

const RUNS = "Check that it runs, and that DATABASE_URL names it.";
const CHECK_URL = "Check what DATABASE_URL says.";

/** @returns the error itself where it is a mistake in the query. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const code = codeOf(error);
  if (BROKEN.test(code)) return toFailure("broken", error, code);
  if (isNetworkError(error) || NO_TURN.test(error.message) || UNAVAILABLE.test(code))
    return toFailure("unavailable", error, code);
  return isServerError(error) ? (toRefusal(error) ?? error) : error;
}

/**
 * For what fails before there is a connection.
 *
 * @param server where it should be, as `localhost:5432`.
 */
export function toConnectError(error: unknown, server: string): unknown {
  if (!(error instanceof Error) || isProblem(error) || error instanceof DatabaseError) return error;
  const known = toDatabaseError(error);
  const isAway = isNetworkError(error);
  if (!isAway && known instanceof DatabaseError) return known;
  // What is not known is as where a password is missing, or TLS.
  const [message, hint] = isAway
    ? [`The database server at ${server} can't be reached (${codeOf(error) || error.message}).`, RUNS]
    : [`The database server at ${server} can't be used: ${error.message}.`, CHECK_URL];
  return new DatabaseError("unavailable", message, { hint, cause: error });
}

/** Whether a connection is of no more use: it has ended, or the server is about to end it. */
export function isConnectionLost(error: unknown): boolean {
  return !(error instanceof Error && isServerError(error)) || /^(?:57P|08)/.test(error.code);
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function isNetworkError(error: Error): boolean {
  // A certificate of the URL may be missing, too.
  const isFile = "syscall" in error && error.syscall === "open";
  return GONE.test(error.message) || (NETWORK.test(codeOf(error)) && !isFile);
}

function isServerError(error: Error): error is ServerError {
  return "code" in error && typeof error.code === "string" && "severity" in error;
}

function toRefusal(error: ServerError): DatabaseError | undefined {
  const place: DatabaseErrorOptions = { table: error.table, columns: columnsOf(error), cause: error };
  switch (error.code) {
    case "23505":
      return createRefusal("unique", place);
    case "23503":
      return createRefusal(isStillReferenced(error) ? "still_referenced" : "missing_reference", place);
    case "23001":
      return createRefusal("still_referenced", place);
    case "23502":
      return createRefusal("not_null", place);
    case "23514":
      return createRefusal("check", place);
    case "40001":
    case "40P01":
      return createRefusal("conflict", { cause: error });
    default:
      return BAD_VALUES.includes(error.code) ? createRefusal("bad_value", place) : undefined;
  }
}

/** @example columnsOf({ detail: "Key (shop, isbn)=(1, 2) already exists." }) // ["shop", "isbn"] */
function columnsOf({ column, detail }: ServerError): readonly string[] {
  if (column !== undefined) return [column];
  const [, list] = /^[^(]*\(([^()]*)\)=\(/.exec(detail ?? "") ?? [];
  return list?.split(", ").map((name) => name.replace(/^"(.*)"$/, "$1")) ?? [];
}

/** The server says which of the two it is in its language only; in most, the table comes last in one and not in the other. */
function isStillReferenced({ detail = "", message }: ServerError): boolean {
  return /still referenced/.test(detail) || /^update or delete on table/.test(message);
}

function toFailure(kind: "unavailable" | "broken", error: Error, code: string): DatabaseError {
  const [message, hint] = describe(error, code);
  return new DatabaseError(kind, message, { hint, cause: error });
}

function describe(error: Error, code: string): readonly [message: string, hint: string] {
  if (NO_TURN.test(error.message))
    return [
      "No connection to the database became free in time.",
      "Let it have more connections, or make transactions shorter.",
    ];
  if (code === "57014")
    return ["A statement took too long, and was cancelled.", "Make it faster, or raise statementTimeout."];
  if (code === "55P03")
    return ["A table was locked for too long.", "Try again when no other transaction uses it."];
  if (code === "25006")
    return [
      "The transaction or the server only reads.",
      "Write in another transaction, or on the primary server.",
    ];
  if (code === "53100") return ["The disk of the database server is full.", "Make room on it."];
  if (code === "53300")
    return [
      "The database server has no connection left.",
      "Let each process have fewer, or put PgBouncer before it.",
    ];
  if (BROKEN.test(code))
    return [`The database server fails: ${error.message}.`, "Check its disk, its memory and its log."];
  if (/^(?:08P01|28|3D|53|57P03)/.test(code))
    return [`The database server refuses the connection: ${error.message}.`, CHECK_URL];
  return ["The connection to the database server was lost.", RUNS];
}
