/** Plans an app: its folder with `app.toml` and `views.ts`, a test, and its name in `framework.toml`. */

import type { App } from "#convention/config/config";
import { badAppName } from "#convention/config/folder-name";
import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { APPS_FOLDER, appFiles, hooksFile } from "#convention/layout";
import { formatPattern, parsePrefix } from "#convention/pattern";
import type { Project } from "#convention/project";
import { isRefusal } from "#convention/refusal";
import { formatHandlerName } from "#convention/rule/naming";
import { CONFIG_FILE } from "#runtime/project-root";
import type { Location, RouteMethod } from "#runtime/routing/route";
import type { Change } from "../changes/changes.ts";
import { planMissing, planSource } from "../handlers.ts";
import { planHooksFile } from "../hooks/plan.ts";
import { findOtherCase, shorten, toPlainName } from "../names.ts";
import { checkPlan, isNoPlan, type NoPlan, noPlan, type Plan, toMade } from "../plan.ts";
import { prefixErrors, prefixSegments } from "../prefix.ts";
import { referenceStyle } from "../reference-style.ts";
import { appTomlBlueprint } from "../source/blueprints.ts";
import { applyStyle, type Style } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { addApp } from "../source/toml-edit.ts";
import type { Wanted } from "../wanted.ts";

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
 * @returns the plan, one without changes where the app is there already, or why it can't be made.
 * @example planApp(project, { name: "orders", prefix: "/orders" })
 */
export function planApp(project: Project, input: AppInput): Plan | NoPlan {
  const { name, prefix } = input;
  const bad = diagnoseAppName(name) ?? (prefix === undefined ? undefined : diagnosePrefix(prefix));
  if (bad !== undefined) return noPlan(bad);
  const other = findOtherCase(project.root, appFiles(name).folder);
  if (other !== undefined) return noPlan(diagnoseAppInOtherCase(project, name, other));
  const same = project.apps.find((app) => app.name === name);
  return same !== undefined && isWhole(project, same)
    ? findPresent(project, same, input)
    : planNew(project, input);
}

export function diagnoseAppInOtherCase({ apps }: Project, name: string, folder: string): Diagnostic {
  const app = apps.find((one) => one.folder === folder);
  const why = `\`${name}\` differs from it only by case, and not every system can tell the two apart`;
  const other = folder.slice(APPS_FOLDER.length + 1);
  return diagnoseOtherApp(other, why, "Choose another name.", app?.location);
}

export function diagnoseOtherApp(app: string, why: string, hint: string, location?: Location): Diagnostic {
  const what = `The app \`${app}\` already exists: ${why}`;
  return diagnose("FW608", { what, hint }, ...(location ? [location] : []));
}

/** An app whose folder lacks a file is not: `generate app` adds the file. */
function isWhole(project: Project, { name }: App): boolean {
  const { config, views } = appFiles(name);
  return [config, views].every((file) => readText(project.root, file) !== null);
}

export function diagnoseAppName(name: string): Diagnostic | undefined {
  const bad = badAppName(name);
  if (bad === undefined) return undefined;
  const better = toPlainName(name.toLowerCase(), "-")?.slice(0, 40);
  const isBetter = better !== undefined && better !== name && badAppName(better) === undefined;
  const suggestion = isBetter ? ` Did you mean \`${better}\`?` : "";
  return diagnose("FW601", {
    why: `\`${shorten(name)}\` can't be the name of an app: ${bad.why}`,
    hint: `${bad.hint}${suggestion}`,
  });
}

export function diagnosePrefix(prefix: string): Diagnostic | undefined {
  const parsed = parsePrefix(prefix);
  if (!isRefusal(parsed)) return undefined;
  return diagnose("FW601", {
    why: `\`${prefix}\` can't be a prefix: ${parsed.why}`,
    hint: parsed.hint,
  });
}

