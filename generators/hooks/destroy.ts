/** Plans to take generated hooks out of a folder's `_hooks.ts`. An empty file is removed. */

import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import { hooksFile } from "#convention/layout";
import type { Project } from "#convention/project";
import type { Change } from "../changes/changes.ts";
import { type FunctionBlueprint, removeFunctions } from "../functions.ts";
import { diagnoseImported } from "../importers.ts";
import { isNoPlan, type NoPlan, noPlan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { checkRemoval, diagnoseEdited, type Removal } from "../removal.ts";
import type { Outline } from "../source/outline.ts";
import { readText } from "../source/text.ts";
import { planGuardRemoval } from "../tests.ts";
import { ERROR, guardBlueprint, HOOK_NAMES, MIDDLEWARE } from "./blueprints.ts";
import { findHooksFolder, type HooksInput, readAsked } from "./target.ts";

/**
 * @returns the plan, one without changes where there are no hooks, or why they stay.
 * @example planHooksRemoval(project, { folder: "admin" })
 */
export function planHooksRemoval(project: Project, input: Pick<HooksInput, "folder">): Removal | NoPlan {
  const found = findHooksFolder(project, input.folder);
  if (isDiagnostic(found)) return noPlan(found);
  const file = hooksFile(found.folder);
  const removed = removeHooks(project, file);
  if (isNoPlan(removed)) return removed;
  const isGuard = removed.found.includes("guard");
  const tests = isGuard ? planGuardRemoval(project, file) : [];
  const changes = [...removed.changes, ...tests];
  const absent = removed.found.length === 0 ? [`${file} is not there, or has no hooks.`] : [];
  const notes = isGuard
    ? [`The guard of ${file} no longer runs. \`npx framework routes audit\` shows what is open.`]
    : [];
  return checkRemoval(project, `\`${file}\``, [], { changes, absent, notes });
}

/** Takes all hooks out of a file, or says why they stay. */
export function removeHooks(
  project: Project,
  file: string,
): { readonly changes: readonly Change[]; readonly found: readonly string[] } | NoPlan {
  const before = readText(project.root, file);
  if (before === null) return { changes: [], found: [] };
  if (isDiagnostic(before)) return noPlan(before);
  const removal = removeFunctions(file, before, HOOK_NAMES, toHookBlueprint, referenceStyle(project));
  if (isNoPlan(removal)) return removal;
  const { text, found, edited } = removal;
  if (edited.length > 0) return diagnoseEdited(edited);
  const used = diagnoseImported(project, file, found);
  if (used !== undefined) return noPlan(used);
  if (found.length === 0) return { changes: [], found };
  return { changes: [{ file, before, after: text.trim() === "" ? null : text }], found };
}

function toHookBlueprint(name: string, outline: Outline): FunctionBlueprint | undefined {
  if (name === "middleware") return MIDDLEWARE;
  if (name === "error") return ERROR;
  const [provider] = readAsked(outline);
  return provider && guardBlueprint(provider);
}
