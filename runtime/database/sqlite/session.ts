/** A connection to a database file, with its prepared statements. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { CompiledQuery, QueryResult } from "kysely";
import { quoteName } from "../engine/names.ts";
import type { FileIdentity } from "./identity.ts";
import { createIlike } from "./ilike.ts";
import { loadNodeSqlite, type NodeDatabase, type NodeStatement } from "./node-sqlite.ts";
import { type Row, Statement } from "./statement.ts";

/** A query with a list in it is another statement for each length of the list. */
const MOST_STATEMENTS = 500;

/** Milliseconds after which a session looks whether another process has changed a table, or taken the file away. */
const TRUST = 1_000;

/** What the sessions of a file in this process have in common. */
export interface FileState {
  /** How often tables were changed here. */
  changes: number;
  /** Undefined in memory. */
  readonly identity: FileIdentity | undefined;
}

export class Session {
  readonly #database: NodeDatabase;
  readonly #state: FileState;
  readonly #statements = new Map<string, Statement>();
  readonly #begin: NodeStatement;
  readonly #beginWrite: NodeStatement;
  readonly #commit: NodeStatement;
  readonly #readVersion: NodeStatement;
  /** Of the tables that the statements were prepared for. */
  #version: unknown;
  #changesSeen = 0;
  #trustedUntil = 0;
  /** While a transaction is open on it. */
  inTransaction = false;

  /** @param path undefined for a database in memory. */
  constructor(path: string | undefined, state: FileState) {
    const { DatabaseSync } = loadNodeSqlite();
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    this.#database = new DatabaseSync(path ?? ":memory:");
    this.#state = state;
    this.#database.function("ilike", { deterministic: true }, createIlike());
    this.#begin = this.#database.prepare("begin");
    this.#beginWrite = this.#database.prepare("begin immediate");
    this.#commit = this.#database.prepare("commit");
    this.#readVersion = this.#database.prepare("pragma schema_version");
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
    if (this.#changesSeen !== this.#state.changes || this.#isDue) this.#follow();
    const statement = this.#prepare(sql);
    // The statements of all other requests would be in it.
    if (statement.controlsTransaction && !this.inTransaction)
      throw new Error("A transaction begins with db.transaction() or db.startTransaction().");
    if (statement.isOpenEnded) return this.#runOpenEnded(sql, statement.isRead, parameters);
    try {
      const result = statement.execute(parameters);
      if (statement.changesTables) this.#state.changes++;
      return result;
    } catch (error) {
      if (!statement.isNamed || !isWrongQuery(error)) throw error;
      // A column that it names is gone, so that it has done nothing.
      this.#statements.delete(sql);
      return this.#runOpenEnded(sql, statement.isRead, parameters);
    }
  }

  /** Nobody changes a table between its preparation and its run. */
  #runOpenEnded(sql: string, isRead: boolean, parameters: readonly unknown[]): QueryResult<Row> {
    const run = (): QueryResult<Row> => {
      this.#followTables();
      return this.#prepare(sql).execute(parameters);
    };
    if (this.inTransaction) return run();
    (isRead ? this.#begin : this.#beginWrite).run();
    try {
      const result = run();
      this.#commit.run();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** By a statement of its own, because others may run the same query meanwhile. For a transaction. */
  iterate({ sql, parameters }: CompiledQuery): Generator<Row> {
    if (this.#isDue) this.#follow();
    return new Statement(this.#database, sql).iterate(parameters);
  }

  rollback(): void {
    this.#state.changes++;
    try {
      this.#database.exec("rollback");
    } catch {
      // SQLite has done so already, as when the disk was full.
    }
  }

  get #isDue(): boolean {
    return performance.now() > this.#trustedUntil;
  }

  #follow(): void {
    if (this.#isDue) {
      this.#state.identity?.require();
      this.#trustedUntil = performance.now() + TRUST;
    }
    this.#followTables();
  }

  /**
   * Forgets the statements if a table has changed. SQLite would prepare them again by itself, but Node before 24 then reads as many
   * columns as there were, and the names and types are of old.
   */
  #followTables(): void {
    this.#changesSeen = this.#state.changes;
    const [row] = this.#readVersion.all();
    const [version] = Object.values(Object(row));
    if (version === this.#version) return;
    this.#statements.clear();
    // By reading a table, SQLite learns how the tables are now.
    this.#database.exec("select 1 from sqlite_schema limit 0");
    this.#version = version;
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = new Statement(this.#database, sql);
    const kept = (statement.isOpenEnded && this.#prepareNamed(sql, statement)) || statement;
    if (this.#statements.size >= MOST_STATEMENTS) {
      const [oldest = ""] = this.#statements.keys();
      this.#statements.delete(oldest);
    }
    this.#statements.set(sql, kept);
    return kept;
  }

  /** With the columns in place of `*`, it runs without a transaction of its own: its columns have their names, whatever the tables are. */
  #prepareNamed(sql: string, { columnNames }: Statement): Statement | undefined {
    const named = nameColumns(sql, columnNames);
    try {
      return named === undefined ? undefined : new Statement(this.#database, named, true);
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

/** @example nameColumns('select * from "books" where "id" = ?', ["id", "title"]) // 'select "id", "title" from "books" where "id" = ?' */
function nameColumns(sql: string, columns: readonly string[]): string | undefined {
  if (new Set(columns).size !== columns.length) return undefined;
  const names = columns.map(quoteName).join(", ");
  const [, before, after] = /^(select |[^*]* returning )\*((?: from [^*]*)?)$/s.exec(sql) ?? [];
  return before === undefined ? undefined : `${before}${names}${after}`;
}

function isWrongQuery(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 1;
}
