/** Planned changes to the project's files: shown as a diff, or applied all or none. */

import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "#convention/deps/diff";
import { diagnose } from "#convention/diagnostics/catalogue";
import type { Diagnostic } from "#convention/diagnostics/diagnostic";
import {
  attempt,
  explain,
  findOwnPlace,
  findPlace,
  keepAs,
  missingFolders,
  readBytes,
  writeDurably,
} from "./disk.ts";
import {
  commitJournal,
  discardJournal,
  finishJournal,
  hashOf,
  type Journal,
  planJournal,
  type Step,
  withdrawJournal,
} from "./journal.ts";
import { PRIVATE_FOLDER } from "./private-folder.ts";

/** A planned creation, edit or removal of one file: of its text, or of whatever bytes it has. */
export interface Change<Content extends string | Buffer = string> {
  /** Relative to the project root, with forward slashes. */
  readonly file: string;
  /** What was on disk when the plan was made; null for a file that was not there. */
  readonly before: Content | null;
  /** Null to remove the file, and the folders that it leaves empty. Of a link only the link is removed. */
  readonly after: Content | null;
}

type AnyChange = Change<string | Buffer>;

/** A change whose file has not changed since the plan. */
interface Placed {
  readonly change: AnyChange;
  /** Where the file really is, absolute. */
  readonly place: string;
  readonly step: Step;
}

/**
 * The changes as a unified diff, as `git apply` and `patch -p1` read it. The texts in it are the user's, raw.
 *
 * @returns "" where nothing changes.
 */
export function formatDiff(changes: readonly Change[]): string {
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

/**
 * Makes the changes: all of them or none, whatever fails and whenever the process is killed. It writes each new text beside its
 * file and a journal that lists them. When all texts are on disk, and no file has changed since the plan, it commits the journal
 * and renames the texts into place. The caller holds the project's lock (`withProjectLock`); if this process is killed, the next
 * holder finishes the work or clears it away.
 *
 * @param root absolute.
 * @returns undefined when all is done; else why nothing was: a file has changed since the plan, can't be written, or is
 * outside the project behind a symbolic link.
 */
export function applyChanges(root: string, changes: readonly AnyChange[]): Diagnostic | undefined {
  const placed: Placed[] = [];
  for (const change of changes.filter(({ before, after }) => before !== after)) {
    const one = findPlaced(root, change);
    if ("severity" in one) return one;
    const other = placed.find(({ place }) => place === one.place);
    if (other !== undefined) {
      return diagnose("FW622", {
        file: change.file,
        why: `it is the same file as ${other.change.file}, by a link`,
      });
    }
    placed.push(one);
  }
  return placed.length === 0 ? undefined : applyPlaced(root, placed, toJournal(root, placed));
}

function applyPlaced(root: string, placed: readonly Placed[], journal: Journal): Diagnostic | undefined {
  const problem =
    tryOn<undefined>(PRIVATE_FOLDER, () => {
      planJournal(root, journal);
    }) ??
    firstProblem(placed, (one) => prepare(root, one)) ??
    firstProblem(placed, checkUnchanged) ??
    tryOn<undefined>(PRIVATE_FOLDER, () => {
      commitJournal(root, journal);
    });
  if (problem !== undefined) {
    discardJournal(root, journal);
    return problem;
  }
  const failure = finishJournal(root, journal);
  if (failure === undefined) return undefined;
  const left = withdrawJournal(root, journal);
  return left.length === 0 ? diagnose("FW622", failure) : diagnose("FW624", { ...failure, left });
}

function findPlaced(root: string, change: AnyChange): Placed | Diagnostic {
  const { file, before, after } = change;
  return tryOn(file, () => {
    const place = findPlace(root, file);
    const changing = after === null ? findOwnPlace(root, file) : place;
    if (place === undefined || changing === undefined) return diagnose("FW623", { file });
    if (!isAsPlanned(place, change)) return diagnose("FW621", { file });
    if (before !== null && !isWritable(place)) return diagnose("FW622", { file, why: "it is read-only" });
    return { change, place, step: toStep(change, toRelative(root, changing)) };
  });
}

/** A rename ignores the file's own permissions, so they are checked here; by its mode as well, because root may write anything. */
function isWritable(place: string): boolean {
  accessSync(place, constants.W_OK);
  return (statSync(place).mode & 0o222) !== 0;
}

function toStep({ before, after }: AnyChange, file: string): Step {
  // Not the file's name with an ending: that may be too long for the file system.
  const beside = `${dirname(file)}/.framework-${randomBytes(6).toString("hex")}`;
  return {
    file,
    temporary: after === null ? null : `${beside}.tmp`,
    backup: before === null ? null : `${beside}.old`,
    before: hashOf(before),
    after: hashOf(after),
  };
}

function toRelative(root: string, place: string): string {
  return relative(realpathSync(root), place).split(sep).join("/");
}

function toJournal(root: string, placed: readonly Placed[]): Journal {
  const folders = placed.flatMap(({ place }) => missingFolders(dirname(place)));
  return {
    steps: placed.map(({ step }) => step),
    folders: [...new Set(folders)].map((folder) => toRelative(root, folder)),
  };
}

/** Writes the new text beside the file, and gives the file as it is a second name. */
function prepare(root: string, { change, place, step }: Placed): Diagnostic | undefined {
  return tryOn<undefined>(change.file, () => {
    mkdirSync(dirname(place), { recursive: true });
    if (step.backup !== null) keepAs(join(root, step.file), join(root, step.backup));
    if (step.temporary === null || change.after === null) return;
    const temporary = join(root, step.temporary);
    writeDurably(temporary, change.after);
    if (change.before !== null) makeAlike(temporary, statSync(place));
  });
}

/** Root, as in a container, keeps the file's owner. Other users can't change it, and needn't. */
function makeAlike(temporary: string, { uid, gid, mode }: Stats): void {
  attempt(() => chownSync(temporary, uid, gid));
  chmodSync(temporary, mode & 0o7777);
}

/** Checked again at the end, because the preparation takes time. */
function checkUnchanged({ change, place }: Placed): Diagnostic | undefined {
  const { file } = change;
  return tryOn(file, () => (isAsPlanned(place, change) ? undefined : diagnose("FW621", { file })));
}

function isAsPlanned(place: string, { before }: AnyChange): boolean {
  return hashOf(readBytes(place)) === hashOf(before);
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
