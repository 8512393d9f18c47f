/**
 * Holds what a project can import, by name and kind: a change of it shows in review. And that each type can be imported which these name.
 * It reads the built declarations, so it needs `dist/`: `npm run build`.
 */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ParserPlugin, parse } from "@babel/parser";
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

const SURFACE: Readonly<Record<string, readonly string[]>> = {
  index: [
    ...MARKS,
    "App interface",
    "AppOptions interface",
    "Argument type",
    "Diagnostic interface",
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
    "ListenOptions interface",
    "Location interface",
    "Logger interface",
    "Method type",
    "Middleware type",
    "Next type",
    "Param interface",
    "ParamType type",
    "ParamValue type",
    "ProjectError interface",
    "Provided type",
    "Replaced interface",
    "Replacement class, type only",
    "Reply class, type only",
    "Request class",
    "RequestLog interface",
    "Route interface",
    "RouteMethod type",
    "Segment type",
    "Server interface",
    "ServerSentEvent class, type only",
    "Severity type",
    "Substitute type",
    "ValidationIssue interface",
    "createApp function",
    "event function",
    "events function",
    "file function",
    "int type, function",
    "replace function",
    "reply function",
    "str type, function",
  ],
  http: [
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

const KINDS: Readonly<Record<string, string>> = {
  ClassDeclaration: "class",
  TSDeclareFunction: "function",
  TSInterfaceDeclaration: "interface",
  TSTypeAliasDeclaration: "type",
  VariableDeclaration: "value",
};

/** A syntax node, as far as it is looked at: whatever else it has may be a node, too. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A name in a file, or at its end where others only pass it on. */
interface Place {
  readonly file: string;
  readonly name: string;
}

interface Export extends Place {
  readonly isTypeOnly: boolean;
}

interface Module {
  readonly declared: ReadonlyMap<string, readonly Node[]>;
  readonly imported: ReadonlyMap<string, Place>;
  readonly exported: ReadonlyMap<string, Export>;
}

const folder = fileURLToPath(new URL("../dist/framework", import.meta.url));
const modules = new Map<string, Module>();

for (const [entry, expected] of Object.entries(SURFACE)) {
  test(`${entry}.ts exports these names and no other`, async () => {
    const { exported } = readModule(toFile(entry));
    const found = [...exported].map(([name, one]) => {
      const kinds = toDeclarations(one).map(({ type }) => KINDS[type] ?? type);
      const isTyped = one.isTypeOnly && kinds.some((kind) => kind === "class" || kind === "function");
      return `${name} ${kinds.join(", ")}${isTyped ? ", type only" : ""}`;
    });
    assert.equal(found.sort(), [...expected].sort());
    const values = expected
      .filter((line) => /(?:class|function|value)$/.test(line))
      .map((line) => line.split(" ")[0]);
    assert.equal(Object.keys(await import(`#runtime/${entry}`)).sort(), values.sort());
  });

  test(`${entry}.ts exports each type that its exports name`, () => {
    const { exported } = readModule(toFile(entry));
    const known = new Set([...exported.values()].map((one) => toKey(followed(one))));
    const missing = [...exported].flatMap(([name, one]) => {
      const { file } = followed(one);
      return namedTypes(toDeclarations(one))
        .map((type) => followed({ file, name: type }))
        .filter((place) => isDeclared(place) && !known.has(toKey(place)))
        .map((place) => `${name} names ${place.name}`);
    });
    assert.equal(missing, []);
  });
}

function toFile(entry: string): string {
  return join(folder, `${entry}.d.ts`);
}

function toKey({ file, name }: Place): string {
  return `${file} ${name}`;
}

/** Where a name is declared that a file declares, imports or passes on. */
function followed({ file, name }: Place): Place {
  const { declared, imported, exported } = readModule(file);
  if (declared.has(name)) return { file, name };
  const next = imported.get(name) ?? exported.get(name);
  return next === undefined ? { file, name } : followed(next);
}

function isDeclared({ file, name }: Place): boolean {
  return readModule(file).declared.has(name);
}

function toDeclarations(one: Place): readonly Node[] {
  const { file, name } = followed(one);
  return readModule(file).declared.get(name) ?? [];
}

/** The types that signatures name, of the platform, too. Not what `typeof` asks: its type is written out where it is used. */
function namedTypes(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(namedTypes);
  if (!isNode(node) || node.type === "TSTypeQuery") return [];
  const own = [
    node.typeName,
    node.type === "TSExpressionWithTypeArguments" ? node.expression : node.superClass,
  ];
  return [
    ...own.flatMap((name) => (isNode(name) && name.type === "Identifier" ? [String(name.name)] : [])),
    ...Object.values(node).flatMap(namedTypes),
  ];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function readModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const declared = new Map<string, Node[]>();
  const imported = new Map<string, Place>();
  const exported = new Map<string, Export>();
  const dts: ParserPlugin = ["typescript", { dts: true }];
  for (const statement of parse(readFileSync(file, "utf8"), { sourceType: "module", plugins: [dts] }).program
    .body) {
    if (statement.type === "ImportDeclaration") {
      // What a package has can be imported from there.
      const isOurs = /^[.#]/.test(statement.source.value);
      for (const { local, ...specifier } of statement.specifiers)
        if (isOurs && "imported" in specifier)
          imported.set(local.name, {
            file: sourceOf(statement.source.value),
            name: nameOf(specifier.imported),
          });
    } else if (statement.type === "ExportAllDeclaration") {
      for (const [name, one] of readModule(sourceOf(statement.source.value)).exported)
        exported.set(name, one);
    } else if (statement.type === "ExportNamedDeclaration") {
      const from = statement.source ? sourceOf(statement.source.value) : file;
      for (const specifier of statement.specifiers) {
        if (specifier.type !== "ExportSpecifier") continue;
        const isTypeOnly = statement.exportKind === "type" || specifier.exportKind === "type";
        exported.set(nameOf(specifier.exported), { file: from, name: nameOf(specifier.local), isTypeOnly });
      }
      if (statement.declaration) declare(statement.declaration as unknown as Node, true);
    } else declare(statement as unknown as Node, false);
  }
  const module = { declared, imported, exported };
  modules.set(file, module);
  return module;

  function sourceOf(specifier: string): string {
    return resolve(file, "..", specifier.replace(/\.[jt]s$/, ".d.ts"));
  }

  function declare(node: Node, isExported: boolean): void {
    if (Array.isArray(node.declarations))
      for (const { id } of node.declarations) declare({ ...node, declarations: undefined, id }, isExported);
    if (!isNode(node.id)) return;
    const name = String(node.id.name);
    declared.set(name, [...(declared.get(name) ?? []), node]);
    const isTypeOnly = node.type === "TSInterfaceDeclaration" || node.type === "TSTypeAliasDeclaration";
    if (isExported) exported.set(name, { file, name, isTypeOnly });
  }
}

function nameOf(
  name: { type: "Identifier"; name: string } | { type: "StringLiteral"; value: string },
): string {
  return name.type === "Identifier" ? name.name : name.value;
}

test.run();
