/** Plans a provider in a file of its own, or in an app's `providers.ts`, with its test. */

import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { VIEWS_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import type { Change } from "../changes/changes.ts";
import { addFunctions, toSource } from "../functions.ts";
import { diagnoseOtherSignature } from "../handlers.ts";
import { checkPlan, type FileChanges, isNoPlan, type NoPlan, noPlan, type Plan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { readExported } from "../signature.ts";
import { formatImport } from "../source/imports.ts";
import { isUnreadable, readOutline } from "../source/outline.ts";
import { diagnoseUnreadable } from "../source/source.ts";
import { applyStyle } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { testFile } from "../tests.ts";
import { formatParts, formatWanted, hasParams } from "../wanted.ts";
import type { WantedParam } from "../words.ts";
import {
  NAMES_IN_CODE,
  type ProviderParam,
  providerBlueprint,
  providerTestBlueprint,
  refusalOf,
} from "./blueprint.ts";
import { type ProviderInput, toWantedProvider, type WantedProvider } from "./target.ts";

/**
 * @returns the plan, one without changes where the provider is there already, or why it can't be made.
 * @example planProvider(project, { name: "current_user", app: undefined, params: [] })
 */
export function planProvider(project: Project, input: ProviderInput): Plan | NoPlan {
  const wanted = toWantedProvider(project, input);
  if (isDiagnostic(wanted)) return noPlan(wanted);
  const taken = input.params.find((one) => NAMES_IN_CODE.includes(one.name));
  if (taken !== undefined) {
    const why = `A provider's own code needs the name \`${taken.name}\``;
    return noPlan(diagnose("FW601", { why, hint: "Choose another name." }));
  }
  const { name, file } = wanted;
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return noPlan(before);
  const outline = readOutline(before ?? "");
  if (isUnreadable(outline)) return noPlan(diagnoseUnreadable(file, outline));
  const usage = describeUse(project, wanted, input.params.length === 0 ? "me" : "found");
  if (outline.exported.has(name)) {
    const other = diagnoseOther(project, wanted, input.params, outline.bindings.get(name));
    if (other !== undefined) return noPlan(other);
    const already = `\`${name}\` is there already: ${file}`;
    return { changes: [], made: [], present: [], notes: [already, ...usage] };
  }
  const style = referenceStyle(project);
  const params = input.params.map((one) => ({ name: one.name, type: one.type ?? "string" }) as const);
  const after = addFunctions(file, before, [providerBlueprint(name, params)], "provider", style);
  if (isDiagnostic(after)) return noPlan(after);
  const tests = planProviderTest(project, wanted, params);
  const changes: readonly Change[] = [{ file, before, after }, ...tests.changes];
  const checked = checkPlan(project, changes, { what: `\`${name}\``, routes: [] });
  if (isNoPlan(checked)) return checked;
  const refuses = `Until you write the look-up, it refuses every request with ${refusalOf(params).status}.`;
  return { changes, made: [], present: [], notes: [...checked.notes, ...tests.notes, refuses, ...usage] };
}

/** Reports a provider that is there with other params than those that the command names. */
function diagnoseOther(
  project: Project,
  { name, file }: WantedProvider,
  params: readonly WantedParam[],
  line = 1,
): Diagnostic | undefined {
  const declared = readExported(project, file, name);
  if (params.length === 0 || declared === null) return undefined;
  const own = declared.filter((one) => one.kind === "param");
  if (hasParams(own, params)) return undefined;
  const hint = `Edit it there if it should be ${formatWanted(params)}, or choose another name.`;
  return diagnoseOtherSignature(name, formatParts(own), hint, { file, line, column: 1 });
}

function planProviderTest(
  project: Project,
  wanted: WantedProvider,
  params: readonly ProviderParam[],
): FileChanges {
  const file = testFile(project, wanted.testName);
  const before = readText(project.root, file);
  const style = referenceStyle(project);
  const blueprint = providerTestBlueprint(wanted.name, params, toSource(file, wanted.file));
  const after = applyStyle(blueprint, style);
  if (before === null) return { changes: [{ file, before, after }], notes: [] };
  const notes = before === after ? [] : [`${file} was left alone because it is there already.`];
  return { changes: [], notes };
}

/** How a handler asks for the provider, and how a folder does. */
function describeUse(project: Project, { name, file }: WantedProvider, parameter: string): readonly string[] {
  const folder = file.slice(0, file.lastIndexOf("/"));
  const beside = project.apps.find((app) => app.folder === folder);
  const module = beside === undefined ? project.routes[0]?.module : `${folder}/${VIEWS_FILE}`;
  const user = module ?? "routes/index.ts";
  return [
    `A handler asks for it with a parameter: ${parameter}: From<typeof ${name}>`,
    `In ${user}, import it with: ${formatImport([name], toSource(user, file))}`,
    `All routes of a folder ask for it with: npx framework generate hooks <folder> --guard ${name}`,
  ];
}
