/** The work of an upgrade, in the project's turn: begin one, finish one that waits for the user, or give it up. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { VENDORED_FOLDER } from "#convention/layout";
import { withProjectLock } from "#generators/changes/session";
import { BASE_FILE, findBases } from "#toolchain/upgrade/bases";
import {
  addFiles,
  explainFailure,
  letWait,
  listLeft,
  readVendored,
  removeLeft,
  repair,
  replaceVendored,
  WAITING_FOLDER,
  writeNewer,
} from "#toolchain/upgrade/folders";
import { listMerges, type Newer, type Plan, planUpgrade, setAside } from "#toolchain/upgrade/plan";
import { tellTemplateChanges } from "#toolchain/upgrade/template-changes";
import { compareVersions } from "#toolchain/upgrade/version";
import { isUntouched, planFinish } from "#toolchain/upgrade/waiting";
import { isNoManifest, readManifest } from "#toolchain/vendored";
import type { CommandInput } from "../command.ts";
import { failUpgrade, type Outcome, tellAbort, tellNothing, tellPlan, tellUpgrade } from "./report.ts";

/** What only this one upgrade has. */
export interface Given {
  readonly newer: Newer;
  /** Where the package of the project's version can be unpacked, if an edit has to be merged. */
  readonly temporary: string;
}

/** @returns the exit status: 0 if it is done or there is nothing to do, 1 for an error, or if the user has to merge edits. */
export async function beginUpgrade(input: CommandInput, root: string, given: Given): Promise<number> {
  const { options } = input;
  if (options["dry-run"] === true || options.check === true) {
    const planned = await plan(input, root, given);
    return "severity" in planned ? failUpgrade(input, [planned]) : tellPlan(input, planned);
  }
  return inTurn(input, root, async () => {
    repair(root);
    if (existsSync(join(root, WAITING_FOLDER)) && !isUntouched(root)) {
      const { version } = given.newer.manifest;
      return diagnose("FW806", { folder: WAITING_FOLDER, asked: version, command: commandIn(root) });
    }
    const planned = await plan(input, root, given);
    return "severity" in planned || !planned.isChange ? planned : make(root, given.newer, planned);
  });
}

type Planned = Outcome & { readonly own: readonly string[]; readonly why: string };

async function plan(
  { cwd, options }: CommandInput,
  root: string,
  { newer, temporary }: Given,
): Promise<Planned | Diagnostic> {
  const now = readVendored(root);
  if ("severity" in now) return now;
  const { version } = now.manifest;
  const to = newer.manifest.version;
  if (compareVersions(to, version) < 0 && options.force !== true)
    return diagnose("FW803", { from: version, to });
  const vendored = join(root, VENDORED_FOLDER);
  const path = typeof options.base === "string" ? options.base : undefined;
  // npm's cache often has the package that made the project.
  const wanted = { cwd, path, version, npm: ["--prefer-offline", "--fetch-retries=0"] };
  const bases = await findBases(vendored, listMerges(now, newer), wanted, temporary);
  if ("severity" in bases) return bases;
  const notes = tellTemplateChanges(root, vendored, newer.folder);
  return { ...planUpgrade(vendored, now, newer, bases), own: now.extra, notes, why: bases.why };
}

/** With a conflict, or an edit without its original, nothing is replaced. */
function make(root: string, newer: Newer, planned: Planned): Outcome {
  const { files, own, from, to, why } = planned;
  const waiting = files.filter(({ fate }) => fate === "conflict" || fate === "unmerged");
  if (waiting.length === 0) {
    writeNewer(root, newer, files, own);
    return { ...planned, notes: [...replaceVendored(root), ...planned.notes] };
  }
  const edits = files.filter(({ before, fate }) => before !== undefined && fate !== "kept");
  const copies = edits.map(({ file, before = Buffer.of() }) =>
    setAside(join(root, VENDORED_FOLDER), file, before),
  );
  writeNewer(root, newer, [...files, ...copies], own);
  letWait(root);
  const command = commandIn(root);
  const unmerged = waiting.filter(({ fate }) => fate === "unmerged").map(({ file }) => startIn(file, 1));
  if (unmerged.length === 0) return { ...planned, problem: describeConflicts(planned, command) };
  const details = { count: unmerged.length, from, to, why, folder: WAITING_FOLDER, command };
  return { ...planned, problem: diagnose("FW804", details, ...unmerged) };
}

function startIn(file: string, line: number): { file: string; line: number; column: number } {
  return { file: `${WAITING_FOLDER}/${file}`, line, column: 1 };
}

function describeConflicts({ files, from, to }: Plan, command: string): Diagnostic | undefined {
  const places = files.flatMap(({ file, fate, conflicts = [] }) =>
    fate === "conflict" ? conflicts.map((line) => startIn(file, line)) : [],
  );
  if (places.length === 0) return undefined;
  return diagnose("FW805", { conflicts: places.length, from, to, command }, ...places);
}

/** Versions that keep originals in the project look elsewhere for an upgrade that waits. */
function commandIn(root: string): string {
  return existsSync(join(root, VENDORED_FOLDER, BASE_FILE)) ? `node ${WAITING_FOLDER}` : "npx framework";
}

export async function continueUpgrade(input: CommandInput, root: string, version: string): Promise<number> {
  if (!existsSync(join(root, WAITING_FOLDER))) return tellNothing(input, version, "No upgrade is under way.");
  return inTurn(input, root, () => {
    repair(root);
    const finish = planFinish(root);
    if ("severity" in finish) return finish;
    const [vendored, waiting] = [join(root, VENDORED_FOLDER), join(root, WAITING_FOLDER)];
    const notes = tellTemplateChanges(root, vendored, waiting);
    const problem = describeConflicts(finish, commandIn(root));
    if (problem !== undefined) return { ...finish, notes, problem };
    addFiles(root, WAITING_FOLDER, finish.files, finish.own);
    const left = replaceVendored(root, WAITING_FOLDER);
    for (const file of finish.copies) rmSync(join(vendored, file));
    return { ...finish, notes: [...left, ...notes] };
  });
}

/** Nothing of the project was replaced yet, so there is nothing to undo. */
export async function abortUpgrade(input: CommandInput, root: string): Promise<number> {
  return inTurn(input, root, () => {
    repair(root);
    const manifest = readManifest(join(root, WAITING_FOLDER));
    const isLeft = listLeft(root).length > 0;
    removeLeft(root);
    tellAbort(input, isLeft ? (isNoManifest(manifest) ? "a newer version" : manifest.version) : undefined);
    return undefined;
  });
}

/** @param work returns undefined if it has printed what it did. */
async function inTurn(
  input: CommandInput,
  root: string,
  work: () => Promise<Outcome | Diagnostic> | Outcome | Diagnostic | undefined,
): Promise<number> {
  const outcome = await withProjectLock(root, input.terminal.printError, async () => {
    try {
      return await work();
    } catch (error) {
      return explainFailure(root, error);
    }
  });
  if (outcome === undefined) return 0;
  return "severity" in outcome ? failUpgrade(input, [outcome]) : tellUpgrade(input, outcome);
}
