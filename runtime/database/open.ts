/** Opens a database by its URL. */

import type { Kysely } from "kysely";
import { Problem } from "#runtime/problem";
import { createPostgres } from "./postgres/dialect.ts";
import { createSqlite } from "./sqlite/dialect.ts";
import { parseDatabaseUrl } from "./url.ts";

export interface DatabaseOptions {
  /** `sqlite:data/app.db`, `sqlite::memory:` or `postgres://…`. A relative file is looked for from the project's root. */
  readonly url: string;
  /** The most connections that this process has at once to a Postgres server. 10. */
  readonly connections?: number;
  /** Seconds that a query waits for a connection or a lock before it fails as `unavailable`. 5. */
  readonly waitTimeout?: number;
  /** Seconds that a statement may take on a Postgres server before it fails as `unavailable`. 30. */
  readonly statementTimeout?: number;
}

/**
 * Opens a database. The first query connects to it, so that this neither waits nor fails for one that is away.
 *
 * @returns Kysely, with `Tables` as the types of the tables.
 * @throws {Problem} for a wrong URL.
 * @example export const db = openDatabase<Tables>({ url: process.env.DATABASE_URL ?? "sqlite:data/app.db" });
 */
export function openDatabase<Tables>(options: DatabaseOptions): Kysely<Tables> {
  return openUnguarded(options, { beforeOpening: forbidInTests });
}

export interface OpenDetails {
  /** Called before the first query. What it throws, the query throws. */
  readonly beforeOpening?: () => void;
  /** The Postgres schema that the tables are in. */
  readonly schema?: string;
}

export function openUnguarded<Tables>(options: DatabaseOptions, details: OpenDetails): Kysely<Tables> {
  const { url, connections = 10, waitTimeout = 5, statementTimeout = 30 } = options;
  const target = parseDatabaseUrl(url, process.cwd());
  const shared = { ...details, waitMilliseconds: toMilliseconds(waitTimeout) };
  if (target.engine === "sqlite") return createSqlite<Tables>({ ...shared, path: target.path });
  const statementMilliseconds = toMilliseconds(statementTimeout);
  return createPostgres<Tables>({ ...shared, url: target.url, connections, statementMilliseconds });
}

/** A timer of more would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

function toMilliseconds(seconds: number): number {
  return Math.min(seconds * 1000, LONGEST_TIMER);
}

/** Keeps tests away from the database of development. @throws {Problem} in a test */
function forbidInTests(): void {
  if (process.env.NODE_ENV === "test")
    throw new Problem(
      "A test opens a database of its own: createTestApp() of tests/_database.ts.",
      "Pass its app or its db on, and import no db of database/connection.ts.",
    );
}
