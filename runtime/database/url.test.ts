import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Problem } from "#runtime/problem";
import { parseDatabaseUrl } from "./url.ts";

const folder = mkdtempSync(join(tmpdir(), "database-url-"));
test.after(() => rmSync(folder, { recursive: true }));

function refused(url: string): Problem {
  try {
    parseDatabaseUrl(url, folder);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`${url} is not refused.`);
}

test("a SQLite URL names a file, from the folder it is asked in", () => {
  const path = (url: string): string | undefined => {
    const target = parseDatabaseUrl(url, folder);
    assert.is(target.engine, "sqlite");
    return target.engine === "sqlite" ? target.path : undefined;
  };
  assert.is(path("sqlite:data/app.db"), join(folder, "data/app.db"));
  assert.is(path("sqlite:./app.db"), join(folder, "app.db"));
  assert.is(path("sqlite:/srv/app.db"), "/srv/app.db");
  assert.is(path("sqlite:///srv/app.db"), "/srv/app.db");
  assert.is(path("sqlite://data/app.db"), join(folder, "data/app.db"));
  assert.is(path("SQLite:data/my app.db"), join(folder, "data/my app.db"));
  assert.is(path(" sqlite:app.db\n"), join(folder, "app.db"));
  assert.is(path("sqlite::memory:"), undefined);
});

test("a relative file is looked for from the project's root, wherever in it the process runs", () => {
  const deep = join(folder, "project/apps/books");
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(folder, "project/framework.toml"), "");
  const path = join(folder, "project/data/app.db");
  assert.equal(parseDatabaseUrl("sqlite:data/app.db", deep), { engine: "sqlite", path });
});

test("a Postgres URL is passed on as it is", () => {
  const urls = [
    "postgres://user:pass@localhost:5432/shop",
    "postgresql://localhost/shop?sslmode=require",
    "postgres:///shop?host=/var/run/postgresql",
    "postgres://user:p%23ss@%2Fvar%2Frun%2Fpostgresql/shop",
  ];
  for (const url of urls) assert.equal(parseDatabaseUrl(url, folder), { engine: "postgres", url });
});

test("another URL is refused, with what it has to look like", () => {
  assert.is(refused("").message, "The database URL is empty.");
  assert.is(refused("data/app.db").message, "The database URL has no scheme.");
  assert.is(
    refused("mysql://root@localhost/shop").message,
    "The database URL begins with mysql:, which is not a known engine.",
  );
  assert.is(refused("sqlite:").message, "The database URL names no file.");
  assert.is(refused("sqlite:data/").message, "The database URL names no file.");
  const settings = "The URL of a SQLite database takes no settings after `?`.";
  assert.is(refused("sqlite:data/app.db?mode=ro").message, settings);
  for (const url of [
    "postgres:",
    "postgres:shop",
    "postgres://user:pa#ss@host:x/shop",
    "postgres://host:99999/shop",
  ])
    assert.is(refused(url).message, "The database URL is not valid.", url);
  assert.match(String(refused("postgres://ada:sec#ret@db/shop").hint), "%23");
  for (const url of ["", "mysql://db/shop", "sqlite:"])
    assert.match(String(refused(url).hint), "sqlite:data/app.db or postgres://", url);
});

test("a refusal does not show the password", () => {
  for (const url of [
    "mysql://root:secret@host/x",
    "postgres://root:secret@host:port/x",
    "root:secret@host/x",
  ]) {
    const { message, hint = "" } = refused(url);
    assert.not.match(`${message} ${hint}`, /secret/);
  }
});

test.run();
