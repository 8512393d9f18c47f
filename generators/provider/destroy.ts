/** Plans to take a generated provider out of its file, with its test. An empty file is removed. */

import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import type { Change } from "../changes/changes.ts";
import { removeFunctions } from "../functions.ts";
import { diagnoseImported } from "../importers.ts";
import { isNoPlan, type NoPlan, noPlan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import { checkRemoval, diagnoseEdited, type Removal } from "../removal.ts";
import { importedTypes } from "../source/imports.ts";
import { isUnreadable, readOutline } from "../source/outline.ts";
import { readText } from "../source/text.ts";
import { testFile } from "../tests.ts";
import { toParameter } from "../withdrawal.ts";
import { type ProviderParam, providerBlueprint } from "./blueprint.ts";
import { providerTest } from "./plan.ts";
import { type ProviderInput, toWantedProvider, type WantedProvider } from "./target.ts";

/**
 * @returns the plan, one without changes where the provider is not there, or why it stays.
 * @example planProviderRemoval(project, { name: "current_user", app: undefined })
 */
export function planProviderRemoval(
  project: Project,
  input: Omit<ProviderInput, "params">,
): Removal | NoPlan {
  const wanted = toWantedProvider(project, input);
  if (isDiagnostic(wanted)) return noPlan(wanted);
  const { name, file } = wanted;
  const before = readText(project.root, file);
  if (isDiagnostic(before)) return noPlan(before);
  const params = readParams(before ?? "", name);
  const removal = removeFunctions(
    file,
    before ?? "",
    [name],
    () => providerBlueprint(name, params),
    referenceStyle(project),
  );
  if (isNoPlan(removal)) return removal;
  const { text, found, edited } = removal;
  if (edited.length > 0) return diagnoseEdited(edited);
  const absent = found.length === 0 ? [`\`${name}\` is not there: ${file} does not export it.`] : [];
  if (absent.length > 0) return { changes: [], gone: [], absent, notes: [] };
  const used = diagnoseImported(project, file, [name]);
  if (used !== undefined) return noPlan(used);
  const test = planTestFileRemoval(project, wanted, params);
  if (isNoPlan(test)) return test;
  const changes = [{ file, before, after: text.trim() === "" ? null : text }, ...test];
  return checkRemoval(project, `\`${name}\``, [], { changes, absent, notes: [] });
}

/** As the blueprint has them, which takes the token where there are none. */
function readParams(text: string, name: string): readonly ProviderParam[] {
  const outline = readOutline(text);
  if (isUnreadable(outline)) return [];
  const types = new Map([...importedTypes(outline)].map(([type, local]) => [local, type]));
  const declared = outline.functions.get(name)?.parameters ?? [];
  return declared
    .filter((one) => one !== undefined)
    .filter(({ type }) => types.get(type.text) !== "Bearer")
    .map((one) => toParameter(one, types))
    .filter((one) => one !== "request");
}

/** A test that was edited would fail without the provider, so both stay. */
function planTestFileRemoval(
  project: Project,
  wanted: WantedProvider,
  params: readonly ProviderParam[],
): readonly Change[] | NoPlan {
  const file = testFile(project, wanted.testName);
  const before = readText(project.root, file);
  if (before === null) return [];
  if (isDiagnostic(before)) return noPlan(before);
  const text = providerTest(project, wanted, params);
  if (before === text) return [{ file, before, after: null }];
  const difference = { file, text: before, edit: { start: 0, end: before.length, text } };
  return diagnoseEdited([{ what: file, location: { file, line: 1, column: 1 }, difference }]);
}
