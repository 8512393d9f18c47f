/** Plans an app: its folder with `app.toml` and `views.ts`, a test, and its name in `framework.toml`. */

import type { App } from "#runtime/convention/config/config";
import { badAppName, isAppName } from "#runtime/convention/config/folder-name";
import { CONFIG_FILE } from "#runtime/convention/config/root";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { APPS_FOLDER, appFiles } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import { formatHandlerName } from "#runtime/convention/rule/naming";
import { formatPattern, isBadPrefix, parsePrefix } from "#runtime/core/routing/pattern";
import type { Method } from "#runtime/core/routing/route";
import type { Change } from "../changes/changes.ts";
import { isNoPlan, type NoPlan, noPlan } from "../no-plan.ts";
import { findOtherCase } from "../other-case.ts";
import { toPlainName } from "../plain-name.ts";
import { checkPlan, findServed, type IntendedRoute, optionsNotes, type Plan, toMade } from "../plan.ts";
import { prefixErrors, prefixSegments } from "../prefix.ts";
import { referenceStyle } from "../reference-style.ts";
import { appTomlBlueprint } from "../source/blueprints.ts";
import { createSource } from "../source/source.ts";
import { type Style, toFileText } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { addApp } from "../source/toml-edit.ts";
import { planTests, toTest } from "../tests.ts";

export interface AppInput {
  readonly name: string;
  /** Undefined: the name with a slash before it. */
  readonly prefix: string | undefined;
  /** Of its first handler, which serves the prefix; GET where it is undefined. */
  readonly method?: Method | undefined;
}

/**
 * @returns the plan, one without changes where the app is there already, or why it can't be made.
 * @example planApp(project, { name: "orders", prefix: "/orders" })
 */
export function planApp(project: Project, input: AppInput): Plan | NoPlan {
  const { name, prefix } = input;
  const bad = diagnoseName(name) ?? (prefix === undefined ? undefined : diagnosePrefix(prefix));
  if (bad !== undefined) return noPlan(bad);
  const other = findOtherCase(project.root, appFiles(name).folder);
  if (other !== undefined) return noPlan(diagnoseOtherCase(project, name, other));
  const same = project.apps.find((app) => app.name === name);
  return same !== undefined && isWhole(project, same)
    ? findPresent(project, same, input)
    : planNew(project, input);
}

function diagnoseOtherCase({ apps }: Project, name: string, folder: string): Diagnostic {
  const app = apps.find((one) => one.folder === folder);
  const why = `\`${name}\` differs from it only by case, and not every system tells them apart`;
  const details = { app: folder.slice(APPS_FOLDER.length + 1), why, hint: "Choose another name." };
  return diagnose("FW613", details, ...(app === undefined ? [] : [app.location]));
}

/** One whose folder lacks a file is finished. */
function isWhole(project: Project, { name }: App): boolean {
  const { config, views } = appFiles(name);
  return [config, views].every((file) => readText(project.root, file) !== null);
}

function diagnoseName(name: string): Diagnostic | undefined {
  const bad = badAppName(name);
  if (bad === undefined) return undefined;
  const better = toPlainName(name.toLowerCase(), "-")?.slice(0, 40);
  const isBetter = better !== undefined && better !== name && isAppName(better);
  const suggestion = isBetter ? ` Did you mean \`${better}\`?` : "";
  return diagnose("FW601", { why: bad.why, hint: `${bad.hint}${suggestion}` });
}

function diagnosePrefix(prefix: string): Diagnostic | undefined {
  const parsed = parsePrefix(prefix);
  if (!isBadPrefix(parsed)) return undefined;
  return diagnose("FW601", {
    why: `\`${prefix}\` can't be a prefix: ${parsed.why}`,
    hint: parsed.hint,
  });
}

function findPresent(project: Project, app: App, { name, prefix, method }: AppInput): Plan | NoPlan {
  const errors = prefixErrors(project, app);
  if (errors.length > 0) return noPlan(...errors);
  if (prefix !== undefined && prefixOf(prefix) !== app.prefix) {
    const why = `its prefix is "${app.prefix || "/"}"`;
    return noPlan(
      diagnose(
        "FW613",
        { app: name, why, hint: `Change it in ${appFiles(name).config}, or choose another name.` },
        app.location,
      ),
    );
  }
  const present = project.routes.filter((route) => route.app === name).map(toMade);
  const isThere = `The app ${name} is there already, with the prefix "${app.prefix || "/"}".`;
  const root = `${method} ${formatPattern(prefixSegments(app.prefix), true)}`;
  const isServed = method === undefined || present.some(({ route }) => route === root);
  const further = isServed ? [] : [`Add the route with: npx framework generate handler ${root}`];
  return { changes: [], made: [], present, notes: [isThere, ...further] };
}

