/** Converts errors of a Postgres server or of its connection to `DatabaseError`. */

import { isProblem } from "#runtime/problem";
import { createRefusal, DatabaseError, type DatabaseErrorOptions } from "../engine/error.ts";

/** An error from the server. */
interface ServerError extends Error {
  readonly code: string;
  readonly detail?: string;
  readonly table?: string;
  readonly column?: string;
}

type Failure = readonly [kind: "broken" | "unavailable", message: string, hint: string];

const CHECK_URL = "Check what DATABASE_URL says.";
const RUNS = "Check that it runs, and that DATABASE_URL names it.";
const SERVER_FAILS = "Check its disk, its memory and its log.";

/** Failures by error code, of which the first match is used. `$` is the server's message. */
const FAILURES: readonly (readonly [code: RegExp, ...found: Failure])[] = [
  [/^53100/, "broken", "The disk of the database server is full.", "Make room on it."],
  [
    /^25006/,
    "broken",
    "The transaction or the server only reads.",
    "Write in another transaction, or on the primary server.",
  ],
  [/^(?:53200|58|XX00[12])/, "broken", "The database server fails: $.", SERVER_FAILS],
  [
    /^57014/,
    "unavailable",
    "A statement took too long, and was cancelled.",
    "Make it faster, or raise statementTimeout.",
  ],
  [
    /^55P03/,
    "unavailable",
    "A table was locked for too long.",
    "Try again when no other transaction uses it.",
  ],
  [
    /^53300/,
    "unavailable",
    "The database server has no connection left.",
    "Let each process have fewer, or put PgBouncer before it.",
  ],
  [
    /^(?:08P01|28|3D000|53|57P03)/,
    "unavailable",
    "The database server refuses the connection: $.",
    CHECK_URL,
  ],
  [/^(?:08|57P0)/, "unavailable", "The connection to the database server was lost.", RUNS],
];

/** Errors that the values of a query cause. */
const REFUSALS = [
  [/^23505/, "unique"],
  [/^23001/, "still_referenced"],
  [/^23502/, "not_null"],
  [/^23514/, "check"],
  [/^40(?:001|P01)/, "conflict"],
  [/^22(?:00[13789]|021|P0[235])/, "bad_value"],
] as const;

const NETWORK =
  /^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOENT|ACCES|HOSTDOWN)$/;

/** Messages of `pg` for errors without a code. */
const GONE =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/;
const NO_TURN = /^timeout exceeded when trying to connect/;

/** @returns the error itself if the query is wrong. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const [kind, message, hint] = findFailure(error) ?? [];
  if (kind)
    return new DatabaseError(kind, message?.replace("$", () => error.message) ?? "", { hint, cause: error });
  return isServerError(error) ? (toRefusal(error) ?? error) : error;
}

function findFailure(error: Error): Failure | undefined {
  if (NO_TURN.test(error.message)) {
    const hint = "Let it have more connections, or make transactions shorter.";
    return ["unavailable", "No connection to the database became free in time.", hint];
  }
  if (isNetworkError(error)) return ["unavailable", "The connection to the database server was lost.", RUNS];
  const [, ...failure] = FAILURES.find(([code]) => code.test(codeOf(error))) ?? [];
  return failure[0] && (failure as unknown as Failure);
}

/**
 * Converts an error of connecting.
 *
 * @param server the address, such as `localhost:5432`.
 */
export function toConnectError(error: unknown, server: string): unknown {
  if (!(error instanceof Error) || isProblem(error) || error instanceof DatabaseError) return error;
  const known = toDatabaseError(error);
  const isAway = isNetworkError(error);
  if (!isAway && known instanceof DatabaseError) return known;
  // Other errors are about the configuration, such as a missing password or TLS.
  const [message, hint] = isAway
    ? [`The database server at ${server} can't be reached (${codeOf(error) || error.message}).`, RUNS]
    : [`The database server at ${server} can't be used: ${error.message}.`, CHECK_URL];
  return new DatabaseError("unavailable", message, { hint, cause: error });
}

/** True if the connection can't be used any more, because it has ended or the server is about to end it. */
export function isConnectionLost(error: unknown): boolean {
  return !(error instanceof Error && isServerError(error)) || /^(?:57P|08)/.test(error.code);
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function isNetworkError(error: Error): boolean {
  // ENOENT of `open` is about a certificate file in the URL.
  const isFile = "syscall" in error && error.syscall === "open";
  return GONE.test(error.message) || (NETWORK.test(codeOf(error)) && !isFile);
}

function isServerError(error: Error): error is ServerError {
  return codeOf(error) !== "" && "severity" in error;
}

function toRefusal(error: ServerError): DatabaseError | undefined {
  const { code, table, detail = "", message } = error;
  const place: DatabaseErrorOptions = { table, columns: columnsOf(error), cause: error };
  // The server tells the two apart only in its localized text, and only the position of the table differs in most languages.
  const isReferenced = /still referenced/.test(detail) || /^update or delete on table/.test(message);
  if (code === "23503") return createRefusal(isReferenced ? "still_referenced" : "missing_reference", place);
  const [, kind] = REFUSALS.find(([codes]) => codes.test(code)) ?? [];
  return kind && createRefusal(kind, place);
}

/** @example columnsOf({ detail: "Key (shop, isbn)=(1, 2) already exists." }) // ["shop", "isbn"] */
function columnsOf({ column, detail }: ServerError): readonly string[] {
  if (column !== undefined) return [column];
  const [, list] = /^[^(]*\(([^()]*)\)=\(/.exec(detail ?? "") ?? [];
  return list?.split(", ").map((name) => name.replace(/^"(.*)"$/, "$1")) ?? [];
}
