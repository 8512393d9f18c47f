/** The parts of Node's own SQLite that are used here. Node 20 has none, and before 22.16 it does not report column types. */

import { Problem } from "#runtime/problem";
import { quoteName } from "../engine/values.ts";

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
  /** The prepared statement: the first one of the text. */
  readonly sourceSQL: string;
  /** @returns objects without a prototype, or lists. */
  all(...parameters: readonly unknown[]): unknown[];
  run(...parameters: readonly unknown[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  iterate(...parameters: readonly unknown[]): Iterable<unknown>;
  setReadBigInts(isEnabled: boolean): void;
  setReturnArrays?(isEnabled: boolean): void;
  columns?(): readonly NodeColumn[];
}

export interface NodeColumn {
  readonly name: string;
  /** The type that the table declares; null for an expression. */
  readonly type: string | null;
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => NodeDatabase;
}

let loaded: NodeSqlite | undefined;

/** @throws {Problem} if this Node has no SQLite. */
export function openFile(file: string): NodeDatabase {
  loaded ??= withoutWarnings(() => process.getBuiltinModule?.("node:sqlite"));
  if (loaded) return new loaded.DatabaseSync(file);
  throw new Problem(
    `SQLite needs Node 22.13 or newer, and this is Node ${process.versions.node}.`,
    "Use a newer Node, or a Postgres server by DATABASE_URL.",
  );
}

/** Hides the warning of Node 22 that its SQLite is experimental. The parts used here have not changed since 22.13. */
function withoutWarnings(load: () => unknown): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const module = load();
    return isNodeSqlite(module) ? module : undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isNodeSqlite(module: unknown): module is NodeSqlite {
  return typeof module === "object" && module !== null && "DatabaseSync" in module;
}

/** @returns the columns of a statement's rows. Before Node 22.16, only those whose types can be determined. */
export function columnsOf(database: NodeDatabase, statement: NodeStatement): readonly NodeColumn[] {
  if (statement.columns) return statement.columns();
  const sql = statement.sourceSQL;
  const [, table] = /\b(?:into|update|from)\s+"([^"]+)".*\breturning\b/is.exec(sql) ?? [];
  if (table !== undefined) return tableInfo(database, quoteName(table));
  return /^\s*(?:select|with)\b/i.test(sql) ? columnsOfView(database, sql) : [];
}

const VIEW = "framework_columns";

/** Creates a temporary view, which has the types of its columns. It is never read, so values can be replaced by null. */
function columnsOfView(database: NodeDatabase, sql: string): readonly NodeColumn[] {
  const [{ query_only: isReadOnly }] = database.prepare("pragma query_only").all().map(Object);
  const text = sql.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\?/g, (part) => (part === "?" ? "null" : part));
  try {
    database.exec(`pragma query_only = off; create temp view ${VIEW} as ${text}`);
    return tableInfo(database, VIEW);
  } catch {
    return [];
  } finally {
    database.exec(`drop view if exists temp.${VIEW}; pragma query_only = ${isReadOnly}`);
  }
}

function tableInfo(database: NodeDatabase, table: string): readonly NodeColumn[] {
  return database
    .prepare(`pragma table_info(${table})`)
    .all()
    .map(Object)
    .map(({ name, type }) => ({ name, type }));
}
