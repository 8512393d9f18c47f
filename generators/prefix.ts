/** An app's prefix as a generator needs it: in segments, or why it can't be known. */

import type { App } from "#runtime/convention/config/config";
import { type Diagnostic, isError } from "#runtime/convention/diagnostics/diagnostic";
import { appFiles } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import { isBadPrefix, parsePrefix } from "#runtime/core/routing/pattern";
import { readText } from "./source/text.ts";

/** Why it is not known where an app's routes are served: what is wrong with its `app.toml`, missing or not. */
export function prefixErrors(project: Project, { name, location: listed }: App): readonly Diagnostic[] {
  const { config: file } = appFiles(name);
  const isMissing = readText(project.root, file) === null;
  return project.diagnostics.filter(isError).filter(({ code, locations: [place] }) => {
    if (code === "FW110") return isMissing && place?.line === listed.line && place.column === listed.column;
    return place?.file === file;
  });
}

/** Of a prefix that can be read: one that can't is refused before by {@link prefixErrors}. */
export function prefixSegments(prefix: string): readonly string[] {
  const segments = parsePrefix(prefix);
  return isBadPrefix(segments) ? [] : segments;
}
