import { test } from "uvu";
import * as assert from "uvu/assert";
import { Problem } from "#runtime/problem";
import { DatabaseError } from "../engine/error.ts";
import { isConnectionLost, toConnectError, toDatabaseError } from "./errors.ts";

/** As `pg` gives it. */
function said(code: string, fields: Readonly<Record<string, string>> = {}): Error {
  return Object.assign(new Error(fields.message ?? "as the server says"), {
    severity: "ERROR",
    code,
    ...fields,
  });
}

/** As Node gives it. */
function broken(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code, syscall: "connect" });
}

function translated(error: Error): DatabaseError {
  const found = toDatabaseError(error);
  assert.instance(found, DatabaseError, error.message);
  if (!(found instanceof DatabaseError)) throw error;
  assert.is(found.cause, error);
  return found;
}

test("a refusal has its kind, table and columns", () => {
  const key = (text: string): Record<string, string> => ({ table: "books", detail: text });
  const cases: readonly [error: Error, kind: string, columns: readonly string[]][] = [
    [said("23505", key("Key (isbn)=(a, b) already exists.")), "unique", ["isbn"]],
    [said("23505", key("Key (shop, isbn)=(1, x) already exists.")), "unique", ["shop", "isbn"]],
    [said("23505", key('Key ("my column")=(1) already exists.')), "unique", ["my column"]],
    [said("23505", key("Schlüssel »(isbn)=(1)« existiert bereits.")), "unique", ["isbn"]],
    [said("23505", key("Key (lower(title))=(a) already exists.")), "unique", []],
    [said("23505", { table: "books" }), "unique", []],
    [
      said("23503", key('Key (author_id)=(9) is not present in table "authors".')),
      "missing_reference",
      ["author_id"],
    ],
    [said("23503", key('Key (id)=(9) is still referenced from table "books".')), "still_referenced", ["id"]],
    [said("23001", key('Key (id)=(9) is referenced from table "books".')), "still_referenced", ["id"]],
    [said("23502", { table: "books", column: "title" }), "not_null", ["title"]],
    [said("23514", { table: "books" }), "check", []],
    [said("22P02", {}), "bad_value", []],
    [said("22003", {}), "bad_value", []],
    [said("22021", {}), "bad_value", []],
    [said("40001", {}), "conflict", []],
    [said("40P01", {}), "conflict", []],
  ];
  for (const [error, kind, columns] of cases) {
    const found = translated(error);
    assert.is(found.kind, kind);
    assert.equal([...found.columns], columns, `${kind} ${JSON.stringify(error)}`);
  }
});

test("a server that can't be reached, refuses or is too slow is unavailable", () => {
  for (const code of ["ECONNREFUSED", "ENOENT", "ENOTFOUND", "ETIMEDOUT", "EPIPE", "ECONNRESET"])
    assert.is(translated(broken(code)).kind, "unavailable", code);
  for (const code of ["53300", "57P01", "57P03", "08006", "57014", "55P03", "28P01", "3D000"])
    assert.is(translated(said(code)).kind, "unavailable", code);
  for (const message of ["timeout exceeded when trying to connect", "Connection terminated unexpectedly"])
    assert.is(translated(new Error(message)).kind, "unavailable", message);
});

test("a server that has no room or memory, fails or only reads is broken: to wait does not help", () => {
  for (const code of ["53100", "53200", "58030", "58P01", "25006", "XX001", "XX002"]) {
    const { kind, hint = "" } = translated(said(code));
    assert.is(kind, "broken", code);
    assert.match(hint, /room|disk|primary/, code);
  }
});

test("what keeps from connecting says where the server should be", () => {
  const cases: readonly [error: Error, message: RegExp][] = [
    [broken("ECONNREFUSED"), /^The database server at db:5432 can't be reached \(ECONNREFUSED\)\.$/],
    [
      new Error("Connection terminated due to connection timeout"),
      /db:5432 can't be reached \(Connection term/,
    ],
    [new Error("The server does not support SSL connections"), /db:5432 can't be used: The server does not/],
    [new Error("SASL: client password must be a string"), /db:5432 can't be used: SASL/],
    [
      Object.assign(new Error("ENOENT: no such file, open 'ca.pem'"), { code: "ENOENT", syscall: "open" }),
      /db:5432 can't be used: ENOENT/,
    ],
    [said("28P01", { message: "password authentication failed" }), /refuses the connection: password/],
    [said("58P01", { message: "could not open a segment" }), /^The database server fails: could not open/],
    [new Error("timeout exceeded when trying to connect"), /^No connection to the database became free/],
  ];
  for (const [error, message] of cases) {
    const found = toConnectError(error, "db:5432");
    assert.instance(found, DatabaseError);
    if (!(found instanceof DatabaseError)) throw error;
    assert.is(found.kind, error.message.includes("segment") ? "broken" : "unavailable");
    assert.match(found.message, message);
    assert.match(found.hint ?? "", /\w/);
    assert.is(found.cause, error);
  }
  const problem = new Problem("The package pg is not installed.");
  assert.is(toConnectError(problem, "db:5432"), problem);
});

test("a mistake in a query stays what it is", () => {
  for (const error of [said("42P01"), said("42601"), said("22012"), new TypeError("x is not a function")])
    assert.is(toDatabaseError(error), error);
});

test("a connection is lost with its server, and not by a refusal", () => {
  for (const error of [
    broken("ECONNRESET"),
    new Error("Connection terminated"),
    said("57P01"),
    said("08006"),
  ])
    assert.ok(isConnectionLost(error), error.message);
  for (const code of ["23505", "57014", "40001", "42601"]) assert.not(isConnectionLost(said(code)), code);
});

test.run();
