/** A removal: what `destroy` would take back, checked against the whole table before anything is written. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { type Project, readProject } from "#runtime/convention/project";
import { findRouteTable, README_FILE, toRowKey } from "#runtime/convention/route-table";
import type { Route } from "#runtime/core/routing/route";
import type { Change } from "./changes/changes.ts";
import { findImporter } from "./importers.ts";
import { type NoPlan, noPlan } from "./no-plan.ts";
import { type Made, newErrors, toMade } from "./plan.ts";
import { referenceStyle } from "./reference-style.ts";
import { formatSignature, formatWanted, hasSignature } from "./signature.ts";
import { applyEdits } from "./source/edits.ts";
import { isUnreadable, readOutline } from "./source/outline.ts";
import { diagnoseUnreadable } from "./source/source.ts";
import { readText } from "./source/text.ts";
import { readUses } from "./source/uses.ts";
import { planTestRemoval, toTest } from "./tests.ts";
import { type Difference, type Edited, withdrawHandlers } from "./withdrawal.ts";
import type { WantedParameter } from "./words.ts";

export interface Removal {
  /** In the order in which they are applied. Empty where nothing that was asked for is there. */
  readonly changes: readonly Change[];
  /** The routes that there are no more when the changes are applied. */
  readonly gone: readonly Made[];
  /** What was asked for and is not there, as sentences. */
  readonly absent: readonly string[];
  readonly notes: readonly string[];
}

const CHANGE_FIRST = "Change what needs it first, and run the command again.";

/** Handlers of one file, which may have been generated. */
export interface Removed {
  readonly module: string;
  readonly routes: readonly Route[];
  /** The name of their test file, without folder and ending. */
  readonly testName: string;
  /** Whether the file stays when nothing is left in it. */
  readonly keepsFile: boolean;
}

/** What taking them out changes, or what stays since it is not as a generator writes it. */
export interface RemovedCode {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  readonly edited: readonly Edited[];
}

/** Takes handlers out of their file and their tests out of theirs, or tells why a file can't be edited. */
export function removeCode(project: Project, removed: Removed): RemovedCode | NoPlan {
  const { module, routes, testName, keepsFile } = removed;
  const before = readText(project.root, module);
  if (isDiagnostic(before)) return noPlan(before);
  const style = referenceStyle(project);
  const withdrawal = withdrawHandlers(module, before ?? "", routes, style);
  if (isDiagnostic(withdrawal)) return noPlan(withdrawal);
  const used =
    withdrawal.edited.length > 0 ? undefined : diagnoseUsed(project, module, routes, withdrawal.text);
  if (used !== undefined) return used;
  const tests = planTestRemoval(
    project,
    testName,
    routes.map(({ method, segments, pattern }) => toTest(method, segments, pattern)),
    style,
  );
  const after = !keepsFile && withdrawal.text.trim() === "" ? null : withdrawal.text;
  return {
    changes: [{ file: module, before, after }, ...tests.changes],
    notes: tests.notes,
    edited: [...withdrawal.edited, ...tests.edited],
  };
}

/** What needs a handler as a function, in what is left of its file or in another one, would miss it. */
function diagnoseUsed(
  project: Project,
  module: string,
  routes: readonly Route[],
  left: string,
): NoPlan | undefined {
  const uses = readUses(left);
  const own = routes.find(({ handler }) => uses.has(handler));
  return own === undefined ? diagnoseImported(project, module, routes) : diagnoseUser(own.handler, module);
}

export function diagnoseImported(
  project: Project,
  module: string,
  routes: readonly Route[],
): NoPlan | undefined {
  const handlers = routes.map(({ handler }) => handler);
  const importer = findImporter(project, module, handlers);
  return importer && diagnoseUser(importer.handler, importer.file);
}

function diagnoseUser(handler: string, file: string): NoPlan {
  return noPlan(diagnose("FW619", { what: `\`${handler}\``, why: `${file} uses it.`, hint: CHANGE_FIRST }));
}

export function diagnoseEdited(edited: readonly Edited[]): NoPlan {
  return {
    diagnostics: edited.map(({ what, location }) => diagnose("FW617", { what }, location)),
    differences: toDifferences(edited.flatMap(({ difference }) => difference ?? [])),
  };
}

/** One for each file: from what it would be as a generator writes it to what it is. */
function toDifferences(differences: readonly Difference[]): readonly Change[] {
  const texts = new Map(differences.map(({ file, text }) => [file, text]));
  return [...texts].map(([file, text]) => {
    const edits = differences.filter((one) => one.file === file).map(({ edit }) => edit);
    return { file, before: applyEdits(text, edits), after: text };
  });
}

/** A handler that is no route may stand in its file for all that: in one with errors, it is not known. */
export function diagnoseHidden(project: Project, module: string, name: string): NoPlan | undefined {
  const text = readText(project.root, module);
  if (text === null) return undefined;
  if (isDiagnostic(text)) return noPlan(text);
  const outline = readOutline(text);
  if (isUnreadable(outline)) return noPlan(diagnoseUnreadable(module, outline));
  if (!outline.functions.has(name)) return undefined;
  const why = `${module} has it, and it serves no route as it is.`;
  const hint = "Mend what `framework routes check` reports, or take it out by hand.";
  return noPlan(diagnose("FW619", { what: `\`${name}\``, why, hint }));
}

/** A handler with other parameters than those that were named is not the one that was meant. */
export function diagnoseSignature(route: Route, parameters: readonly WantedParameter[]): NoPlan | undefined {
  if (hasSignature(route, parameters)) return undefined;
  const details = {
    name: route.handler,
    signature: formatSignature(route),
    wanted: formatWanted(parameters),
  };
  return noPlan(diagnose("FW620", details, route.location));
}

/** @returns the removal, unless the project would have an error by it that it did not have before. */
export function checkRemoval(
  project: Project,
  what: string,
  routes: readonly Route[],
  removal: Omit<Removal, "gone">,
): Removal | NoPlan {
  const changes = [...removal.changes, ...withoutRows(project, routes)];
  const planned = new Map(changes.map(({ file, after }) => [file, after]));
  const [error] = newErrors(project, readProject(project.root, planned));
  if (error === undefined) return { ...removal, changes, gone: routes.map(toMade) };
  const locations = error.locations.filter(({ file }) => !planned.has(file));
  return noPlan(diagnose("FW619", { what, why: error.message, hint: CHANGE_FIRST }, ...locations));
}

/** The table in README.md loses the rows of what is served no more. One that is not as ours are stays. */
function withoutRows({ root }: Project, routes: readonly Route[]): readonly Change[] {
  const before = readText(root, README_FILE);
  const gone = new Set(routes.map(toRowKey));
  if (typeof before !== "string") return [];
  const rows = findRouteTable(before)?.rows.filter(({ key }) => gone.has(key)) ?? [];
  const edits = rows.map(({ start, end }) => ({ start, end, text: "" }));
  return edits.length === 0 ? [] : [{ file: README_FILE, before, after: applyEdits(before, edits) }];
}
