/** A project with a database, the app `ledger` and its packages; its commands and its servers on a database of a test's own. */

import { type Answer, ask } from "./client.ts";
import { type Outcome, run } from "./command.ts";
import { type EngineName, openStore, type Store } from "./database.ts";
import { type Environment, isolatedEnvironment } from "./environment.ts";
import { LEDGER_FILES } from "./ledger.ts";
import { linkPackages } from "./modules.ts";
import { once } from "./once.ts";
import { copyProject, type Project } from "./project.ts";
import { type RunningServer, serve } from "./server.ts";
import { databaseNodes } from "./sqlite.ts";

/** The newest of the tried Nodes that SQLite runs on. */
export const node: string = (await databaseNodes()).at(-1) ?? process.execPath;

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

/** Runs `npm run migrate`'s command. */
export async function migrate({ url }: Store, settings: Environment = {}): Promise<Outcome> {
  const { folder } = await databaseProject();
  const env = { ...isolatedEnvironment(), DATABASE_URL: url, ...settings };
  return run([node, "vendor/framework", "run", "database/migrate.ts"], { cwd: folder, env });
}

const migrated = new Map<EngineName, Promise<Store>>();

/** A new database with the tables of the project. */
export async function openMigrated(engine: EngineName): Promise<Store> {
  const first = migrated.get(engine) ?? createMigrated(engine);
  migrated.set(engine, first);
  return openStore(engine, await first);
}

async function createMigrated(engine: EngineName): Promise<Store> {
  const store = await openStore(engine);
  const { status, stdout, stderr } = await migrate(store);
  if (status !== 0 || stdout.match(/^Applied /gm)?.length !== 3)
    throw new Error(`The migrations failed: ${stdout}${stderr}`);
  return store;
}

/** A server of the project. */
export interface Ledger extends RunningServer {
  readonly store: Store;
  /** @param body is sent as JSON. A string is that already. */
  send(line: string, body?: unknown): Promise<Answer>;
}

/** @param options of `openDatabase`, besides the URL. @param words of `start` */
export async function startLedger(
  store: Store,
  options: Readonly<Record<string, number>>,
  ...words: readonly string[]
): Promise<Ledger> {
  const { folder } = await databaseProject();
  const settings = { DATABASE_URL: store.url, OPTIONS: JSON.stringify(options) };
  const server = await serve(folder, [node, "vendor/framework", "start", ...words], settings);
  return { ...server, store, send: (line, body) => sendTo(server.url, line, body) };
}

export function sendTo(url: string, line: string, body?: unknown): Promise<Answer> {
  if (body === undefined) return ask(url, line);
  const headers = { "content-type": "application/json" };
  return ask(url, line, { headers, body: typeof body === "string" ? body : JSON.stringify(body) });
}
