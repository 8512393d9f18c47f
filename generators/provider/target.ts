/** Finds the file of a provider that a command names, and refuses what can't be a provider's name. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { appFiles, PROVIDERS_FILE, PROVIDERS_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import { isFunctionName, isHandlerName, methodOf, parseMethodExport } from "#convention/rule/naming";
import { diagnoseUnknownApp } from "../handler/target.ts";
import { HOOK_NAMES } from "../hooks/blueprints.ts";
import { findOtherCase, LONGEST_NAME, shorten, toPlainName } from "../names.ts";
import type { WantedParam } from "../words.ts";
import { NAMES_IN_USE } from "./blueprint.ts";

export interface ProviderInput {
  readonly name: string;
  /** Undefined for a file of its own in `providers/`. */
  readonly app: string | undefined;
  /** Without any, it takes the token of the request. */
  readonly params: readonly WantedParam[];
}

export interface WantedProvider {
  readonly name: string;
  readonly file: string;
  /** The name of its test file, without folder and ending. */
  readonly testName: string;
}

/** @returns where the provider is, or would be, or why it can't be. */
export function toWantedProvider(
  project: Project,
  { name, app }: Pick<ProviderInput, "name" | "app">,
): WantedProvider | Diagnostic {
  const bad = diagnoseProviderName(name);
  if (bad !== undefined) return bad;
  if (app !== undefined) {
    const apps = project.apps.map((one) => one.name);
    if (!apps.includes(app)) return diagnoseUnknownApp(app, apps);
    return { name, file: `${appFiles(app).folder}/${PROVIDERS_FILE}`, testName: `${app}-${name}` };
  }
  const file = `${PROVIDERS_FOLDER}/${name}.ts`;
  const other = findOtherCase(project.root, file);
  if (other === undefined) return { name, file, testName: name };
  const why = `\`${name}\` differs only by case from the name of ${other}, and not every system can tell the two apart`;
  return diagnose("FW601", { why, hint: "Choose another name." });
}

function diagnoseProviderName(name: string): Diagnostic | undefined {
  const bad = explainBadName(name);
  return bad && diagnose("FW601", bad);
}

function explainBadName(name: string): { readonly why: string; readonly hint: string } | undefined {
  const shown = shorten(name);
  if (/^[a-z]+$/.test(name) && !isFunctionName(name))
    return {
      why: `\`${name}\` is a reserved word`,
      hint: `Choose another name, such as \`current_${name}\`.`,
    };
  if (!isFunctionName(name) || name.length > LONGEST_NAME) {
    const better = toPlainName(name, "_");
    const isBetter = better !== undefined && better !== name && explainBadName(better) === undefined;
    const hint = isBetter
      ? `Did you mean \`${better}\`?`
      : "Use letters, digits and `_`, and begin with a letter, as in `current_user`.";
    return { why: `\`${shown}\` can't be the name of a function`, hint };
  }
  if (HOOK_NAMES.some((hook) => hook === name)) {
    const hint = `Make hooks with: npx framework generate hooks <folder> ${name === "guard" ? "--guard <provider>" : `--${name}`}`;
    return { why: `\`${name}\` is the name of a hook`, hint };
  }
  if (isHandlerName(name) || parseMethodExport(name) !== undefined) return explainHandlerName(name);
  if (!NAMES_IN_USE.includes(name)) return undefined;
  return { why: `A provider's own code needs the name \`${name}\``, hint: "Choose another name." };
}

/** In a file of handlers it would be served. */
function explainHandlerName(name: string): { readonly why: string; readonly hint: string } {
  const thing = name.replace(/^[a-z]+_?/, "");
  const hint =
    isFunctionName(thing) && methodOf(thing) === undefined ? `Did you mean \`current_${thing}\`?` : "";
  return {
    why: `\`${name}\` is the name of a handler`,
    hint: hint === "" ? "Name it after what it provides, as in `current_user`." : hint,
  };
}
