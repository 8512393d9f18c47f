import { type From, HttpError } from "framework";
import { DatabaseError, forRequest, joinTransaction } from "framework/database";
import type { ControlledTransaction } from "kysely";
import { type Database, db } from "./connection.ts";
import type { Tables } from "./tables.ts";

/** What the providers below use. A test replaces it. */
export function connection(): Database {
  return db;
}

/** For a handler's queries: `db: From<typeof database>`. They are part of the request's transaction, if it has one. */
export function* database(db: From<typeof connection>): Generator<Database> {
  try {
    yield forRequest(db);
  } catch (error) {
    refuse(error);
  }
}

/** For queries that belong together: committed after the handler, rolled back if it throws. */
export async function* transaction(
  db: From<typeof database>,
): AsyncGenerator<ControlledTransaction<Tables>> {
  const started = await db.startTransaction().execute();
  joinTransaction(db, started);
  // A handler may have ended it.
  const isOpen = () => !started.isCommitted && !started.isRolledBack;
  try {
    yield started;
    if (isOpen()) await started.commit().execute();
  } finally {
    // The client has left in the middle of a stream, or something was thrown.
    if (isOpen()) await started.rollback().execute();
  }
}

/** What the database refuses, in the words of HTTP. They are yours to change. */
function refuse(error: unknown): never {
  if (!(error instanceof DatabaseError)) throw error;
  const { kind, columns } = error;
  switch (kind) {
    case "unique":
      throw new HttpError(409, explain("is taken", kind, columns), {
        cause: error,
      });
    case "still_referenced":
      throw new HttpError(409, "Something else still refers to this", {
        cause: error,
      });
    case "conflict":
    case "unavailable":
      throw new HttpError(503, "The database is busy", {
        cause: error,
        headers: { "Retry-After": "1" },
      });
    case "broken":
      throw new HttpError(503, "The database can't be used now", {
        cause: error,
      });
    case "missing_reference":
      throw new HttpError(422, explain("does not exist", kind, columns), {
        cause: error,
      });
    case "not_null":
    case "check":
    case "bad_value":
      throw new HttpError(422, explain("can't be stored", kind, columns), {
        cause: error,
      });
    default:
      throw error;
  }
}

/** As the framework explains a body that does not fit. */
function explain(
  message: string,
  code: string,
  columns: readonly string[],
): {
  error: string;
  issues: { in: string; pointer: string; code: string; message: string }[];
} {
  const names = columns.join(", ") || "A value";
  return {
    error: `${names}: ${message}`,
    issues: columns.map((column) => ({
      in: "body",
      pointer: `/${column}`,
      code,
      message,
    })),
  };
}
