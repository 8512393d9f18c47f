import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, sql } from "kysely";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { containsText } from "../queries.ts";
import { PortableCompiler } from "./compiler.ts";

interface Tables {
  books: { id: number; title: string; added: string };
}

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new PortableCompiler(),
  },
});

test("an identity is a key that SQLite counts up", () => {
  const columns = ["generatedByDefaultAsIdentity", "generatedAlwaysAsIdentity"] as const;
  for (const kind of columns) {
    const query = db.schema
      .createTable("books")
      .addColumn("id", "bigint", (column) => column[kind]().primaryKey());
    assert.is(query.compile().sql, 'create table "books" ("id" integer primary key autoincrement)');
  }
});

test("now() is the time as a Date is stored", () => {
  for (const now of [sql`now()`, sql`current_timestamp`, sql`NOW()`]) {
    const table = db.schema
      .createTable("books")
      .addColumn("added", "timestamptz", (column) => column.defaultTo(now));
    assert.is(
      table.compile().sql,
      `create table "books" ("added" timestamptz default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))`,
    );
  }
});

test("locks of rows are left out", () => {
  const query = db.selectFrom("books").select("id").where("id", "=", 1).limit(1);
  for (const locked of [query.forUpdate(), query.forUpdate().skipLocked(), query.forShare().noWait()])
    assert.is(locked.compile().sql.trim(), query.compile().sql);
  assert.is(
    db.selectFrom("books").distinct().select("id").compile().sql,
    'select distinct "id" from "books"',
  );
});

test("like and ilike take \\ for what it is on Postgres", () => {
  const query = (operator: "like" | "ilike" | "not ilike", pattern: string): string =>
    db.selectFrom("books").select("id").where("title", operator, pattern).compile().sql;
  assert.is(query("like", "a%"), `select "id" from "books" where "title" like ? escape '\\'`);
  assert.is(query("ilike", "a%"), `select "id" from "books" where "title" like ? escape '\\'`);
  assert.is(query("ilike", "ä%"), `select "id" from "books" where fold("title") like fold(?) escape '\\'`);
  assert.is(
    query("not ilike", "ä%"),
    `select "id" from "books" where fold("title") not like fold(?) escape '\\'`,
  );
});

test("a text is a value, with its wildcards as plain characters", () => {
  const search = db
    .selectFrom("books")
    .select("id")
    .where(({ ref }) => containsText(ref("title"), "50%_\\'"));
  const { sql: text, parameters } = search.compile();
  assert.is(text, `select "id" from "books" where "title" like ? escape '\\'`);
  assert.equal(parameters, ["%50\\%\\_\\\\'%"]);
});

test.run();
