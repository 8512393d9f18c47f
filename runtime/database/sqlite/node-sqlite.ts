/** Node's own SQLite, which Node 20 has not. */

import { Problem } from "#runtime/core/problem";

export interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => NodeDatabase;
}

/** What is used of `DatabaseSync`. */
export interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  function(
    name: string,
    options: { readonly deterministic: boolean },
    run: (...values: never[]) => unknown,
  ): void;
  close(): void;
}

/** What is used of `StatementSync`. */
export interface NodeStatement {
  all(...parameters: readonly unknown[]): unknown[];
  run(...parameters: readonly unknown[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
  setReadBigInts(isEnabled: boolean): void;
  /** Since Node 22.16. */
  setReturnArrays?(isEnabled: boolean): void;
  /** Since Node 22.16. */
  columns?(): readonly NodeColumn[];
}

export interface NodeColumn {
  readonly name: string;
  /** As it is declared in its table; null for an expression. */
  readonly type: string | null;
}

let loaded: NodeSqlite | undefined;

/** @throws {Problem} where this Node has none. */
export function loadNodeSqlite(): NodeSqlite {
  loaded ??= withoutWarning(() => process.getBuiltinModule?.("node:sqlite"));
  if (loaded) return loaded;
  throw new Problem(
    `SQLite needs Node 22.13 or newer, and this is Node ${process.versions.node}.`,
    "Use a newer Node, or a Postgres server by DATABASE_URL.",
  );
}

/** Node says that its SQLite is experimental, at every start. Its part that is used here has been the same since 22.13. */
function withoutWarning(load: () => unknown): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const found = load();
    return isNodeSqlite(found) ? found : undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isNodeSqlite(found: unknown): found is NodeSqlite {
  return typeof found === "object" && found !== null && "DatabaseSync" in found;
}
