/** Opens a database by its URL. */

import type { Kysely } from "kysely";
import { Problem } from "#runtime/problem";
import { createPostgres } from "./postgres/dialect.ts";
import { createSqlite } from "./sqlite/dialect.ts";
import { parseDatabaseUrl } from "./url.ts";

export interface DatabaseOptions {
  /** `sqlite:data/app.db`, `sqlite::memory:` or `postgres://…`. A relative path starts at the project's root. */
  readonly url: string;
  /** The maximum number of connections of this process to a Postgres server; 10 by default. */
  readonly connections?: number;
  /** Seconds that a query waits for a connection or a lock before it fails as `unavailable`; 5 by default. */
  readonly waitTimeout?: number;
  /** Seconds that a statement may take on a Postgres server before it fails as `unavailable`; 30 by default. */
  readonly statementTimeout?: number;
}

/**
 * Opens a database. It connects at the first query, so this neither waits for an unreachable server nor fails.
 *
 * @returns Kysely, with `Tables` as the types of the tables.
 * @throws {Problem} for an invalid URL.
 * @example export const db = openDatabase<Tables>({ url: process.env.DATABASE_URL ?? "sqlite:data/app.db" });
 */
export function openDatabase<Tables>(options: DatabaseOptions): Kysely<Tables> {
  return openUnguarded(options, { beforeOpening: forbidInTests });
}

export interface OpenDetails {
  /** Called before the first query, which fails if this throws. */
  readonly beforeOpening?: () => void;
  /** The Postgres schema of the tables. */
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

/** In milliseconds. A longer timer would fire immediately. */
const MAX_TIMER = 2 ** 31 - 1;

function toMilliseconds(seconds: number): number {
  return Math.min(seconds * 1000, MAX_TIMER);
}

/** Protects the development database from tests. @throws {Problem} in a test */
function forbidInTests(): void {
  if (process.env.NODE_ENV === "test")
    throw new Problem(
      "A test opens a database of its own: createTestApp() of tests/_database.ts.",
      "Pass its app or its db on, and import no db of database/connection.ts.",
    );
}
