/** Our project for that bench: the connection and the provider of a created one, and queries as `generate resource` writes them. */

/** As its migration would make it. */
export const SCHEMA =
  'create table "books" ("id" integer primary key autoincrement, "title" text not null, "pages" bigint not null, "is_read" boolean not null)';

export const DATABASE_FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module", "imports": { "#*": "./*" } }\n',
  "framework.toml": 'apps = ["books"]\n',
  "app.ts": `import { createApp } from "framework";
import { db } from "#database/connection.ts";

export const app = await createApp();

const server = await app.listen();

server.closed.then(() => db.destroy());
`,
  "database/connection.ts": `import { openDatabase } from "framework/database";
import type { Generated } from "kysely";

interface BookTable {
  id: Generated<number>;
  title: string;
  pages: number;
  is_read: boolean;
}

export const db = openDatabase<{ books: BookTable }>({ url: process.env.DATABASE_URL ?? "sqlite:data/app.db" });
export type Database = typeof db;
`,
  "database/providers.ts": `import { type From, HttpError } from "framework";
import { DatabaseError, forRequest } from "framework/database";
import { db, type Database } from "./connection.ts";

export function connection(): Database {
  return db;
}

export function* database(db: From<typeof connection>): Generator<Database> {
  try {
    yield forRequest(db);
  } catch (error) {
    if (error instanceof DatabaseError) throw new HttpError(503, error.message);
    throw error;
  }
}
`,
  "apps/books/app.toml": '[app]\nprefix = "/books"\n',
  "apps/books/views.ts": `import { type Body, type From, HttpError, type int } from "framework";
import type { database } from "#database/providers.ts";

interface NewBook {
  title: string;
  pages: int;
  is_read: boolean;
}

const columns = ["id", "title", "pages", "is_read"] as const;

export async function get_by_id(id: int, db: From<typeof database>) {
  const book = await db.selectFrom("books").select(columns).where("id", "=", id).executeTakeFirst();
  if (book === undefined) throw new HttpError(404, \`There is no book \${id}.\`);
  return book;
}

export async function post_index(book: Body<NewBook>, db: From<typeof database>) {
  return [await db.insertInto("books").values(book).returning(columns).executeTakeFirstOrThrow(), 201];
}
`,
};
