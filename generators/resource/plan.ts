/** Plans a resource: its migration, the types of its table, its app, its test, and a row for `npm run seed`. */

import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { appFiles } from "#convention/layout";
import { formatPattern } from "#convention/pattern";
import type { Project } from "#convention/project";
import { isCredential } from "#convention/wire/format-take";
import { CONFIG_FILE } from "#runtime/project-root";
import type { RouteMethod, Segment } from "#runtime/routing/route";
import type { DeclaredInput } from "#runtime/wire/inputs";
import {
  diagnoseAppInOtherCase,
  diagnoseOtherApp,
  planAppToml,
  planGuard,
  planListing,
} from "../app/plan.ts";
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
import { appliedBy } from "../migration/plan.ts";
import {
  diagnoseTablesFile,
  hasTable,
  planTable,
  readTables,
  TABLES_FILE,
  type Table,
} from "../migration/tables.ts";
import { findOtherCase } from "../names.ts";
import {
  checkPlan,
  diagnoseBlocked,
  diagnoseServed,
  type FileChanges,
  type IntendedRoute,
  isNoPlan,
  type NoPlan,
  noPlan,
  type Plan,
  toMade,
} from "../plan.ts";
import { planReadmeRows } from "../readme.ts";
import { referenceStyle } from "../reference-style.ts";
import { applyStyle, hasBlueprint } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { renderTemplate } from "../template.ts";
import { TEMPLATES } from "../templates.ts";
import { testFile } from "../tests.ts";
import { findOwner } from "./names.ts";
import { findParents } from "./parents.ts";
import { isSecret, listWords, type Resource } from "./resource.ts";
import { planSeed } from "./seed.ts";
import { type ResourceInput, toWantedResource } from "./target.ts";
import { type Credential, migrationView, testView, viewsView, type Written } from "./view.ts";

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
  const isDeclared = readTables(project).has(names.table);
  const isListed = project.apps.some(({ name }) => name === names.app);
  if (isDeclared && isListed) return findPresentResource(project, input, resource, list);
  return planNewResource(project, input, resource, list, now);
}

/** @example nameTableMigration("books") // "create_books" */
function nameTableMigration(table: string): string {
  return `create_${table}`;
}

function tableMigration(resource: Resource): string {
  return renderTemplate(TEMPLATES["database/migrations/create_things.ts"], migrationView(resource));
}

function tableOf({ names, columns }: Resource): Table {
  return { name: names.table, columns };
}

/** A command that was killed may not have listed the migration yet. */
function findPresentResource(
  project: Project,
  { guard }: ResourceInput,
  resource: Resource,
  list: MigrationList,
): Plan | NoPlan {
  const { app, table } = resource.names;
  const migration = findMigration(list, nameTableMigration(table));
  const file = findOtherFile(project, resource, migration);
  if (file !== undefined) {
    const what = `The resource \`${app}\` already exists, and ${file} differs from these fields`;
    const hint = `Change its table with a migration: npx framework generate migration change_${table}`;
    return noPlan(diagnose("FW608", { what, hint }));
  }
  const routes = project.routes.filter((route) => route.app === app);
  const changes = migration === undefined ? [] : planListed(project, list, migration);
  const hooks = planGuard(project, { name: app, guard });
  if (isDiagnostic(hooks)) return noPlan(hooks);
  const notes = [
    `The resource ${app} is there already.`,
    ...hooks.map(
      () => `It has no such guard. Add it with: npx framework generate hooks ${app} --guard ${guard}`,
    ),
  ];
  return { changes, made: [], present: routes.map((route) => toMade(project, route)), notes };
}

/** The file that shows other fields. The types do not say what is unique; the migration does. */
function findOtherFile(
  project: Project,
  resource: Resource,
  migration: string | undefined,
): string | undefined {
  const table = tableOf(resource);
  if (!hasTable(project, table)) return TABLES_FILE;
  if (migration === undefined) return undefined;
  const file = migrationFile(migration);
  const text = readText(project.root, file);
  const isSame = typeof text !== "string" || hasBlueprint(text, tableMigration(resource));
  return isSame ? undefined : file;
}

