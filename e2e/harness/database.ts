/** The engines of databases, an empty database for whoever asks, and a look into it that needs none of our code. */

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "./once.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { readSqlite } from "./sqlite.ts";
import { createFolder } from "./workspace.ts";

export type EngineName = "sqlite" | "postgres";

export interface Store {
  readonly engine: EngineName;
  /** What DATABASE_URL takes. */
  readonly url: string;
  /** Of SQLite: the file. Of Postgres: the name of the database. */
  readonly place: string;
  /** @returns the rows, with `|` between the columns. */
  sql(statement: string): Promise<string[]>;
  /** Its tables, columns, indexes and applied migrations: one line each. */
  schema(): Promise<string[]>;
}

/** Started once a test file. */
export const postgresOnce: () => Promise<Postgres | undefined> = once("Postgres", () => startPostgres());

/** Those that this machine has. It prints which one is left out. */
export async function engines(): Promise<readonly EngineName[]> {
  return (await postgresOnce()) ? ["sqlite", "postgres"] : ["sqlite"];
}

let stores = 0;

/** A new database. @param like has the tables and rows that it begins with; nobody has it open meanwhile. */
export async function openStore(engine: EngineName, like?: Store): Promise<Store> {
  stores += 1;
  return engine === "sqlite"
    ? openFile(join(createFolder("store"), "app.db"), like)
    : openServed(`store_${stores}`, like);
}

async function openFile(file: string, like: Store | undefined): Promise<Store> {
  if (like) copyFileSync(like.place, file);
  const sql = (statement: string): Promise<string[]> => readSqlite(file, statement);
  const url = `sqlite:${file}`;
  return { engine: "sqlite", url, place: file, sql, schema: () => describe(sql, SQLITE_SCHEMA) };
}

async function openServed(name: string, like: Store | undefined): Promise<Store> {
  const postgres = await postgresOnce();
  if (postgres === undefined) throw new Error("There is no Postgres.");
  const sql = (statement: string): Promise<string[]> => postgres.sql(name, statement);
  const url = await postgres.createDatabase(name, like?.place);
  return { engine: "postgres", url, place: name, sql, schema: () => describe(sql, POSTGRES_SCHEMA) };
}

const SQLITE_SCHEMA = "select type || ' ' || name || ' ' || coalesce(sql, '') from sqlite_master order by 1";

const POSTGRES_SCHEMA = `select 'column ' || table_name || ' ' || column_name || ' ' || data_type
from information_schema.columns where table_schema = 'public'
union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
union all select 'constraint ' || conname from pg_constraint where connamespace = 'public'::regnamespace order by 1`;

async function describe(sql: Store["sql"], statement: string): Promise<string[]> {
  const objects = await sql(statement);
  const names = objects.some((line) => line.includes("kysely_migration"))
    ? await sql("select name from kysely_migration order by name")
    : [];
  return [...objects, ...names.map((name) => `applied ${name}`)];
}
