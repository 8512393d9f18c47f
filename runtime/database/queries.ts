/** Common queries that Kysely does not provide. */

import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import { engineOf } from "./engine/engine.ts";

/**
 * Matches rows whose column contains the text, ignoring case. `%`, `_` and `\` in the text are literal characters.
 *
 * @param column an expression such as `ref("title")`.
 * @example db.selectFrom("books").selectAll().where(({ ref }) => containsText(ref("title"), "war"))
 */
export function containsText(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return expressionBuilder()(column, "ilike", pattern);
}

/**
 * Checks the health of the database by a query that writes nothing, so a load balancer may call it every second. Failed writes are
 * detected from the project's own queries of the last 30 seconds.
 *
 * @throws {DatabaseError} `unavailable` if the database does not answer; `broken` if a recent query failed with this kind.
 * @example await checkDatabase(db);
 */
export async function checkDatabase<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(db);
  engineOf(db).health.require();
}
