/** A plan: what a generator would write, checked against the whole route table before it is written. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { formatEntry } from "#convention/config/exposure";
import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isError } from "#convention/diagnostics/diagnostic";
import { codeOf } from "#convention/diagnostics/system-error";
import { type Project, readProject } from "#convention/project";
import { auditRoutes } from "#convention/rule/audit";
import { shapeOf } from "#convention/rule/path-shape";
import { escapeControl } from "#runtime/escape";
import { CONFIG_FILE } from "#runtime/project-root";
import type { Location, Route } from "#runtime/routing/route";
import type { Change } from "./changes/changes.ts";
import { explain } from "./changes/disk.ts";
import { Refused, refuse } from "./refused.ts";

/** A route as a person reads it, and where its handler is. */
export interface Made {
  /** As in `POST /products/`. */
  readonly route: string;
  /** Where the project serves it if nothing else is set when it starts. */
  readonly url: string;
  readonly location: Location;
}

export interface Plan {
  /** In the order in which they are applied. Empty where all that was asked for is there already. */
  readonly changes: readonly Change[];
  /** The routes that exist when the changes are applied, and did not before. */
  readonly made: readonly Made[];
  /** The routes that were asked for and are there already. */
  readonly present: readonly Made[];
  readonly notes: readonly string[];
}

