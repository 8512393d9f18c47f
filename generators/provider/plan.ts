/** Plans a provider in a file of its own, or in an app's `providers.ts`, with its test. */

import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { VIEWS_FILE } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import type { Change } from "../changes/changes.ts";
import { addFunctions, toSource } from "../functions.ts";
import { checkPlan, isNoPlan, type NoPlan, noPlan, type Plan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { formatImport } from "../source/imports.ts";
import { isUnreadable, readOutline } from "../source/outline.ts";
import { diagnoseUnreadable } from "../source/source.ts";
import { applyStyle } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { testFile } from "../tests.ts";
import type { FileChanges } from "../withdrawal.ts";
import { providerBlueprint, providerTestBlueprint } from "./blueprint.ts";
import { type ProviderInput, toWantedProvider, type WantedProvider } from "./target.ts";

/**
 * @returns the plan, one without changes where the provider is there already, or why it can't be made.
 * @example planProvider(project, { name: "current_user", app: undefined })
 */
export function planProvider(project: Project, input: ProviderInput): Plan | NoPlan {
  const wanted = toWantedProvider(project, input);
  if (isDiagnostic(wanted)) return noPlan(wanted);
  const { name, file } = wanted;
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return noPlan(before);
  const outline = readOutline(before ?? "");
  if (isUnreadable(outline)) return noPlan(diagnoseUnreadable(file, outline));
  const usage = describeUse(project, wanted);
  if (outline.exported.has(name)) {
    const already = `\`${name}\` is there already: ${file}`;
    return { changes: [], made: [], present: [], notes: [already, ...usage] };
  }
  const style = referenceStyle(project);
  const after = addFunctions(file, before, [providerBlueprint(name)], "provider", style);
  if (isDiagnostic(after)) return noPlan(after);
  const tests = planProviderTest(project, wanted);
  const changes: readonly Change[] = [{ file, before, after }, ...tests.changes];
  const checked = checkPlan(project, changes, { what: `\`${name}\``, routes: [] });
  if (isNoPlan(checked)) return checked;
  return { changes, made: [], present: [], notes: [...checked.notes, ...tests.notes, ...usage] };
}

function planProviderTest(project: Project, wanted: WantedProvider): FileChanges {
  const file = testFile(project, wanted.testName);
  const before = readText(project.root, file);
  if (before === null)
    return { changes: [{ file, before, after: providerTest(project, wanted, file) }], notes: [] };
  return { changes: [], notes: [`${file} was left alone because it is there already.`] };
}

/** The test as it would be written now. */
export function providerTest(project: Project, { name, file }: WantedProvider, test: string): string {
  return applyStyle(providerTestBlueprint(name, toSource(test, file)), referenceStyle(project));
}

/** How a handler asks for the provider, and how a folder does. */
function describeUse(project: Project, { name, file }: WantedProvider): readonly string[] {
  const folder = file.slice(0, file.lastIndexOf("/"));
  const beside = project.apps.find((app) => app.folder === folder);
  const module = beside === undefined ? project.routes[0]?.module : `${folder}/${VIEWS_FILE}`;
  const user = module ?? "routes/index.ts";
  return [
    "Until you write the look-up, it refuses every request with 401.",
    `A handler asks for it with a parameter: me: From<typeof ${name}>`,
    `In ${user}, import it with: ${formatImport([name], toSource(user, file))}`,
    `All routes of a folder ask for it with: npx framework generate hooks <folder> --guard ${name}`,
  ];
}
