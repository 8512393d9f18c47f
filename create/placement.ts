/** Puts a project that is built in a temporary folder into its place, by one rename wherever the system has one for it. */

import { chmodSync, existsSync, readdirSync, realpathSync, renameSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { type Contents, fillFolder } from "./filling.ts";
import { isWritable, type Target } from "./target.ts";

export interface Placement {
  /** The folder that gets the temporary one: always there, and on the project's own file system. */
  readonly holder: string;
  /** The folders in the temporary one above the project: those that are missing above its place too. */
  readonly below: readonly string[];
  /** Puts the finished project into its place. @throws what the system says; then nothing is there that was not before */
  place(staging: string, contents: Contents): void;
}

export function choosePlacement(target: Target): Placement {
  if (!target.exists) return placeNew(target.directory);
  const directory = realpathSync(target.directory);
  return canBeReplaced(directory) ? replace(directory) : fill(directory);
}

/** The folders above it that are missing come with it, in the same rename. */
function placeNew(directory: string): Placement {
  const top = findMissing(directory);
  const below = relative(top, directory)
    .split(sep)
    .filter((folder) => folder !== "");
  return { holder: dirname(top), below, place: (staging) => renameBelow(staging, top, below) };
}

function findMissing(directory: string): string {
  const parent = dirname(directory);
  return existsSync(parent) ? directory : findMissing(parent);
}

/** Another run may have made one of the folders meanwhile; then it is a folder further down that is renamed. */
function renameBelow(from: string, to: string, [next, ...others]: readonly string[]): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (next === undefined || !existsSync(to)) throw error;
    renameBelow(join(from, next), join(to, next), others);
  }
}

/** Renaming a folder onto an empty one leaves no moment at which there is neither. */
function replace(directory: string): Placement {
  return {
    holder: dirname(directory),
    below: [],
    place(staging) {
      chmodSync(staging, statSync(directory).mode & 0o7777);
      renameSync(staging, directory);
    },
  };
}

function fill(directory: string): Placement {
  return {
    holder: directory,
    below: [],
    place: (staging, contents) => fillFolder(staging, directory, contents),
  };
}

/** The shell that stands in a folder would lose it, a mount point can't be replaced, nor an owner be given a folder. */
function canBeReplaced(directory: string): boolean {
  const parent = dirname(directory);
  const [own, above] = [statSync(directory), statSync(parent)];
  return (
    process.platform !== "win32" &&
    directory !== realpathSync(process.cwd()) &&
    readdirSync(directory).length === 0 &&
    own.dev === above.dev &&
    own.uid === process.getuid?.() &&
    isWritable(parent)
  );
}
