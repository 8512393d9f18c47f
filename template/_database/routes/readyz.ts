import type { From } from "framework";
import { checkDatabase } from "framework/database";
import type { database } from "#database/providers.ts";

/** 200 if the database answers and has not failed lately, as on a full disk; else 503. For load balancers. */
// GET /readyz
export async function get(db: From<typeof database>) {
  await checkDatabase(db);
  return { status: "ok" };
}
