/** Finds code that calls a handler as a plain function: to remove the handler would break it, and the table would not show that. */

import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Project } from "#runtime/convention/project";
import { createFiles } from "#runtime/convention/source/files";
import { createModules, type Modules } from "#runtime/convention/source/modules";
import type { Route } from "#runtime/core/routing/route";
import { isUnreadable, readOutline } from "./source/outline.ts";
import { readText } from "./source/text.ts";
import { readUses } from "./source/uses.ts";

export const CHANGE_FIRST = "Change what needs it first, and run the command again.";

/** Reports a handler that the rest of its own file uses. */
export function diagnoseUsed(module: string, left: string, routes: readonly Route[]): Diagnostic | undefined {
  const uses = readUses(left);
  const used = routes.find(({ handler }) => uses.has(handler));
  return used && diagnoseUser(used.handler, module);
}

/** Reports the first source file that imports one of the handlers. */
export function diagnoseImported(
  project: Project,
  module: string,
  routes: readonly Route[],
): Diagnostic | undefined {
  const handlers = routes.map(({ handler }) => handler);
  const modules = createModules(createFiles(project.root));
  for (const file of project.files) {
    if (file === module || !file.endsWith(".ts")) continue;
    const text = readText(project.root, file);
    // Most files name none of them, and needn't be parsed.
    if (typeof text !== "string" || !handlers.some((handler) => text.includes(handler))) continue;
    const handler = importsFrom(modules, text, file, module).find((name) => handlers.includes(name));
    if (handler !== undefined) return diagnoseUser(handler, file);
  }
  return undefined;
}

function diagnoseUser(handler: string, file: string): Diagnostic {
  return diagnose("FW619", { what: `\`${handler}\``, why: `${file} uses it.`, hint: CHANGE_FIRST });
}

function importsFrom(modules: Modules, text: string, file: string, module: string): readonly string[] {
  const outline = readOutline(text);
  if (isUnreadable(outline)) return [];
  return outline.imports
    .filter(({ source }) => modules.locate(file, source) === module)
    .flatMap(({ names }) => names.map(({ imported }) => imported));
}
