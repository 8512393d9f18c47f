/** Finds code that uses a handler, a hook or a provider as a plain function: to remove it would break that code, and the table would not show it. */

import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import { createFiles } from "#convention/source/files";
import { createModules, type Modules } from "#convention/source/modules";
import { isUnreadable, readOutline } from "./source/outline.ts";
import { readText } from "./source/text.ts";
import { readUses } from "./source/uses.ts";

export const CHANGE_FIRST = "Change what needs it first, and run the command again.";

/** Reports a function that the rest of its own file uses. */
export function diagnoseUsed(module: string, left: string, names: readonly string[]): Diagnostic | undefined {
  const uses = readUses(left);
  const used = names.find((name) => uses.has(name));
  return used === undefined ? undefined : diagnoseUser(used, module);
}

/** Reports the first source file that imports one of the functions. */
export function diagnoseImported(
  project: Project,
  module: string,
  names: readonly string[],
): Diagnostic | undefined {
  const modules = createModules(createFiles(project.root));
  for (const file of project.files) {
    if (file === module || !file.endsWith(".ts")) continue;
    const text = readText(project.root, file);
    // Most files name none of them, and needn't be parsed.
    if (typeof text !== "string" || !names.some((name) => text.includes(name))) continue;
    const used = importsFrom(modules, text, file, module).find((name) => names.includes(name));
    if (used !== undefined) return diagnoseUser(used, file);
  }
  return undefined;
}

function diagnoseUser(name: string, file: string): Diagnostic {
  return diagnose("FW619", { what: `\`${name}\``, why: `${file} uses it.`, hint: CHANGE_FIRST });
}

function importsFrom(modules: Modules, text: string, file: string, module: string): readonly string[] {
  const outline = readOutline(text);
  if (isUnreadable(outline)) return [];
  return outline.imports
    .filter(({ source }) => modules.locate(file, source) === module)
    .flatMap(({ names }) => names.map(({ imported }) => imported));
}
