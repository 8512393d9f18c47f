/** Plans a provider in a file of its own, or in an app's `providers.ts`, with its test. */

import { diagnose, startOf } from "#runtime/convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { VIEWS_FILE } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import { resolveExport } from "#runtime/convention/source/exports";
import { createFiles } from "#runtime/convention/source/files";
import type { PlainParameter } from "#runtime/convention/source/module";
import { createModules } from "#runtime/convention/source/modules";
import type { Change } from "../changes/changes.ts";
import { addFunctions, toSource } from "../functions.ts";
import { checkPlan, isNoPlan, type NoPlan, noPlan, type Plan } from "../plan.ts";
import { referenceStyle } from "../reference-style.ts";
import type { HandlerParameter } from "../source/blueprints.ts";
import { formatImport } from "../source/imports.ts";
import { isUnreadable, readOutline } from "../source/outline.ts";
import { diagnoseUnreadable } from "../source/source.ts";
import { applyStyle } from "../source/style.ts";
import { readText } from "../source/text.ts";
import { testFile } from "../tests.ts";
import { formatWanted } from "../wanted.ts";
import type { FileChanges } from "../withdrawal.ts";
import { toParameters } from "../words.ts";
import { providerBlueprint, providerTestBlueprint, refusalOf } from "./blueprint.ts";
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
    const other = diagnoseOther(project, wanted);
    if (other !== undefined) return noPlan(other);
    const already = `\`${name}\` is there already: ${file}`;
    return { changes: [], made: [], present: [], notes: [already, ...usage] };
  }
  const style = referenceStyle(project);
  const after = addFunctions(
    file,
    before,
    [providerBlueprint(name, toParameters(wanted.params))],
    "provider",
    style,
  );
  if (isDiagnostic(after)) return noPlan(after);
  const tests = planProviderTest(project, wanted);
  const changes: readonly Change[] = [{ file, before, after }, ...tests.changes];
  const checked = checkPlan(project, changes, { what: `\`${name}\``, routes: [] });
  if (isNoPlan(checked)) return checked;
  return { changes, made: [], present: [], notes: [...checked.notes, ...tests.notes, ...usage] };
}

/** Reports a provider that is there with other params than those that the command names. */
function diagnoseOther({ root }: Project, { name, file, params }: WantedProvider): Diagnostic | undefined {
  const modules = createModules(createFiles(root));
  const module = modules.get(file);
  const found = module && resolveExport(modules, module, name, startOf(file));
  if (params.length === 0 || found?.kind !== "function") return undefined;
  const { parameters, location } = found.value;
  const declared = parameters.map((one) =>
    one.kind === "plain" ? `${one.name}: ${one.type?.text ?? "string"}` : "…",
  );
  const bare = parameters.flatMap((one) =>
    one.kind === "plain" && isOfPath(one) ? [toKey(one.name, one.type?.text)] : [],
  );
  const asked = params.flatMap((one) => (one === "request" ? [] : [toKey(one.name, one.type)]));
  if (bare.join("\n") === asked.join("\n")) return undefined;
  const details = {
    name,
    signature: `(${declared.join(", ")})`,
    wanted: formatWanted(params),
    instead: "choose another name.",
  };
  return diagnose("FW609", details, location);
}

/** What else has a mark. */
function isOfPath({ type }: PlainParameter): boolean {
  return type === null || /^(?:int|number|str|string)$/.test(type.text);
}

function toKey(name: string, type = "string"): string {
  return `${name}: ${/^(?:int|number)$/.test(type) ? "int" : "str"}`;
}

function planProviderTest(project: Project, wanted: WantedProvider): FileChanges {
  const file = testFile(project, wanted.testName);
  const before = readText(project.root, file);
  if (before === null)
    return {
      changes: [{ file, before, after: providerTest(project, wanted, toParameters(wanted.params)) }],
      notes: [],
    };
  return { changes: [], notes: [`${file} was left alone because it is there already.`] };
}

/** The test as it would be written now. */
export function providerTest(
  project: Project,
  { name, file, testName }: WantedProvider,
  parameters: readonly HandlerParameter[],
): string {
  const style = referenceStyle(project);
  const source = toSource(testFile(project, testName), file);
  return applyStyle(providerTestBlueprint(name, parameters, source, style), style);
}

/** How a handler asks for the provider, and how a folder does. */
function describeUse(project: Project, { name, file, params }: WantedProvider): readonly string[] {
  const folder = file.slice(0, file.lastIndexOf("/"));
  const beside = project.apps.find((app) => app.folder === folder);
  const module = beside === undefined ? project.routes[0]?.module : `${folder}/${VIEWS_FILE}`;
  const user = module ?? "routes/index.ts";
  return [
    `Until you write the look-up, it refuses every request with ${refusalOf(toParameters(params)).status}.`,
    `A handler asks for it with a parameter: me: From<typeof ${name}>`,
    `In ${user}, import it with: ${formatImport([name], toSource(user, file))}`,
    `All routes of a folder ask for it with: npx framework generate hooks <folder> --guard ${name}`,
  ];
}
