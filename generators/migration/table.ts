/** The migration that creates a table: its text, and the table read back from it. */

import { arrowCall, chain, type Doc } from "../source/layout.ts";
import type { Layout } from "../source/style.ts";
import { migrationBlueprint } from "./blueprint.ts";
import { type Column, type ColumnType, formatSqlType, parseSqlType } from "./columns.ts";

export interface Table {
  readonly name: string;
  /** Without the id, which every table has. */
  readonly columns: readonly Column[];
}

const ID = arrowCall(
  '.addColumn("id", "bigint", (column) =>',
  "column.primaryKey().generatedAlwaysAsIdentity()",
  ")",
);

/** @example nameTableMigration("books") // "create_books" */
export function nameTableMigration(table: string): string {
  return `create_${table}`;
}

/** Postgres has no index for the columns that refer to other tables, unless they are unique. */
export function tableMigration({ name: table, columns }: Table, layout: Layout): string {
  const indexed = columns.filter(({ type, unique }) => "references" in type && !unique);
  const create = chain(
    "await db.schema",
    [`.createTable("${table}")`, ID, ...columns.map(columnCall), ".execute();"],
    true,
  );
  const indexes = indexed.map(({ name }) =>
    chain("await db.schema", [
      `.createIndex("${table}_${name}_index")`,
      `.on("${table}")`,
      `.column("${name}")`,
      ".execute();",
    ]),
  );
  const drop = `await db.schema.dropTable("${table}").execute();`;
  return migrationBlueprint({ up: [create, ...indexes], down: [drop] }, layout);
}

function columnCall({ name, type, optional, unique }: Column): Doc {
  const calls = [
    ...(optional ? [] : [".notNull()"]),
    ...(unique ? [".unique()"] : []),
    ...("references" in type ? [`.references("${type.references}.id")`] : []),
  ];
  const open = `.addColumn("${name}", "${formatSqlType(type)}"`;
  return calls.length === 0 ? `${open})` : arrowCall(`${open}, (column) =>`, `column${calls.join("")}`, ")");
}

const TABLE = /\.createTable\(["'](\w+)["']\)/;
const COLUMN =
  /\.addColumn\(["'](\w+)["'],\s*["']([a-z ]+)["'](?:,\s*\(column\)\s*=>\s*column((?:\s*\.\w+\([^()]*\))*),?\s*)?\)/g;

/**
 * The inverse of {@link tableMigration}, but that a column of certain texts comes back as one of any text. Of a text that something
 * else wrote, it gives a table that {@link tableMigration} would write in another way.
 */
export function readTableMigration(text: string): Table | undefined {
  const name = TABLE.exec(text)?.[1];
  if (name === undefined) return undefined;
  const columns = [...text.matchAll(COLUMN)].flatMap(
    ([, column = "", sqlType = "", calls = ""]): Column[] => {
      const type = readType(sqlType, calls);
      if (column === "id" || type === undefined) return [];
      return [{ name: column, type, optional: !calls.includes("notNull"), unique: calls.includes("unique") }];
    },
  );
  return { name, columns };
}

function readType(sqlType: string, calls: string): ColumnType | undefined {
  const references = /\.references\(["'](\w+)\.id["']\)/.exec(calls)?.[1];
  if (references !== undefined) return { references };
  const word = parseSqlType(sqlType);
  return word && { word };
}
