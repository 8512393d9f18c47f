/** Moves a finished project from its temporary folder into its place: by one rename wherever that is possible. */

import { chmodSync, existsSync, readdirSync, realpathSync, renameSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { type Contents, fillFolder } from "./filling.ts";
import { isWritable, type Target } from "./target.ts";

export interface Placement {
  /** The folder for the temporary one. It exists, and is on the project's file system. */
  readonly holder: string;
  /** The folders above the project that do not exist yet. They are created in the temporary folder, too. */
  readonly below: readonly string[];
  /** @throws the system's error; then nothing has changed there */
  place(staging: string, contents: Contents): void;
}

export function choosePlacement(target: Target): Placement {
  if (!target.exists) return placeNew(target.directory);
  const directory = realpathSync(target.directory);
  return canBeReplaced(directory) ? replace(directory) : fill(directory);
}

/** One rename also brings the missing folders above the project. */
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

/** Another run may have created one of the folders meanwhile. Then we rename the next one below it. */
function renameBelow(from: string, to: string, [next, ...others]: readonly string[]): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (next === undefined || !existsSync(to)) throw error;
    renameBelow(join(from, next), join(to, next), others);
  }
}

/** Renaming a folder onto an empty one leaves no moment without a folder. */
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

/** Not the current folder (the shell would lose it), not a mount point, and not a folder of another user. */
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
