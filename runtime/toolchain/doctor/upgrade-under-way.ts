/** Whether an upgrade waits for somebody to resolve its conflicts, or can't go on. */

import { diagnose, startOf } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { findDamage, readStage, toConflictFile } from "../upgrade/stage.ts";

export function checkUpgrade(root: string): readonly Diagnostic[] {
  const stage = readStage(root);
  if (stage === undefined) return [];
  const damage = findDamage(stage);
  if (damage !== undefined) return [damage];
  const places = Object.keys(stage.conflicts).map((file) => startOf(toConflictFile(file)));
  return [diagnose("FW841", stage, ...places)];
}
