/** Has the framework of the new project add its database, so that `framework generate database` does the same in any project. */

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyLineEdits, databaseEdits } from "./database-template.ts";
import { VENDORED_FOLDER } from "./framework.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";
import { type Database, type SampleApp, SECTIONS, type Values } from "./template.ts";

/** In a project with a database, a table replaces the list that this app has in memory. */
const REPLACED: SampleApp = "products";

/** What Kysely and node:sqlite need. */
const OLDEST_NODE = [22, 13] as const;

/** As in "error FW622 app.ts can't be written: the disk is full. Nothing was changed." */
const UNWRITTEN = /^error FW622 (.+?)\. /m;

/** The values for the template's own files: the database brings the other ones. */
export function withoutReplaced(values: Values): Values {
  return values.database === undefined
    ? values
    : { ...values, apps: values.apps.filter((app) => app !== REPLACED) };
}

/**
 * Edits the files of the new project that a database changes.
 *
 * @param template the texts of the packed template, by file.
 */
export function addDatabaseLines(
  directory: string,
  values: Values & { readonly database: Database },
  template: ReadonlyMap<string, Buffer>,
): void {
  const read = (name: string): string => String(template.get(`${SECTIONS}${name}.section.md`));
  const texts = { ...values, sections: { readme: read("README"), agents: read("AGENTS") } };
  for (const [file, edits] of Object.entries(databaseEdits(texts))) {
    const path = join(directory, file);
    writeFileSync(path, applyLineEdits(readFileSync(path, "utf8"), edits));
  }
}

/**
 * @param directory of the project, with its framework, absolute
 * @returns why the framework could not do it: the disk is full, or a signal has ended it
 * @throws if it has found something else, with what it printed
 */
export function addDatabase(
  directory: string,
  { database, apps, project }: Values & { database: Database },
): Refusal | undefined {
  const sample = apps.includes(REPLACED) ? ["--sample"] : [];
  const words = [join(directory, VENDORED_FOLDER), "generate", "database", database, ...sample];
  const { status, signal, stdout, stderr, error } = spawnSync(process.execPath, words, {
    cwd: directory,
    encoding: "utf8",
  });
  if (status === 0) return undefined;
  if (error !== undefined) throw error;
  const reason = signal === null ? UNWRITTEN.exec(stderr)?.[1] : `${signal} ended its framework`;
  if (reason === undefined) throw new Error(`the database could not be added: ${stderr || stdout}`);
  return refuse(
    1,
    `${escapeControl(project)} could not be created: ${reason}`,
    "Fix that, and run the command again.",
  );
}

/** @param version as in `process.versions.node` */
export function isTooOldForDatabase(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}
