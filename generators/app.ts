/** Plans an app: its folder with `app.toml` and `views.ts`, a test, and its name in `framework.toml`. */

import type { App } from "#convention/config/config";
import { appFiles, hooksFile } from "#convention/layout";
import { formatPattern } from "#convention/pattern";
import type { Project } from "#convention/project";
import { formatHandlerName } from "#convention/rule/naming";
import { CONFIG_FILE } from "#runtime/project-root";
import type { RouteMethod } from "#runtime/routing/route";
import type { Change } from "./changes/changes.ts";
import { NOTHING_TAKEN } from "./code/handlers.ts";
import { applyStyle } from "./edit/style.ts";
import { readText } from "./edit/text.ts";
import { addApp } from "./edit/toml.ts";
import { planMissing, planSource } from "./handlers.ts";
import { planHooksFile } from "./hooks.ts";
import { checkPlan, type Plan, toMade } from "./plan.ts";
import { referenceStyle } from "./reference-style.ts";
import { checkAppName, checkPrefix, prefixSegments, refuseOtherApp, requirePrefix } from "./target/app.ts";
import type { Wanted } from "./target/wanted.ts";

export interface AppInput {
  readonly name: string;
  /** Undefined: the name with a slash before it. */
  readonly prefix: string | undefined;
  /** Of its first handler, which serves the prefix; GET where it is undefined. */
  readonly method?: RouteMethod | undefined;
  /** The provider that the guard of its folder asks for; undefined for no guard. */
  readonly guard?: string | undefined;
}

/**
 * @returns the plan, one without changes where the app is there already.
 * @throws {Refused}
 * @example planApp(project, { name: "orders", prefix: "/orders" })
 */
export function planApp(project: Project, input: AppInput): Plan {
  checkPrefix(input.prefix);
  checkAppName(project, input.name);
  const { config, views } = appFiles(input.name);
  const [toml, code] = [readText(project.root, config), readText(project.root, views)];
  const listed = project.apps.find((app) => app.name === input.name);
  if (listed !== undefined && toml !== null && code !== null) return findPresent(project, listed, input);
  return planNew(project, input, toml !== null, code !== null);
}

/** `/` and no prefix are the same. */
function prefixOf(prefix: string): string {
  return prefix === "/" ? "" : prefix;
}

function findPresent(project: Project, app: App, input: AppInput): Plan {
  const { name, prefix, method, guard } = input;
  requirePrefix(project, app);
  if (prefix !== undefined && prefixOf(prefix) !== app.prefix) {
    const hint = `Change it in ${appFiles(name).config}, or choose another name.`;
    refuseOtherApp(name, `its prefix is "${app.prefix || "/"}"`, hint, app.location);
  }
  const present = project.routes.filter((route) => route.app === name).map((route) => toMade(project, route));
  const root = `${method} ${formatPattern(prefixSegments(app.prefix), true)}`;
  const isServed = method === undefined || present.some(({ route }) => route === root);
  const notes = [
    `The app ${name} is there already, with the prefix "${app.prefix || "/"}".`,
    ...(isServed ? [] : [`Add the route with: npx framework generate handler ${root}`]),
    ...guardNotes(project, name, guard),
  ];
  return { changes: [], made: [], present, notes };
}

/** Of an app that is there: whether it has the guard. */
export function guardNotes(project: Project, name: string, guard: string | undefined): readonly string[] {
  if (planGuard(project, name, guard).length === 0) return [];
  return [`It has no such guard. Add it with: npx framework generate hooks ${name} --guard ${guard}`];
}

function planNew(project: Project, input: AppInput, hasToml: boolean, hasCode: boolean): Plan {
  const { name, prefix = `/${name}`, method = "GET" } = input;
  const listing = planListing(project, name);
  const toml = hasToml ? [] : [planAppToml(project, name, prefix)];
  const made = [...toml, ...planGuard(project, name, input.guard)];
  const wanted = toRootHandler(name, method, prefix);
  if (!hasToml && !hasCode) return planMissing(project, wanted, { before: made, after: listing });
  const source = hasCode ? [] : [planSource(project, wanted)];
  return planFound(project, input, [...made, ...source, ...listing]);
}

/** Empty where the command asks for none, and where the app has it. */
export function planGuard(project: Project, app: string, guard: string | undefined): readonly Change[] {
  if (guard === undefined) return [];
  const file = hooksFile(appFiles(app).folder);
  return planHooksFile(project, file, { guard, middleware: false, error: false }).changes;
}

/** Empty where the app is listed already. */
export function planListing(project: Project, name: string): readonly Change[] {
  const file = CONFIG_FILE;
  const before = readText(project.root, file);
  const after = addApp(before ?? "", name);
  return after === before ? [] : [{ file, before, after }];
}

export function planAppToml(project: Project, name: string, prefix: string): Change {
  const text = `[app]
# The label in lists. framework.toml and --app use the folder's name.
name = "${name}"
# Comes before the path of every route.
prefix = "${prefix}"
`;
  const after = applyStyle(text, { ...referenceStyle(project), quote: '"' });
  return { file: appFiles(name).config, before: null, after };
}

/** The handler that serves the prefix itself. */
function toRootHandler(app: string, method: RouteMethod, prefix: string): Wanted {
  const segments = prefixSegments(prefix);
  // The app's root has a name with every method.
  const name = String(formatHandlerName({ method, segments: [] }));
  return {
    what: describeApp(app),
    module: appFiles(app).views,
    handlers: [{ method, name, route: undefined }],
    parameters: [],
    taken: NOTHING_TAKEN,
    segments,
    pattern: formatPattern(segments, true),
    testName: app,
    notes: [],
  };
}

/** A folder that was there is listed with what it lacks; its own routes are what the table gains. */
function planFound(project: Project, { name, prefix }: AppInput, changes: readonly Change[]): Plan {
  const checked = checkPlan(project, changes, { what: describeApp(name), routes: "any" });
  const app = checked.after.apps.find((one) => one.name === name);
  if (app === undefined || (prefix !== undefined && prefixOf(prefix) !== app.prefix)) {
    const hint = `Leave --prefix out, or change it in ${appFiles(name).config}.`;
    refuseOtherApp(name, `its folder has the prefix "${app?.prefix ?? ""}"`, hint);
  }
  const notes = [`${appFiles(name).folder}/ was there, not listed: it keeps what it has.`, ...checked.notes];
  return { changes, made: checked.made, present: [], notes };
}

function describeApp(name: string): string {
  return `The app \`${name}\``;
}
