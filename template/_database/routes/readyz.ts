import type { From } from "framework";
import { sql } from "kysely";
import type { database } from "#database/providers.ts";

/** Whether the database answers: 200, or else 503. A load balancer asks before it sends requests here. */
// GET /readyz
export async function get(db: From<typeof database>) {
  await sql`select 1`.execute(db);
  return { status: "ok" };
}
