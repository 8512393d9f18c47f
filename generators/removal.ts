/** A removal: what `destroy` would take out, checked against the whole route table before anything is written. */

import { diagnose } from "#convention/diagnostics/catalogue";
import { closest } from "#convention/diagnostics/closest";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { type Project, readProject } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import type { Route } from "#runtime/routing/route";
import type { TypedRoute } from "#runtime/wire/take";
import type { Change } from "./changes/changes.ts";
import { CHANGE_FIRST, diagnoseImported, diagnoseUsed } from "./importers.ts";
import { auditNotes, isNoPlan, type Made, type NoPlan, newErrors, noPlan, toMade } from "./plan.ts";
import { referenceStyle } from "./reference-style.ts";
import { diagnoseSamplePart, planSampleRemoval, sampleState } from "./samples.ts";
import { isUnreadable, readOutline } from "./source/outline.ts";
import { findRouteRows, README_FILE, toRowKey } from "./source/route-table.ts";
import { diagnoseUnreadable } from "./source/source.ts";
import { readAnyText, readText } from "./source/text.ts";
import { planTestRemoval, testFile, toTests } from "./tests.ts";
import { formatSignature, formatWanted, hasSignature, presentRoutes, type Wanted } from "./wanted.ts";
import {
  type CodeRemoval,
  type Difference,
  type Edited,
  type FileChanges,
  withdrawHandlers,
} from "./withdrawal.ts";
import type { WantedParameter } from "./words.ts";

export interface Removal {
  /** In the order in which they are applied. Empty where nothing that was asked for is there. */
  readonly changes: readonly Change[];
  /** The routes that the table loses. */
  readonly gone: readonly Made[];
  /** What was asked for and is not there, as sentences. */
  readonly absent: readonly string[];
  readonly notes: readonly string[];
}

/** What differs between the handlers of an app and those of a route file. */
export interface RemovalRules {
  /** Whether the handler that is there must have the parameters that the command names. */
  readonly comparesSignature: boolean;
  /** Whether the file stays when nothing is left in it. */
  readonly keepsFile: boolean;
  /** The command that takes a sample back as a whole. */
  readonly wholeSample: string;
}

/** @returns the removal, which leaves out the handlers that are not there, or why the others stay. */
export function planHandlersRemoval(project: Project, wanted: Wanted, rules: RemovalRules): Removal | NoPlan {
  const { module, handlers, parameters, notes, what } = wanted;
  const routes = presentRoutes(wanted);
  const missing = handlers.filter(({ route }) => route === undefined);
  const problem = [
    ...missing.map(({ name }) => diagnoseHidden(project, module, name)),
    ...(rules.comparesSignature ? routes.map((route) => diagnoseSignature(route, parameters)) : []),
  ].find((one) => one !== undefined);
  if (problem !== undefined) return noPlan(problem);
  const nothing = handlers.length > 0 ? [] : [`${module} is not there, or serves no route.`];
  const absent = missing.map(({ label }) => `${label} is not there: ${module} serves no such route.`);
  if (routes.length === 0) return { changes: [], gone: [], absent: [...nothing, ...absent], notes };
  const code = removeSample(project, wanted, rules) ?? removeGenerated(project, wanted, rules);
  if (isNoPlan(code)) return code;
  return checkRemoval(project, what, routes, { ...code, absent, notes: [...notes, ...code.notes] });
}

/** An untouched sample goes only as a whole. Undefined for any other file. */
function removeSample(
  project: Project,
  wanted: Wanted,
  { keepsFile, wholeSample }: RemovalRules,
): FileChanges | NoPlan | undefined {
  const { module, testName } = wanted;
  const routes = presentRoutes(wanted);
  const [first] = routes;
  if (first === undefined || sampleState(project, module) !== "untouched") return undefined;
  const all = project.routes.filter((route) => route.module === module);
  if (keepsFile || routes.length < all.length) return noPlan(diagnoseSamplePart(first, wholeSample));
  const changes = planSampleRemoval(project, [module], testFile(project, testName), routes);
  return isNoPlan(changes) ? changes : { changes, notes: [] };
}

function removeGenerated(
  project: Project,
  wanted: Wanted,
  { keepsFile }: RemovalRules,
): FileChanges | NoPlan {
  const { module, testName } = wanted;
  const code = removeCode(project, { module, routes: presentRoutes(wanted), testName, keepsFile });
  return isNoPlan(code) || code.edited.length === 0 ? code : diagnoseEdited(code.edited);
}

/** Handlers of one file, which may have been generated. */
export interface Removed extends Pick<Wanted, "module" | "testName">, Pick<RemovalRules, "keepsFile"> {
  readonly routes: readonly Route[];
}

