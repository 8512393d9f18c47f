/** The samples that a project was created with. `destroy` removes one only as a whole, and only if nobody edited it. */

import { createHash } from "node:crypto";
import { diagnose, startOf } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { MANIFEST_FILE, VENDORED_FOLDER } from "#convention/layout";
import type { Project } from "#convention/project";
import { isRecord } from "#convention/source/record";
import type { Route } from "#runtime/routing/route";
import type { Change } from "./changes/changes.ts";
import { diagnoseImported } from "./importers.ts";
import { type NoPlan, noPlan } from "./plan.ts";
import { readText } from "./source/text.ts";

/** @returns undefined for a file that is not part of a sample, or not there. */
export function sampleState({ root }: Project, file: string): "untouched" | "edited" | undefined {
  const hash = readHashes(root)[file];
  const text = hash === undefined ? null : readText(root, file);
  if (text === null) return undefined;
  return !isDiagnostic(text) && hashText(text) === hash ? "untouched" : "edited";
}

/** With LF line ends, as the build hashes it: git may have changed them. */
function hashText(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

/** The hashes in the manifest of the vendored framework, by file. */
function readHashes(root: string): Readonly<Record<string, unknown>> {
  const text = readText(root, `${VENDORED_FOLDER}/${MANIFEST_FILE}`);
  try {
    const manifest: unknown = JSON.parse(typeof text === "string" ? text : "{}");
    const template = isRecord(manifest) ? manifest.template : undefined;
    const samples = isRecord(template) ? template.samples : undefined;
    return isRecord(samples) ? samples : {};
  } catch {
    return {};
  }
}

/**
 * Takes a sample back whose sources are all untouched.
 *
 * @param sources with the file first that has the handlers.
 * @param test the sample's test, which may be gone.
 */
export function planSampleRemoval(
  project: Project,
  sources: readonly [string, ...string[]],
  test: string,
  routes: readonly Route[],
): readonly Change[] | NoPlan {
  const handlers = routes.map(({ handler }) => handler);
  const used = diagnoseImported(project, sources[0], handlers);
  if (used !== undefined) return noPlan(used);
  const state = sampleState(project, test);
  if (state === "edited") return noPlan(diagnoseEditedSample(test));
  const files = state === "untouched" ? [...sources, test] : sources;
  return files.map((file) => ({ file, before: String(readText(project.root, file)), after: null }));
}

export function diagnoseEditedSample(file: string): Diagnostic {
  return diagnose("FW626", { file }, startOf(file));
}

/** @param all the command that takes the whole sample back. */
export function diagnoseSamplePart({ module: file, handler, location }: Route, all: string): Diagnostic {
  return diagnose("FW626", { file, handler, all }, location);
}
