/** An app's prefix in segments, or why it is unknown. */

import type { App } from "#convention/config/config";
import { type Diagnostic, isError } from "#convention/diagnostics/diagnostic";
import { appFiles } from "#convention/layout";
import { parsePrefix } from "#convention/pattern";
import type { Project } from "#convention/project";
import { isRefusal } from "#convention/refusal";
import { readText } from "./source/text.ts";

/** The errors of an app's `app.toml`, or that it is missing: then nobody knows where its routes are served. */
export function prefixErrors(project: Project, { name, location: listed }: App): readonly Diagnostic[] {
  const { config: file } = appFiles(name);
  const isMissing = readText(project.root, file) === null;
  return project.diagnostics.filter(isError).filter(({ code, locations: [place] }) => {
    if (code === "FW109") return isMissing && place?.line === listed.line && place.column === listed.column;
    return place?.file === file;
  });
}

/** For a prefix that {@link prefixErrors} accepts. */
export function prefixSegments(prefix: string): readonly string[] {
  const segments = parsePrefix(prefix);
  return isRefusal(segments) ? [] : segments;
}
