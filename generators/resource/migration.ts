/** The text of the migration that creates the table of a resource, and what can be read back from it. */

import { migrationBlueprint } from "../migration/blueprint.ts";
import { arrowCall, chain, type Doc } from "../source/layout.ts";
import type { Layout } from "../source/style.ts";
import type { Column } from "./columns.ts";
import { type Resource, sqlTypeOf } from "./resource.ts";

const ID = arrowCall(
  '.addColumn("id", "bigint", (column) =>',
  "column.primaryKey().generatedAlwaysAsIdentity()",
  ")",
);

/** As in `create_books`. */
export function migrationName({ names }: Pick<Resource, "names">): string {
  return `create_${names.table}`;
}

/** Postgres has no index for the columns that refer to other tables, unless they are unique. */
export function tableMigration({ names: { table }, columns }: Resource, layout: Layout): string {
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
  const open = `.addColumn("${name}", "${sqlTypeOf(type)}"`;
  return calls.length === 0 ? `${open})` : arrowCall(`${open}, (column) =>`, `column${calls.join("")}`, ")");
}
