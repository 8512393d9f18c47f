/** A plan: what a generator would write, checked against the whole table before anything is written. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { type Diagnostic, isError } from "#runtime/convention/diagnostics/diagnostic";
import { codeOf } from "#runtime/convention/diagnostics/system-error";
import { type Project, readProject } from "#runtime/convention/project";
import { shapeOf } from "#runtime/convention/rule/shape";
import type { Location, Method, Route, Segment } from "#runtime/core/routing/route";
import type { Change } from "./changes/changes.ts";
import { explain } from "./changes/disk.ts";
import { type NoPlan, noPlan } from "./no-plan.ts";

/** A route as a person reads it, and where it stands. */
export interface Made {
  /** As in `POST /products/`. */
  readonly route: string;
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

export function toMade(route: Route): Made {
  return { route: `${route.method} ${route.pattern}`, location: route.location };
}

/** What a plan is meant to add to the table. */
export interface Intent {
  /** For messages: `post_index`, `the app orders`. */
  readonly what: string;
  /** `any` where the table gains what stood on disk before, unlisted. */
  readonly routes: readonly IntendedRoute[] | "any";
}

export interface IntendedRoute {
  readonly method: Route["method"];
  readonly segments: readonly Segment[];
  readonly module: string;
}

/** A plan that holds, with what the project gains by it. */
export interface CheckedPlan {
  readonly after: Project;
  readonly made: readonly Made[];
  /** The warnings that the project would have and does not have now, in words. */
  readonly notes: readonly string[];
}

/**
 * Reads the project as the changes would make it. The table must gain exactly the routes that were meant, lose none, and the
 * project must gain no error; those it had before are no obstacle.
 */
export function checkPlan(
  project: Project,
  changes: readonly Change[],
  intent: Intent,
): CheckedPlan | NoPlan {
  const blocked = changes
    .map(({ file }) => diagnoseBlocked(project.root, file))
    .find((one) => one !== undefined);
  if (blocked !== undefined) return noPlan(blocked);
  const after = readProject(project.root, new Map(changes.map(({ file, after: text }) => [file, text])));
  const errors = newErrors(project, after);
  if (errors.length > 0) return noPlan(...errors.map((error) => diagnoseError(error, intent, changes)));
  const gained = difference(after.routes, project.routes);
  const [lost] = difference(project.routes, after.routes);
  const wanted = intent.routes === "any" ? gained : intent.routes;
  const missing = wanted.find((one) => !gained.some((route) => isIntended(route, one)));
  if (missing === undefined && lost === undefined && gained.length === wanted.length) {
    const warnings = newDiagnostics(project, after, ({ severity }) => severity === "warning");
    const notes = warnings.map(({ message, hint }) => (hint === null ? message : `${message} ${hint}`));
    return { after, made: gained.map(toMade), notes };
  }
  return noPlan(diagnose("FW611", { what: intent.what, ...explainDifference(missing, lost) }));
}

/** Where a file has the name of its folder: no plan could be carried out, and the table would not tell why. */
function diagnoseBlocked(root: string, file: string): Diagnostic | undefined {
  try {
    lstatSync(join(root, file));
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return diagnose("FW622", { file, why: explain(error) });
  }
  return undefined;
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
    hint: "Mend what `framework routes list` reports, and run the command again.",
  };
}

export function newErrors(before: Project, after: Project): readonly Diagnostic[] {
  return newDiagnostics(before, after, isError);
}

/** A diagnostic is recognised by what it says, without line numbers: those move when a file grows. */
function newDiagnostics(
  before: Project,
  after: Project,
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

/** The places in planned text are left out: no file has those lines yet. */
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

function isIntended(route: Route, wanted: IntendedRoute): boolean {
  return (
    route.method === wanted.method &&
    route.module === wanted.module &&
    shapeOf(route.segments) === shapeOf(wanted.segments)
  );
}

/** The route of another handler that serves the same requests as one that is meant. */
export function findServed(project: Project, wanted: IntendedRoute): Route | undefined {
  const shape = shapeOf(wanted.segments);
  return project.routes.find((route) => route.method === wanted.method && shapeOf(route.segments) === shape);
}

/**
 * What a new OPTIONS handler takes over. The methods of a path change with its routes, so its blueprint names none of them:
 * the core, which knows them (RFC 9110 section 9.3.7), answers only where there is no handler.
 */
export function optionsNotes(methods: readonly Method[]): readonly string[] {
  if (!methods.includes("OPTIONS")) return [];
  return [
    "OPTIONS of a path that is served answers with a complete Allow by itself; this handler sends only what it returns.",
  ];
}