/** Takes handlers out of their file and their tests out of theirs, or says why a file can't be edited. */
export function removeCode(project: Project, removed: Removed): CodeRemoval | NoPlan {
  const { module, routes, testName, keepsFile } = removed;
  const before = readText(project.root, module);
  if (isDiagnostic(before)) return noPlan(before);
  const style = referenceStyle(project);
  const withdrawal = withdrawHandlers(module, before ?? "", routes, style);
  if (isDiagnostic(withdrawal)) return noPlan(withdrawal);
  const { text } = withdrawal;
  if (withdrawal.edited.length === 0) {
    const names = routes.map(({ handler }) => handler);
    const used = diagnoseUsed(module, text, names) ?? diagnoseImported(project, module, names);
    if (used !== undefined) return noPlan(used);
  }
  const tests = planTestRemoval(
    project,
    testName,
    routes.flatMap((route) => toTests(route, withdrawal.takes.get(route.handler))),
    style,
  );
  const after = !keepsFile && text.trim() === "" ? null : text;
  return {
    changes: [{ file: module, before, after }, ...tests.changes],
    notes: tests.notes,
    edited: [...withdrawal.edited, ...tests.edited],
  };
}

export function diagnoseEdited(edited: readonly Edited[]): NoPlan {
  return {
    diagnostics: edited.map(({ what, location }) => diagnose("FW617", { what }, location)),
    differences: toDifferences(edited.flatMap(({ difference }) => difference ?? [])),
  };
}

/** One change for each file: from what a generator writes to what is there. */
function toDifferences(differences: readonly Difference[]): readonly Change[] {
  const texts = new Map(differences.map(({ file, text }) => [file, text]));
  return [...texts].map(([file, text]) => {
    const edits = differences.filter((one) => one.file === file).map(({ edit }) => edit);
    return { file, before: applyEdits(text, edits), after: text };
  });
}

/** A handler that serves no route may be in its file all the same: the table leaves out what has an error. */
function diagnoseHidden(project: Project, module: string, name: string): Diagnostic | undefined {
  const text = readText(project.root, module);
  if (text === null) return undefined;
  if (isDiagnostic(text)) return text;
  const outline = readOutline(text);
  if (isUnreadable(outline)) return diagnoseUnreadable(module, outline);
  if (!outline.functions.has(name)) return undefined;
  const why = `${module} has it, and it serves no route as it is.`;
  const hint = "Fix what `framework routes check` reports, or take it out by hand.";
  return diagnose("FW619", { what: `\`${name}\``, why, hint });
}

function diagnoseSignature(
  route: TypedRoute,
  parameters: readonly WantedParameter[],
): Diagnostic | undefined {
  if (hasSignature(route, parameters)) return undefined;
  const details = {
    name: route.handler,
    signature: formatSignature(route),
    wanted: formatWanted(parameters),
  };
  return diagnose("FW620", details, route.location);
}

/** Says that something is not there, and which of the others was probably meant. @param what as in "The app `prodcts`". */
export function describeAbsent(what: string, name: string, others: readonly string[], why = ""): string {
  const nearest = closest(name, others);
  return `${what} is not there${why}.${nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`}`;
}

/** @returns the removal, or why not: the project would have an error that it does not have now. */
export function checkRemoval(
  project: Project,
  what: string,
  routes: readonly Route[],
  removal: Omit<Removal, "gone">,
): Removal | NoPlan {
  const changes = [...removal.changes, ...withoutRows(project, routes)];
  const planned = new Map(changes.map(({ file, after }) => [file, after]));
  const after = readProject(project.root, planned);
  const [error] = newErrors(project, after);
  if (error === undefined) {
    const notes = [...removal.notes, ...auditNotes(project, after)];
    return { ...removal, changes, gone: routes.map((route) => toMade(project, route)), notes };
  }
  const locations = error.locations.filter(({ file }) => !planned.has(file));
  return noPlan(diagnose("FW619", { what, why: error.message, hint: CHANGE_FIRST }, ...locations));
}

/** README.md loses the rows of the routes that go. A row that is laid out otherwise stays. */
function withoutRows({ root }: Project, routes: readonly Route[]): readonly Change[] {
  const before = readAnyText(root, README_FILE);
  const gone = new Set(routes.map(toRowKey));
  if (typeof before !== "string") return [];
  const rows = findRouteRows(before).filter(({ key }) => gone.has(key));
  const edits = rows.map(({ start, end }) => ({ start, end, text: "" }));
  return edits.length === 0 ? [] : [{ file: README_FILE, before, after: applyEdits(before, edits) }];
}
