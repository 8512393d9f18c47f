/** The rows of a query, read as they are asked for. */

import type { Row } from "./statement.ts";

export class Cursor {
  #rows: IterableIterator<Row>;

  constructor(rows: IterableIterator<Row>) {
    this.#rows = rows;
  }

  /** @returns the next ones, or fewer at the end. */
  take(count: number): Row[] {
    const taken: Row[] = [];
    while (taken.length < count) {
      const { done, value } = this.#rows.next();
      if (done) break;
      taken.push(value);
    }
    return taken;
  }

  /** Before something is written, which SQLite would find as well. */
  readRest(): void {
    const rest: Row[] = [];
    try {
      for (const row of this.#rows) rest.push(row);
      this.#rows = rest.values();
    } catch (error) {
      this.#rows = failAfter(rest, error);
    }
  }

  /** The file may have been closed meanwhile. */
  close(): void {
    try {
      this.#rows.return?.();
    } catch {}
  }
}

function* failAfter(rows: readonly Row[], error: unknown): Generator<Row> {
  yield* rows;
  throw error;
}
