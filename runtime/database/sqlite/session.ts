/** A connection to a database file, with its prepared statements. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { CompiledQuery, QueryResult } from "kysely";
import { createIlike } from "./ilike.ts";
import { loadNodeSqlite, type NodeDatabase, type NodeStatement } from "./node-sqlite.ts";
import { type Row, Statement } from "./statement.ts";

/** A query with a list in it is another statement for each length of the list. */
const MOST_STATEMENTS = 500;

export class Session {
  readonly #database: NodeDatabase;
  readonly #statements = new Map<string, Statement>();
  readonly #begin: NodeStatement;
  readonly #beginWrite: NodeStatement;
  readonly #commit: NodeStatement;
  readonly #readVersion: NodeStatement;
  /** Of the tables that the statements were prepared for. */
  #version: unknown;
  /** While a transaction is open on it. */
  inTransaction = false;

  /** @param path undefined for a database in memory. */
  constructor(path: string | undefined) {
    const { DatabaseSync } = loadNodeSqlite();
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    this.#database = new DatabaseSync(path ?? ":memory:");
    this.#database.function("ilike", { deterministic: true }, createIlike());
    this.#begin = this.#database.prepare("begin");
    this.#beginWrite = this.#database.prepare("begin immediate");
    this.#commit = this.#database.prepare("commit");
    this.#readVersion = this.#database.prepare("pragma schema_version");
    this.#readVersion.setReturnArrays?.(true);
  }

  /** Runs statements without values whose rows nobody needs. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs a statement that is not kept. */
  all(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return new Statement(this.#database, sql).execute(values).rows;
  }

  run({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#prepare(sql);
    if (this.inTransaction)
      return (statement.isOpenEnded ? this.#prepareNow(sql) : statement).execute(parameters);
    // The statements of all other requests would be in it.
    if (statement.controlsTransaction)
      throw new Error("A transaction begins with db.transaction() or db.startTransaction().");
    if (!statement.isOpenEnded) return statement.execute(parameters);
    // Nobody changes a table in between, and for reading it costs next to nothing.
    (statement.isRead ? this.#begin : this.#beginWrite).run();
    try {
      const result = this.#prepareNow(sql).execute(parameters);
      this.#commit.run();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** By a statement of its own, because others may run the same query meanwhile. For a transaction. */
  iterate({ sql, parameters }: CompiledQuery): Generator<Row> {
    return new Statement(this.#database, sql).iterate(parameters);
  }

  rollback(): void {
    try {
      this.#database.exec("rollback");
    } catch {
      // SQLite has done so already, as when the disk was full.
    }
  }

  /**
   * Where a table has changed since, SQLite prepares a statement again by itself, and Node before 24 then reads as many columns as there
   * were.
   */
  #prepareNow(sql: string): Statement {
    const [row] = this.#readVersion.all();
    const [version] = Object.values(Object(row));
    if (version !== this.#version) {
      this.#statements.clear();
      // By reading a table, it learns how the tables are now.
      this.#database.exec("select 1 from sqlite_schema limit 0");
      this.#version = version;
    }
    return this.#prepare(sql);
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = new Statement(this.#database, sql);
    if (this.#statements.size >= MOST_STATEMENTS) {
      const [oldest = ""] = this.#statements.keys();
      this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}
