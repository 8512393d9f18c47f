/** Plans to remove an app: its generated handlers and tests, `app.toml`, and its name in `framework.toml`. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { App } from "#convention/config/config";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import { appFiles, hooksFile } from "#convention/layout";
import type { Project } from "#convention/project";
import { CONFIG_FILE } from "#runtime/project-root";
import type { Location, Route } from "#runtime/routing/route";
import type { Change } from "../changes/changes.ts";
import { removeHooks } from "../hooks/destroy.ts";
import { isNoPlan, type NoPlan, noPlan } from "../plan.ts";
import { checkRemoval, describeAbsent, diagnoseEdited, type Removal, removeCode } from "../removal.ts";
import { diagnoseEditedSample, planSampleRemoval, sampleState } from "../samples.ts";
import { appTomlBlueprint } from "../source/blueprints.ts";
import { applyStyle, detectStyle, isBlueprint, type Style } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { removeApp } from "../source/toml-edit.ts";
import { testFile } from "../tests.ts";
import type { CodeRemoval, FileChanges } from "../withdrawal.ts";
import type { AppInput } from "./plan.ts";

/**
 * @returns the plan, one without changes where the app is not there, or why it stays.
 * @example planAppRemoval(project, { name: "orders" })
 */
export function planAppRemoval(project: Project, { name }: Pick<AppInput, "name">): Removal | NoPlan {
  const app = project.apps.find((one) => one.name === name);
  if (app === undefined) return planUnlisting(project, name);
  const { views } = appFiles(name);
  const routes = project.routes.filter(({ module }) => module === views);
  const folder = planSample(project, app, routes) ?? planFolder(project, app, routes);
  if (isNoPlan(folder)) return folder;
  const hooks = planHooksFileRemoval(project, app);
  if (isNoPlan(hooks)) return hooks;
  const listing = planListingRemoval(project, name);
  if (isNoPlan(listing)) return listing;
  const changes = [...folder.changes, ...hooks, listing].filter(({ before }) => before !== null);
  const notes = [...folder.notes, ...noteOthers(project, app, changes)];
  return checkRemoval(project, `The app \`${name}\``, routes, { changes, absent: [], notes });
}

function planSample(
  project: Project,
  { name }: App,
  routes: readonly Route[],
): FileChanges | NoPlan | undefined {
  const { config, views } = appFiles(name);
  if ([views, config].some((file) => sampleState(project, file) !== "untouched")) return undefined;
  const changes = planSampleRemoval(project, [views, config], testFile(project, name), routes);
  return isNoPlan(changes) ? changes : { changes, notes: [] };
}

/** Takes out what a generator made. Nothing is taken out of a sample that somebody edited. */
function planFolder(project: Project, app: App, routes: readonly Route[]): FileChanges | NoPlan {
  const { config: configFile, views } = appFiles(app.name);
  const code = removeCode(project, { module: views, routes, testName: app.name, keepsFile: false });
  if (isNoPlan(code)) return code;
  const own = diagnoseOwnCode(app, views, code);
  const edited = [views, configFile].find((file) => sampleState(project, file) === "edited");
  if (own !== undefined) return edited === undefined ? own : noPlan(diagnoseEditedSample(edited));
  const config = planAppTomlRemoval(project, app);
  return isNoPlan(config) ? config : { changes: [...code.changes, config], notes: code.notes };
}

/** Removes a name from the list that has no folder. */
function planUnlisting(project: Project, name: string): Removal | NoPlan {
  const listing = planListingRemoval(project, name);
  if (isNoPlan(listing)) return listing;
  const isListed = listing.before !== listing.after;
  const absent = isListed ? [] : [describeAbsentApp(project, name)];
  return checkRemoval(project, `The app \`${name}\``, [], {
    changes: isListed ? [listing] : [],
    absent,
    notes: [],
  });
}

function describeAbsentApp(project: Project, name: string): string {
  const others = project.apps.map((app) => app.name);
  return describeAbsent(`The app \`${name}\``, name, others, `: ${CONFIG_FILE} does not list it`);
}

/** The hooks go with the app, unless somebody wrote some of them. */
export function planHooksFileRemoval(project: Project, app: App): readonly Change[] | NoPlan {
  const removed = removeHooks(project, hooksFile(app.folder));
  if (isNoPlan(removed)) return removed;
  const left = removed.changes.find(({ after }) => after !== null);
  if (left === undefined) return removed.changes;
  const what = `other code in ${left.file}`;
  return noPlan(diagnose("FW618", { app: app.name, what }, findFirstLine(left)));
}

/** Reports handlers that were edited, and any other code in the file. */
function diagnoseOwnCode(app: App, views: string, { changes, edited }: CodeRemoval): NoPlan | undefined {
  const own = edited.filter(({ location }) => location.file === views);
  const left = changes.find(({ file, after }) => file === views && after !== null);
  if (own.length > 0) {
    const details = { app: app.name, what: own.map(({ what }) => what).join(", ") };
    const locations = own.map(({ location }) => location);
    return { ...diagnoseEdited(own), diagnostics: [diagnose("FW618", details, ...locations)] };
  }
  if (edited.length > 0) return diagnoseEdited(edited);
  if (left === undefined) return undefined;
  return noPlan(diagnose("FW618", { app: app.name, what: `other code in ${views}` }, findFirstLine(left)));
}

/** Where the first of the lines that stay is in the file as it is now. */
function findFirstLine({ file, before, after }: Change): Location {
  const line = after?.split(/\r?\n/).find((text) => text.trim() !== "") ?? "";
  const offset = before?.indexOf(line) ?? 0;
  return { file, line: before?.slice(0, offset).split("\n").length ?? 1, column: 1 };
}

export function planAppTomlRemoval(project: Project, { name, prefix }: App): Change | NoPlan {
  const { config: file } = appFiles(name);
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return noPlan(before);
  const text = before ?? "";
  const style: Style = { ...detectStyle(text), quote: '"' };
  const blueprint = appTomlBlueprint(name, prefix || "/");
  if (before === null || isBlueprint(text, blueprint, style)) return { file, before, after: null };
  const edit = { start: 0, end: text.length, text: applyStyle(blueprint, style) };
  return diagnoseEdited([{ what: file, location: startOf(file), difference: { file, text, edit } }]);
}

export function planListingRemoval(project: Project, name: string): Change | NoPlan {
  const before = readText(project.root, CONFIG_FILE);
  if (isDiagnostic(before)) return noPlan(before);
  const after = removeApp(before ?? "", name);
  if (typeof after === "string") return { file: CONFIG_FILE, before, after };
  const hint = `Fix it, or take out by hand: ${after.line}`;
  return noPlan(diagnose("FW612", { file: CONFIG_FILE, why: after.why, hint }));
}

/** Other files in the app's folder stay, so the folder does too. */
export function noteOthers(project: Project, { folder }: App, changes: readonly Change[]): readonly string[] {
  const gone = changes.map(({ file }) => file);
  const others = readdirSync(join(project.root, folder)).filter(
    (name) => !gone.includes(`${folder}/${name}`),
  );
  return others.length === 0 ? [] : [`${folder}/ stays, for what else is in it: ${others.join(", ")}.`];
}
