/** Where the project goes: the typed directory, resolved and checked before anything is asked or written. */

import { accessSync, constants, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { findNameProblem, suggestName } from "./names.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";

export interface Target {
  /** Absolute. */
  readonly directory: string;
  /** As typed, for messages and for the replay line. */
  readonly typed: string;
  readonly name: string;
  /** True for a folder that stands there, empty: it is filled, never replaced. */
  readonly exists: boolean;
}

/** An unfinished project lies in a folder of this name; the number is the process that makes it. */
export const STAGING: RegExp = /^\..*\.creating-(\d+)$/;

/**
 * @param typed a path; its last part becomes the project's name. `.` takes the name of the current folder,
 *   made valid, because a person can't well rename the folder they stand in.
 */
export function findTarget(cwd: string, typed: string): Target | Refusal {
  if (typed.trim() === "") return refuse(2, "the directory is an empty text", "Give a name, as in: my-app");
  const directory = resolve(cwd, typed);
  const isHere = directory === resolve(cwd);
  const name = isHere ? suggestName(basename(directory)) : basename(directory);
  const problem = /[\u0000-\u001f\u007f]/.test(typed) ? "it has control characters" : findNameProblem(name);
  if (problem !== undefined) return refuseName(typed, name, problem);
  return checkPlace({ directory, typed, name, exists: false });
}

function refuseName(typed: string, name: string, problem: string): Refusal {
  const shown = name.length > 60 ? `${name.slice(0, 57)}…` : name;
  const folder = dirname(typed);
  const suggestion = folder === "." ? suggestName(name) : `${folder}/${suggestName(name)}`;
  return refuse(
    2,
    `"${escapeControl(shown)}" can't be the name of a project: ${problem}`,
    `A name that works: ${escapeControl(suggestion)}`,
  );
}

function checkPlace(target: Target): Target | Refusal {
  const shown = escapeControl(target.typed);
  if (look(lstatSync, target.directory) === undefined) return checkParent(target);
  const stat = look(statSync, target.directory);
  if (stat === undefined)
    return refuse(1, `${shown} is a link that leads nowhere`, "Remove it, or choose another name.");
  if (!stat.isDirectory())
    return refuse(1, `${shown} is there already, and is a file`, "Choose another name.");
  const conflicts = findConflicts(target.directory);
  if (conflicts.length > 0) return refuseConflicts(shown, conflicts);
  return isWritable(target.directory) ? { ...target, exists: true } : refuseUnwritable(target.directory);
}

/** Everything in the folder, dotfiles too, but a repository that awaits its first file and what an earlier run left. */
function findConflicts(directory: string): string[] {
  return readdirSync(directory).filter((entry) => entry !== ".git" && !STAGING.test(entry));
}

function refuseConflicts(shown: string, conflicts: readonly string[]): Refusal {
  const named = conflicts.slice(0, 5).map(escapeControl).join(", ");
  const more = conflicts.length > 5 ? ` and ${conflicts.length - 5} more` : "";
  const place = shown === "." ? "This folder" : shown;
  return refuse(
    1,
    `${place} is not empty: it has ${named}${more}`,
    "Choose another name, or empty it first.",
  );
}

/** Missing folders on the way are made; the first one that exists has to be a folder that can be written to. */
function checkParent(target: Target): Target | Refusal {
  let folder = dirname(target.directory);
  for (;;) {
    const stat = look(statSync, folder);
    if (stat?.isDirectory()) return isWritable(folder) ? target : refuseUnwritable(folder);
    if (stat !== undefined) {
      return refuse(
        1,
        `${escapeControl(folder)} is a file, so no project fits below it`,
        "Choose another directory.",
      );
    }
    if (dirname(folder) === folder) return refuseUnwritable(folder);
    folder = dirname(folder);
  }
}

/** Below a file there is nothing, which Node reports as an error (ENOTDIR) rather than as no entry. */
function look(stat: typeof statSync | typeof lstatSync, path: string): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function refuseUnwritable(folder: string): Refusal {
  return refuse(
    1,
    `${escapeControl(folder)} can't be written to`,
    "Choose another directory, or change its permissions.",
  );
}
