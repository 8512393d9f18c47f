/** The connections of this process to a Postgres server. */

import type { Pool, PoolClient } from "pg";
import { Problem } from "#runtime/core/problem";
import type { PostgresOptions } from "./driver.ts";
import { parserOf } from "./values.ts";

/** @throws {Problem} where `pg` is not installed. */
export async function createPool(options: PostgresOptions): Promise<Pool> {
  const pg = await loadPg();
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: options.waitMilliseconds,
    allowExitOnIdle: options.isIdle ?? false,
    keepAlive: true,
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        (format !== "binary" && parserOf(type)) || pg.types.getTypeParser(type, format),
    },
  });
  // A connection that breaks while nobody uses it: the pool has dropped it. Without a listener, the process would end.
  pool.on("error", () => {});
  pool.on("connect", (client: PoolClient) => void client.on("error", () => {}));
  return pool;
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
