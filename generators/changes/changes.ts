/** Planned changes to the project's files: shown as a diff, or applied. */

import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  renameSync,
  rmdirSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "#convention/deps/diff";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import { MIGRATIONS_FOLDER } from "#convention/layout";
import { CONFIG_FILE } from "#runtime/project-root";
import {
  attempt,
  explain,
  findPlace,
  missingFolders,
  readBytes,
  removeFile,
  syncFolder,
  temporaryBeside,
  writeDurably,
} from "./disk.ts";

/** What becomes of one file. */
export interface FileDifference {
  /** Relative to the project root, with forward slashes. */
  readonly file: string;
  /** Null for a file that is not there. */
  readonly before: string | null;
  /** Null for a file that goes. */
  readonly after: string | null;
}

/** A planned creation or edit of one file. `before` is what was on disk when the plan was made. */
export interface Change extends FileDifference {
  readonly after: string;
}

/** A change whose file has not changed since the plan. */
interface Placed {
  readonly change: Change;
  /** Where the file really is, absolute. */
  readonly place: string;
  readonly temporary: string;
}

/**
 * The changes as a unified diff, as `git apply` and `patch -p1` read it. The texts in it are the user's, raw.
 *
 * @returns "" where nothing changes.
 */
export function formatDiff(changes: readonly FileDifference[]): string {
  return changes
    .filter(({ before, after }) => before !== after)
    .map(({ file, before, after }) => {
      const from = before === null ? "/dev/null" : `a/${file}`;
      const to = after === null ? "/dev/null" : `b/${file}`;
      const patch = structuredPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
        context: 3,
      });
      return formatPatch(patch, FILE_HEADERS_ONLY).replace(/\n\n$/, "\n");
    })
    .join("");
}

/** What makes the rest part of the project. */
const LISTS: readonly string[] = [`${MIGRATIONS_FOLDER}/index.ts`, CONFIG_FILE];

/**
 * The order in which changes are made: tests, new files, edits, and last what lists them. So a generator that was killed before the
 * end sees on its next run that something is missing.
 */
export function inOrder(changes: readonly Change[]): readonly Change[] {
  const rankOf = ({ file, before }: Change): number => {
    if (LISTS.includes(file)) return 3 + LISTS.indexOf(file);
    return file.startsWith("tests/") ? 0 : before === null ? 1 : 2;
  };
  return changes.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/**
 * Makes the changes: checks all of them, writes each new text to a temporary file beside its file, and renames these. If something
 * fails, it restores what was there. If the process is killed, each file has its old or its new text, and the same command completes
 * the rest. The caller holds the project's lock (`withProjectLock`).
 *
 * @param root absolute.
 * @returns undefined when all is done; else why not: a file has changed since the plan, can't be written, or is outside the project
 * behind a symbolic link.
 */
export function applyChanges(root: string, changes: readonly Change[]): Diagnostic | undefined {
  const placed: Placed[] = [];
  for (const change of inOrder(changes.filter(({ before, after }) => before !== after))) {
    const one = findPlaced(root, change);
    if ("severity" in one) return one;
    const other = placed.find(({ place }) => place === one.place);
    if (other !== undefined) {
      const why = `it is the same file as ${other.change.file}, by a link`;
      return diagnose("FW622", { file: change.file, why });
    }
    placed.push(one);
  }
  const folders = [...new Set(placed.flatMap(({ place }) => missingFolders(dirname(place))))];
  const problem = firstProblem(placed, prepare) ?? firstProblem(placed, checkUnchanged) ?? renameAll(placed);
  if (problem !== undefined) {
    for (const { temporary } of placed) removeFile(temporary);
    // A folder with something in it stays.
    for (const folder of folders.toReversed()) attempt(() => rmdirSync(folder));
  }
  return problem;
}

const CHANGED = "it has changed since it was read";
/** A link out of the project. */
const LEADS_OUT = "it leads out of the project by a symbolic link";

function findPlaced(root: string, change: Change): Placed | Diagnostic {
  const { file, before } = change;
  return tryOn(file, () => {
    const place = findPlace(root, file);
    if (place === undefined) return diagnose("FW622", { file, why: LEADS_OUT });
    if (!isAsPlanned(place, change)) return diagnose("FW622", { file, why: CHANGED });
    if (before !== null && !isWritable(place)) return diagnose("FW622", { file, why: "it is read-only" });
    return { change, place, temporary: temporaryBeside(place) };
  });
}

/** A rename ignores the file's own permissions, so they are checked here; by its mode as well, because root may write anything. */
function isWritable(place: string): boolean {
  accessSync(place, constants.W_OK);
  return (statSync(place).mode & 0o222) !== 0;
}

function isAsPlanned(place: string, { before }: Change): boolean {
  const bytes = readBytes(place);
  return bytes === null || before === null ? bytes === before : bytes.equals(Buffer.from(before));
}

function prepare({ change, place, temporary }: Placed): Diagnostic | undefined {
  return tryOn<undefined>(change.file, () => {
    mkdirSync(dirname(place), { recursive: true });
    writeBeside(place, temporary, change.after);
  });
}

/** With the mode of the file. Root, as in a container, keeps its owner, too. Other users can't change it, and needn't. */
function writeBeside(place: string, temporary: string, text: string): void {
  writeDurably(temporary, text);
  const there = statSync(place, { throwIfNoEntry: false });
  if (there === undefined) return;
  attempt(() => chownSync(temporary, there.uid, there.gid));
  chmodSync(temporary, there.mode & 0o7777);
}

/** Checked again at the end, because the preparation takes time. */
function checkUnchanged({ change, place }: Placed): Diagnostic | undefined {
  const { file } = change;
  return tryOn(file, () =>
    isAsPlanned(place, change) ? undefined : diagnose("FW622", { file, why: CHANGED }),
  );
}

function renameAll(placed: readonly Placed[]): Diagnostic | undefined {
  for (const [index, { change, place, temporary }] of placed.entries()) {
    try {
      renameSync(temporary, place);
    } catch (error) {
      const failure = { file: change.file, why: explain(error) };
      const made = placed.slice(0, index).toReversed();
      const left = made.filter((one) => !attempt(() => restore(one))).map((one) => one.change.file);
      return left.length === 0 ? diagnose("FW622", failure) : diagnose("FW624", { ...failure, left });
    }
  }
  for (const folder of new Set(placed.map(({ place }) => dirname(place)))) syncFolder(folder);
  return undefined;
}

function restore({ change, place, temporary }: Placed): void {
  if (change.before === null) {
    if (!removeFile(place)) throw new Error(`${change.file} can't be removed`);
    return;
  }
  writeBeside(place, temporary, change.before);
  renameSync(temporary, place);
}

/** Turns an error of the system into a diagnostic about the file. */
function tryOn<Result>(file: string, act: () => Result): Result | Diagnostic {
  try {
    return act();
  } catch (error) {
    return diagnose("FW622", { file, why: explain(error) });
  }
}

function firstProblem(
  placed: readonly Placed[],
  look: (one: Placed) => Diagnostic | undefined,
): Diagnostic | undefined {
  for (const one of placed) {
    const problem = look(one);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
