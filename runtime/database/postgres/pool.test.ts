import { test } from "uvu";
import * as assert from "uvu/assert";
import { findServer } from "./pool.ts";

test("a server is named as the URL and the environment say", () => {
  const { PGHOST, PGPORT } = process.env;
  const cases: readonly [url: string, server: string][] = [
    ["postgres://user:pass@db.example/shop", "db.example:5432"],
    ["postgres://db.example:6432/shop", "db.example:6432"],
    ["postgres://[::1]:6432/shop", "[::1]:6432"],
    ["postgres:///shop", "localhost:5432"],
    ["postgres:///shop?host=other&port=6432", "other:6432"],
    ["postgres:///shop?host=/var/run/postgresql", "/var/run/postgresql"],
    ["postgres://user@%2Fvar%2Frun%2fpostgresql/shop", "/var/run/postgresql"],
  ];
  try {
    delete process.env.PGHOST;
    delete process.env.PGPORT;
    for (const [url, server] of cases) assert.is(findServer(url), server);
    Object.assign(process.env, { PGHOST: "away", PGPORT: "7000" });
    assert.is(findServer("postgres:///shop"), "away:7000");
  } finally {
    for (const [name, value] of Object.entries({ PGHOST, PGPORT }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});

test.run();
