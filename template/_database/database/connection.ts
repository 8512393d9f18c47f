import { openDatabase } from "framework/database";
import type { Tables } from "./tables.ts";

/** Where the database is. `DATABASE_URL` overrides it, with a `sqlite:` or a `postgres:` URL. */
const LOCAL = "sqlite:data/app.db";
export const url = process.env.DATABASE_URL ?? LOCAL;

/** The database of this process. The first query opens it, and app.ts closes it after the last request. */
export const db = openDatabase<Tables>({ url });

export type Database = typeof db;
