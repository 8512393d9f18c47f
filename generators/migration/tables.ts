/** `database/tables.ts`: the tables of the project with the types of their columns, read and edited. */

import type { Project } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import type { Member, TypeExpression } from "#convention/source/module";
import type { Change } from "../changes/changes.ts";
import { addCode, type Code } from "../edit/code.ts";
import { addEntry, findEntries } from "../edit/entries.ts";
import { freeName } from "../edit/insert.ts";
import { type Outline, readOutline } from "../edit/outline.ts";
import { hasBlueprint } from "../edit/style.ts";
import { readText } from "../edit/text.ts";
import { styleBeside } from "../reference-style.ts";
import { refuse } from "../refused.ts";
import type { Column } from "./columns.ts";

export const TABLES_FILE = "database/tables.ts";
const INTERFACE = "Tables";

/** What a resource says of its table. The id is not among the columns: every table has one. */
interface Table {
  readonly names: { readonly table: string; readonly type: string };
  readonly columns: readonly Column[];
}

type Property = Extract<Member, { kind: "property" }>;

/** A table as the file declares it. */
export interface DeclaredTable {
  /** Of its columns. */
  readonly type: string;
  readonly columns: readonly { readonly name: string; readonly type: TypeExpression }[];
}

/** The text of `database/tables.ts`, and its tables by their names. */
interface TablesFile {
  readonly text: string;
  readonly outline: Outline;
  readonly tables: ReadonlyMap<string, DeclaredTable>;
}

/** @throws {Refused} for a file that is not there or can't be read. */
export function readTables({ root }: Project): TablesFile {
  const text = readText(root, TABLES_FILE) ?? refuse("FW640", { file: TABLES_FILE });
  const outline = readOutline(TABLES_FILE, text);
  const tables = propertiesOf(outline, INTERFACE).map(({ name, type }): [string, DeclaredTable] => {
    const named = type?.kind === "name" ? type.path.join(".") : "";
    const columns = propertiesOf(outline, named).flatMap((one) =>
      one.type === null ? [] : [{ name: one.name, type: one.type }],
    );
    return [name, { type: named, columns }];
  });
  return { text, outline, tables: new Map(tables) };
}

function propertiesOf({ types }: Outline, name: string): readonly Property[] {
  const type = types.get(name)?.type;
  const members = type?.kind === "object" ? type.members : [];
  return members.filter((member) => member.kind === "property");
}

/** What the file calls the types of Kysely. */
type Names = (type: "ColumnType" | "GeneratedAlways") => string;

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

/** Plans a table that is not there. */
export function planTable(project: Project, table: Table): Change {
  const { text: before, outline } = readTables(project);
  const name = freeName(`${table.names.type}Table`, (one) => outline.bindings.has(one));
  const code: Code = { name, write: (use) => tableBlueprint(table, name, (type) => use(type, "kysely")) };
  const style = styleBeside(project, before);
  const text = addCode(TABLES_FILE, before, [code], "table", style);
  const hint = `Write it as in: export interface ${INTERFACE} {}`;
  const entries =
    findEntries(text, INTERFACE) ??
    refuse("FW612", { file: TABLES_FILE, why: `it has no interface \`${INTERFACE}\``, hint });
  const entry = addEntry(text, entries, `${table.names.table}: ${name}`, style);
  return { file: TABLES_FILE, before, after: applyEdits(text, [entry]) };
}

function importedNames({ imports }: Outline): Names {
  const names = imports.filter(({ source }) => source === "kysely").flatMap((line) => line.names);
  return (type) => names.find(({ imported }) => imported === type)?.local ?? type;
}

/** Whether the project has a table with just these columns. */
export function hasTable(project: Project, table: Table): boolean {
  const { text, outline, tables } = readTables(project);
  const type = tables.get(table.names.table)?.type;
  return type !== undefined && hasBlueprint(text, tableBlueprint(table, type, importedNames(outline)));
}
