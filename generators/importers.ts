/** Finds who imports a handler as a plain function: taking it out would break that file, though the table would not show it. */

import type { Project } from "#runtime/convention/project";
import { createFiles } from "#runtime/convention/source/files";
import { createModules, type Modules } from "#runtime/convention/source/modules";
import { isUnreadable, readOutline } from "./source/outline.ts";
import { readText } from "./source/text.ts";

/**
 * @param module the file that exports the handlers.
 * @returns the first of the project's sources that imports one of them, and which.
 */
export function findImporter(
  project: Project,
  module: string,
  handlers: readonly string[],
): { readonly file: string; readonly handler: string } | undefined {
  const modules = createModules(createFiles(project.root));
  for (const file of project.files) {
    if (file === module || !file.endsWith(".ts")) continue;
    const text = readText(project.root, file);
    // Most files name neither, and needn't be parsed.
    if (typeof text !== "string" || !handlers.some((handler) => text.includes(handler))) continue;
    const handler = importsFrom(modules, text, file, module).find((name) => handlers.includes(name));
    if (handler !== undefined) return { file, handler };
  }
  return undefined;
}

function importsFrom(modules: Modules, text: string, file: string, module: string): readonly string[] {
  const outline = readOutline(text);
  if (isUnreadable(outline)) return [];
  return outline.imports
    .filter(({ source }) => modules.locate(file, source) === module)
    .flatMap(({ names }) => names.map(({ imported }) => imported));
}