/** As the configuration holds it: the root is "". */
function prefixOf(prefix: string): string {
  return prefix === "/" ? "" : prefix;
}

function planNew(project: Project, input: AppInput): Plan | NoPlan {
  const { name, prefix } = input;
  const style = referenceStyle(project);
  const config = readText(project.root, CONFIG_FILE);
  if (isDiagnostic(config)) return noPlan(config);
  const listed = addApp(config ?? "", name);
  if (typeof listed !== "string") {
    return noPlan(
      diagnose("FW612", {
        file: CONFIG_FILE,
        why: listed.why,
        hint: `Mend it, or add by hand: ${listed.line}`,
      }),
    );
  }
  const folder = planFolder(project, { ...input, prefix: prefix ?? `/${name}` }, style);
  if (isNoPlan(folder)) return folder;
  const served = folder.routes
    .map((route) => ({ route, by: findServed(project, route) }))
    .find(({ by }) => by !== undefined);
  if (served?.by !== undefined) {
    const { handler, module: file, location } = served.by;
    return noPlan(
      diagnose(
        "FW610",
        { route: `${served.route.method} ${formatPattern(served.route.segments, true)}`, handler, file },
        location,
      ),
    );
  }
  const listing = { file: CONFIG_FILE, before: config, after: listed };
  const changes = listed === config ? folder.changes : [...folder.changes, listing];
  return folder.isNew ? finish(project, name, changes, folder) : finishFound(project, name, prefix, changes);
}

interface Folder {
  readonly changes: readonly Change[];
  readonly routes: readonly IntendedRoute[];
  readonly notes: readonly string[];
  /** False where `views.ts` stood there before, unlisted, with routes of its own. */
  readonly isNew: boolean;
}

/** What the app's folder lacks: a folder that is there keeps what it has. */
function planFolder(
  project: Project,
  { name, prefix, method = "GET" }: AppInput & { readonly prefix: string },
  style: Style,
): Folder | NoPlan {
  const { config: tomlFile, views: viewsFile } = appFiles(name);
  const toml = readText(project.root, tomlFile);
  const views = readText(project.root, viewsFile);
  if (isDiagnostic(toml)) return noPlan(toml);
  if (isDiagnostic(views)) return noPlan(views);
  const segments = prefixSegments(prefix);
  const pattern = formatPattern(segments, true);
  const comment = `${method} ${pattern}`;
  // The app's root has a name with every method.
  const handler = String(formatHandlerName({ method, segments: [] }));
  const index = { method, name: handler, comment, parameters: [] };
  const made: Change[] = [];
  if (toml === null)
    made.push({
      file: tomlFile,
      before: null,
      after: toFileText(appTomlBlueprint(name, prefix), { ...style, quote: '"' }),
    });
  if (views === null) made.push({ file: viewsFile, before: null, after: createSource([index], style) });
  if (made.length < 2) return { changes: made, routes: [], notes: [], isNew: false };
  const tests = planTests(project, name, [toTest(method, segments, pattern)], style);
  const routes = [{ method, segments, module: viewsFile }];
  return {
    changes: [...made, ...tests.changes],
    routes,
    notes: [...optionsNotes([method]), ...tests.notes],
    isNew: true,
  };
}

function finish(project: Project, name: string, changes: readonly Change[], folder: Folder): Plan | NoPlan {
  const checked = checkPlan(project, changes, { what: `The app \`${name}\``, routes: folder.routes });
  if (isNoPlan(checked)) return checked;
  return { changes, made: checked.made, present: [], notes: [...checked.notes, ...folder.notes] };
}

/** A folder that was there is listed as it is; its own routes are what the table gains. */
function finishFound(
  project: Project,
  name: string,
  prefix: string | undefined,
  changes: readonly Change[],
): Plan | NoPlan {
  const checked = checkPlan(project, changes, { what: `The app \`${name}\``, routes: "any" });
  if (isNoPlan(checked)) return checked;
  const app = checked.after.apps.find((one) => one.name === name);
  if (app === undefined || (prefix !== undefined && prefixOf(prefix) !== app.prefix)) {
    const why = `its folder stands with the prefix "${app?.prefix ?? ""}"`;
    return noPlan(
      diagnose("FW613", {
        app: name,
        why,
        hint: `Leave --prefix out, or change it in ${appFiles(name).config}.`,
      }),
    );
  }
  return {
    changes,
    made: checked.made,
    present: [],
    notes: [`${appFiles(name).folder}/ was there, not listed: it keeps what it has.`],
  };
}
