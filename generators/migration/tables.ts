/** `database/tables.ts`: the tables of the project with the types of their columns, read and edited. */

import type { Project } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import type { Member, TypeExpression } from "#convention/source/module";
import type { Change } from "../changes/changes.ts";
import { importAll } from "../edit/code.ts";
import { addEntry, findEntries } from "../edit/entries.ts";
import { freeName, insertBlock } from "../edit/insert.ts";
import { type Outline, readOutline } from "../edit/outline.ts";
import { applyStyle, hasBlueprint } from "../edit/style.ts";
import { readText } from "../edit/text.ts";
import { styleBeside } from "../reference-style.ts";
import { orRefused, Refused, refuse } from "../refused.ts";
import type { Column } from "./columns.ts";

export const TABLES_FILE = "database/tables.ts";
const INTERFACE = "Tables";

export interface Table {
  readonly name: string;
  /** Without the id, which every table has. */
  readonly columns: readonly Column[];
}

type Property = Extract<Member, { kind: "property" }>;

/** A table as the file declares it. */
export interface DeclaredTable {
  /** Of its columns. */
  readonly type: string;
  readonly columns: readonly { readonly name: string; readonly type: TypeExpression }[];
}

interface TablesFile {
  readonly text: string;
  readonly outline: Outline;
}

/** By their names. None where the file is not there or can't be read. */
export function readTables(project: Project): ReadonlyMap<string, DeclaredTable> {
  const file = orRefused(() => readTablesFile(project));
  return file instanceof Refused ? new Map() : tablesIn(file.outline);
}

/** @throws {Refused} for a file that is not there or can't be read. */
export function readTablesFile({ root }: Project): TablesFile {
  const text = readText(root, TABLES_FILE) ?? refuse("FW640", { file: TABLES_FILE });
  return { text, outline: readOutline(TABLES_FILE, text) };
}

function tablesIn(outline: Outline): ReadonlyMap<string, DeclaredTable> {
  const tables = propertiesOf(outline, INTERFACE).map(({ name, type }): [string, DeclaredTable] => {
    const named = type?.kind === "name" ? type.path.join(".") : "";
    const columns = propertiesOf(outline, named).flatMap((one) =>
      one.type === null ? [] : [{ name: one.name, type: one.type }],
    );
    return [name, { type: named, columns }];
  });
  return new Map(tables);
}

function propertiesOf({ types }: Outline, name: string): readonly Property[] {
  const type = types.get(name)?.type;
  const members = type?.kind === "object" ? type.members : [];
  return members.filter((member) => member.kind === "property");
}

/** What the file calls the types of Kysely. */
type Names = (type: KyselyType) => string;
type KyselyType = "ColumnType" | "GeneratedAlways";

/** @param typeName of the interface, as in `BookTable`. */
function tableBlueprint({ columns }: Table, typeName: string, call: Names): string {
  const lines = columns.map(({ name, type, optional }) => `${name}: ${columnType(type, optional, call)};`);
  const all = [`id: ${call("GeneratedAlways")}<number>;`, ...lines];
  return `interface ${typeName} {\n${all.map((line) => `  ${line}\n`).join("")}}\n`;
}

function columnType(type: Column["type"], optional: boolean, call: Names): string {
  const nulls = optional ? " | null" : "";
  if ("values" in type) return type.values.map((one) => JSON.stringify(one)).join(" | ") + nulls;
  if (!("word" in type) || type.word === "int") return `number${nulls}`;
  if (type.word !== "Date") return type.word + nulls;
  return `${call("ColumnType")}<string${nulls}, Date${nulls}, Date${nulls}>`;
}

function kyselyTypes({ columns }: Table): readonly KyselyType[] {
  const hasDate = columns.some(({ type }) => "word" in type && type.word === "Date");
  return hasDate ? ["ColumnType", "GeneratedAlways"] : ["GeneratedAlways"];
}

/** Plans a table that is not there. @param typeName of its columns, as in `BookTable`. */
export function planTable(project: Project, table: Table, typeName: string): Change {
  const { text: before, outline } = readTablesFile(project);
  const style = styleBeside(project, before);
  const free = freeName(typeName, (name) => outline.bindings.has(name));
  const imports = kyselyTypes(table).map((name) => ({ name, source: "kysely" }));
  const { text, locals } = importAll(before, imports, style);
  const hint = `Write it as in: export interface ${INTERFACE} {}`;
  const entries =
    findEntries(text, INTERFACE) ??
    refuse("FW612", { file: TABLES_FILE, why: `it has no interface \`${INTERFACE}\``, hint });
  const listed = applyEdits(text, [addEntry(text, entries, `${table.name}: ${free}`, style)]);
  const blueprint = tableBlueprint(table, free, (type) => locals.get(type) ?? type);
  const added = insertBlock(listed, listed.length, applyStyle(blueprint, style), style);
  return { file: TABLES_FILE, before, after: applyEdits(listed, [added]) };
}

function importedNames({ imports }: Outline): Names {
  const names = imports.filter(({ source }) => source === "kysely").flatMap((line) => line.names);
  return (type) => names.find(({ imported }) => imported === type)?.local ?? type;
}

/** Whether the project has a table with just these columns. */
export function hasTable(project: Project, table: Table): boolean {
  const { text, outline } = readTablesFile(project);
  const type = tablesIn(outline).get(table.name)?.type;
  return type !== undefined && hasBlueprint(text, tableBlueprint(table, type, importedNames(outline)));
}