/** Changes of some of the files, and what to say about them. */
export interface FileChanges {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

export function toMade({ settings }: Project, { method, pattern, location }: Route): Made {
  return { route: `${method} ${pattern}`, url: escapeControl(originOf(settings) + pattern), location };
}

/** A server that listens on all addresses is reached as localhost. */
function originOf({ host, port }: Project["settings"]): string {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return host.includes(":") && !host.startsWith("[") ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

/** What a plan is to add to the table. */
export interface Intent {
  /** For messages: `post_index`, `the app orders`. */
  readonly what: string;
  /** `any` for an app folder that was on disk but not listed: the table gains all its routes. */
  readonly routes: readonly IntendedRoute[] | "any";
}

export type IntendedRoute = Pick<Route, "method" | "segments" | "pattern" | "module">;

/**
 * Reads the project as the changes would make it. The table must gain exactly the intended routes and lose none, and the project
 * must gain no error; it may keep those that it has.
 *
 * @returns what the project gains; the notes are its new warnings.
 * @throws {Refused} if it would gain something else.
 */
export function checkPlan(
  project: Project,
  changes: readonly Change[],
  intent: Intent,
): Pick<Plan, "made" | "notes"> & { readonly after: Project } {
  for (const { file } of changes) checkFree(project.root, file);
  const after = readProject(project.root, new Map(changes.map(({ file, after: text }) => [file, text])));
  const errors = newErrors(project, after);
  if (errors.length > 0) throw new Refused(...diagnoseErrors(errors, intent, changes));
  const gained = difference(after.routes, project.routes);
  const [lost] = difference(project.routes, after.routes);
  const wanted = intent.routes === "any" ? gained : intent.routes;
  const missing = wanted.find(
    (one) => !gained.some((route) => route.module === one.module && isSameRequest(route, one)),
  );
  if (missing === undefined && lost === undefined && gained.length === wanted.length) {
    const notes = [
      ...newDiagnostics(project, after, ({ severity }) => severity === "warning").map(toNote),
      ...auditNotes(project, after),
    ];
    return { after, made: gained.map((route) => toMade(after, route)), notes };
  }
  return refuse("FW611", { what: intent.what, ...explainDifference(missing, lost) });
}

function toNote({ message, hint }: Diagnostic): string {
  return hint === null ? message : `${message} ${hint}`;
}

/** What `[exposure]` makes of the change: `routes check` reports it from now on. */
function auditNotes(before: Project, after: Project): readonly string[] {
  const known = { diagnostics: auditRoutes(before).diagnostics };
  const found = { diagnostics: auditRoutes(after).diagnostics };
  const gained = newDiagnostics(known, found, () => true);
  const unlisted = gained.filter(({ code }) => code === UNLISTED);
  if (unlisted.length < 2) return gained.map(toNote);
  const entries = after.routes
    .filter(({ location }) => unlisted.some(({ locations: [place] }) => isDeepStrictEqual(place, location)))
    .map((route) => `  ${JSON.stringify(formatEntry(route))},`);
  const what = "Nothing guards these routes, and `open` under `[exposure]` does not list them.";
  const how = `Guard them, or add these to \`open\` in ${CONFIG_FILE} if anyone may call them:`;
  return [
    ...gained.filter(({ code }) => code !== UNLISTED).map(toNote),
    `${what} ${how}\n\n${entries.join("\n")}`,
  ];
}

/** A route that is neither guarded nor listed. */
const UNLISTED = "FW410";

/** Refuses a file in the place of a folder: the plan can't be applied, and the table would not show why. */
export function checkFree(root: string, file: string): void {
  try {
    lstatSync(join(root, file));
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") refuse("FW622", { file, why: explain(error) });
  }
}

function explainDifference(
  missing: IntendedRoute | undefined,
  lost: Route | undefined,
): { why: string; hint: string } {
  if (lost !== undefined)
    return {
      why: `it would take ${lost.method} ${lost.pattern} out of the table.`,
      hint: "Choose another name.",
    };
  return {
    why:
      missing === undefined
        ? "it would add more routes than were asked for."
        : `${missing.module} would not serve it.`,
    hint: "Fix what `framework routes list` reports, and run the command again.",
  };
}

function newErrors(before: Project, after: Project): readonly Diagnostic[] {
  return newDiagnostics(before, after, isError);
}

/** Compares diagnostics by their text without line numbers, because lines move when a file grows. */
function newDiagnostics(
  before: Pick<Project, "diagnostics">,
  after: Pick<Project, "diagnostics">,
  counts: (diagnostic: Diagnostic) => boolean,
): readonly Diagnostic[] {
  const known = before.diagnostics.filter(counts).map(toKey);
  return after.diagnostics.filter(counts).filter((one) => {
    const index = known.indexOf(toKey(one));
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
}

function toKey({ code, message, locations }: Diagnostic): string {
  return [code, message.replace(/:\d+(?::\d+)?/g, ""), ...locations.map(({ file }) => file)].join("\n");
}

/** Several planned handlers may have the same error: it is told once. */
function diagnoseErrors(
  errors: readonly Diagnostic[],
  intent: Intent,
  changes: readonly Change[],
): readonly Diagnostic[] {
  const all = errors.map((error) => diagnoseError(error, intent, changes));
  return all.filter((one, index) => all.findIndex((other) => isDeepStrictEqual(other, one)) === index);
}

/** Without the locations in planned text, because no file has those lines yet. */
function diagnoseError(error: Diagnostic, intent: Intent, changes: readonly Change[]): Diagnostic {
  const planned = changes.map(({ file }) => file);
  const locations = error.locations.filter(({ file }) => !planned.includes(file));
  return diagnose("FW611", { what: intent.what, why: error.message, hint: error.hint }, ...locations);
}

function difference(routes: readonly Route[], others: readonly Route[]): readonly Route[] {
  const keys = new Set(others.map(routeKey));
  return routes.filter((route) => !keys.has(routeKey(route)));
}

function routeKey({ method, pattern, segments, module, handler }: Route): string {
  return [method, pattern, shapeOf(segments), module, handler].join("\n");
}

function isSameRequest(one: IntendedRoute, other: IntendedRoute): boolean {
  return one.method === other.method && shapeOf(one.segments) === shapeOf(other.segments);
}

function findServed({ routes }: Project, wanted: IntendedRoute): Route | undefined {
  return routes.find((route) => isSameRequest(route, wanted));
}

/** Refuses routes that another handler serves already. */
export function checkUnserved(project: Project, wanted: readonly IntendedRoute[]): void {
  for (const one of wanted) {
    const served = findServed(project, one);
    if (served === undefined) continue;
    const { handler, module: file, location } = served;
    refuse("FW610", { route: `${one.method} ${one.pattern}`, handler, file }, location);
  }
}
