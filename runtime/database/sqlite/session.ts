/** An open file, with its prepared statements. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { CompiledQuery, QueryResult } from "kysely";

import { loadNodeSqlite, type NodeDatabase } from "./node-sqlite.ts";
import { Statement } from "./statement.ts";

/** Where a list in a query has each length once, there is no end of statements. */
const MOST_STATEMENTS = 500;

export class Session {
  readonly #database: NodeDatabase;
  readonly #statements = new Map<string, Statement>();

  /** @param file undefined for a database in memory. */
  constructor(file: string | undefined) {
    const { DatabaseSync } = loadNodeSqlite();
    if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
    this.#database = new DatabaseSync(file ?? ":memory:");
  }

  /** Runs a statement without values whose rows nobody needs. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** @returns the first row of what is wrong, if anything. */
  check(sql: string): unknown {
    return this.#database.prepare(sql).all()[0];
  }

  run(query: CompiledQuery): QueryResult<Record<string, unknown>> {
    return this.#prepare(query.sql).execute(query);
  }

  /** Not by a statement that others run meanwhile. */
  iterate(query: CompiledQuery): Generator<Record<string, unknown>> {
    return new Statement(this.#database, query.sql).iterate(query);
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