function planNewResource(
  project: Project,
  input: ResourceInput,
  resource: Written,
  list: MigrationList,
  now: Date,
): Plan | NoPlan {
  const { names } = resource;
  const routes = toRoutes(resource);
  const { views } = appFiles(names.app);
  const code = renderTemplate(TEMPLATES["apps/things/views.ts"], viewsView(resource));
  const seed = planSeed(project, resource);
  const change = { file: views, before: null, after: applyStyle(code, referenceStyle(project)) };
  const own = [
    planNewTable(project, resource),
    planOwnFile(project, names, planAppToml(project, names.app, resource.prefix)),
    planOwnFile(project, names, change),
    planGuard(project, { name: names.app, guard: input.guard }),
  ];
  const migration = planTableMigration(project, resource, list, now);
  const listing = planListing(project, names.app);
  const served = diagnoseServed(project, routes);
  const problem = [...own, served ?? [], migration, listing].find((part) => isDiagnostic(part));
  if (problem !== undefined && isDiagnostic(problem)) return noPlan(problem);
  const parts = [migration, ...own, seed.changes, listing];
  const sources: readonly Change[] = parts.flatMap((part) => (isDiagnostic(part) ? [] : part));
  const checked = checkPlan(project, sources, { what: `The resource \`${names.app}\``, routes });
  if (isNoPlan(checked)) return checked;
  const test = planTest(project, resource, checked.after);
  const blocked = test.changes.flatMap(({ file }) => diagnoseBlocked(project.root, file) ?? []);
  if (blocked.length > 0) return noPlan(...blocked);
  const changes = [...sources, ...test.changes, ...planReadmeRows(project, checked.after)];
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
function planNewTable(project: Project, resource: Resource): readonly Change[] | Diagnostic {
  const { names } = resource;
  if (!readTables(project).has(names.table)) {
    const change = planTable(project, tableOf(resource), `${names.type}Table`);
    return isDiagnostic(change) ? change : [change];
  }
  const owner = findOwner(project, names.table);
  if (owner === undefined && hasTable(project, tableOf(resource))) return [];
  const hint =
    owner === undefined
      ? "Choose another name, or write the app by hand."
      : `It belongs to the resource \`${owner}\`.`;
  return diagnose("FW608", { what: `${TABLES_FILE} already has a table named \`${names.table}\``, hint });
}

/** So may files of its app, with the same text. */
function planOwnFile(
  project: Project,
  { app, table }: Resource["names"],
  change: Change,
): readonly Change[] | Diagnostic {
  const { file, after } = change;
  const text = readText(project.root, file);
  if (text === null) return [change];
  if (text === after) return [];
  const isListed = project.apps.some(({ name }) => name === app);
  const removal = isListed ? `, or delete apps/${app}/, its tests and its name in ${CONFIG_FILE} first` : "";
  const why = `${file} is there, and no table \`${table}\``;
  return diagnoseOtherApp(app, why, `Choose another name${removal}.`, startOf(file));
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
): readonly Change[] | Diagnostic {
  const name = nameTableMigration(resource.names.table);
  const there = findMigration(list, name);
  const fullName = there ?? nameMigration(list, name, now);
  const file = migrationFile(fullName);
  const before = readText(project.root, file);
  if (before !== null && isDiagnostic(before)) return before;
  const style = referenceStyle(project);
  const blueprint = tableMigration(resource);
  if (before === null)
    return [{ file, before, after: applyStyle(blueprint, style) }, ...planListed(project, list, fullName)];
  if (hasBlueprint(before, blueprint)) return planListed(project, list, fullName);
  const what = `${file} is there already, and does not create the table that these fields need`;
  const hint = "If no database has applied it, delete it, and its lines in database/migrations/index.ts.";
  return diagnose("FW608", { what, hint }, startOf(file));
}

/** @param after the project with the resource. */
function planTest(project: Project, resource: Written, after: Project): FileChanges {
  const { app } = resource.names;
  const { views } = appFiles(app);
  const file = testFile(project, app);
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
  const change = { file, before: null, after: applyStyle(text, referenceStyle(project)) };
  const before = readText(project.root, file);
  if (before === null) return { changes: [change], notes: [] };
  const notes = before === change.after ? [] : [`${file} was left alone because it is there already.`];
  return { changes: [], notes };
}

/** How a test sends what a guard asks for. */
function findCredential(takes: readonly DeclaredInput[]): Credential | undefined {
  const take = takes.find(isCredential) ?? takes.find((one) => one.in === "cookie" || one.in === "header");
  if (take === undefined) return undefined;
  const { in: place, key = "", optional } = take;
  const isRequired = isCredential(take) && !optional;
  if (place === "bearer") return { code: '{ authorization: "Bearer test" }', isRequired };
  // test:test
  if (place === "basic") return { code: '{ authorization: "Basic dGVzdDp0ZXN0" }', isRequired };
  if (place === "cookie") return { code: `{ cookie: ${JSON.stringify(`${key}=test`)} }`, isRequired };
  return { code: `{ ${JSON.stringify(key)}: "test" }`, isRequired };
}
