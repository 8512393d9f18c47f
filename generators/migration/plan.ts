/** Plans a migration without steps: its file in `database/migrations/`, and its line in the list. */

import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { MAIN_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import type { Change } from "../changes/changes.ts";
import { shorten } from "../names.ts";
import { checkPlan, isNoPlan, type NoPlan, noPlan, type Plan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { applyStyle } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { TEMPLATES } from "../templates.ts";
import { findMigration, migrationFile, nameMigration, planListed, readMigrations } from "./list.ts";
import { isSnakeCase, suggestSnakeCase } from "./names.ts";

export interface MigrationInput {
  /** Without the time, as in `add_pages_to_books`. */
  readonly name: string;
}

/** A file name has the time before it. */
const LONGEST = 80;

/**
 * @returns the plan, one without changes where the migration is there already, or why it can't be made.
 * @example planMigration(project, { name: "add_pages_to_books" })
 */
export function planMigration(
  project: Project,
  { name }: MigrationInput,
  now: Date = new Date(),
): Plan | NoPlan {
  const bad = diagnoseMigrationName(name);
  if (bad !== undefined) return noPlan(bad);
  const list = readMigrations(project);
  if (isDiagnostic(list)) return noPlan(list);
  const fullName = findMigration(list, name) ?? nameMigration(list, name, now);
  const file = migrationFile(fullName);
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return noPlan(before);
  const style = referenceStyle(project);
  const made: readonly Change[] =
    before === null
      ? [{ file, before, after: applyStyle(TEMPLATES["database/migrations/empty.ts"], style) }]
      : [];
  const changes = [...made, ...planListed(project, list, fullName)];
  const checked = checkPlan(project, changes, { what: `The migration \`${name}\``, routes: [] });
  if (isNoPlan(checked)) return checked;
  const notes =
    changes.length === 0
      ? [`The migration ${name} is there already: ${file}`]
      : [`Write its steps, and the types in database/tables.ts. Until then, it fails.`, appliedBy(project)];
  return { changes, made: [], present: [], notes: [...checked.notes, ...notes] };
}

/** What applies a migration. What `framework generate database` prints for app.ts may not be there yet. */
export function appliedBy({ root }: Project): string {
  const main = readText(root, MAIN_FILE);
  if (typeof main !== "string" || main.includes("prepareDatabase"))
    return "`npm run dev` applies it. So do `npm run migrate` and the tests.";
  return (
    `\`npm run migrate\` and the tests apply it. \`npm run dev\` does not until ${MAIN_FILE} calls \`prepareDatabase\`: ` +
    "`npx framework generate database sqlite`, or postgres, prints what to add."
  );
}

function diagnoseMigrationName(name: string): Diagnostic | undefined {
  const why = explainMigrationName(name);
  if (why === undefined) return undefined;
  const hint = name.length > LONGEST ? "Choose a shorter name." : suggestSnakeCase(name);
  return diagnose("FW601", { why: `\`${shorten(name)}\` can't be the name of a migration: ${why}`, hint });
}

function explainMigrationName(name: string): string | undefined {
  if (name.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  return isSnakeCase(name) ? undefined : "it is not words in lower case, joined by `_`";
}
