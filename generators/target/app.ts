/** An app's name, and its prefix in segments, or why it is unknown. */

import type { App } from "#convention/config/config";
import { badAppName } from "#convention/config/folder-name";
import { diagnose } from "#convention/diagnostics/catalogue";
import { closest } from "#convention/diagnostics/closest";
import { isError } from "#convention/diagnostics/diagnostic";
import { listed } from "#convention/diagnostics/entry";
import { APPS_FOLDER, appFiles } from "#convention/layout";
import { parsePrefix } from "#convention/pattern";
import type { Project } from "#convention/project";
import { isRefusal } from "#convention/refusal";
import type { Location } from "#runtime/routing/route";
import { tryText } from "../edit/text.ts";
import { Refused, refuse, refuseWord } from "../refused.ts";
import { findOtherCase, shorten } from "./names.ts";

export function findApp(project: Project, name: string): App {
  const app = project.apps.find((one) => one.name === name);
  if (app !== undefined) return app;
  const apps = project.apps.map((one) => one.name);
  const known = apps.length === 0 ? "" : `The apps are ${listed(apps)}. `;
  const instead = `${known}Make it with: npx framework generate app ${name}`;
  const unknown = { what: `There is no app \`${name}\``, nearest: closest(name, apps), instead };
  throw new Refused(diagnose("FW602", unknown), ...configErrors(project));
}

/** Without any app, the reason may be in the configuration. */
export function configErrors({ apps, diagnostics }: Project): Refused["diagnostics"] {
  return apps.length > 0 ? [] : diagnostics.filter((one) => isError(one) && one.code.startsWith("FW1"));
}

/** Refuses an app with errors in its `app.toml`, or without one: then nobody knows where its routes are served. */
export function requirePrefix(project: Project, { name, location: listed }: App): void {
  const { config: file } = appFiles(name);
  const isMissing = tryText(project.root, file) === null;
  const errors = project.diagnostics.filter(isError).filter(({ code, locations: [place] }) => {
    if (code === "FW109") return isMissing && place?.line === listed.line && place.column === listed.column;
    return place?.file === file;
  });
  if (errors.length > 0) throw new Refused(...errors);
}

/** For a prefix that {@link requirePrefix} or {@link checkPrefix} accepts. */
export function prefixSegments(prefix: string): readonly string[] {
  const segments = parsePrefix(prefix);
  return isRefusal(segments) ? [] : segments;
}

/** Refuses what can't be a prefix. */
export function checkPrefix(prefix = "/"): void {
  const parsed = parsePrefix(prefix);
  if (isRefusal(parsed)) refuseWord(`\`${prefix}\` can't be a prefix: ${parsed.why}`, parsed.hint);
}

/** Refuses what can't be the name of an app, here or on another system. */
export function checkAppName(project: Project, name: string): void {
  const bad = badAppName(name);
  if (bad !== undefined) refuseWord(`\`${shorten(name)}\` can't be the name of an app: ${bad.why}`, bad.hint);
  const folder = findOtherCase(project.root, appFiles(name).folder);
  if (folder === undefined) return;
  const app = project.apps.find((one) => one.folder === folder);
  const why = `\`${name}\` differs from it only by case, and not every system can tell the two apart`;
  refuseOtherApp(folder.slice(APPS_FOLDER.length + 1), why, "Choose another name.", app?.location);
}

export function refuseOtherApp(app: string, why: string, hint: string, location?: Location): never {
  const what = `The app \`${app}\` already exists: ${why}`;
  return refuse("FW608", { what, hint }, ...(location ? [location] : []));
}
