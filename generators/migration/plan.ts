/** Plans a migration without steps: its file in `database/migrations/`, and its line in the list. */

import { MAIN_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import type { Change } from "../changes/changes.ts";
import { TEMPLATES } from "../code/templates.ts";
import { applyStyle } from "../edit/style.ts";
import { readText, tryText } from "../edit/text.ts";
import { checkPlan, type Plan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { refuseWord } from "../refused.ts";
import { shorten } from "../target/names.ts";
import { findMigration, migrationFile, nameMigration, planListed, readMigrations } from "./list.ts";
import { isSnakeCase, suggestSnakeCase } from "./names.ts";

export interface MigrationInput {
  /** Without the time, as in `add_pages_to_books`. */
  readonly name: string;
}

/** A file name has the time before it. */
const LONGEST = 80;

/**
 * @returns the plan, one without changes where the migration is there already.
 * @throws {Refused}
 * @example planMigration(project, { name: "add_pages_to_books" })
 */
export function planMigration(project: Project, { name }: MigrationInput, now: Date = new Date()): Plan {
  checkMigrationName(name);
  const list = readMigrations(project);
  const fullName = findMigration(list, name) ?? nameMigration(list, name, now);
  const file = migrationFile(fullName);
  const before = readText(project.root, file);
  const after = applyStyle(TEMPLATES["database/migrations/empty.ts"], referenceStyle(project));
  const made: readonly Change[] = before === null ? [{ file, before, after }] : [];
  const changes = [...made, ...planListed(project, list, fullName)];
  const checked = checkPlan(project, changes, { what: `The migration \`${name}\``, routes: [] });
  const notes =
    changes.length === 0
      ? [`The migration ${name} is there already: ${file}`]
      : [`Write its steps, and the types in database/tables.ts. Until then, it fails.`, appliedBy(project)];
  return { changes, made: [], present: [], notes: [...checked.notes, ...notes] };
}

/** What applies a migration. What `framework generate database` prints for app.ts may not be there yet. */
export function appliedBy({ root }: Project): string {
  const main = tryText(root, MAIN_FILE);
  if (typeof main !== "string" || main.includes("prepareDatabase"))
    return "`npm run dev` applies it. So do `npm run migrate` and the tests.";
  return (
    `\`npm run migrate\` and the tests apply it. \`npm run dev\` does not until ${MAIN_FILE} calls \`prepareDatabase\`: ` +
    "`npx framework generate database sqlite`, or postgres, prints what to add."
  );
}

function checkMigrationName(name: string): void {
  const isLong = name.length > LONGEST;
  if (!isLong && isSnakeCase(name)) return;
  const bad = isLong
    ? `it is longer than ${LONGEST} characters`
    : "it is not words in lower case, joined by `_`";
  const why = `\`${shorten(name)}\` can't be the name of a migration: ${bad}`;
  refuseWord(why, isLong ? "Choose a shorter name." : suggestSnakeCase(name));
}
