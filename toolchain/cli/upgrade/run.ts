/** The work of an upgrade, in the project's turn: begin one, finish one that waits for the user, or give it up. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "#convention/diagnostics/catalogue";
import { type Diagnostic, isDiagnostic } from "#convention/diagnostics/diagnostic";
import { VENDORED_FOLDER } from "#convention/layout";
import { attempt, isThere } from "#generators/changes/disk";
import { withProjectLock } from "#generators/changes/lock";
import type { Location } from "#runtime/routing/route";
import {
  addFiles,
  letWait,
  listLeft,
  readFramework,
  removeFolders,
  repair,
  replaceVendored,
  UNFINISHED_FOLDER,
  WAITING_FOLDER,
  writeNewer,
} from "#toolchain/upgrade/folders";
import { findMarks } from "#toolchain/upgrade/merge";
import { createOriginals } from "#toolchain/upgrade/originals";
import { UpgradeRefusal } from "#toolchain/upgrade/package";
import { type FilePlan, type Newer, planUpgrade, setAside } from "#toolchain/upgrade/plan";
import { compareVersions } from "#toolchain/upgrade/version";
import { compareVendored, isNoManifest, readBytes, readManifest } from "#toolchain/vendored";
import type { CommandInput } from "../command.ts";
import type { Outcome } from "./report.ts";

/** @param temporary an empty folder. */
export function planOnly(input: CommandInput, root: string, newer: Newer, temporary: string): Outcome {
  const { cwd, flags, values } = input;
  const now = readFramework(root);
  const { version } = now.manifest;
  const to = newer.manifest.version;
  if (compareVersions(to, version) < 0 && !flags.force)
    throw new UpgradeRefusal(diagnose("FW803", { from: version, to }));
  // npm's cache often has the package that made the project.
  const wanted = {
    cwd,
    path: values.base,
    version,
    option: "--base" as const,
    npm: ["--prefer-offline", "--fetch-retries=0"],
  };
  return planUpgrade(join(root, VENDORED_FOLDER), now, newer, createOriginals(wanted, temporary));
}

/** With a conflict, or an edit that can't be merged, nothing is replaced: the newer framework waits in a folder beside. */
export function begin(input: CommandInput, root: string, newer: Newer, temporary: string): Promise<Outcome> {
  return inTurn(input, root, () => {
    if (existsSync(join(root, WAITING_FOLDER)) && !isUntouched(root)) {
      const details = { folder: WAITING_FOLDER, asked: newer.manifest.version };
      throw new UpgradeRefusal(diagnose("FW806", details));
    }
    const planned = planOnly(input, root, newer, temporary);
    if (!planned.isChange) return planned;
    const { files, from, to } = planned;
    const { extra } = readFramework(root);
    const unmerged = files.filter(({ fate }) => fate === "unmerged");
    if (unmerged.length === 0 && !files.some(({ fate }) => fate === "conflict")) {
      writeNewer(root, newer, files, extra);
      replaceVendored(root, UNFINISHED_FOLDER);
      return planned;
    }
    const copies = files.flatMap(({ file, fate, before }) =>
      before === undefined || fate === "kept" ? [] : [setAside([join(root, VENDORED_FOLDER)], file, before)],
    );
    writeNewer(root, newer, [...files, ...copies], extra);
    letWait(root);
    if (unmerged.length === 0) return { ...planned, problem: findConflicts(root, files, from, to) };
    // With the original of each, git may still be missing, and that is told then.
    const { why = "", isLost = false } = unmerged.find((file) => file.isLost === true) ?? unmerged[0] ?? {};
    const details = { count: unmerged.length, from, why, isLost, folder: WAITING_FOLDER };
    return { ...planned, problem: diagnose("FW804", details, ...unmerged.map(({ file }) => placeOf(file))) };
  });
}

