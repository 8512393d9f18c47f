/** Has the framework of the new project add its database, so that `framework generate database` does the same in any project. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { VENDORED_FOLDER } from "./framework.ts";
import type { Database, SampleApp, Values } from "./template.ts";

/** In a project with a database, a table replaces the list that this app has in memory. */
const REPLACED: SampleApp = "products";

/** What Kysely and node:sqlite need. */
const OLDEST_NODE = [22, 13] as const;

/** The values for the template's own files: the database brings the other ones. */
export function withoutReplaced(values: Values): Values {
  return values.database === undefined
    ? values
    : { ...values, apps: values.apps.filter((app) => app !== REPLACED) };
}

/**
 * @param directory of the project, with its framework, absolute
 * @throws if the framework could not do it, with what it printed
 */
export function addDatabase(directory: string, { database, apps }: Values & { database: Database }): void {
  const sample = apps.includes(REPLACED) ? ["--sample"] : [];
  const words = [join(directory, VENDORED_FOLDER), "generate", "database", database, ...sample];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, words, {
    cwd: directory,
    encoding: "utf8",
  });
  if (status !== 0) throw error ?? new Error(`the database could not be added: ${stderr || stdout}`);
}

/** @param version as in `process.versions.node` */
export function isTooOldForDatabase(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}
