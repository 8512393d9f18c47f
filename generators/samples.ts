/** The samples that a project was created with: taken back as a whole, as long as they are as they came. */

import { createHash } from "node:crypto";
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { MANIFEST_FILE, VENDORED_FOLDER } from "#runtime/convention/layout";
import type { Project } from "#runtime/convention/project";
import { isRecord } from "#runtime/convention/source/record";
import type { Route } from "#runtime/core/routing/route";
import type { Change } from "./changes/changes.ts";
import { type NoPlan, noPlan } from "./no-plan.ts";
import { diagnoseImported } from "./removal.ts";
import { readText } from "./source/text.ts";

/** @returns undefined for a file that is not of a sample, or is not there. */
export function sampleState({ root }: Project, file: string): "untouched" | "edited" | undefined {
  const hash = readHashes(root)[file];
  const text = hash === undefined ? null : readText(root, file);
  if (text === null) return undefined;
  return !isDiagnostic(text) && hashText(text) === hash ? "untouched" : "edited";
}

/** As the build writes it, whose file system and git have their own line ends. */
function hashText(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

/** What the framework that was vendored last has in its manifest, by file. */
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

export interface SampleFiles {
  /** What has the handlers, first, and what else is the sample's own. */
  readonly sources: readonly [string, ...string[]];
  readonly test: string;
}

/** @returns what takes an untouched sample back, or why it stays; undefined where its sources are anything else. */
export function planSampleRemoval(
  project: Project,
  { sources, test }: SampleFiles,
  routes: readonly Route[],
): readonly Change[] | NoPlan | undefined {
  if (!sources.every((file) => sampleState(project, file) === "untouched")) return undefined;
  const [module] = sources;
  const used = diagnoseImported(project, module, routes);
  if (used !== undefined) return used;
  const state = sampleState(project, test);
  if (state === "edited") return diagnoseEditedSample(test);
  const files = state === "untouched" ? [...sources, test] : sources;
  return files.map((file) => ({ file, before: String(readText(project.root, file)), after: null }));
}

export function diagnoseEditedSample(file: string): NoPlan {
  const location = { file, line: 1, column: 1 };
  return noPlan(diagnose("FW626", { file }, location));
}

/** @param all the command that takes the whole sample back. */
export function diagnoseSamplePart(project: Project, route: Route, all: string): NoPlan | undefined {
  const { module: file, handler, location } = route;
  if (sampleState(project, file) !== "untouched") return undefined;
  return noPlan(diagnose("FW626", { file, handler, all }, location));
}
