/** Where the project goes: resolves the typed directory and checks it, before we ask or write anything. */

import { accessSync, constants, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { isBeingFilled } from "./filling.ts";
import { findNameProblem, suggestName } from "./names.ts";
import { escapeControl, type Refusal, refuse } from "./refusal.ts";
import { STAGING } from "./staging.ts";

export interface Target {
  /** Absolute. */
  readonly directory: string;
  /** As typed, for messages and for the replay line. */
  readonly typed: string;
  readonly name: string;
  /** True for an existing folder: empty, or partly filled by a run that was killed. */
  readonly exists: boolean;
}

/**
 * @param typed a path in `cwd`; its last part becomes the project's name. `.` takes a valid form of
 *   the current folder's name, because nobody wants to rename the folder they are in.
 */
export function findTarget(cwd: string, typed: string): Target | Refusal {
  if (typed.trim() === "") return refuse(2, "the directory is empty", "Give it a name, such as my-app.");
  const directory = resolve(cwd, typed);
  if (isAbsolute(typed) || leadsOut(cwd, directory)) return refuseOutside(typed, directory);
  const isHere = directory === resolve(cwd);
  const name = isHere ? suggestName(basename(directory)) : basename(directory);
  const problem = /[\u0000-\u001f\u007f]/.test(typed) ? "it has control characters" : findNameProblem(name);
  if (problem !== undefined) return refuseName(typed, name, problem);
  return checkPlace({ directory, typed, name, exists: false });
}

/** On Windows, no relative path leads to another drive. */
function leadsOut(cwd: string, directory: string): boolean {
  const way = relative(cwd, directory);
  return isAbsolute(way) || way.split(sep)[0] === "..";
}

function refuseOutside(typed: string, directory: string): Refusal {
  const kind = isAbsolute(typed) ? "is an absolute path" : "leads out of this folder";
  return refuse(
    2,
    `"${escapeControl(shorten(typed))}" can't be the name: it ${kind}`,
    `A name that works: ${suggestName(basename(directory))}. To create it elsewhere, go there first.`,
  );
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function refuseName(typed: string, name: string, problem: string): Refusal {
  const folder = dirname(typed);
  const suggestion = folder === "." ? suggestName(name) : `${folder}/${suggestName(name)}`;
  return refuse(
    2,
    `"${escapeControl(shorten(name))}" can't be the name: ${problem}`,
    `A name that works: ${escapeControl(suggestion)}`,
  );
}

function checkPlace(target: Target): Target | Refusal {
  const shown = escapeControl(target.typed);
  if (look(lstatSync, target.directory) === undefined) return checkParent(target);
  const stat = look(statSync, target.directory);
  if (stat === undefined)
    return refuse(1, `${shown} is a link that leads nowhere`, "Remove it, or choose another name.");
  if (!stat.isDirectory()) return refuse(1, `${shown} already exists, and is a file`, "Choose another name.");
  const conflicts = findConflicts(target.directory);
  if (conflicts.length > 0) return refuseConflicts(shown, conflicts);
  return isWritable(target.directory) ? { ...target, exists: true } : refuseUnwritable(target.directory);
}

/** Everything in the folder, dotfiles too, except an empty repository and what an earlier run left. */
function findConflicts(directory: string): string[] {
  if (isBeingFilled(directory)) return [];
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

/** Missing folders above the project will be created. The first existing one must be a writable folder. */
function checkParent(target: Target): Target | Refusal {
  let folder = dirname(target.directory);
  for (;;) {
    const stat = look(statSync, folder);
    if (stat?.isDirectory()) return isWritable(folder) ? target : refuseUnwritable(folder);
    if (stat !== undefined) {
      return refuse(
        1,
        `${escapeControl(folder)} is a file, so it can't hold a project`,
        "Choose another directory.",
      );
    }
    if (dirname(folder) === folder) return refuseUnwritable(folder);
    folder = dirname(folder);
  }
}

/** Below a file, Node reports an error (ENOTDIR) instead of a missing entry. */
function look(stat: typeof statSync | typeof lstatSync, path: string): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}

export function isWritable(folder: string): boolean {
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
    `${escapeControl(folder)} is not writable`,
    "Choose another directory, or change its permissions.",
  );
}
