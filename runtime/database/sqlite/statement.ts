/** A prepared statement: values in, rows out. */

import type { QueryResult } from "kysely";
import { columnsOf, type NodeDatabase, type NodeStatement } from "./node-sqlite.ts";
import { type Convert, converterOf, toNumber, toParameter } from "./values.ts";

export type Row = Record<string, unknown>;

interface Column {
  readonly name: string;
  readonly convert: Convert | undefined;
}

/** A statement that controls transactions, after optional comments. */
const TRANSACTION =
  /^(?:[\s;]|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:begin|commit|end|rollback|savepoint|release)\b/i;

export class Statement {
  /** False if the statement may write, and so must not run twice. */
  readonly isRead: boolean;
  readonly controlsTransaction: boolean;
  readonly changesTables: boolean;
  /** False once none of its values is known to belong to a time column. */
  mayHaveTimes = true;
  readonly #statement: NodeStatement;
  readonly #givesRows: boolean;
  readonly #columns: readonly Column[];
  #readsBigInts = false;

  /** @throws {Error} for several statements, of which SQLite would run only the first. */
  constructor(database: NodeDatabase, sql: string) {
    const statement = database.prepare(sql);
    this.#statement = statement;
    if (/[^\s;]/.test(sql.slice(statement.sourceSQL.length)))
      throw new Error("A query is one statement, and this one has several.");
    // Rows are read as lists in half the time. Not with `*`, whose columns may change before it runs.
    if (!sql.includes("*")) statement.setReturnArrays?.(true);
    const columns = columnsOf(database, statement);
    this.#columns = columns.map(({ name, type }) => ({ name, convert: converterOf(type) }));
    this.#givesRows = statement.columns ? columns.length > 0 : givesRows(sql);
    this.isRead = /^\s*(?:select|values|explain)\b/i.test(sql);
    this.controlsTransaction = TRANSACTION.test(sql);
    this.changesTables = /^\s*(?:create|alter|drop)\b/i.test(sql);
    if (!this.isRead) this.#readBigInts();
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

  /** Reads integers exactly, but slower. */
  #readBigInts(): void {
    this.#statement.setReadBigInts(true);
    this.#readsBigInts = true;
  }

  readonly #toRow = (values: unknown): Row => {
    const columns = this.#columns;
    const row: Row = {};
    // Not `entries()`, which takes twice the time (`npm run bench -- database`).
    if (Array.isArray(values))
      for (let index = 0; index < columns.length; index++) {
        const { name, convert } = columns[index] as Column;
        const value = this.#readsBigInts ? toNumber(values[index]) : values[index];
        row[name] = convert ? convert(value) : value;
      }
    else {
      for (const [name, value] of Object.entries(Object(values))) row[name] = toNumber(value);
      for (const { name, convert } of columns)
        if (convert && Object.hasOwn(row, name)) row[name] = convert(row[name]);
    }
    return row;
  };
}

function givesRows(sql: string): boolean {
  return /^\s*(?:select|values|explain|pragma|with)\b|\breturning\b/i.test(sql);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}
