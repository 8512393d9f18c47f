/** An upgrade's turn at the project: planned, laid out, and made as soon as no conflict is left. This is done by the newer framework. */

import { mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { attempt, explain, removeFile, temporaryBeside, writeDurably } from "#generators/changes/disk";
import { withProjectLock } from "#generators/changes/lock";
import { readStage, removeStage, STAGE_FOLDER, toConflictFile, writeStage } from "#toolchain/upgrade/stage";
import type { Unpacked } from "#toolchain/upgrade/unpacked";
import type { CommandInput } from "../command.ts";
import { type FileChange, type PlannedUpgrade, planWhole, toChanges } from "./plan.ts";
import { failUpgrade, tellAbort, tellPlan, tellUpgrade } from "./report.ts";

/** @returns the exit status: 0 for done or nothing to do, 1 for an error, or for conflicts that the user must resolve. */
export async function runUpgrade(input: CommandInput, root: string, unpacked: Unpacked): Promise<number> {
  const { options, terminal } = input;
  const plan = (): PlannedUpgrade | Diagnostic => planWhole(root, unpacked, options.force === true);
  if (options["dry-run"] === true || options.check === true) {
    const planned = plan();
    return "severity" in planned ? failUpgrade(input, [planned]) : tellPlan(input, planned);
  }
  const made = await withProjectLock(root, terminal.printError, () => {
    const planned = plan();
    return "severity" in planned ? planned : make(root, unpacked, planned);
  });
  if ("severity" in made) return failUpgrade(input, [made]);
  return tellUpgrade(input, made.planned, made.conflicts);
}

/** Nothing of the project was touched yet, so that there is nothing to take back. */
export async function abortUpgrade(input: CommandInput, root: string): Promise<number> {
  const given = await withProjectLock(root, input.terminal.printError, () =>
    tryOn(STAGE_FOLDER, () => {
      const stage = readStage(root);
      removeStage(root);
      return { to: stage?.to };
    }),
  );
  if ("severity" in given) return failUpgrade(input, [given]);
  tellAbort(input, given.to);
  return 0;
}

interface Made {
  readonly planned: PlannedUpgrade;
  /** As long as there are any, nothing is made. */
  readonly conflicts?: Diagnostic;
}

function make(root: string, unpacked: Unpacked, planned: PlannedUpgrade): Made | Diagnostic {
  const changes = toChanges(planned);
  if (changes.length === 0) return finish(root, planned);
  const problem = tryOn<undefined>(STAGE_FOLDER, () => void writeStage(root, planned, unpacked));
  if (problem !== undefined) {
    // Of one that is begun, what the user has resolved stays.
    if (readStage(root) === undefined) attempt(() => removeStage(root));
    return problem;
  }
  const conflicts = findConflicts(planned);
  if (conflicts !== undefined) return { planned, conflicts };
  const failure = firstFailure(root, changes);
  if (failure === undefined) return finish(root, planned);
  if (isOfNoUse(root, failure)) attempt(() => removeStage(root));
  return failure;
}

function firstFailure(root: string, changes: readonly FileChange[]): Diagnostic | undefined {
  for (const { file, after } of changes) {
    const problem = tryOn<undefined>(file, () => writeFile(join(root, file), after));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function writeFile(path: string, content: Buffer | null): undefined {
  if (content === null) {
    removeFile(path);
    return;
  }
  const temporary = temporaryBeside(path);
  mkdirSync(dirname(path), { recursive: true });
  writeDurably(temporary, content);
  renameSync(temporary, path);
}

/** The project's own framework takes back what is half made. What the user has resolved stays. */
function isOfNoUse(root: string, failure: Diagnostic): boolean {
  return failure.code !== "FW624" && Object.keys(readStage(root)?.conflicts ?? {}).length === 0;
}

/** A stage that can't be removed does no harm: it is one of the version that is there now. */
function finish(root: string, planned: PlannedUpgrade): Made {
  attempt(() => removeStage(root));
  return { planned };
}

function findConflicts({ files, from, to }: PlannedUpgrade): Diagnostic | undefined {
  const places = files
    .filter(({ fate }) => fate === "conflict")
    .flatMap(({ file, conflicts }) =>
      conflicts.map((line) => ({ file: toConflictFile(file), line, column: 1 })),
    );
  return places.length === 0
    ? undefined
    : diagnose("FW805", { conflicts: places.length, from, to }, ...places);
}

/** An error of the system becomes a diagnostic about the file. */
export function tryOn<Result>(file: string, act: () => Result): Result | Diagnostic {
  try {
    return act();
  } catch (error) {
    return diagnose("FW622", { file, why: explain(error) });
  }
}
