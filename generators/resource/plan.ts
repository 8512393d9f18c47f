/** Plans a resource: its migration, the types of its table, its app, its test, and a row for `npm run seed`. */

import { isDeepStrictEqual } from "node:util";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { appFiles } from "#convention/layout";
import type { Project } from "#convention/project";
import { formatPattern } from "#runtime/routing/pattern";
import type { Method, Segment } from "#runtime/routing/route";
import { diagnoseAppInOtherCase, planAppToml, planListing } from "../app/plan.ts";
import type { Change } from "../changes/changes.ts";
import { guardsOf } from "../handlers.ts";
import {
  findMigration,
  type MigrationList,
  migrationFile,
  nameMigration,
  planListed,
  readMigrations,
} from "../migration/list.ts";
import { APPLIED_BY } from "../migration/plan.ts";
import { nameTableMigration, type Table, tableMigration } from "../migration/table.ts";
import {
  diagnoseTablesFile,
  findTableDifference,
  planTable,
  readTables,
  TABLES_FILE,
} from "../migration/tables.ts";
import { findOtherCase } from "../names.ts";
import {
  checkPlan,
  diagnoseBlocked,
  diagnoseServed,
  type IntendedRoute,
  isNoPlan,
  type NoPlan,
  noPlan,
  type Plan,
  toMade,
} from "../plan.ts";
import { prefixSegments } from "../prefix.ts";
import { planReadmeRows } from "../readme.ts";
import { referenceStyle } from "../reference-style.ts";
import { applyStyle, detectStyle, type Layout } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { testFile } from "../tests.ts";
import { type FileChanges, findFileDifference } from "../withdrawal.ts";
import { findOwner } from "./names.ts";
import { findParents } from "./parents.ts";
import { readResource } from "./read.ts";
import type { Resource } from "./resource.ts";
import { planSeed } from "./seed.ts";
import { type ResourceInput, toWantedResource } from "./target.ts";
import { resourceTest } from "./test.ts";
import { viewsBlueprint } from "./views.ts";

/**
 * @returns the plan, one without changes where the resource is there already, or why it can't be made.
 * @example planResource(project, { name: "books", fields: ["title:string"], prefix: undefined })
 */
export function planResource(project: Project, input: ResourceInput, now: Date = new Date()): Plan | NoPlan {
  const list = readMigrations(project);
  if (isDiagnostic(list)) return noPlan(list);
  const unreadable = diagnoseTablesFile(project);
  if (unreadable !== undefined) return noPlan(unreadable);
  const resource = toWantedResource(project, input);
  if (isDiagnostic(resource)) return noPlan(resource);
  const { names } = resource;
  const other = findOtherCase(project.root, appFiles(names.app).folder);
  if (other !== undefined) return noPlan(diagnoseAppInOtherCase(project, names.app, other));
  const hasTable = readTables(project).has(names.table);
  const app = project.apps.find(({ name }) => name === names.app);
  if (hasTable && app !== undefined) return findPresentResource(project, resource, list);
  const clash = diagnoseClash(project, resource, hasTable);
  return clash === undefined ? planNewResource(project, input, resource, list, now) : noPlan(clash);
}

export function tableOf({ names, columns }: Resource): Table {
  return { name: names.table, columns };
}

function findPresentResource(project: Project, resource: Resource, list: MigrationList): Plan | NoPlan {
  const { app, table } = resource.names;
  const file = findOtherFile(project, resource, list);
  if (file !== undefined) return noPlan(diagnose("FW642", { name: app, table, file }));
  const routes = project.routes.filter((route) => route.app === app);
  const notes = [`The resource ${app} is there already.`];
  return { changes: [], made: [], present: routes.map((route) => toMade(project, route)), notes };
}

/** The file that shows other fields. The types do not say what is unique; the migration does. */
function findOtherFile(project: Project, resource: Resource, list: MigrationList): string | undefined {
  const { app, table } = resource.names;
  if (findTableDifference(project, tableOf(resource)) !== undefined) return TABLES_FILE;
  const made = readResource(project, list, app);
  if (made === undefined || isDeepStrictEqual(made.columns, resource.columns)) return undefined;
  const migration = findMigration(list, nameTableMigration(table));
  return migration === undefined ? undefined : migrationFile(migration);
}

/** Reports a table without the app, and an app without the table. */
function diagnoseClash(project: Project, { names }: Resource, hasTable: boolean): Diagnostic | undefined {
  if (hasTable) {
    const owner = findOwner(project, names.table);
    const hint =
      owner === undefined
        ? "Choose another name, or write the app by hand."
        : `It belongs to the resource \`${owner}\`.`;
    return diagnose("FW608", { file: TABLES_FILE, what: "a table", name: names.table, hint });
  }
  const { config, views } = appFiles(names.app);
  const file = [views, config].find((one) => readText(project.root, one) !== null);
  if (file === undefined) return undefined;
  const isListed = project.apps.some(({ name }) => name === names.app);
  const removal = isListed ? `, or remove the app first: npx framework destroy app ${names.app}` : ".";
  const why = `${file} is there, and no table \`${names.table}\``;
  return diagnose("FW613", { app: names.app, why, hint: `Choose another name${removal}` }, startOf(file));
}

