/** Whether a database can be used. */

import { type Kysely, sql } from "kysely";
import { engineOf } from "./engine/kysely.ts";

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
