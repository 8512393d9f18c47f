/** A connection to a database file, with its prepared statements. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { CompiledQuery, QueryCompiler, QueryResult } from "kysely";
import { isText, withTimes } from "../engine/columns.ts";
import { fold } from "./compiler.ts";
import { type NodeDatabase, type NodeStatement, openFile } from "./node-sqlite.ts";
import { type Row, Statement } from "./statement.ts";
import { isTimeType } from "./values.ts";

/** The maximum number of cached statements: a query with a list has a statement for each length of the list. */
const MAX_STATEMENTS = 500;

/** Milliseconds between checks whether another process has changed a table or replaced the file. */
const RECHECK_MS = 1_000;

/** The state that all sessions of a file share. */
export interface FileState {
  readonly compiler: QueryCompiler;
  /** The number of table changes by this process. */
  changes: number;
  /** @throws {DatabaseError} if the file was replaced. */
  requireSameFile(): void;
}

export class Session {
  readonly #database: NodeDatabase;
  readonly #state: FileState;
  readonly #statements = new Map<string, Statement>();
  readonly #readVersion: NodeStatement;
  /** The schema version for which the statements were prepared. */
  #version: unknown;
  #changesSeen = 0;
  #trustedUntil = 0;
  #isClosed = false;
  transaction: "read" | "write" | undefined;

  /** @param path undefined for a database in memory. */
  constructor(path: string | undefined, state: FileState) {
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    this.#database = openFile(path ?? ":memory:");
    this.#state = state;
    this.#database.function("fold", { deterministic: true }, fold);
    this.#readVersion = this.#database.prepare("pragma schema_version");
  }

  /** Runs statements without parameters and results. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs a statement of the framework. */
  all(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return this.#prepare(sql).execute(values).rows;
  }

  run(query: CompiledQuery): QueryResult<Row> {
    this.#refresh();
    const statement = this.#prepare(query.sql);
    // It would include the statements of all other requests.
    if (statement.controlsTransaction && !this.transaction)
      throw new Error("A transaction begins with db.transaction() or db.startTransaction().");
    const values = this.#valuesOf(query, statement);
    try {
      const result = statement.execute(values);
      if (statement.changesTables) this.#state.changes++;
      return result;
    } catch (error) {
      if (!hasLostColumn(error)) throw error;
      this.#statements.delete(query.sql);
      if (!statement.isRead) throw error;
      return this.#prepare(query.sql).execute(values);
    }
  }

  /** Streams rows in a transaction. Prepares a separate statement, because the same query may run again meanwhile. */
  iterate(query: CompiledQuery): Generator<Row> {
    this.#refresh();
    const statement = new Statement(this.#database, query.sql);
    return statement.iterate(this.#valuesOf(query, statement));
  }

  #valuesOf(query: CompiledQuery, statement: Statement): readonly unknown[] {
    if (!statement.mayHaveTimes || !query.parameters.some(isText)) return query.parameters;
    const { compiler } = this.#state;
    const normalized = withTimes(query, {
      compiler,
      digits: 3,
      isTime: (table, column) =>
        this.all("select type from pragma_table_info(?) where name = ?", table, column).some(({ type }) =>
          isTimeType(String(type)),
        ),
    });
    statement.mayHaveTimes = normalized !== undefined;
    return (normalized ?? query).parameters;
  }

  /** Begins a read transaction. The read takes the snapshot. */
  beginReading(): void {
    this.#try("rollback");
    this.exec("begin; select 1 from sqlite_schema limit 0");
    this.transaction = "read";
  }

  commit(): void {
    this.exec("commit");
    this.transaction = undefined;
  }

  /** Rolls back an uncommitted transaction, and resets the session for the next one. */
  end(): void {
    if (this.transaction === "write") this.#state.changes++;
    if (this.transaction) this.#try("rollback");
    this.transaction = undefined;
    this.#try("pragma query_only = off; pragma foreign_keys = on");
  }

  /** Ignores errors: the session may be closed, or SQLite may have rolled back itself, for example on a full disk. */
  #try(sql: string): void {
    try {
      this.exec(sql);
    } catch {}
  }

  /** Drops the cached statements if a table has changed: SQLite prepares them again itself, but our column types would be outdated. */
  #refresh(): void {
    const now = performance.now();
    if (now < this.#trustedUntil && this.#changesSeen === this.#state.changes) return;
    this.#state.requireSameFile();
    this.#trustedUntil = now + RECHECK_MS;
    this.#changesSeen = this.#state.changes;
    // Reading a table makes SQLite reload the schema.
    this.#database.exec("select 1 from sqlite_schema limit 0");
    const [version] = this.#readVersion.all().map((row) => Object(row).schema_version);
    if (version !== this.#version) this.#statements.clear();
    this.#version = version;
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = new Statement(this.#database, sql);
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest = ""] = this.#statements.keys();
      this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
  }
}

/** True for Node 22's error if a query has `*` and another process has dropped a column after it was prepared. */
function hasLostColumn(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Cannot get name of column");
}
