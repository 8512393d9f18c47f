/** Plans to take an app back: its generated handlers and tests, `app.toml`, and its name in `framework.toml`. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { App } from "#runtime/convention/config/config";
import { CONFIG_FILE } from "#runtime/convention/config/root";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { closest } from "#runtime/convention/diagnostics/closest";
import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { APP_CONFIG_FILE, appFiles, VIEWS_FILE } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import type { Location, Route } from "#runtime/core/routing/route";
import type { Change } from "../changes/changes.ts";
import { isNoPlan, type NoPlan, noPlan } from "../no-plan.ts";
import { checkRemoval, diagnoseEdited, type Removal, type RemovedCode, removeCode } from "../removal.ts";
import { diagnoseEditedSample, planSampleRemoval, sampleState } from "../samples.ts";
import { appTomlBlueprint } from "../source/blueprints.ts";
import { detectStyle, toFileText } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { removeApp } from "../source/toml-edit.ts";
import { testFile } from "../tests.ts";

/**
 * @returns the plan, one without changes where the app is not there, or why it stays.
 * @example planAppRemoval(project, "orders")
 */
export function planAppRemoval(project: Project, name: string): Removal | NoPlan {
  const app = project.apps.find((one) => one.name === name);
  if (app === undefined) return planUnlisting(project, name);
  const { views } = appFiles(name);
  const routes = project.routes.filter(({ module }) => module === views);
  const folder = planSample(project, app, routes) ?? planFolder(project, app, routes);
  if (isNoPlan(folder)) return folder;
  const listing = planListing(project, name);
  if (isNoPlan(listing)) return listing;
  const changes = [...folder.changes, listing].filter(({ before }) => before !== null);
  const notes = [...folder.notes, ...noteOthers(project, app)];
  return checkRemoval(project, `The app \`${name}\``, routes, { changes, absent: [], notes });
}

/** Its files, and the tests of its handlers. */
interface Folder {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

function planSample(project: Project, { name }: App, routes: readonly Route[]): Folder | NoPlan | undefined {
  const { config, views } = appFiles(name);
  const files = { sources: [views, config], test: testFile(project, name) } as const;
  const changes = planSampleRemoval(project, files, routes);
  return changes === undefined || isNoPlan(changes) ? changes : { changes, notes: [] };
}

/** What a generator has made; of a sample that was edited, nothing goes. */
function planFolder(project: Project, app: App, routes: readonly Route[]): Folder | NoPlan {
  const { config: configFile, views } = appFiles(app.name);
  const code = removeCode(project, { module: views, routes, testName: app.name, keepsFile: false });
  if (isNoPlan(code)) return code;
  const own = diagnoseOwnCode(app, views, code);
  const edited = [views, configFile].find((file) => sampleState(project, file) === "edited");
  if (own !== undefined) return edited === undefined ? own : diagnoseEditedSample(edited);
  const config = planAppToml(project, app);
  return isNoPlan(config) ? config : { changes: [...code.changes, config], notes: code.notes };
}

/** A name that is listed without a folder of its own goes as well. */
function planUnlisting(project: Project, name: string): Removal | NoPlan {
  const listing = planListing(project, name);
  if (isNoPlan(listing)) return listing;
  const isListed = listing.before !== listing.after;
  const absent = isListed ? [] : [describeAbsent(project, name)];
  return checkRemoval(project, `The app \`${name}\``, [], {
    changes: isListed ? [listing] : [],
    absent,
    notes: [],
  });
}

function describeAbsent(project: Project, name: string): string {
  const nearest = closest(
    name,
    project.apps.map((app) => app.name),
  );
  const meant = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
  return `The app \`${name}\` is not there: ${CONFIG_FILE} does not list it.${meant}`;
}

/** Handlers that were edited, and whatever else stands between them. */
function diagnoseOwnCode(app: App, views: string, { changes, edited }: RemovedCode): NoPlan | undefined {
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

/** The place of what is left of a file, in the file as it is. */
function findFirstLine({ file, before, after }: Change): Location {
  const line = after?.split(/\r?\n/).find((text) => text.trim() !== "") ?? "";
  const offset = before?.indexOf(line) ?? 0;
  return { file, line: before?.slice(0, offset).split("\n").length ?? 1, column: 1 };
}

function planAppToml(project: Project, { name, prefix }: App): Change | NoPlan {
  const { config: file } = appFiles(name);
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return noPlan(before);
  const text = before ?? "";
  const written = toFileText(appTomlBlueprint(name, prefix || "/"), { ...detectStyle(text), quote: '"' });
  if (before === null || written === text) return { file, before, after: null };
  const location = { file, line: 1, column: 1 };
  const edit = { start: 0, end: text.length, text: written };
  return diagnoseEdited([{ what: file, location, difference: { file, text, edit } }]);
}

function planListing(project: Project, name: string): Change | NoPlan {
  const before = readText(project.root, CONFIG_FILE);
  if (isDiagnostic(before)) return noPlan(before);
  const after = removeApp(before ?? "", name);
  if (typeof after === "string") return { file: CONFIG_FILE, before, after };
  const hint = `Mend it, or take out by hand: ${after.line}`;
  return noPlan(diagnose("FW612", { file: CONFIG_FILE, why: after.why, hint }));
}

/** What a person put beside the app's files stays, and its folder with it. */
function noteOthers(project: Project, { folder }: App): readonly string[] {
  const others = readdirSync(join(project.root, folder)).filter(
    (name) => name !== APP_CONFIG_FILE && name !== VIEWS_FILE,
  );
  return others.length === 0 ? [] : [`${folder}/ stays, for what else is in it: ${others.join(", ")}.`];
}
