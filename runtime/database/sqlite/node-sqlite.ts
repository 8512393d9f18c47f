/** Node's own SQLite, as far as it is used. Node 20 has none. */

import { Problem } from "#runtime/problem";

export interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => NodeDatabase;
}

export interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  function(
    name: string,
    options: { readonly deterministic: boolean },
    run: (...values: readonly unknown[]) => unknown,
  ): void;
  close(): void;
}

export interface NodeStatement {
  /** The statement that was prepared: the first one of several. */
  readonly sourceSQL: string;
  /** @returns objects without a prototype, or lists. */
  all(...parameters: readonly unknown[]): unknown[];
  run(...parameters: readonly unknown[]): NodeChanges;
  iterate(...parameters: readonly unknown[]): Iterable<unknown>;
  setReadBigInts(isEnabled: boolean): void;
  /** Since Node 22.16. */
  setReturnArrays?(isEnabled: boolean): void;
  /** Since Node 22.16. */
  columns?(): readonly NodeColumn[];
}

export interface NodeChanges {
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

export interface NodeColumn {
  readonly name: string;
  /** As its table declares it; null for an expression. */
  readonly type: string | null;
}

let loaded: NodeSqlite | undefined;

/** @throws {Problem} where this Node has none. */
export function loadNodeSqlite(): NodeSqlite {
  loaded ??= withoutWarnings(() => process.getBuiltinModule?.("node:sqlite"));
  if (loaded) return loaded;
  throw new Problem(
    `SQLite needs Node 22.13 or newer, and this is Node ${process.versions.node}.`,
    "Use a newer Node, or a Postgres server by DATABASE_URL.",
  );
}

/** Node 22 says at every start that its SQLite is experimental. What is used of it has not changed since 22.13. */
function withoutWarnings(load: () => unknown): NodeSqlite | undefined {
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
