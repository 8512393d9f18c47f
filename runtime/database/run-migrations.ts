/** The command line of a project's `database/migrate.ts`. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { reportFailure } from "#runtime/failure";
import { Problem } from "#runtime/problem";
import { findProjectRoot } from "#runtime/project-root";
import { applyMigrations, findPending, type Migrations, readApplied, revertMigration } from "./migrations.ts";
import { toProblem } from "./prepare.ts";

type Command = <Tables>(db: Kysely<Tables>, migrations: Migrations) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = { up, down, status };

/**
 * Runs a command: `up` applies the pending migrations, `down` reverts the last one, `status` lists them. It prints the result, sets the
 * exit status of the process, and closes the database.
 *
 * @param args the arguments of the process; `up` if there are none.
 * @example await runMigrations(db, migrations);
 */
export async function runMigrations<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  try {
    await findCommand(args)(db, migrations);
  } catch (error) {
    reportFailure(toProblem(error));
  } finally {
    await db.destroy();
  }
}

function findCommand(args: readonly string[]): Command {
  const [name = "up", extra] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command && extra === undefined) return command;
  throw new Problem(`Unexpected argument \`${command ? extra : name}\`.`, "There are up, down and status.");
}

async function up<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  warnOfUnlisted(migrations);
  const applied = await applyMigrations(db, migrations);
  for (const name of applied) console.log(`Applied ${name}.`);
  if (applied.length === 0) console.log(nothingToApply(Object.keys(migrations).length));
}

function nothingToApply(count: number): string {
  if (count === 0) return "Nothing to apply: there are no migrations.";
  return `Nothing to apply: ${count === 1 ? "1 migration is" : `${count} migrations are`} in place.`;
}

async function down<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  const reverted = await revertMigration(db, migrations);
  for (const name of reverted) console.log(`Reverted ${name}.`);
  if (reverted.length === 0) console.log("Nothing to revert: no migration is in place.");
}

async function status<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  warnOfUnlisted(migrations);
  const pending = await findPending(db, migrations);
  const applied = await readApplied(db);
  const names = [...new Set([...applied, ...pending])].sort();
  for (const name of names) {
    const note = Object.hasOwn(migrations, name) ? "" : " (its file is missing)";
    console.log(`${pending.includes(name) ? "pending" : "applied"}  ${name}${note}`);
  }
  if (names.length === 0) console.log("There are no migrations.");
}

/** Warns about migration files that are not in the list, and so would never be applied. */
function warnOfUnlisted(migrations: Migrations): void {
  const root = findProjectRoot(process.cwd());
  if (root === undefined) return;
  let files: readonly string[];
  try {
    files = readdirSync(join(root, "database/migrations"));
  } catch {
    return;
  }
  for (const file of files) {
    const [, name] = /^(?!index\.)(.*)(?<!\.d)\.[cm]?ts$/.exec(file) ?? [];
    if (name !== undefined && !Object.hasOwn(migrations, name))
      console.error(`warning database/migrations/${file} is not listed in database/migrations/index.ts.`);
  }
}
