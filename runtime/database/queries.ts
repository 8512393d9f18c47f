/** Queries that every project needs, and that Kysely has not. */

import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import { engineOf } from "./engine/engine.ts";

/**
 * True where a column contains the text, in upper or lower case. `%`, `_` and `\` of the text are plain characters.
 *
 * @param column an expression, as `ref("title")`.
 * @example db.selectFrom("books").selectAll().where(({ ref }) => containsText(ref("title"), "war"))
 */
export function containsText(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return expressionBuilder()(column, "ilike", pattern);
}

/**
 * Asks the database whether it answers, which a load balancer may want to know every second. It writes nothing: whether the database can
 * write is known from the queries of the last 30 seconds.
 *
 * @throws {DatabaseError} `unavailable` where it does not answer; `broken` where a query has failed so in this time.
 * @example await checkDatabase(db);
 */
export async function checkDatabase<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(db);
  engineOf(db).health.require();
}
