/** `framework generate migration`: one file of database/migrations/, and its line in their list. */

import { planMigration } from "#generators/migration/plan";
import type { Command } from "../command.ts";
import { printResult } from "../generate/generate.ts";
import { carryOut, PLAN_OPTIONS } from "../generate/run.ts";
import { readMigrationInput } from "../generate/words.ts";

export const generateMigration: Command = {
  usage: "framework generate migration <name> [options]",
  summary: "Add a migration to database/migrations/, for you to write its steps.",
  details: "Its name in the list begins with the time, so that migrations are applied in order.",
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: [
    "framework generate migration add_pages_to_books",
    "framework generate migration drop_books --dry-run",
  ],
  run: (input) => carryOut(input, readMigrationInput, planMigration, printResult),
};
