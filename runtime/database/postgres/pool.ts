/** The connections of this process to a Postgres server. */

import { basename } from "node:path";
import type { PostgresClientConstructor, PostgresPool } from "kysely";
import type { Pool, PoolClient } from "pg";
import { Problem } from "#runtime/problem";
import { DatabaseError } from "../engine/error.ts";
import { Health } from "../engine/health.ts";
import { quoteName } from "../engine/names.ts";
import { Client } from "./client.ts";
import { toConnectError } from "./errors.ts";
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
  readonly beforeOpening?: () => void;
}

const IDLE_MILLISECONDS = 30_000;

type Pg = Pick<typeof import("pg"), "Client" | "Connection" | "Pool" | "types">;

/** @throws {Problem} where `pg` is not installed. */
export async function loadPg(): Promise<Pg> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      throw new Problem("The package pg is not installed.", "Run `npm install`.", { cause: error });
    throw error;
  }
}

/** Connects to nothing yet. @throws for a URL that `pg` does not understand */
export function createPool({ Pool, types }: Pg, settings: PoolSettings): Pool {
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

/** The pool of a database, which the first query creates. */
export class Connections {
  readonly health: Health = new Health();
  readonly #settings: PoolSettings;
  #pg: Pg | undefined;
  #pool: Pool | undefined;
  #isClosed = false;
  readonly #busy = new Set<Client>();

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  get options(): object {
    return this.#pool?.options ?? {};
  }

  /** What Kysely cancels a query by. */
  get Client(): PostgresClientConstructor {
    if (this.#pg) return this.#pg.Client as unknown as PostgresClientConstructor;
    throw new Error("There is no connection yet.");
  }

  /** @param limit milliseconds that a statement may take. */
  async connect(limit: number): Promise<Client> {
    const pool = await this.#open();
    try {
      const client = new Client(await pool.connect(), {
        limit,
        health: this.health,
        createCanceller: (settings) => new (this.#pg as Pg).Connection(settings),
        onRelease: (released) => void this.#busy.delete(released),
      });
      this.#busy.add(client);
      return client;
    } catch (error) {
      throw this.health.note(toConnectError(error, findServer(this.#settings.url)));
    }
  }

  async #open(): Promise<Pool> {
    if (!this.#pool && !this.#isClosed) {
      this.#settings.beforeOpening?.();
      this.#pg ??= await loadPg();
      this.#pool ??= createPool(this.#pg, this.#settings);
    }
    if (this.#pool && !this.#isClosed) return this.#pool;
    throw new DatabaseError("unavailable", "The database has been closed.");
  }

  /** Waits for what runs, but not longer than a query waits for a connection. */
  async end(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    let timer: NodeJS.Timeout | undefined;
    const isOver = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#settings.waitMilliseconds);
    });
    await Promise.race([this.#pool?.end(), isOver]);
    clearTimeout(timer);
    for (const client of this.#busy) client.breakOff();
  }
}

/** The pool for Kysely. */
export class LimitedPool implements PostgresPool {
  readonly #connections: Connections;
  readonly #limit: number;

  /** @param limit milliseconds that a statement may take. */
  constructor(connections: Connections, limit: number) {
    this.#connections = connections;
    this.#limit = limit;
  }

  get options(): object {
    return this.#connections.options;
  }

  get Client(): PostgresClientConstructor {
    return this.#connections.Client;
  }

  connect(): Promise<Client> {
    return this.#connections.connect(this.#limit);
  }

  end(): Promise<void> {
    return this.#connections.end();
  }
}

/** @returns where the connections go, as `localhost:5432`, with what the environment adds to the URL. */
export function findServer(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  const host =
    searchParams.get("host") || hostname.replaceAll(/%2f/gi, "/") || process.env.PGHOST || "localhost";
  if (host.startsWith("/")) return host;
  return `${host}:${searchParams.get("port") || port || process.env.PGPORT || 5432}`;
}
