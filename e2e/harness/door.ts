/** Until `generate database` exists: what it is to write. */

export const DOOR_FILES: Readonly<Record<string, string>> = {
  "database/connection.ts": `import { openDatabase } from "framework/database";
import type { Tables } from "./tables.ts";

/** Where the database is. The environment overrides it, also with the other engine. */
export const url = process.env.DATABASE_URL ?? "sqlite:data/my-app.db";

/** The database of this process: opened by the first query, closed by app.ts after the last request. */
export const db = openDatabase<Tables>({ url });
export type Database = typeof db;
`,
  "database/providers.ts": `import { type From, HttpError } from "framework";
import { DatabaseError } from "framework/database";
import type { Transaction } from "kysely";
import { db, type Database } from "./connection.ts";
import type { Tables } from "./tables.ts";

/** The database itself. Tests replace it. */
export function connection(): Database {
  return db;
}

/** For handlers: \`db: From<typeof database>\`. */
export function* database(db: From<typeof connection>): Generator<Database> {
  try {
    yield db;
  } catch (error) {
    refuse(error);
  }
}

/** Committed after the handler, rolled back if it throws. */
export async function* transaction(db: From<typeof connection>): AsyncGenerator<Transaction<Tables>> {
  let open;
  try {
    open = await db.startTransaction().execute();
    yield open;
    await open.commit().execute();
  } catch (error) {
    if (open && !open.isCommitted) await open.rollback().execute().catch(() => {});
    refuse(error);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof DatabaseError)) throw error;
  switch (error.kind) {
    case "unique":
    case "still_referenced":
      throw new HttpError(409, error.message);
    case "conflict":
    case "unavailable":
      throw new HttpError(503, "The database is not available.");
    default:
      throw new HttpError(422, error.message);
  }
}
`,
  "database/migrate.ts": `import { runMigrations } from "framework/database";
import { db } from "./connection.ts";
import { migrations } from "./migrations/index.ts";

await runMigrations(db, migrations);
`,
  "app.ts": `import { createApp } from "framework";
import { prepareDatabase } from "framework/database";
import { db } from "#database/connection.ts";
import { migrations } from "#database/migrations/index.ts";

// In development it applies new migrations. Otherwise it refuses a database that lacks some.
await prepareDatabase(db, migrations);

export const app = await createApp();

const server = await app.listen();

server.closed.then(() => db.destroy());
`,
  "routes/readyz.ts": `import { type From, HttpError } from "framework";
import { sql } from "kysely";
import type { database } from "#database/providers.ts";

/** 200 when the database answers. */
export async function get(db: From<typeof database>) {
  await sql\`select 1\`.execute(db);
  return { status: "ok" };
}
`,
};
