/** The connection pool of this process for a Postgres server. */

import { basename } from "node:path";
import type { PostgresClientConstructor, PostgresPool } from "kysely";
import type { Pool, PoolClient } from "pg";
import { Problem } from "#runtime/problem";
import { Health } from "../engine/engine.ts";
import { quoteName } from "../engine/values.ts";
import { Client } from "./client.ts";
import { toConnectError } from "./errors.ts";
import { parserOf } from "./values.ts";

export interface PoolSettings {
  readonly url: string;
  /** The maximum number of connections. */
  readonly connections: number;
  /** How long a query waits for a connection. */
  readonly waitMilliseconds: number;
  /** How long an idle connection is kept; 0 keeps it forever. 30 seconds by default. */
  readonly idleMilliseconds?: number;
  /** The schema of the tables, instead of the server's search path. */
  readonly schema?: string;
  readonly beforeOpening?: () => void;
}

const IDLE_MILLISECONDS = 30_000;

type Pg = Pick<typeof import("pg"), "Client" | "Connection" | "Pool" | "types">;

/** @throws {Problem} if `pg` is not installed. */
async function loadPg(): Promise<Pg> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      throw new Problem("The package pg is not installed.", "Run `npm install`.", { cause: error });
    throw error;
  }
}

/** Creates the pool without connecting. @throws for a URL that `pg` can't parse */
function createPool({ Pool, types }: Pg, settings: PoolSettings): Pool {
  const pool = new Pool({
    connectionString: settings.url,
    // PgBouncer rejects most other settings.
    fallback_application_name: basename(process.cwd()),
    ...(settings.schema === undefined ? {} : { options: `-c search_path=${quoteName(settings.schema)}` }),
    max: settings.connections,
    connectionTimeoutMillis: settings.waitMilliseconds,
    idleTimeoutMillis: settings.idleMilliseconds ?? IDLE_MILLISECONDS,
    // A program that does not close the database can still end.
    allowExitOnIdle: true,
    keepAlive: true,
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        (format !== "binary" && parserOf(type)) || types.getTypeParser(type, format),
    },
  });
  // The pool drops a broken connection, and its user gets the error. Without these listeners, the process would end.
  pool.on("error", () => {});
  pool.on("connect", (client: PoolClient) => void client.on("error", () => {}));
  return pool;
}

/** The connections of a database. */
export class Connections {
  readonly health: Health = new Health();
  readonly #settings: PoolSettings;
  #pool: Pool | undefined;
  readonly #busy = new Set<Client>();

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** Kysely calls it before the first query. @param limit milliseconds that a statement may take. @returns the pool for Kysely. */
  async open(limit: number): Promise<PostgresPool> {
    this.#settings.beforeOpening?.();
    const pg = await loadPg();
    this.#pool ??= createPool(pg, this.#settings);
    const pool = this.#pool;
    return {
      // Kysely opens a separate connection to cancel a query.
      Client: pg.Client as unknown as PostgresClientConstructor,
      options: pool.options,
      connect: () => this.#connect(pool, pg, limit),
      end: () => this.#end(pool),
    };
  }

  async #connect(pool: Pool, { Connection }: Pg, limit: number): Promise<Client> {
    try {
      const client = new Client(await pool.connect(), {
        limit,
        health: this.health,
        createCanceller: (settings) => new Connection(settings),
        onRelease: (released) => void this.#busy.delete(released),
      });
      this.#busy.add(client);
      return client;
    } catch (error) {
      throw this.health.note(toConnectError(error, findServer(this.#settings.url)));
    }
  }

  /** Waits for running queries, but not longer than a query waits for a connection. */
  async #end(pool: Pool): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#settings.waitMilliseconds);
    });
    await Promise.race([pool.end(), timeout]);
    clearTimeout(timer);
    for (const client of this.#busy) client.breakOff();
  }
}

/** @returns the server's address, such as `localhost:5432`, from the URL and the environment. */
export function findServer(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  const host =
    searchParams.get("host") || hostname.replaceAll(/%2f/gi, "/") || process.env.PGHOST || "localhost";
  if (host.startsWith("/")) return host;
  return `${host}:${searchParams.get("port") || port || process.env.PGPORT || 5432}`;
}
