/** Reads a resource that a generator made back from its migration and from `database/tables.ts`. */

import type { Project } from "#convention/project";
import type { TypeExpression } from "#convention/source/module";
import type { Column } from "../migration/columns.ts";
import { findMigration, type MigrationList, migrationFile } from "../migration/list.ts";
import { nameTableMigration, readTableMigration } from "../migration/table.ts";
import { readTables } from "../migration/tables.ts";
import { readText } from "../source/text.ts";
import { namesOf } from "./names.ts";
import type { Resource } from "./resource.ts";

/** @returns undefined where the migration is gone, which alone says what was generated. */
export function readResource(project: Project, list: MigrationList, name: string): Resource | undefined {
  const names = namesOf(name);
  const migration = findMigration(list, nameTableMigration(names.table));
  const text = migration === undefined ? null : readText(project.root, migrationFile(migration));
  const table = typeof text === "string" ? readTableMigration(text) : undefined;
  if (table === undefined) return undefined;
  const declared = readTables(project).get(names.table)?.columns ?? [];
  const columns = table.columns.map((column) =>
    withValues(column, declared.find((one) => one.name === column.name)?.type),
  );
  return { names, columns };
}

/** A migration does not say which texts a column may have; its type does. */
function withValues(column: Column, type: TypeExpression | undefined): Column {
  const types = type?.kind === "union" ? type.of : type === undefined ? [] : [type];
  const values = types.flatMap((one) =>
    one.kind === "literal" && typeof one.value === "string" ? [one.value] : [],
  );
  return values.length === 0 ? column : { ...column, type: { values } };
}
