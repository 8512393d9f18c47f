/** Kysely's Postgres driver, extended to normalize the times in queries. */

import {
  type AbortableOperationOptions,
  CompiledQuery,
  type DatabaseConnection,
  type PostgresDialectConfig,
  PostgresDriver,
  PostgresQueryCompiler,
} from "kysely";
import { isText, withTimes } from "../engine/columns.ts";

/** The server stores microseconds, three digits more than a Date. */
const DIGITS = 6;

const COLUMNS = `select relname || '.' || attname as name from pg_attribute
join pg_class on pg_class.oid = attrelid and relnamespace <> 'pg_catalog'::regnamespace where atttypid = 'timestamptz'::regtype and attnum > 0 and pg_table_is_visible(attrelid)`;

/** The time columns of a database. */
export class TimeColumns {
  #names: Set<string> | undefined;
  readonly #compiler = new PostgresQueryCompiler();

  /** @returns the query with normalized times. */
  async check(query: CompiledQuery, connection: DatabaseConnection): Promise<CompiledQuery> {
    if (/^\s*(?:create|alter|drop)\b/i.test(query.sql)) this.#names = undefined;
    if (!query.parameters.some(isText)) return query;
    this.#names ??= await readNames(connection);
    const names = this.#names;
    if (names.size === 0) return query;
    const isTime = (table: string, column: string): boolean => names.has(`${table}.${column}`);
    return withTimes(query, { compiler: this.#compiler, digits: DIGITS, isTime }) ?? query;
  }
}

async function readNames(connection: DatabaseConnection): Promise<Set<string>> {
  const { rows } = await connection.executeQuery<{ name: string }>(CompiledQuery.raw(COLUMNS));
  return new Set(rows.map(({ name }) => name));
}

export class CheckedDriver extends PostgresDriver {
  readonly #times: TimeColumns;

  constructor(config: PostgresDialectConfig, times: TimeColumns) {
    super(config);
    this.#times = times;
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(options);
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
}
