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
  readonly #end: NodeStatement;
  readonly #version: NodeStatement;
  /** While a transaction is open on it. */
  inTransaction = false;

  /** @param file undefined for a database in memory. */
  constructor(file: string | undefined) {
    const { DatabaseSync } = loadNodeSqlite();
    if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
    this.#database = new DatabaseSync(file ?? ":memory:");
    this.#database.function("ilike", { deterministic: true }, createIlike());
    this.#begin = this.#database.prepare("begin");
    this.#end = this.#database.prepare("commit");
    this.#version = this.#database.prepare("pragma schema_version");
    this.#version.setReturnArrays?.(true);
  }

  /** Runs statements without values whose rows nobody needs. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** @returns the rows of a statement without values. */
  all(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return new Statement(this.#database, sql).execute(values, () => undefined).rows;
  }

  run({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#prepare(sql);
    // The statements of all other requests would be in it.
    if (statement.controlsTransaction && !this.inTransaction)
      throw new Error("A transaction begins with db.transaction() or db.startTransaction().");
    if (this.inTransaction || !statement.isRead || !statement.isOpenEnded)
      return this.#execute(statement, parameters);
    // The version of the schema is then the one that the rows have, and costs next to nothing.
    this.#begin.run();
    try {
      return this.#execute(statement, parameters);
    } finally {
      this.#end.run();
    }
  }

  #execute(statement: Statement, parameters: readonly unknown[]): QueryResult<Row> {
    return statement.execute(parameters, () => String(this.#version.all()[0]));
  }

  /** By a statement of its own, because others may run the same query meanwhile. */
  iterate({ sql, parameters }: CompiledQuery): Generator<Row> {
    return new Statement(this.#database, sql).iterate(parameters);
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
