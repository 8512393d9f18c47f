/** `database/tables.ts`: the tables of the project with the types of their columns, read and edited. */

import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import type { Member, TypeExpression } from "#convention/source/module";
import type { Change } from "../changes/changes.ts";
import { styleBeside } from "../reference-style.ts";
import { freeName } from "../source/body-names.ts";
import { insertBlock } from "../source/edits.ts";
import { addEntry, findInterface } from "../source/entries.ts";
import { planFunctionImport } from "../source/imports.ts";
import { isUnreadable, type Outline, readOutline } from "../source/outline.ts";
import { diagnoseUnreadable } from "../source/source.ts";
import { applyStyle, hasBlueprint, type Style } from "../source/style.ts";
import { readText } from "../source/text.ts";
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
  const file = readTablesFile(project);
  return isDiagnostic(file) ? new Map() : tablesIn(file.outline);
}

/** Reports a file that is not there or can't be read. */
export function diagnoseTablesFile(project: Project): Diagnostic | undefined {
  const file = readTablesFile(project);
  return isDiagnostic(file) ? file : undefined;
}

function readTablesFile({ root }: Project): TablesFile | Diagnostic {
  const text = readText(root, TABLES_FILE);
  if (text === null) return diagnose("FW640", { file: TABLES_FILE });
  if (isDiagnostic(text)) return text;
  const outline = readOutline(text);
  return isUnreadable(outline) ? diagnoseUnreadable(TABLES_FILE, outline) : { text, outline };
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
export function planTable(project: Project, table: Table, typeName: string): Change | Diagnostic {
  const file = readTablesFile(project);
  if (isDiagnostic(file)) return file;
  const before = file.text;
  const style = styleBeside(project, before);
  const free = freeName(typeName, (name) => file.outline.bindings.has(name));
  const nothing: Imported = { text: before, call: new Map() };
  const { text, call } = kyselyTypes(table).reduce((done, type) => importType(done, type, style), nothing);
  const entries = findInterface(text, INTERFACE);
  if (entries === undefined) {
    const hint = `Write it as in: export interface ${INTERFACE} {}`;
    return diagnose("FW612", { file: TABLES_FILE, why: `it has no interface \`${INTERFACE}\``, hint });
  }
  const listed = applyEdits(text, [addEntry(text, entries, `${table.name}: ${free}`, style)]);
  const blueprint = tableBlueprint(table, free, (type) => call.get(type) ?? type);
  const added = insertBlock(listed, listed.length, applyStyle(blueprint, style), style);
  return { file: TABLES_FILE, before, after: applyEdits(listed, [added]) };
}

interface Imported {
  readonly text: string;
  readonly call: ReadonlyMap<KyselyType, string>;
}

function importType({ text, call }: Imported, type: KyselyType, style: Style): Imported {
  const { edits, local } = planFunctionImport(
    text,
    readTablesOutline(text),
    { name: type, source: "kysely" },
    style,
  );
  return { text: applyEdits(text, edits), call: new Map([...call, [type, local]]) };
}

/** Of a text to which only whole statements and entries were added. */
function readTablesOutline(text: string): Outline {
  const outline = readOutline(text);
  if (isUnreadable(outline)) throw new Error(`A planned edit left a syntax error: ${outline.reason}`);
  return outline;
}

function importedNames({ imports }: Outline): Names {
  const names = imports.filter(({ source }) => source === "kysely").flatMap((line) => line.names);
  return (type) => names.find(({ imported }) => imported === type)?.local ?? type;
}

/** Whether the project has a table with just these columns. */
export function hasTable(project: Project, table: Table): boolean {
  const file = readTablesFile(project);
  if (isDiagnostic(file)) return false;
  const { text, outline } = file;
  const type = tablesIn(outline).get(table.name)?.type;
  return type !== undefined && hasBlueprint(text, tableBlueprint(table, type, importedNames(outline)));
}
