/** The text of a migration. */

import { block, type Doc, print } from "../source/layout.ts";

export interface MigrationSteps {
  readonly up: readonly Doc[];
  readonly down: readonly Doc[];
}

export function migrationBlueprint({ up, down }: MigrationSteps): string {
  const blocks = [
    'import type { Kysely } from "kysely";',
    block("export async function up(db: Kysely<unknown>): Promise<void> {", up, "}"),
    block("export async function down(db: Kysely<unknown>): Promise<void> {", down, "}"),
  ];
  return `${blocks.map((one) => print(one)).join("\n\n")}\n`;
}

/** It fails: if it did nothing, `framework dev` would apply it before its steps are written, and never again. */
export function emptyMigration(): string {
  const steps = {
    up: [
      '// As in: await db.schema.alterTable("books").addColumn("pages", "bigint").execute();',
      'throw new Error("This migration has no steps yet.");',
    ],
    down: [
      '// As in: await db.schema.alterTable("books").dropColumn("pages").execute();',
      'throw new Error("This migration does not say how to take its steps back.");',
    ],
  };
  return migrationBlueprint(steps);
}
