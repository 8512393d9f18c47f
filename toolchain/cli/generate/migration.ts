/** `framework generate migration`: one file of database/migrations/, and its line in their list. */

import { planMigration } from "#generators/migration/plan";
import type { Command } from "../command.ts";
import { defineGenerator } from "./run.ts";

export const generateMigration: Command = defineGenerator({
  usage: "framework generate migration <name> [options]",
  summary: "Add a migration to database/migrations/, for you to write its steps.",
  details: "Its name in the list begins with the time, so that migrations are applied in order.",
  examples: [
    "framework generate migration add_pages_to_books",
    "framework generate migration drop_books --dry-run",
  ],
  read: ({ words: [name = ""] }) => ({ name }),
  plan: planMigration,
});
