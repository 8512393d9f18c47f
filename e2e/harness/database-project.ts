/** A project with a database, the app `ledger` and its packages; its commands and its servers on a database of a test's own. */

import { type Outcome, run } from "./command.ts";
import { type EngineName, openStore, type Store } from "./database.ts";
import { type Environment, isolatedEnvironment } from "./environment.ts";
import { LEDGER_FILES } from "./ledger.ts";
import { linkPackages } from "./modules.ts";
import { once } from "./once.ts";
import { copyProject, type Project } from "./project.ts";
import { type RunningServer, serve } from "./server.ts";

/** Nobody changes it. */
export const databaseProject: () => Promise<Project> = once("project with a database", createDatabaseProject);

export async function createDatabaseProject(): Promise<Project> {
  const project = await copyProject();
  await addDatabase(project, "sqlite");
  for (const [file, text] of Object.entries(LEDGER_FILES)) project.write(file, text);
  // The environment decides, so that each test has what it is about.
  project.edit(
    "database/connection.ts",
    "({ url })",
    "({ url, ...JSON.parse(process.env.OPTIONS ?? '{}') })",
  );
  linkPackages(project, "kysely", "pg", "rolldown");
  return project;
}

/** Generates it, and adds to app.ts what is printed for it. */
export async function addDatabase(project: Project, engine: EngineName): Promise<void> {
  const { status, stdout, stderr } = await project.framework(["generate", "database", engine, "--json"]);
  if (status !== 0) throw new Error(`There is no project with a database: ${stdout}${stderr}`);
  const { notes } = JSON.parse(stdout) as { notes: readonly string[] };
  const [above = "", below = ""] = notes
    .filter((note) => /^.*app\.ts.*:\n/.test(note))
    .map((note) => note.slice(note.indexOf("\n\n") + 2));
  const first = 'import { createApp } from "framework";';
  project.edit("app.ts", first, `${first}\n${above}`);
  project.edit("app.ts", "await app.listen();", below);
}

export interface On {
  readonly project?: Project;
  /** The program. */
  readonly node: string;
  readonly store: Store;
  /** Of `openDatabase`, besides the URL. */
  readonly options?: Readonly<Record<string, number>>;
  readonly settings?: Environment;
}

async function toSettings({ store, options = {}, settings = {} }: On): Promise<Environment> {
  return { DATABASE_URL: store.url, OPTIONS: JSON.stringify(options), ...settings };
}

/** Runs `npm run migrate`'s command. @param words `down`, `status` */
export async function migrate(on: On, ...words: readonly string[]): Promise<Outcome> {
  const { folder } = on.project ?? (await databaseProject());
  const env = { ...isolatedEnvironment(), ...(await toSettings(on)) };
  return run([on.node, "vendor/framework", "run", "database/migrate.ts", ...words], { cwd: folder, env });
}

/** @param words `start` where none are given. */
export async function serveOn(on: On, ...words: readonly string[]): Promise<RunningServer> {
  const { folder } = on.project ?? (await databaseProject());
  const command = [on.node, "vendor/framework", ...(words.length === 0 ? ["start"] : words)];
  return serve(folder, command, await toSettings(on));
}

const migrated = new Map<EngineName, Promise<Store>>();

/** A new database with the tables of the project. */
export async function openMigrated(engine: EngineName, node: string): Promise<Store> {
  const first = migrated.get(engine) ?? createMigrated(engine, node);
  migrated.set(engine, first);
  return openStore(engine, await first);
}

async function createMigrated(engine: EngineName, node: string): Promise<Store> {
  const store = await openStore(engine);
  const { status, stderr } = await migrate({ node, store });
  if (status !== 0) throw new Error(`The migrations failed: ${stderr}`);
  return store;
}
