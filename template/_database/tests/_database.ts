import { type App, type AppOptions, createApp, replace } from "framework";
import { openTestDatabase } from "framework/database";
import { type Database, url } from "../database/connection.ts";
import { migrations } from "../database/migrations/index.ts";
import { connection } from "../database/providers.ts";
import type { Tables } from "../database/tables.ts";

/** An app with an empty database of its own: one in memory, or a schema that Postgres drops at the end. */
export async function createTestApp(
  options: AppOptions = {},
): Promise<{ app: App; db: Database }> {
  const db = await openTestDatabase<Tables>({ url, migrations });
  const providers = [
    replace(connection).with(() => db),
    ...(options.providers ?? []),
  ];
  return { app: await createApp({ ...options, providers }), db };
}
