import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // As in: await db.schema.alterTable("books").addColumn("pages", "bigint").execute();
  void db;
  throw new Error("This migration has no steps yet.");
}

export async function down(db: Kysely<unknown>): Promise<void> {
  // As in: await db.schema.alterTable("books").dropColumn("pages").execute();
  void db;
  throw new Error("This migration does not say how to take its steps back.");
}
