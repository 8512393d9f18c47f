/** Kysely's driver for a Postgres server, which checks the times in queries before. */

import {
  type AbortableOperationOptions,
  CompiledQuery,
  type DatabaseConnection,
  PostgresDriver,
  PostgresQueryCompiler,
} from "kysely";
import { isText, withTimes } from "../engine/times.ts";

/** Milliseconds are what a Date has, and the server keeps three digits more. */
const DIGITS = 6;
const MOST_STATEMENTS = 500;

const COLUMNS = `select relname || '.' || attname as name from pg_attribute
join pg_class on pg_class.oid = attrelid where atttypid = 'timestamptz'::regtype and attnum > 0 and pg_table_is_visible(attrelid)`;

/** The columns of times that a database has. */
export class TimeColumns {
  #names: Set<string> | undefined;
  /** By SQL: whether a query has values for them. */
  readonly #known = new Map<string, boolean>();
  readonly #compiler = new PostgresQueryCompiler();

  /** @returns the query with its times in one form. */
  async check(query: CompiledQuery, connection: DatabaseConnection): Promise<CompiledQuery> {
    if (/^\s*(?:create|alter|drop)\b/i.test(query.sql)) this.#forget();
    if (this.#known.get(query.sql) === false || !query.parameters.some(isText)) return query;
    const names = await this.#read(connection);
    const isTime = (table: string, column: string): boolean => names.has(`${table}.${column}`);
    const found = withTimes(query, { compiler: this.#compiler, digits: DIGITS, isTime });
    if (this.#known.size >= MOST_STATEMENTS) this.#known.clear();
    this.#known.set(query.sql, found !== undefined);
    return found ?? query;
  }

  async #read(connection: DatabaseConnection): Promise<Set<string>> {
    if (this.#names) return this.#names;
    const { rows } = await connection.executeQuery<{ name: string }>(CompiledQuery.raw(COLUMNS));
    this.#names = new Set(rows.map(({ name }) => name));
    return this.#names;
  }

  #forget(): void {
    this.#names = undefined;
    this.#known.clear();
  }
}

/** Kysely's own. */
type Connection = Parameters<PostgresDriver["releaseConnection"]>[0];

export class CheckedDriver extends PostgresDriver {
  readonly #times: TimeColumns;

  constructor(config: ConstructorParameters<typeof PostgresDriver>[0], times: TimeColumns) {
    super(config);
    this.#times = times;
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<Connection> {
    await this.init();
    const connection = await this.#acquire(options?.signal);
    const plain: DatabaseConnection = {
      executeQuery: connection.executeQuery.bind(connection),
      streamQuery: connection.streamQuery.bind(connection),
    };
    const times = this.#times;
    connection.executeQuery = async <R>(query: CompiledQuery) =>
      plain.executeQuery<R>(await times.check(query, plain));
    connection.streamQuery = async function* <R>(query: CompiledQuery, size: number) {
      yield* plain.streamQuery<R>(await times.check(query, plain), size);
    };
    return connection;
  }

  /** What is given up while it waits takes no connection: the one that comes then goes back. */
  #acquire(signal: AbortSignal | undefined): Promise<Connection> {
    const acquired = super.acquireConnection() as Promise<Connection>;
    if (!signal) return acquired;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(signal.reason);
        acquired.then((connection) => this.releaseConnection(connection)).catch(() => {});
      };
      signal.addEventListener("abort", giveUp, { once: true });
      acquired.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
    });
  }
}
