/** A prepared statement. */

import type { CompiledQuery, QueryResult } from "kysely";
import type { NodeDatabase, NodeStatement } from "./node-sqlite.ts";
import { type Convert, converterOf, toNumber, toParameter } from "./values.ts";

type Row = Record<string, unknown>;

export class Statement {
  readonly #statement: NodeStatement;
  readonly #returnsRows: boolean;
  readonly #converters: readonly (readonly [column: string, convert: Convert])[];
  /** Reading again what a statement wrote would write again. */
  readonly #isRead: boolean;
  #readsBigInts = false;

  constructor(database: NodeDatabase, sql: string) {
    this.#statement = database.prepare(sql);
    const columns = this.#statement.columns?.() ?? [];
    this.#returnsRows = columns.length > 0;
    this.#converters = columns.flatMap(({ name, type }) => {
      const convert = converterOf(type);
      return convert ? [[name, convert] as const] : [];
    });
    this.#isRead = /^\s*(?:select|values|explain)\b/i.test(sql);
    if (this.#returnsRows && !this.#isRead) this.#readBigInts();
  }

  execute({ parameters }: CompiledQuery): QueryResult<Row> {
    const values = parameters.map(toParameter);
    if (this.#returnsRows) return { rows: this.#all(values) };
    const { changes, lastInsertRowid } = this.#statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  *iterate({ parameters }: CompiledQuery): Generator<Row> {
    this.#readBigInts();
    for (const row of this.#statement.iterate(...parameters.map(toParameter))) yield this.#toRow(row);
  }

  #all(values: readonly unknown[]): Row[] {
    try {
      return this.#statement.all(...values).map((row) => this.#toRow(row));
    } catch (error) {
      if (this.#readsBigInts || !isTooLarge(error)) throw error;
      this.#readBigInts();
      return this.#all(values);
    }
  }

  #readBigInts(): void {
    this.#statement.setReadBigInts(true);
    this.#readsBigInts = true;
  }

  #toRow(found: unknown): Row {
    const row: Row = Object.assign({}, found);
    if (this.#readsBigInts) for (const [name, value] of Object.entries(row)) row[name] = toNumber(value);
    for (const [name, convert] of this.#converters) row[name] = convert(row[name]);
    return row;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}
