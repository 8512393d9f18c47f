/** What an upgrade would do to a project: to the vendored files, and what is left to the user. */

import { join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { VENDORED_FOLDER } from "#convention/layout";
import { isChanging, type Plan, planUpgrade } from "#toolchain/upgrade/plan";
import { findDamage, findEditedSince, readResolved, readStage } from "#toolchain/upgrade/stage";
import { tellTemplateChanges } from "#toolchain/upgrade/template-changes";
import type { Unpacked } from "#toolchain/upgrade/unpacked";
import { compareVersions } from "#toolchain/upgrade/version";
import { isSameFramework } from "#toolchain/vendored";
import { frameworkVersion } from "../version.ts";

export interface PlannedUpgrade extends Plan {
  /** What a person should know or do, a sentence or two each. */
  readonly notes: readonly string[];
}

/** @param isBackAllowed whether the newer framework may be an older one. */
export function planWhole(
  root: string,
  unpacked: Unpacked,
  isBackAllowed: boolean,
): PlannedUpgrade | Diagnostic {
  const stage = readStage(root);
  // Another command may have begun one since this one was started.
  if (stage !== undefined && !isSameFramework(stage.unpacked.framework, unpacked.framework)) {
    return diagnose("FW806", { to: stage.to, asked: frameworkVersion() });
  }
  const problem = stage && (findDamage(stage) ?? findEditedSince(root, stage));
  if (problem !== undefined) return problem;
  const planned = planUpgrade(root, unpacked, stage && readResolved(root, stage));
  if ("severity" in planned) return planned;
  const { from, to } = planned;
  if (compareVersions(to, from) < 0 && !isBackAllowed && stage === undefined)
    return diagnose("FW803", { from, to });
  return { ...planned, notes: tellTemplateChanges(root, join(root, VENDORED_FOLDER), unpacked.framework) };
}

export interface FileChange {
  readonly file: string;
  /** Null for a file that goes. */
  readonly after: Buffer | null;
}

/** What will be written and removed, by its path in the project. */
export function toChanges({ files }: PlannedUpgrade): readonly FileChange[] {
  return files.filter(isChanging).map(({ file, after }) => ({ file: `${VENDORED_FOLDER}/${file}`, after }));
}
