import { type App, createApp, replace } from "framework";
import { openTestDatabase } from "framework/database";
import { type Database, url } from "../database/connection.ts";
import { migrations } from "../database/migrations/index.ts";
import { connection } from "../database/providers.ts";
import type { Tables } from "../database/tables.ts";

/** An app with an empty database of its own: one in memory, or a schema that Postgres drops at the end. */
export async function createTestApp(): Promise<{ app: App; db: Database }> {
  const db = await openTestDatabase<Tables>({ url, migrations });
  const app = await createApp({ providers: [replace(connection).with(() => db)] });
  return { app, db };
}
