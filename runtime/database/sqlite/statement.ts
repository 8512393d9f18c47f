/** A prepared statement: values in, rows out. */

import type { QueryResult } from "kysely";
import type { NodeColumn, NodeDatabase, NodeStatement } from "./node-sqlite.ts";
import { findColumns, givesRows } from "./old-columns.ts";
import { type Convert, converterOf, toNumber, toParameter } from "./values.ts";

export type Row = Record<string, unknown>;

interface Column {
  readonly name: string;
  readonly convert: Convert | undefined;
}

const READS = /^\s*(?:select|values|explain)\b/i;
const CONTROLS_TRANSACTION = /^\s*(?:begin|commit|end|rollback|savepoint|release)\b/i;

export class Statement {
  /** False where it may write: then it must not run twice. */
  readonly isRead: boolean;
  readonly controlsTransaction: boolean;
  /** Whether its columns are those that the table has at the time, as for `select *`. */
  readonly isOpenEnded: boolean;
  readonly #statement: NodeStatement;
  readonly #readTypes: () => readonly NodeColumn[];
  readonly #givesRows: boolean;
  #columns: readonly Column[];
  #schemaVersion: unknown;
  #readsBigInts = false;

  /** @throws {Error} for more than one statement: the others would not run. */
  constructor(database: NodeDatabase, sql: string) {
    const statement = database.prepare(sql);
    this.#statement = statement;
    if (/[^\s;]/.test(sql.slice(statement.sourceSQL.length)))
      throw new Error("A query is one statement, and this one has several.");
    this.isRead = READS.test(sql);
    this.controlsTransaction = CONTROLS_TRANSACTION.test(sql);
    this.isOpenEnded = sql.replaceAll("(*)", "").includes("*");
    statement.setReturnArrays?.(true);
    this.#readTypes = () => statement.columns?.() ?? findColumns(database, sql);
    this.#columns = this.#readColumns();
    this.#givesRows = statement.columns ? this.#columns.length > 0 : givesRows(sql);
    if (!this.isRead) this.#readBigInts();
  }

  /** @param schemaVersion asked after the statement has run, if its columns may have changed since. */
  execute(parameters: readonly unknown[], schemaVersion: () => unknown): QueryResult<Row> {
    const values = parameters.map(toParameter);
    if (!this.#givesRows) {
      const { changes, lastInsertRowid } = this.#statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }
    const found = this.#all(values);
    if (this.isOpenEnded && found.length > 0) this.#followSchema(schemaVersion());
    return { rows: found.map(this.#toRow) };
  }

  *iterate(parameters: readonly unknown[]): Generator<Row> {
    this.#readBigInts();
    const found = this.#statement.iterate(...parameters.map(toParameter));
    let isFirst = true;
    for (const values of found) {
      // From here on, nobody changes what it reads.
      if (isFirst) this.#columns = this.#readColumns();
      isFirst = false;
      yield this.#toRow(values);
    }
  }

  #all(values: readonly unknown[]): unknown[] {
    try {
      return this.#statement.all(...values);
    } catch (error) {
      if (this.#readsBigInts || !isTooLarge(error)) throw error;
      this.#readBigInts();
      return this.#statement.all(...values);
    }
  }

  /** Exact, and slower. */
  #readBigInts(): void {
    this.#statement.setReadBigInts(true);
    this.#readsBigInts = true;
  }

  /** SQLite prepares a statement again by itself, where another process has changed a table. */
  #followSchema(version: unknown): void {
    if (version === this.#schemaVersion) return;
    this.#columns = this.#readColumns();
    this.#schemaVersion = version;
  }

  #readColumns(): readonly Column[] {
    return this.#readTypes().map(({ name, type }) => ({ name, convert: converterOf(type) }));
  }

  readonly #toRow = (found: unknown): Row => {
    if (!Array.isArray(found)) return this.#fromObject(Object(found));
    const columns = this.#columns;
    const row: Row = {};
    for (let index = 0; index < columns.length; index++) {
      const { name, convert } = columns[index] as Column;
      const value = this.#readsBigInts ? toNumber(found[index]) : found[index];
      row[name] = convert ? convert(value) : value;
    }
    return row;
  };

  /** Before Node 22.16. */
  #fromObject(found: Row): Row {
    const row: Row = {};
    for (const [name, value] of Object.entries(found)) row[name] = toNumber(value);
    for (const { name, convert } of this.#columns)
      if (convert && Object.hasOwn(row, name)) row[name] = convert(row[name]);
    return row;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}
