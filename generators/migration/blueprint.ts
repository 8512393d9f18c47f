/** The text of a migration. */

import { block, type Doc, print } from "../source/layout.ts";
import type { Layout } from "../source/style.ts";

export interface MigrationSteps {
  readonly up: readonly Doc[];
  readonly down: readonly Doc[];
}

/** What a migration says until somebody writes its steps. */
export const EMPTY: MigrationSteps = {
  up: [
    "// Change the tables here, and their types in database/tables.ts. As in:",
    '// await db.schema.alterTable("books").addColumn("pages", "bigint").execute();',
  ],
  down: [
    "// Take the change back. As in:",
    '// await db.schema.alterTable("books").dropColumn("pages").execute();',
  ],
};

export function migrationBlueprint({ up, down }: MigrationSteps, layout: Layout): string {
  const blocks = [
    'import type { Kysely } from "kysely";',
    block("export async function up(db: Kysely<unknown>): Promise<void> {", up, "}"),
    block("export async function down(db: Kysely<unknown>): Promise<void> {", down, "}"),
  ];
  return `${blocks.map((one) => print(one, layout)).join("\n\n")}\n`;
}
