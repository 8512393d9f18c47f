/** Plans the hooks of a folder: the functions that its `_hooks.ts` does not have yet. */

import { isDeepStrictEqual } from "node:util";
import { diagnose, startOf } from "#runtime/convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { hooksFile } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import { readFunction } from "#runtime/convention/rule/providers";
import { type Origin, resolveExport } from "#runtime/convention/source/exports";
import { createFiles } from "#runtime/convention/source/files";
import { createModules, type Modules } from "#runtime/convention/source/modules";
import { createShapeReader } from "#runtime/convention/wire/shapes";
import type { Change } from "../changes/changes.ts";
import { addFunctions, type FunctionBlueprint, toSource } from "../functions.ts";
import { checkPlan, isNoPlan, type NoPlan, noPlan, type Plan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { isUnreadable, readOutline } from "../source/outline.ts";
import { diagnoseUnreadable } from "../source/source.ts";
import { readText } from "../source/text.ts";
import {
  ERROR,
  guardBlueprint,
  guardParameter,
  HOOK_NAMES,
  type HookName,
  MIDDLEWARE,
} from "./blueprints.ts";
import { type FoundProvider, findHooksFolder, findNamedProvider, type HooksInput } from "./target.ts";

/**
 * @returns the plan, one without changes where all the hooks are there already, or why it can't be made.
 * @example planHooks(project, { folder: "admin", guard: "current_user", middleware: false, error: false })
 */
export function planHooks(project: Project, input: HooksInput): Plan | NoPlan {
  const found = findHooksFolder(project, input.folder);
  if (isDiagnostic(found)) return noPlan(found);
  const { folder } = found;
  const file = hooksFile(folder);
  const planned = planHooksFile(project, file, input);
  if (isDiagnostic(planned)) return noPlan(planned);
  const { change, present } = planned;
  const changes = change === undefined ? [] : [change];
  const checked = checkPlan(project, changes, { what: `\`${file}\``, routes: [] });
  if (isNoPlan(checked)) return checked;
  const already = present.map((name) => `\`${name}\` is there already: ${file}`);
  const isGuarded = input.guard !== undefined && !present.includes("guard");
  const around = folder === "" ? "every route" : `the routes in ${folder}/`;
  const tests = isGuarded
    ? [
        `The guard runs before ${around}. \`npx framework routes audit\` shows them.`,
        `A test that calls them without credentials needs: createApp({ providers: [replace(guard).with(() => {})] })`,
      ]
    : [];
  return { changes, made: [], present: [], notes: [...checked.notes, ...already, ...tests, ...found.notes] };
}

export interface HooksChange {
  /** Undefined where nothing is missing. */
  readonly change: Change | undefined;
  readonly present: readonly HookName[];
}

/** @returns why not, where the file can't be edited, or where it has a guard that asks for something else. */
export function planHooksFile(
  project: Project,
  file: string,
  wanted: Omit<HooksInput, "folder">,
): HooksChange | Diagnostic {
  const provider = wanted.guard === undefined ? undefined : findNamedProvider(project, wanted.guard);
  if (provider !== undefined && isDiagnostic(provider)) return provider;
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return before;
  const outline = readOutline(before ?? "");
  if (isUnreadable(outline)) return diagnoseUnreadable(file, outline);
  const present = HOOK_NAMES.filter(
    (name) => (name === "guard" ? provider !== undefined : wanted[name]) && outline.exported.has(name),
  );
  if (provider !== undefined && present.includes("guard")) {
    const other = diagnoseOtherGuard(project, file, before ?? "", provider);
    if (other !== undefined) return other;
  }
  const blueprints: readonly FunctionBlueprint[] = [
    ...(provider === undefined
      ? []
      : [guardBlueprint({ name: provider.name, source: sourceOf(file, provider) })]),
    ...(wanted.middleware ? [MIDDLEWARE] : []),
    ...(wanted.error ? [ERROR] : []),
  ].filter(({ name }) => !outline.exported.has(name));
  if (blueprints.length === 0) return { change: undefined, present };
  const after = addFunctions(file, before, blueprints, "hook", referenceStyle(project));
  return isDiagnostic(after) ? after : { change: { file, before, after }, present };
}

/** Undefined where the hooks and the provider share a file. */
function sourceOf(file: string, provider: FoundProvider): string | undefined {
  return provider.file === file ? undefined : toSource(file, provider.file);
}

/** To say that a guard is there would mislead who wanted another one. */
function diagnoseOtherGuard(
  { root }: Project,
  file: string,
  text: string,
  provider: FoundProvider,
): Diagnostic | undefined {
  const modules = createModules(createFiles(root));
  const module = modules.get(file);
  if (module === undefined) return undefined;
  const guard = resolveExport(modules, module, "guard", startOf(file));
  if (guard.kind === "function" && asksFor(modules, guard, provider)) return undefined;
  const outline = readOutline(text);
  const line = isUnreadable(outline) ? 1 : (outline.bindings.get("guard") ?? 1);
  const { name } = provider;
  const parameter = `${guardParameter(name)}: From<typeof ${name}>`;
  return diagnose("FW632", { file, name, parameter }, { file, line, column: 1 });
}

/** Itself, or by another provider. */
function asksFor(
  modules: Modules,
  { module, value }: Extract<Origin, { readonly kind: "function" }>,
  { location }: FoundProvider,
): boolean {
  const types = { modules, shapes: createShapeReader(modules) };
  const { parameters } = readFunction(types, { handler: "guard", module, value });
  const waiting = new Set([parameters ?? []]);
  // The set grows while it is gone through.
  for (const some of waiting) {
    for (const one of some) {
      if (one.kind !== "provided") continue;
      if (isDeepStrictEqual(one.provider.location, location)) return true;
      waiting.add(one.provider.parameters);
    }
  }
  return false;
}