/** An edit that is not in the newer framework stays beside it, also one that was made since. A file that the user added stays. */
export function finish(input: CommandInput, root: string): Promise<Outcome> {
  return inTurn(input, root, () => {
    const [vendored, waiting] = [join(root, VENDORED_FOLDER), join(root, WAITING_FOLDER)];
    const [now, next] = [readFramework(root), readFramework(root, WAITING_FOLDER)];
    const isSame = (file: string): boolean => now.manifest.files[file] === next.manifest.files[file];
    const merged = next.edited.map((file): FilePlan => ({ file, fate: isSame(file) ? "kept" : "merged" }));
    const problem = findConflicts(root, merged, now.manifest.version, next.manifest.version);
    if (problem !== undefined) throw new UpgradeRefusal(problem);
    const since = now.extra.filter((file) => !isThere(join(waiting, file)));
    const copies = [...now.edited, ...now.extra.filter((file) => !since.includes(file))].flatMap((file) => {
      const [yours, theirs] = [vendored, waiting].map((folder) => readBytes(join(folder, file)));
      const isDone = yours === undefined || theirs?.equals(yours) === true;
      // The user may have made a file of that name since.
      return isDone ? [] : [setAside([waiting, vendored], file, yours)];
    });
    const isMerged = ({ file }: FilePlan): boolean =>
      next.edited.includes(sourceOf(file)) && existsSync(join(waiting, file));
    const done = copies.filter(isMerged);
    const asides = copies.filter((copy) => !done.includes(copy));
    addFiles(root, WAITING_FOLDER, asides, since);
    replaceVendored(root, WAITING_FOLDER);
    for (const { file } of done) rmSync(join(vendored, file));
    const [from, to] = [now.manifest.version, next.manifest.version];
    return { from, to, isChange: true, files: [...merged, ...asides] };
  });
}

/** @returns the version that was waiting. */
export async function giveUp(input: CommandInput, root: string): Promise<string> {
  const { version } = await inTurn(input, root, () => {
    const found = readManifest(join(root, WAITING_FOLDER));
    removeFolders(root, listLeft(root));
    return isNoManifest(found) ? { version: "a newer version" } : found;
  });
  return version;
}

/** Whether nobody has worked on what waits: it is the newer version's, or a copy of what the project has. */
function isUntouched(root: string): boolean {
  const found = compareVendored(join(root, WAITING_FOLDER));
  if (isNoManifest(found)) return false;
  const isCopy = (file: string): boolean => {
    const read = (folder: string, name: string): Buffer | undefined => readBytes(join(root, folder, name));
    const copy = read(WAITING_FOLDER, file);
    return [file, sourceOf(file)].some((name) => copy && read(VENDORED_FOLDER, name)?.equals(copy));
  };
  return [...found.edited, ...found.extra].every(isCopy);
}

/** The inverse of {@link setAside}. */
function sourceOf(file: string): string {
  return file.replace(/\.edited(?:-\d+)?$/, "");
}

/** The marks that are left in what waits. */
function findConflicts(
  root: string,
  files: readonly FilePlan[],
  from: string,
  to: string,
): Diagnostic | undefined {
  const places = files.flatMap(({ file, fate }) => {
    if (fate !== "merged" && fate !== "conflict") return [];
    const [bytes, yours] = [WAITING_FOLDER, VENDORED_FOLDER].map((folder) =>
      readBytes(join(root, folder, file)),
    );
    return findMarks(String(bytes), String(yours)).map((line) => placeOf(file, line));
  });
  if (places.length === 0) return undefined;
  return diagnose("FW805", { conflicts: places.length, from, to }, ...places);
}

function placeOf(file: string, line = 1): Location {
  return { file: `${WAITING_FOLDER}/${file}`, line, column: 1 };
}

async function inTurn<Result extends object>(
  input: CommandInput,
  root: string,
  work: () => Result,
): Promise<Result> {
  const result = await withProjectLock(root, input.terminal.printError, () => {
    repair(root);
    try {
      return work();
    } catch (error) {
      // What can't be removed now, the next upgrade removes.
      attempt(() => repair(root));
      throw error;
    }
  });
  if (isDiagnostic(result)) throw new UpgradeRefusal(result);
  return result;
}
