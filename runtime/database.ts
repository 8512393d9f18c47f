/** The package `framework/database`: Kysely on SQLite or Postgres, with migrations, seeds, transactions and test databases. */

export { DatabaseError, type DatabaseErrorKind, type DatabaseErrorOptions } from "./database/engine/error.ts";
export { forRequest, joinTransaction } from "./database/for-request.ts";
export { type InTransactionOptions, inTransaction } from "./database/in-transaction.ts";
export type { Migrations } from "./database/migrations.ts";
export { type DatabaseOptions, openDatabase } from "./database/open.ts";
export { prepareDatabase } from "./database/prepare.ts";
export { checkDatabase, containsText } from "./database/queries.ts";
export { runMigrations } from "./database/run-migrations.ts";
export { type SeedRows, seedDatabase } from "./database/seed.ts";
export { openTestDatabase, type TestDatabaseOptions } from "./database/test-database.ts";
