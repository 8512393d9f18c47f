/** Plans a resource: its migration, the types of its table, its app, its test, and a row for `npm run seed`. */

import { startOf } from "#convention/diagnostics/catalogue";
import { appFiles } from "#convention/layout";
import { formatPattern } from "#convention/pattern";
import type { Project } from "#convention/project";
import { CONFIG_FILE } from "#runtime/project-root";
import type { RouteMethod, Segment } from "#runtime/routing/route";
import { isCredential } from "#runtime/wire/credentials";
import type { DeclaredInput } from "#runtime/wire/inputs";
import { guardNotes, planAppToml, planGuard, planListing } from "../app.ts";
import type { Change } from "../changes/changes.ts";
import { renderTemplate } from "../code/template.ts";
import { TEMPLATES } from "../code/templates.ts";
import { applyStyle, hasBlueprint } from "../edit/style.ts";
import { readText } from "../edit/text.ts";
import { guardsOf } from "../handlers.ts";
import {
  findMigration,
  type MigrationList,
  migrationFile,
  nameMigration,
  planListed,
  readMigrations,
} from "../migration/list.ts";
import { appliedBy } from "../migration/plan.ts";
import { hasTable, planTable, readTables, TABLES_FILE } from "../migration/tables.ts";
import {
  checkFree,
  checkPlan,
  checkUnserved,
  type FileChanges,
  type IntendedRoute,
  type Plan,
  toMade,
} from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { refuse } from "../refused.ts";
import { checkAppName, refuseOtherApp } from "../target/app.ts";
import { planOwnTest } from "../tests.ts";
import { findOwner } from "./names.ts";
import { findParents } from "./parents.ts";
import { isSecret, listWords, type Resource, type Written } from "./resource.ts";
import { planSeed } from "./seed.ts";
import { type ResourceInput, toWantedResource } from "./target.ts";
import { type Credential, migrationView, testView, viewsView } from "./view.ts";

/**
 * @returns the plan, one without changes where the resource is there already.
 * @throws {Refused}
 * @example planResource(project, { name: "books", fields: ["title:string"], prefix: undefined })
 */
export function planResource(project: Project, input: ResourceInput, now: Date = new Date()): Plan {
  const list = readMigrations(project);
  const { tables } = readTables(project);
  const resource = toWantedResource(project, input);
  const { app, table } = resource.names;
  checkAppName(project, app);
  const isListed = project.apps.some(({ name }) => name === app);
  if (isListed && tables.has(table)) return findPresentResource(project, input, resource, list);
  return planNewResource(project, input, resource, list, now);
}

function tableMigration(resource: Resource): string {
  return renderTemplate(TEMPLATES["database/migrations/create_things.ts"], migrationView(resource));
}

/** The types do not say what is unique; the migration does. A command that was killed may not have listed it yet. */
function findPresentResource(
  project: Project,
  { guard }: ResourceInput,
  resource: Resource,
  list: MigrationList,
): Plan {
  const { app, table } = resource.names;
  const migration = findMigration(list, `create_${table}`);
  const file = migration === undefined ? undefined : migrationFile(migration);
  const text = file === undefined ? null : readText(project.root, file);
  const isOtherTable = !hasTable(project, resource);
  if (isOtherTable || (text !== null && !hasBlueprint(text, tableMigration(resource)))) {
    const differing = isOtherTable ? TABLES_FILE : file;
    const what = `The resource \`${app}\` already exists, and ${differing} differs from these fields`;
    const hint = `Change its table with a migration: npx framework generate migration change_${table}`;
    refuse("FW608", { what, hint });
  }
  const routes = project.routes.filter((route) => route.app === app);
  const changes = migration === undefined ? [] : planListed(project, list, migration);
  const notes = [`The resource ${app} is there already.`, ...guardNotes(project, app, guard)];
  return { changes, made: [], present: routes.map((route) => toMade(project, route)), notes };
}

function planNewResource(
  project: Project,
  input: ResourceInput,
  resource: Written,
  list: MigrationList,
  now: Date,
): Plan {
  const { names } = resource;
  const routes = toRoutes(resource);
  const { views } = appFiles(names.app);
  const code = renderTemplate(TEMPLATES["apps/things/views.ts"], viewsView(resource));
  const change = { file: views, before: null, after: applyStyle(code, referenceStyle(project)) };
  const table = planNewTable(project, resource);
  const app = [
    ...planOwnFile(project, names, planAppToml(project, names.app, resource.prefix)),
    ...planOwnFile(project, names, change),
    ...planGuard(project, names.app, input.guard),
  ];
  checkUnserved(project, routes);
  const migration = planTableMigration(project, resource, list, now);
  const seed = planSeed(project, resource);
  const sources = [...migration, ...table, ...app, ...seed.changes, ...planListing(project, names.app)];
  const checked = checkPlan(project, sources, { what: `The resource \`${names.app}\``, routes });
  const test = planTest(project, resource, checked.after);
  for (const { file } of test.changes) checkFree(project.root, file);
  const changes = [...sources, ...test.changes];
  const notes = [
    ...checked.notes,
    ...seed.notes,
    ...test.notes,
    ...secretNotes(resource),
    `The table is new. ${appliedBy(project)}`,
  ];
  return { changes, made: checked.made, present: [], notes };
}

