/** The connections of this process to a Postgres server. */

import { basename } from "node:path";
import type { Pool, PoolClient } from "pg";
import { Problem } from "#runtime/problem";
import { quoteName } from "../engine/names.ts";
import { parserOf } from "./values.ts";

export interface PoolSettings {
  readonly url: string;
  /** The most at once. */
  readonly connections: number;
  /** How long a query waits for one. */
  readonly waitMilliseconds: number;
  /** How long a connection is kept that nobody needs. For ever, where it is 0. 30 seconds. */
  readonly idleMilliseconds?: number;
  /** Where the tables are, instead of where the server looks for them. */
  readonly schema?: string;
}

const IDLE_MILLISECONDS = 30_000;

/**
 * Connects to nothing yet.
 *
 * @throws {Problem} where `pg` is not installed, and for a URL that it does not understand.
 */
export async function createPool(settings: PoolSettings): Promise<Pool> {
  const { Pool, types } = await loadPg();
  const pool = new Pool({
    connectionString: settings.url,
    // PgBouncer refuses most other settings.
    fallback_application_name: basename(process.cwd()),
    ...(settings.schema === undefined ? {} : { options: `-c search_path=${quoteName(settings.schema)}` }),
    max: settings.connections,
    connectionTimeoutMillis: settings.waitMilliseconds,
    idleTimeoutMillis: settings.idleMilliseconds ?? IDLE_MILLISECONDS,
    // A program that forgets to close the database ends all the same.
    allowExitOnIdle: true,
    keepAlive: true,
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        (format !== "binary" && parserOf(type)) || types.getTypeParser(type, format),
    },
  });
  // Whoever uses a connection that breaks gets the error, and the pool drops it. Without a listener, the process would end.
  pool.on("error", () => {});
  pool.on("connect", (client: PoolClient) => void client.on("error", () => {}));
  return pool;
}

/** @returns where the connections go, as `localhost:5432`, with what the environment adds to the URL. */
export function findServer(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  const host =
    searchParams.get("host") || hostname.replaceAll(/%2f/gi, "/") || process.env.PGHOST || "localhost";
  if (host.startsWith("/")) return host;
  return `${host}:${searchParams.get("port") || port || process.env.PGPORT || 5432}`;
}

async function loadPg(): Promise<Pick<typeof import("pg"), "Pool" | "types">> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      throw new Problem("The package pg is not installed.", "Run `npm install`.", { cause: error });
    throw error;
  }
}
