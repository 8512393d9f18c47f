/**
 * Holds what a project can import, by name and kind: a change of it shows in review. And that each type can be imported which these name.
 * It reads the built declarations, so it needs `dist/`: `npm run build`.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";

/** For signatures. */
const MARKS: readonly string[] = [
  "ApiKey type, value",
  "Basic type, value",
  "Bearer type, value",
  "Body type, value",
  "Cookie type, value",
  "Credential type, value",
  "DateOnly type, value",
  "DateTime type, value",
  "Duration type, value",
  "Email type, value",
  "ExclusiveMax type, value",
  "ExclusiveMin type, value",
  "Form type, value",
  "From type, value",
  "Header type, value",
  "Hostname type, value",
  "Ipv4 type, value",
  "Ipv6 type, value",
  "Max type, value",
  "MaxItems type, value",
  "MaxLength type, value",
  "Min type, value",
  "MinItems type, value",
  "MinLength type, value",
  "MultipleOf type, value",
  "Pattern type, value",
  "Query type, value",
  "TimeOnly type, value",
  "UniqueItems type, value",
  "Uri type, value",
  "Uuid type, value",
];

/** What handlers need. */
const HTTP: readonly string[] = [
  ...MARKS,
  "Argument type",
  "ErrorBody interface",
  "ErrorHook type",
  "EventFields interface",
  "EventOptions interface",
  "EventStream class, type only",
  "FileOptions interface",
  "FileResult class, type only",
  "HeadersInit type",
  "Given type",
  "HttpError class",
  "HttpErrorOptions interface",
  "IssueCode type",
  "Limits interface",
  "Location interface",
  "Method type",
  "Middleware type",
  "Next type",
  "Param interface",
  "ParamType type",
  "ParamValue type",
  "Provided type",
  "Reply class, type only",
  "Request class",
  "RequestLog interface",
  "Route interface",
  "RouteMethod type",
  "Segment type",
  "ServerSentEvent class, type only",
  "ValidationIssue interface",
  "event function",
  "events function",
  "file function",
  "int type, function",
  "reply function",
  "str type, function",
];

const SURFACE: Readonly<Record<string, readonly string[]>> = {
  http: HTTP,
  index: [
    ...HTTP,
    "App interface",
    "AppOptions interface",
    "Diagnostic interface",
    "ListenOptions interface",
    "Logger interface",
    "ProjectError interface",
    "Replaced interface",
    "Replacement class, type only",
    "Server interface",
    "Severity type",
    "Substitute type",
    "createApp function",
    "replace function",
  ],
  database: [
    "DatabaseError class",
    "DatabaseErrorKind type",
    "DatabaseErrorOptions interface",
    "DatabaseOptions interface",
    "InTransactionOptions interface",
    "Migrations type",
    "SeedRows type",
    "TestDatabaseOptions interface",
    "checkDatabase function",
    "containsText function",
    "forRequest function",
    "inTransaction function",
    "joinTransaction function",
    "openDatabase function",
    "openTestDatabase function",
    "prepareDatabase function",
    "runMigrations function",
    "seedDatabase function",
  ],
};

/** What a built declaration file declares and imports: it is one flat file. */
const DECLARED = /^(export )?(?:declare )?(?:abstract )?(class|function|interface|type|const) (\w+)/gm;

const folder = fileURLToPath(new URL("../dist/framework", import.meta.url));

/** @returns each name with its kinds, and which of them are exported. */
function readDeclarations(entry: string): { kinds: Map<string, Set<string>>; exported: Set<string> } {
  const text = readFileSync(join(folder, `${entry}.d.ts`), "utf8");
  const kinds = new Map<string, Set<string>>();
  const exported = new Set<string>();
  for (const [, isExported, kind = "", name = ""] of text.matchAll(DECLARED)) {
    kinds.set(name, (kinds.get(name) ?? new Set()).add(kind === "const" ? "value" : kind));
    if (isExported) exported.add(name);
  }
  for (const [, names = ""] of text.matchAll(/^export \{ (.*) \};$/gm)) {
    for (const name of names.replaceAll("type ", "").split(", ")) {
      kinds.get(name)?.add("type only");
      exported.add(name);
    }
  }
  for (const [, from = ""] of text.matchAll(/^export \* from "\.\/(\w+)\.js";$/gm)) {
    const inner = readDeclarations(from);
    for (const name of inner.exported) exported.add(name);
    for (const [name, own] of inner.kinds) kinds.set(name, own);
  }
  return { kinds, exported };
}

for (const [entry, expected] of Object.entries(SURFACE)) {
  test(`${entry}.ts exports these names and no other`, async () => {
    const { kinds, exported } = readDeclarations(entry);
    const found = [...exported].map((name) => `${name} ${[...(kinds.get(name) ?? [])].join(", ")}`);
    assert.equal(found.sort(), [...expected].sort());
    const values = expected
      .filter((line) => /(?:class|function|value)$/.test(line))
      .map((line) => line.split(" ")[0]);
    assert.equal(Object.keys(await import(`#runtime/${entry}`)).sort(), values.sort());
  });

  test(`${entry}.ts exports each type that its exports name`, () => {
    const { kinds, exported } = readDeclarations(entry);
    const hidden = [...kinds.keys()].filter((name) => !exported.has(name));
    // Its type is written out where it is used.
    assert.equal(
      hidden.filter((name) => name !== "METHODS"),
      [],
    );
  });
}

test.run();
