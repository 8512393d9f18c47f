/** Finds the file of a provider that a command names, and refuses what can't be a provider's name. */

import { appFiles, PROVIDERS_FILE, PROVIDERS_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import type { Refusal } from "#convention/refusal";
import { isHandlerName, parseMethodExport } from "#convention/rule/naming";
import { isHookName } from "#convention/rule/near-hooks";
import { isFunctionName } from "#convention/rule/segments";
import type { HandlerParam } from "../code/handlers.ts";
import { refuseWord } from "../refused.ts";
import { findApp } from "./app.ts";
import { findOtherCase, LONGEST_NAME, shorten } from "./names.ts";

export interface ProviderInput {
  readonly name: string;
  /** Undefined for a file of its own in `providers/`. */
  readonly app: string | undefined;
  /** Without any, it takes the token of the request. */
  readonly params: readonly HandlerParam[];
}

export interface WantedProvider {
  readonly name: string;
  readonly file: string;
  /** The name of its test file, without folder and ending. */
  readonly testName: string;
}

/** Names that the code of a provider needs for itself, and that its test needs. */
const NAMES_IN_CODE: readonly string[] = ["Bearer", "HttpError", "Map", "undefined"];
const NAMES_IN_TEST: readonly string[] = ["rejects", "test"];

/** @returns where the provider is, or would be. @throws {Refused} if it can't be. */
export function toWantedProvider(project: Project, { name, app, params }: ProviderInput): WantedProvider {
  const bad = explainBadName(name);
  if (bad !== undefined) refuseWord(bad.why, bad.hint);
  const folder = app === undefined ? undefined : appFiles(findApp(project, app).name).folder;
  const file = folder === undefined ? `${PROVIDERS_FOLDER}/${name}.ts` : `${folder}/${PROVIDERS_FILE}`;
  const other = folder === undefined ? findOtherCase(project.root, file) : undefined;
  if (other !== undefined) {
    const why = `\`${name}\` differs only by case from the name of ${other}, and not every system can tell the two apart`;
    refuseWord(why, "Choose another name.");
  }
  const taken = params.find((one) => NAMES_IN_CODE.includes(one.name));
  if (taken !== undefined) refuseWord(explainTaken(taken.name), "Choose another name.");
  return { name, file, testName: app === undefined ? name : `${app}-${name}` };
}

function explainTaken(name: string): string {
  return `A provider's own code needs the name \`${name}\``;
}

function explainBadName(name: string): Refusal | undefined {
  if (/^[a-z]+$/.test(name) && !isFunctionName(name))
    return {
      why: `\`${name}\` is a reserved word`,
      hint: `Choose another name, such as \`current_${name}\`.`,
    };
  if (!isFunctionName(name) || name.length > LONGEST_NAME) {
    const hint = "Use letters, digits and `_`, and begin with a letter, as in `current_user`.";
    return { why: `\`${shorten(name)}\` can't be the name of a function`, hint };
  }
  if (isHookName(name) && name !== "limits") {
    const option = name === "guard" ? "--guard <provider>" : `--${name}`;
    const hint = `Make hooks with: npx framework generate hooks <folder> ${option}`;
    return { why: `\`${name}\` is the name of a hook`, hint };
  }
  // In a file of handlers it would be served.
  if (isHandlerName(name) || parseMethodExport(name) !== undefined) {
    const hint = "Name it after what it provides, as in `current_user`.";
    return { why: `\`${name}\` is the name of a handler`, hint };
  }
  if (![...NAMES_IN_CODE, ...NAMES_IN_TEST].includes(name)) return undefined;
  return { why: explainTaken(name), hint: "Choose another name." };
}
