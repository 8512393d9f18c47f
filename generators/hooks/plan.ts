/** Plans the hooks of a folder: the functions that its `_hooks.ts` does not have yet. */

import { isDeepStrictEqual } from "node:util";
import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { hooksFile } from "#convention/layout";
import type { Project } from "#convention/project";
import type { SignatureParameter } from "#convention/rule/signature";
import type { Location } from "#runtime/routing/route";
import type { Change } from "../changes/changes.ts";
import { addFunctions, type FunctionBlueprint, toSource } from "../functions.ts";
import { checkPlan, isNoPlan, type NoPlan, noPlan, type Plan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { readExported } from "../signature.ts";
import { isUnreadable, type Outline, readOutline } from "../source/outline.ts";
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
import {
  type FoundProvider,
  findHooksFolder,
  findNamedProvider,
  type HooksFolder,
  type HooksInput,
} from "./target.ts";

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
  return {
    changes,
    made: [],
    present: [],
    notes: [...checked.notes, ...already, ...tests, ...describeOther(found, input)],
  };
}

function describeOther({ other }: HooksFolder, { guard, middleware, error }: HooksInput): readonly string[] {
  if (other === undefined) return [];
  const flags = [
    ...(guard === undefined ? [] : [`--guard ${guard}`]),
    ...(middleware ? ["--middleware"] : []),
    ...(error ? ["--error"] : []),
  ];
  const command = `npx framework generate hooks ${other} ${flags.join(" ")}`;
  return [`These hooks do not cover ${other}/. It gets its own with: ${command}`];
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
    const other = diagnoseOtherGuard(project, file, outline, provider);
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
  project: Project,
  file: string,
  { bindings }: Outline,
  provider: FoundProvider,
): Diagnostic | undefined {
  if (asksFor(readExported(project, file, "guard") ?? [], provider.location)) return undefined;
  const { name } = provider;
  const parameter = `${guardParameter(name)}: From<typeof ${name}>`;
  return diagnose(
    "FW608",
    {
      what: `${file} already has a guard, and it does not ask for \`${name}\``,
      hint: `Add the parameter there by hand: \`${parameter}\``,
    },
    { file, line: bindings.get("guard") ?? 1, column: 1 },
  );
}

/** Itself, or by another provider. */
function asksFor(parameters: readonly SignatureParameter[], wanted: Location): boolean {
  return parameters.some(
    (one) =>
      one.kind === "provided" &&
      (isDeepStrictEqual(one.provider.location, wanted) || asksFor(one.provider.parameters, wanted)),
  );
}
