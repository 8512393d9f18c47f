/** The text of the migration that creates a table. */

import { arrowCall, chain, type Doc } from "../source/layout.ts";
import { migrationBlueprint } from "./blueprint.ts";
import { type Column, formatSqlType } from "./columns.ts";

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
export function tableMigration({ name: table, columns }: Table): string {
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
  return migrationBlueprint({ up: [create, ...indexes], down: [drop] });
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