function findPresent(project: Project, app: App, input: AppInput): Plan | NoPlan {
  const { name, prefix, method } = input;
  const errors = prefixErrors(project, app);
  if (errors.length > 0) return noPlan(...errors);
  if (prefix !== undefined && prefixOf(prefix) !== app.prefix) {
    const why = `its prefix is "${app.prefix || "/"}"`;
    const hint = `Change it in ${appFiles(name).config}, or choose another name.`;
    return noPlan(diagnoseOtherApp(name, why, hint, app.location));
  }
  const guard = planGuard(project, input);
  if (isDiagnostic(guard)) return noPlan(guard);
  const present = project.routes.filter((route) => route.app === name).map((route) => toMade(project, route));
  const isThere = `The app ${name} is there already, with the prefix "${app.prefix || "/"}".`;
  const root = `${method} ${formatPattern(prefixSegments(app.prefix), true)}`;
  const isServed = method === undefined || present.some(({ route }) => route === root);
  const further = isServed ? [] : [`Add the route with: npx framework generate handler ${root}`];
  const unguarded =
    guard.length === 0
      ? []
      : [`It has no such guard. Add it with: npx framework generate hooks ${name} --guard ${input.guard}`];
  return { changes: [], made: [], present, notes: [isThere, ...further, ...unguarded] };
}

/** As the configuration holds it: the root is "". */
function prefixOf(prefix: string): string {
  return prefix === "/" ? "" : prefix;
}

function planNew(project: Project, input: AppInput): Plan | NoPlan {
  const { name, prefix, method = "GET" } = input;
  const { config, views } = appFiles(name);
  const listing = planListing(project, name);
  if (isDiagnostic(listing)) return noPlan(listing);
  const [toml, code] = [readText(project.root, config), readText(project.root, views)];
  if (isDiagnostic(toml)) return noPlan(toml);
  if (isDiagnostic(code)) return noPlan(code);
  const root = prefix ?? `/${name}`;
  const guard = planGuard(project, input);
  if (isDiagnostic(guard)) return noPlan(guard);
  const made = [...(toml === null ? [planAppToml(project, name, root)] : []), ...guard];
  const wanted = toRootHandler(name, method, root);
  if (toml === null && code === null) return planMissing(project, wanted, { before: made, after: listing });
  const source = code === null ? planSource(project, wanted) : [];
  if (isDiagnostic(source)) return noPlan(source);
  return planFound(project, input, [...made, ...[source].flat(), ...listing]);
}

/** Empty where the command asks for none. */
export function planGuard(
  project: Project,
  { name, guard }: Pick<AppInput, "name" | "guard">,
): readonly Change[] | Diagnostic {
  if (guard === undefined) return [];
  const file = hooksFile(appFiles(name).folder);
  const planned = planHooksFile(project, file, { guard, middleware: false, error: false });
  if (isDiagnostic(planned)) return planned;
  return planned.change === undefined ? [] : [planned.change];
}

/** Empty where the app is listed already. */
export function planListing(project: Project, name: string): readonly Change[] | Diagnostic {
  const file = CONFIG_FILE;
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return before;
  const after = addApp(before ?? "", name);
  if (typeof after === "string") return after === before ? [] : [{ file, before, after }];
  return diagnose("FW612", { file, why: after.why, hint: `Fix it, or add by hand: ${after.line}` });
}

export function planAppToml(project: Project, name: string, prefix: string): Change {
  const style: Style = { ...referenceStyle(project), quote: '"' };
  return {
    file: appFiles(name).config,
    before: null,
    after: applyStyle(appTomlBlueprint(name, prefix), style),
  };
}

/** The handler that serves the prefix itself. */
function toRootHandler(app: string, method: RouteMethod, prefix: string): Wanted {
  const segments = prefixSegments(prefix);
  const pattern = formatPattern(segments, true);
  // The app's root has a name with every method.
  const name = String(formatHandlerName({ method, segments: [] }));
  return {
    what: describeApp(app),
    module: appFiles(app).views,
    handlers: [{ method, name, route: undefined }],
    parameters: [],
    takes: undefined,
    segments,
    pattern,
    testName: app,
    notes: [],
  };
}

/** A folder that was there is listed with what it lacks; its own routes are what the table gains. */
function planFound(project: Project, { name, prefix }: AppInput, changes: readonly Change[]): Plan | NoPlan {
  const checked = checkPlan(project, changes, { what: describeApp(name), routes: "any" });
  if (isNoPlan(checked)) return checked;
  const app = checked.after.apps.find((one) => one.name === name);
  if (app === undefined || (prefix !== undefined && prefixOf(prefix) !== app.prefix)) {
    const why = `its folder has the prefix "${app?.prefix ?? ""}"`;
    const hint = `Leave --prefix out, or change it in ${appFiles(name).config}.`;
    return noPlan(diagnoseOtherApp(name, why, hint));
  }
  const notes = [`${appFiles(name).folder}/ was there, not listed: it keeps what it has.`, ...checked.notes];
  return { changes, made: checked.made, present: [], notes };
}

function describeApp(name: string): string {
  return `The app \`${name}\``;
}
