/** A connection to a database file, with its prepared statements. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { CompiledQuery, QueryCompiler, QueryResult } from "kysely";
import { isText, withTimes } from "../engine/columns.ts";
import { fold } from "./compiler.ts";
import { type NodeDatabase, type NodeStatement, openFile } from "./node-sqlite.ts";
import { type Row, Statement } from "./statement.ts";
import { isTimeType } from "./values.ts";

/** A query with a list in it is another statement for each length of the list. */
const MOST_STATEMENTS = 500;

/** Milliseconds after which a session looks whether another process has changed a table, or taken the file away. */
const TRUST = 1_000;

/** What the sessions of a file in this process have in common. */
export interface FileState {
  readonly compiler: QueryCompiler;
  /** How often tables were changed here. */
  changes: number;
  /** @throws {DatabaseError} where the path leads to another file than before. */
  requireSameFile(): void;
}

export class Session {
  readonly #database: NodeDatabase;
  readonly #state: FileState;
  readonly #statements = new Map<string, Statement>();
  readonly #readVersion: NodeStatement;
  /** Of the tables that the statements were prepared for. */
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

  /** Runs statements without values whose rows nobody needs. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs a statement of ours. */
  all(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return this.#prepare(sql).execute(values).rows;
  }

  run(query: CompiledQuery): QueryResult<Row> {
    this.#follow();
    const statement = this.#prepare(query.sql);
    // The statements of all other requests would be in it.
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

  /** By a statement of its own, because others may run the same query meanwhile. For a transaction. */
  iterate(query: CompiledQuery): Generator<Row> {
    this.#follow();
    const statement = new Statement(this.#database, query.sql);
    return statement.iterate(this.#valuesOf(query, statement));
  }

  #valuesOf(query: CompiledQuery, statement: Statement): readonly unknown[] {
    if (!statement.mayHaveTimes || !query.parameters.some(isText)) return query.parameters;
    const { compiler } = this.#state;
    const found = withTimes(query, {
      compiler,
      digits: 3,
      isTime: (table, column) =>
        this.all("select type from pragma_table_info(?) where name = ?", table, column).some(({ type }) =>
          isTimeType(String(type)),
        ),
    });
    statement.mayHaveTimes = found !== undefined;
    return (found ?? query).parameters;
  }

  /** By reading, it begins to see one state. */
  beginReading(): void {
    this.#try("rollback");
    this.exec("begin; select 1 from sqlite_schema limit 0");
    this.transaction = "read";
  }

  commit(): void {
    this.exec("commit");
    this.transaction = undefined;
  }

  /** Rolls back what is not committed, and is ready for the next transaction that writes. */
  end(): void {
    if (this.transaction === "write") this.#state.changes++;
    if (this.transaction) this.#try("rollback");
    this.transaction = undefined;
    this.#try("pragma query_only = off; pragma foreign_keys = on");
  }

  /** It may be closed, or have rolled back by itself, as when the disk was full. */
  #try(sql: string): void {
    try {
      this.exec(sql);
    } catch {}
  }

  /** Forgets the statements if a table has changed: SQLite prepares them again by itself, but their types are of old. */
  #follow(): void {
    const now = performance.now();
    if (now < this.#trustedUntil && this.#changesSeen === this.#state.changes) return;
    this.#state.requireSameFile();
    this.#trustedUntil = now + TRUST;
    this.#changesSeen = this.#state.changes;
    // By reading a table, SQLite learns how the tables are now.
    this.#database.exec("select 1 from sqlite_schema limit 0");
    const [version] = this.#readVersion.all().map((row) => Object(row).schema_version);
    if (version !== this.#version) this.#statements.clear();
    this.#version = version;
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
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
  }
}

/** What Node 22 says of a `*` if another process has dropped a column since the statement was prepared. */
function hasLostColumn(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Cannot get name of column");
}
