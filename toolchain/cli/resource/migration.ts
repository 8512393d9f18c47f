/** `framework generate migration` and `framework destroy migration`: one file of database/migrations/, and its line in their list. */

import { planMigrationRemoval } from "#generators/migration/destroy";
import { planMigration } from "#generators/migration/plan";
import type { Command } from "../command.ts";
import { EDITED, printDestroyed } from "../generate/destroy.ts";
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
  run: (input) => carryOut("generate", input, readMigrationInput, planMigration, printResult),
};

export const destroyMigration: Command = {
  usage: "framework destroy migration <name> [options]",
  summary: "Take a generated migration out of database/migrations/.",
  details: `Do so only if no database has applied it, or after \`npm run migrate:down\`.\n${EDITED}`,
  takesWords: true,
  options: PLAN_OPTIONS,
  examples: [
    "framework destroy migration add_pages_to_books",
    "framework destroy migration create_books --dry-run",
  ],
  run: (input) => carryOut("destroy", input, readMigrationInput, planMigrationRemoval, printDestroyed),
};
