import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("things")
    .addColumn("id", "bigint", (column) =>
      column.primaryKey().generatedAlwaysAsIdentity(),
    )
    // each columns
    // if options
    .addColumn("field", "text", (column) =>
      column.notNull().unique().references("things.id"),
    )
    // else
    .addColumn("field", "text")
    // end
    // end
    .execute();
  // each indexed
  await db.schema
    .createIndex("things_field_index")
    .on("things")
    .column("field")
    .execute();
  // end
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable("things").execute();
}