function secretNotes({ columns }: Resource): readonly string[] {
  const names = columns.filter(isSecret).map(({ name }) => `\`${name}\``);
  if (names.length === 0) return [];
  return [
    `${listWords(names, "and")} ${names.length === 1 ? "is" : "are"} stored and not sent to clients. Hash a password before you store it.`,
  ];
}

/** A table of the same columns may be left from a command that was killed. */
function planNewTable(project: Project, resource: Resource): readonly Change[] {
  const { table } = resource.names;
  if (!readTables(project).tables.has(table)) return [planTable(project, resource)];
  const owner = findOwner(project, table);
  if (owner === undefined && hasTable(project, resource)) return [];
  const hint =
    owner === undefined
      ? "Choose another name, or write the app by hand."
      : `It belongs to the resource \`${owner}\`.`;
  return refuse("FW608", { what: `${TABLES_FILE} already has a table named \`${table}\``, hint });
}

/** So may files of its app, with the same text. */
function planOwnFile(project: Project, { app, table }: Resource["names"], change: Change): readonly Change[] {
  const { file, after } = change;
  const text = readText(project.root, file);
  if (text === null) return [change];
  if (text === after) return [];
  const isListed = project.apps.some(({ name }) => name === app);
  const removal = isListed ? `, or delete apps/${app}/, its tests and its name in ${CONFIG_FILE} first` : "";
  const why = `${file} is there, and no table \`${table}\``;
  return refuseOtherApp(app, why, `Choose another name${removal}.`, startOf(file));
}

const ID: Segment = { name: "id", type: "int" };

const HANDLERS: readonly (readonly [method: RouteMethod, params: readonly Segment[]])[] = [
  ["GET", []],
  ["POST", []],
  ["GET", [ID]],
  ["PUT", [ID]],
  ["PATCH", [ID]],
  ["DELETE", [ID]],
];

function toRoutes({ names, base, nesting }: Written): readonly IntendedRoute[] {
  const module = appFiles(names.app).views;
  return HANDLERS.map(([method, params]) => {
    const segments = [...base, ...params];
    const pattern = formatPattern(segments, params.length === 0 && nesting === undefined);
    return { method, segments, pattern, module };
  });
}

/** A migration of the name that was left from an earlier time is used again, if it creates the same table. */
function planTableMigration(
  project: Project,
  resource: Resource,
  list: MigrationList,
  now: Date,
): readonly Change[] {
  const name = `create_${resource.names.table}`;
  const there = findMigration(list, name);
  const fullName = there ?? nameMigration(list, name, now);
  const file = migrationFile(fullName);
  const before = readText(project.root, file);
  const style = referenceStyle(project);
  const blueprint = tableMigration(resource);
  if (before === null)
    return [{ file, before, after: applyStyle(blueprint, style) }, ...planListed(project, list, fullName)];
  if (hasBlueprint(before, blueprint)) return planListed(project, list, fullName);
  const what = `${file} is there already, and does not create the table that these fields need`;
  const hint = "If no database has applied it, delete it, and its lines in database/migrations/index.ts.";
  return refuse("FW608", { what, hint }, startOf(file));
}

/** @param after the project with the resource. */
function planTest(project: Project, resource: Written, after: Project): FileChanges {
  const { app } = resource.names;
  const { views } = appFiles(app);
  const guards = guardsOf(after, views);
  const takes = after.routes
    .filter(({ module }) => module === views)
    .flatMap(({ calls }) => calls.flatMap((call) => call.takes));
  const view = testView(
    resource,
    findParents(project, resource),
    guards,
    guards.length === 0 ? undefined : findCredential(takes),
  );
  const text = renderTemplate(TEMPLATES["tests/things.test.ts"], view);
  return planOwnTest(project, app, applyStyle(text, referenceStyle(project)));
}

/** How a test sends what a guard asks for. */
function findCredential(takes: readonly DeclaredInput[]): Credential | undefined {
  const take =
    takes.find((one) => isCredential(one.in)) ??
    takes.find((one) => one.in === "cookie" || one.in === "header");
  if (take === undefined) return undefined;
  const isRequired = isCredential(take.in) && !take.optional;
  if (take.from === "query") return { code: undefined, isRequired };
  const [name, value] = headerOf(take);
  const written = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return { code: `{ ${written}: ${JSON.stringify(value)} }`, isRequired };
}

function headerOf({ in: place, key = "", from }: DeclaredInput): readonly [name: string, value: string] {
  if (place === "bearer") return ["authorization", "Bearer test"];
  // test:test
  if (place === "basic") return ["authorization", "Basic dGVzdDp0ZXN0"];
  if (place === "credential") return ["authorization", `${key} test`];
  return place === "cookie" || from === "cookie" ? ["cookie", `${key}=test`] : [key, "test"];
}
