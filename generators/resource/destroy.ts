/** Plans to take a generated resource out again, but for its migration: databases may have applied that. */

import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import { appFiles } from "#convention/layout";
import type { Project } from "#convention/project";
import { noteOthers, planAppTomlRemoval, planHooksFileRemoval, planListingRemoval } from "../app/destroy.ts";
import type { Change } from "../changes/changes.ts";
import { guardsOf } from "../handlers.ts";
import { CHANGE_FIRST, diagnoseImported } from "../importers.ts";
import { findMigration, type MigrationList, migrationFile, readMigrations } from "../migration/list.ts";
import { nameTableMigration } from "../migration/table.ts";
import { planTableRemoval, readTables } from "../migration/tables.ts";
import { isNoPlan, type NoPlan, noPlan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { checkRemoval, describeAbsent, diagnoseEdited, type Removal } from "../removal.ts";
import { detectStyle, type Layout } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { testFile } from "../tests.ts";
import { findFileDifference } from "../withdrawal.ts";
import { findOwner, namesOf } from "./names.ts";
import { readReferences } from "./parents.ts";
import { resourceTestBlueprint, tableOf } from "./plan.ts";
import { readResource } from "./read.ts";
import type { Resource } from "./resource.ts";
import { planSeedRemoval } from "./seed.ts";
import { diagnoseResourceName, type ResourceInput } from "./target.ts";
import { viewsBlueprint } from "./views.ts";

/**
 * @returns the plan, one without changes where the resource is not there, or why it stays.
 * @example planResourceRemoval(project, { name: "books" })
 */
export function planResourceRemoval(
  project: Project,
  { name }: Pick<ResourceInput, "name">,
): Removal | NoPlan {
  const bad = diagnoseResourceName(name);
  if (bad !== undefined) return noPlan(bad);
  const list = readMigrations(project);
  if (isDiagnostic(list)) return noPlan(list);
  const { app, table } = namesOf(name);
  const isThere = project.apps.some((one) => one.name === app);
  const hasTable = readTables(project).has(table) && findOwner(project, table) === undefined;
  if (!isThere && !hasTable)
    return {
      changes: [],
      gone: [],
      absent: [describeAbsentResource(project, name)],
      notes: noteMigration(list, table),
    };
  const problem = diagnoseStay(project, table);
  if (problem !== undefined) return problem;
  const resource = readResource(project, list, name);
  if (resource === undefined) return diagnoseUnknown(project, name, table);
  return planParts(project, resource, noteMigration(list, table));
}

function diagnoseUnknown(project: Project, name: string, table: string): NoPlan {
  const [why, hint] = readTables(project).has(table)
    ? [
        `its migration \`${nameTableMigration(table)}\`, which says what was generated, is missing.`,
        "Take it out by hand.",
      ]
    : [`it has no table \`${table}\`.`, `Take the app out with: npx framework destroy app ${name}`];
  return noPlan(diagnose("FW619", { what: `The resource \`${name}\``, why, hint }));
}

/** Of an app that `destroy app` leaves, because a generator of apps did not write it. */
export function diagnoseResourceApp(project: Project, name: string): NoPlan | undefined {
  const isResource = readTables(project).has(namesOf(name).table);
  return isResource ? noPlan(diagnose("FW646", { app: name })) : undefined;
}

function describeAbsentResource({ apps }: Project, name: string): string {
  const others = apps.map((app) => app.name);
  return describeAbsent(`The resource \`${name}\``, name, others);
}

function noteMigration(list: MigrationList, table: string): readonly string[] {
  const name = nameTableMigration(table);
  const there = findMigration(list, name);
  if (there === undefined) return [];
  return [
    `${migrationFile(there)} stays, because databases may have applied it, and so does the table in them.`,
    `A migration can drop the table: npx framework generate migration drop_${table}`,
    `If no database has applied it, or after npm run migrate:down: npx framework destroy migration ${name}`,
  ];
}

/** Another table that refers to this one needs it, in its test for example. */
function diagnoseStay(project: Project, table: string): NoPlan | undefined {
  const tables = readTables(project);
  const referring = [...readReferences(project)].find(([column, target]) => {
    const [from = ""] = column.split(".");
    return target === table && from !== table && tables.has(from);
  });
  if (referring === undefined) return undefined;
  const why = `${referring[0]} refers to its table.`;
  return noPlan(diagnose("FW619", { what: `The table \`${table}\``, why, hint: CHANGE_FIRST }));
}

/** Nothing is taken out where one part has been edited. */
function planParts(project: Project, resource: Resource, notes: readonly string[]): Removal | NoPlan {
  const { names } = resource;
  const { views } = appFiles(names.app);
  const app = project.apps.find((one) => one.name === names.app);
  const routes = project.routes.filter(({ module }) => module === views);
  const handlers = routes.map(({ handler }) => handler);
  const used = diagnoseImported(project, views, handlers);
  if (used !== undefined) return noPlan(used);
  const prefix = app?.prefix ?? `/${names.app}`;
  const parts = [
    planFileRemoval(project, views, (layout) => viewsBlueprint(resource, layout)),
    planFileRemoval(project, testFile(project, names.app), (layout) =>
      resourceTestBlueprint(project, { resource, prefix, guards: guardsOf(project, views) }, layout),
    ),
    planTableRemoval(project, tableOf(resource)),
    ...(app === undefined ? [] : [planAppTomlRemoval(project, app), planHooksFileRemoval(project, app)]),
    planListingRemoval(project, names.app),
  ];
  const edited = parts.filter((part) => isNoPlan(part));
  if (edited.length > 0) return joinNoPlans(edited);
  const seed = planSeedRemoval(project, resource);
  const changes = [...parts.flatMap((part) => (isNoPlan(part) ? [] : part)), ...seed.changes].filter(
    ({ before, after }) => before !== after,
  );
  const others = app === undefined ? [] : noteOthers(project, app, changes);
  return checkRemoval(project, `The resource \`${names.app}\``, routes, {
    changes,
    absent: [],
    notes: [...others, ...seed.notes, ...notes],
  });
}

function joinNoPlans(all: readonly NoPlan[]): NoPlan {
  return {
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
    differences: all.flatMap(({ differences = [] }) => differences),
  };
}

/** @returns no change where the file is not there, or why it stays. */
function planFileRemoval(
  project: Project,
  file: string,
  write: (layout: Layout) => string,
): readonly Change[] | NoPlan {
  const before = readText(project.root, file);
  if (before === null) return [];
  if (isDiagnostic(before)) return noPlan(before);
  const difference = findFileDifference(file, before, detectStyle(before, referenceStyle(project)), write);
  if (difference === undefined) return [{ file, before, after: null }];
  return diagnoseEdited([{ what: file, location: startOf(file), difference }]);
}
