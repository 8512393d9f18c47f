/** The rows that the test of a resource needs in other tables, because its own rows refer to them. */

import { MIGRATIONS_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import { createFiles } from "#convention/source/files";
import type { TypeExpression } from "#convention/source/module";
import { toSingular } from "../code/plural.ts";
import { tryText } from "../edit/text.ts";
import { type DeclaredTable, readTables } from "../migration/tables.ts";
import { nameRow } from "./names.ts";
import { isOwn, isParent, needsParentsEach, type Resource, type Written } from "./resource.ts";
import { type Entry, type Parent, sampleOf, uniqueSample } from "./samples.ts";

/** Rows that all tests share, and those that each row of the resource has for its own. */
export interface Parents {
  readonly shared: readonly Parent[];
  readonly own: readonly Parent[];
}

/** The row in the path is shared even where each row of the resource needs others for its own. */
export function findParents(project: Project, resource: Written): Parents {
  if (!needsParentsEach(resource)) return { shared: findRows(project, resource, false), own: [] };
  const inPath = resource.columns.filter((column) => isParent(resource, column));
  const others = resource.columns.filter((column) => !isParent(resource, column));
  return {
    shared: findRows(project, { ...resource, columns: inPath }, false),
    own: findRows(project, { ...resource, columns: others }, true),
  };
}

/** @returns each row after those that it refers to itself, and a table once. */
function findRows(project: Project, resource: Resource, isEach: boolean): readonly Parent[] {
  const { columns } = resource;
  const { tables } = readTables(project);
  const references = readReferences(project);
  const parents = new Map<string, Parent>();
  const visit = (table: string, above: readonly string[]): void => {
    const declared = tables.get(table);
    if (declared === undefined || parents.has(table) || above.includes(table)) return;
    const required = declared.columns.filter(({ type }) => isRequired(type));
    const targets = required.map(({ name }) => [name, targetOf(name, table, tables, references)] as const);
    for (const [, target] of targets) if (target !== undefined) visit(target, [...above, table]);
    const fields = required.map(({ name, type }, index): Entry => {
      const target = parents.get(targets[index]?.[1] ?? "");
      return [name, target === undefined ? parentSample(type, isEach) : `${target.variable}.id`];
    });
    parents.set(table, { table, variable: nameRow(table), fields });
  };
  for (const column of columns)
    if ("references" in column.type && !isOwn(resource, column)) visit(column.type.references, []);
  return [...parents.values()];
}

/** What an insert may leave out: a generated id, and what may be null. */
function isRequired(type: TypeExpression): boolean {
  const inserted = insertedType(type);
  return inserted !== undefined && !isNullable(inserted);
}

/** Of `ColumnType<string, Date, Date>` the second. */
function insertedType(type: TypeExpression): TypeExpression | undefined {
  if (type.kind !== "name") return type;
  const name = type.path.at(-1) ?? "";
  if (name === "Generated" || name === "GeneratedAlways") return undefined;
  return name === "ColumnType" ? (type.arguments[1] ?? type.arguments[0]) : type;
}

function isNullable(type: TypeExpression): boolean {
  if (type.kind === "union") return type.of.some(isNullable);
  return (
    type.kind === "keyword" && (type.name === "null" || type.name === "undefined" || type.name === "never")
  );
}

/** @param isUnique so that no other row has the same value: `count` is another number each time. */
function parentSample(type: TypeExpression, isUnique: boolean): string {
  const inserted = insertedType(type) ?? type;
  const [first = inserted] = inserted.kind === "union" ? inserted.of : [];
  if (first.kind === "literal") return JSON.stringify(first.value);
  const name = first.kind === "keyword" ? first.name : first.text;
  if (name === "boolean") return "true";
  if (name === "Date") return isUnique ? "new Date(count)" : 'new Date("2026-11-22T10:30:00.000Z")';
  const word = name === "number" ? "int" : "string";
  return isUnique ? uniqueSample({ word }) : sampleOf({ word });
}

/** The table that a column refers to: as a migration says, or as its name does. */
function targetOf(
  column: string,
  table: string,
  tables: ReadonlyMap<string, DeclaredTable>,
  references: ReadonlyMap<string, string>,
): string | undefined {
  const said = references.get(`${table}.${column}`);
  if (said !== undefined) return said;
  const name = /^(.+)_id$/.exec(column)?.[1];
  return [...tables.keys()].find((one) => toSingular(one) === name);
}

const CREATED_TABLE = /^\.createTable\(\s*["'](\w+)["']/;
const REFERENCE = /^\.addColumn\(\s*["'](\w+)["'][^;]*?\.references\(\s*["'](\w+)\.id["']/;

/** The tables that columns refer to, by table and column, as far as migrations say it in the generators' own words. */
function readReferences({ root }: Project): ReadonlyMap<string, string> {
  const texts = createFiles(root)
    .list(MIGRATIONS_FOLDER)
    .map(({ name }) => tryText(root, `${MIGRATIONS_FOLDER}/${name}`))
    .filter((text) => typeof text === "string");
  return new Map(texts.flatMap((text) => text.split(/(?=\.createTable\()/).flatMap(referencesOf)));
}

/** @param text from one table's creation to the next one's. */
function referencesOf(text: string): readonly [string, string][] {
  const table = CREATED_TABLE.exec(text)?.[1];
  if (table === undefined) return [];
  return text.split(/(?=\.addColumn\()/).flatMap((call): [string, string][] => {
    const [, column, target] = REFERENCE.exec(call) ?? [];
    return column === undefined || target === undefined ? [] : [[`${table}.${column}`, target]];
  });
}