function planNewResource(
  project: Project,
  input: ResourceInput,
  resource: Resource,
  list: MigrationList,
  now: Date,
): Plan | NoPlan {
  const { names } = resource;
  const prefix = input.prefix ?? `/${names.app}`;
  const what = `The resource \`${names.app}\``;
  const routes = toRoutes(resource, prefix);
  const served = diagnoseServed(project, routes);
  if (served !== undefined) return noPlan(served);
  const parts = [
    planTableMigration(project, resource, list, now),
    planTable(project, tableOf(resource), `${names.type}Table`),
    planListing(project, names.app),
  ];
  const problem = parts.find((part) => isDiagnostic(part));
  if (problem !== undefined && isDiagnostic(problem)) return noPlan(problem);
  const style = referenceStyle(project);
  const views = appFiles(names.app).views;
  const seed = planSeed(project, resource);
  const sources: readonly Change[] = [
    ...parts.flatMap((part) => (isDiagnostic(part) ? [] : part)),
    planAppToml(project, names.app, prefix),
    { file: views, before: null, after: applyStyle(viewsBlueprint(resource, style), style) },
    ...seed.changes,
  ];
  const checked = checkPlan(project, sources, { what, routes });
  if (isNoPlan(checked)) return checked;
  const test = planTest(project, resource, prefix, guardsOf(checked.after, views));
  const blocked = test.changes.flatMap(({ file }) => diagnoseBlocked(project.root, file) ?? []);
  if (blocked.length > 0) return noPlan(...blocked);
  const changes = [...sources, ...test.changes, ...planReadmeRows(project, checked.after)];
  const notes = [...checked.notes, ...seed.notes, ...test.notes, `The table is new. ${APPLIED_BY}`];
  return { changes, made: checked.made, present: [], notes };
}

const HANDLERS: readonly (readonly [method: Method, params: readonly Segment[]])[] = [
  ["GET", []],
  ["POST", []],
  ["GET", [{ name: "id", type: "int" }]],
  ["PUT", [{ name: "id", type: "int" }]],
  ["PATCH", [{ name: "id", type: "int" }]],
  ["DELETE", [{ name: "id", type: "int" }]],
];

function toRoutes({ names }: Resource, prefix: string): readonly IntendedRoute[] {
  const module = appFiles(names.app).views;
  return HANDLERS.map(([method, params]) => {
    const segments = [...prefixSegments(prefix), ...params];
    return { method, segments, pattern: formatPattern(segments, params.length === 0), module };
  });
}

/** A migration of the name that was left from an earlier time is used again, if it creates the same table. */
function planTableMigration(
  project: Project,
  resource: Resource,
  list: MigrationList,
  now: Date,
): readonly Change[] | Diagnostic {
  const name = nameTableMigration(resource.names.table);
  const there = findMigration(list, name);
  const fullName = there ?? nameMigration(list, name, now);
  const file = migrationFile(fullName);
  const before = readText(project.root, file);
  if (before !== null && isDiagnostic(before)) return before;
  const style = referenceStyle(project);
  const write = (layout: Layout): string => tableMigration(tableOf(resource), layout);
  if (before === null)
    return [{ file, before, after: applyStyle(write(style), style) }, ...planListed(project, list, fullName)];
  const difference = findFileDifference(file, before, detectStyle(before, style), write);
  if (difference === undefined) return planListed(project, list, fullName);
  return diagnose("FW643", { file, name }, startOf(file));
}

function planTest(
  project: Project,
  resource: Resource,
  prefix: string,
  guards: readonly string[],
): FileChanges {
  const file = testFile(project, resource.names.app);
  if (readText(project.root, file) !== null)
    return { changes: [], notes: [`${file} was left alone because it is there already.`] };
  const style = referenceStyle(project);
  const after = applyStyle(resourceTestBlueprint(project, { resource, prefix, guards }, style), style);
  return { changes: [{ file, before: null, after }], notes: [] };
}

/** The test as it would be written now. @param guards the files of those that run before its handlers. */
export function resourceTestBlueprint(
  project: Project,
  { resource, prefix, guards }: { resource: Resource; prefix: string; guards: readonly string[] },
  layout: Layout,
): string {
  const path = prefix === "/" || prefix === "" ? "/" : `${prefix}/`;
  return resourceTest({ ...resource, path, parents: findParents(project, resource), guards }, layout);
}
