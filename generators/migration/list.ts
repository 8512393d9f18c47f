/** The project's migrations: their files, and the list of them in `database/migrations/index.ts`. */

import { MIGRATIONS_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import { isFunctionName } from "#convention/rule/segments";
import { applyEdits } from "#convention/source/edits";
import { createFiles } from "#convention/source/files";
import type { Change } from "../changes/changes.ts";
import { addEntry, type Entries, findEntries } from "../edit/entries.ts";
import { addNamespace } from "../edit/imports.ts";
import { readOutline } from "../edit/outline.ts";
import { readText } from "../edit/text.ts";
import { styleBeside } from "../reference-style.ts";
import { refuse } from "../refused.ts";

const LIST_FILE = `${MIGRATIONS_FOLDER}/index.ts`;
const CONSTANT = "migrations";

export interface MigrationList {
  readonly text: string;
  readonly entries: Entries;
  /** With the time that each begins with, in order: those that have a file, and those that are listed. */
  readonly names: readonly string[];
}

/** @throws {Refused} if there is none: the project has no database, or the file can't be edited. */
export function readMigrations({ root }: Project): MigrationList {
  const text = readText(root, LIST_FILE) ?? refuse("FW640", { file: LIST_FILE });
  readOutline(LIST_FILE, text);
  const hint = `Write it as in: export const ${CONSTANT}: Migrations = {};`;
  const entries =
    findEntries(text, CONSTANT) ??
    refuse("FW612", { file: LIST_FILE, why: `it has no object \`${CONSTANT}\``, hint });
  const listed = entries.entries.map(({ name }) => name).filter((name) => name !== "");
  const files = createFiles(root)
    .list(MIGRATIONS_FOLDER)
    .flatMap(({ name }) => /^(?!index\.)(.*)(?<!\.d)\.ts$/.exec(name)?.[1] ?? []);
  return { text, entries, names: [...new Set([...files, ...listed])].sort() };
}

export function migrationFile(name: string): string {
  return `${MIGRATIONS_FOLDER}/${name}.ts`;
}

/** The migration without its time. @example findMigration(list, "create_books") // "20261123120000_create_books" */
export function findMigration({ names }: MigrationList, name: string): string | undefined {
  return names.find((one) => /^\d+_(.*)$/.exec(one)?.[1] === name);
}

/**
 * Names a new migration after the time, so that it comes last: also where another one was made in the same second, or by a clock that
 * is ahead.
 */
export function nameMigration({ names }: MigrationList, name: string, now: Date): string {
  const others = names.flatMap((one) => toTime(/^(\d{14})_/.exec(one)?.[1] ?? "") ?? []);
  const time = Math.max(now.getTime(), ...others.map((other) => other + 1000));
  return `${new Date(time).toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`;
}

/** @param digits as in 20261123120000. */
function toTime(digits: string): number | undefined {
  const text = digits.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3T$4:$5:$6Z");
  const time = Date.parse(text);
  return digits === "" || Number.isNaN(time) ? undefined : time;
}

/** @returns no change where it is listed already. */
export function planListed(project: Project, list: MigrationList, fullName: string): readonly Change[] {
  const { text: before, entries } = list;
  if (entries.entries.some(({ name }) => name === fullName)) return [];
  const style = styleBeside(project, before);
  const source = `./${fullName}.ts`;
  const { text, local } = addNamespace(before, { name: toLocal(fullName), source }, style);
  const entry = `${style.quote}${fullName}${style.quote}: ${local}`;
  const imported = findEntries(text, CONSTANT) ?? entries;
  return [{ file: LIST_FILE, before, after: applyEdits(text, [addEntry(text, imported, entry, style)]) }];
}

/** @example toLocal("20261123120000_create_books") // "create_books" */
function toLocal(fullName: string): string {
  const name = fullName.replace(/^\d+_/, "").replace(/[^\p{ID_Continue}]/gu, "_");
  return isFunctionName(name) ? name : `_${name}`;
}
