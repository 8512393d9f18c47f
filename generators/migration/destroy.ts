/** Plans to take a generated migration out, with its line in the list. */

import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import { CHANGE_FIRST } from "../importers.ts";
import { type NoPlan, noPlan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { checkRemoval, describeAbsent, diagnoseEdited, type Removal } from "../removal.ts";
import { detectStyle, type Layout } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { findFileDifference } from "../withdrawal.ts";
import { emptyMigration } from "./blueprint.ts";
import { findMigration, migrationFile, planUnlisted, readMigrations } from "./list.ts";
import { diagnoseMigrationName, type MigrationInput } from "./plan.ts";
import { readTableMigration, tableMigration } from "./table.ts";
import { readTables, TABLES_FILE } from "./tables.ts";

/**
 * @returns the plan, one without changes where the migration is not there, or why it stays.
 * @example planMigrationRemoval(project, { name: "add_pages_to_books" })
 */
export function planMigrationRemoval(project: Project, { name }: MigrationInput): Removal | NoPlan {
  const bad = diagnoseMigrationName(name);
  if (bad !== undefined) return noPlan(bad);
  const list = readMigrations(project);
  if (isDiagnostic(list)) return noPlan(list);
  const fullName = findMigration(list, name);
  const what = `The migration \`${name}\``;
  if (fullName === undefined) {
    const others = list.names.map((one) => one.replace(/^\d+_/, ""));
    return { changes: [], gone: [], absent: [describeAbsent(what, name, others)], notes: [] };
  }
  const file = migrationFile(fullName);
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return noPlan(before);
  const problem = before === null ? undefined : explainStay(project, file, before);
  if (problem !== undefined) return problem;
  const removed = before === null ? [] : [{ file, before, after: null }];
  const changes = [...removed, ...planUnlisted(list, fullName)];
  const notes = [
    "If a database has applied it, restore the file, and run `npm run migrate:down` before this command.",
  ];
  return checkRemoval(project, what, [], { changes, absent: [], notes });
}

/** One that was edited stays, and so does one whose table the project still has. */
function explainStay(project: Project, file: string, text: string): NoPlan | undefined {
  const table = readTableMigration(text);
  const style = detectStyle(text, referenceStyle(project));
  const write = (layout: Layout): string =>
    table === undefined ? emptyMigration(layout) : tableMigration(table, layout);
  const difference = findFileDifference(file, text, style, write);
  if (difference !== undefined) return diagnoseEdited([{ what: file, location: startOf(file), difference }]);
  if (table === undefined || !readTables(project).has(table.name)) return undefined;
  const why = `${TABLES_FILE} has its table \`${table.name}\`.`;
  return noPlan(diagnose("FW619", { what: file, why, hint: CHANGE_FIRST }));
}
