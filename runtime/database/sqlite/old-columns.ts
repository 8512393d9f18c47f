/** What `statement.columns()` says, for Node before 22.16, which has no such function. */

import { quoteName } from "../engine/names.ts";
import type { NodeColumn, NodeDatabase } from "./node-sqlite.ts";

const READS = /^\s*(?:select|values|with)\b/i;
const VIEW = "framework_columns";

/** Whether a statement gives rows, as far as its text says it. */
export function givesRows(sql: string): boolean {
  return /^\s*(?:select|values|explain|pragma)\b|\breturning\b/i.test(sql) || isReadWith(sql);
}

function isReadWith(sql: string): boolean {
  return /^\s*with\b/i.test(sql) && !/\b(?:insert|update|delete|replace)\b/i.test(sql);
}

/** @returns the columns whose types can be found. */
export function findColumns(database: NodeDatabase, sql: string): readonly NodeColumn[] {
  if (READS.test(sql) && givesRows(sql)) return columnsOfRead(database, sql);
  const [, table] = /\b(?:into|update|from)\s+"([^"]+)"/i.exec(sql) ?? [];
  return table === undefined ? [] : tableInfo(database, "main", quoteName(table));
}

/** A transaction that only reads refuses a view, too. */
function columnsOfRead(database: NodeDatabase, sql: string): readonly NodeColumn[] {
  const [found] = database.prepare("pragma query_only").all();
  if (!Object(found).query_only) return columnsOfView(database, sql);
  database.exec("pragma query_only = off");
  try {
    return columnsOfView(database, sql);
  } finally {
    database.exec("pragma query_only = on");
  }
}

/** A view knows the types of what it selects. It is never read, so that its values may be missing. */
function columnsOfView(database: NodeDatabase, sql: string): readonly NodeColumn[] {
  const withoutValues = sql.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\?/g, (part) =>
    part === "?" ? "null" : part,
  );
  try {
    database.exec(`create temp view ${VIEW} as ${withoutValues}`);
  } catch {
    return [];
  }
  try {
    return tableInfo(database, "temp", VIEW);
  } finally {
    database.exec(`drop view temp.${VIEW}`);
  }
}

function tableInfo(database: NodeDatabase, schema: string, table: string): readonly NodeColumn[] {
  return database.prepare(`pragma ${schema}.table_info(${table})`).all().filter(isColumn);
}

function isColumn(found: unknown): found is NodeColumn {
  return typeof found === "object" && found !== null && "name" in found && "type" in found;
}
