/** A prepared statement: values in, rows out. */

import type { QueryResult } from "kysely";
import type { NodeDatabase, NodeStatement } from "./node-sqlite.ts";
import { findColumns, givesRows } from "./old-columns.ts";
import { type Convert, converterOf, toNumber, toParameter } from "./values.ts";

export type Row = Record<string, unknown>;

interface Column {
  readonly name: string;
  readonly convert: Convert | undefined;
}

const READ_WORDS = /^\s*(?:select|values|explain)\b/i;
const CHANGES_TABLES = /^\s*(?:create|alter|drop)\b/i;
const CONTROLS_TRANSACTION = /^\s*(?:begin|commit|end|rollback|savepoint|release)\b/i;

export class Statement {
  /** False where it may write: then it must not run twice. */
  readonly isRead: boolean;
  readonly controlsTransaction: boolean;
  /** Whether its columns are those that its tables have at the time, as for `select *`. */
  readonly isOpenEnded: boolean;
  readonly changesTables: boolean;
  /** Whether it names the columns of an open-ended one. */
  readonly isNamed: boolean;
  readonly #statement: NodeStatement;
  readonly #givesRows: boolean;
  readonly #columns: readonly Column[];
  #readsBigInts = false;

  /** @throws {Error} for more than one statement: the others would not run. */
  constructor(database: NodeDatabase, sql: string, isNamed = false) {
    const statement = database.prepare(sql);
    this.#statement = statement;
    if (/[^\s;]/.test(sql.slice(statement.sourceSQL.length)))
      throw new Error("A query is one statement, and this one has several.");
    statement.setReturnArrays?.(true);
    const columns = statement.columns?.() ?? findColumns(database, sql);
    this.#columns = columns.map(({ name, type }) => ({ name, convert: converterOf(type) }));
    this.#givesRows = statement.columns ? columns.length > 0 : givesRows(sql);
    this.isRead = READ_WORDS.test(sql);
    this.controlsTransaction = CONTROLS_TRANSACTION.test(sql);
    this.isOpenEnded = this.#givesRows && sql.replaceAll("(*)", "").includes("*");
    this.changesTables = CHANGES_TABLES.test(sql);
    this.isNamed = isNamed;
    if (!this.isRead) this.#readBigInts();
  }

  get columnNames(): readonly string[] {
    return this.#columns.map(({ name }) => name);
  }

  execute(parameters: readonly unknown[]): QueryResult<Row> {
    const values = parameters.map(toParameter);
    if (this.#givesRows) return { rows: this.#all(values).map(this.#toRow) };
    const { changes, lastInsertRowid } = this.#statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  *iterate(parameters: readonly unknown[]): Generator<Row> {
    this.#readBigInts();
    for (const row of this.#statement.iterate(...parameters.map(toParameter))) yield this.#toRow(row);
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
