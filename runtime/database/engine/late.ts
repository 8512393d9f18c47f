/** What can't run in a transaction, or after it. */

import { Problem } from "#runtime/problem";

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
