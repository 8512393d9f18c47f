/** The layout of a new file. */

import { appFiles } from "#convention/layout";
import type { Project } from "#convention/project";
import { DEFAULT_STYLE, detectStyle, type Style } from "./edit/style.ts";
import { tryText } from "./edit/text.ts";

/** The layout of the project's first handlers, so that new files look like the others. */
export function referenceStyle(project: Project): Style {
  const candidates = [
    ...project.apps.map(({ name }) => appFiles(name).views),
    ...project.routes.map(({ module }) => module),
    "app.ts",
  ];
  for (const file of candidates) {
    const text = tryText(project.root, file);
    if (typeof text !== "string" || text.trim() === "") continue;
    return detectStyle(text);
  }
  return DEFAULT_STYLE;
}

/** The layout of a file; where it shows none, that of the first handlers. */
export function styleBeside(project: Project, text: string): Style {
  return detectStyle(text, referenceStyle(project));
}
