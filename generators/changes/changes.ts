/** What a generator means to do to the project's files: shown as a diff, or applied, all of it or nothing. */

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
import { diagnose } from "#runtime/convention/diagnostics/catalogue";
import type { Diagnostic } from "#runtime/convention/diagnostics/diagnostic";
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "#runtime/deps/diff";
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
  /** Null for a file that shall be gone; of a link, what it leads to stays. The folders that it leaves empty go with it. */
  readonly after: Content | null;
}

type AnyChange = Change<string | Buffer>;

/** A change whose file was found as it was planned on. */
interface Placed {
  readonly change: AnyChange;
  /** Where the file really lies, absolute. */
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
 * Makes the changes: all of them or none, whatever fails and whenever the process is killed. Each new text is written whole beside
 * its file and brought to disk; a journal says what shall become of it; when every text is ready and every file still as it was
 * planned on, the journal is committed and the texts are renamed into place. The caller has the project's lock
 * (`withProjectLock`), whose next holder finishes or clears away what is left by one that was killed.
 *
 * @param root absolute.
 * @returns undefined when all is done; else why nothing was: a file that is no longer as it was planned on, one that can't
 * be written, or one that a symbolic link leads out of the project.
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

/** Renaming needs no right to the file itself, so that it is asked for. Root has every right, but means a read-only file so. */
function isWritable(place: string): boolean {
  accessSync(place, constants.W_OK);
  return (statSync(place).mode & 0o222) !== 0;
}

function toStep({ before, after }: AnyChange, file: string): Step {
  // Not made of the file's own name, which may be as long as one can be.
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

/** Lays what shall be there, and what is, beside the file. */
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

/** Root, as in a container, gives an edited file back to its owner. Anybody else is the owner, or may not. */
function makeAlike(temporary: string, { uid, gid, mode }: Stats): void {
  attempt(() => chownSync(temporary, uid, gid));
  chmodSync(temporary, mode & 0o7777);
}

/** Asked again when all is prepared, since the first look may be a while ago by then. */
function checkUnchanged({ change, place }: Placed): Diagnostic | undefined {
  const { file } = change;
  return tryOn(file, () => (isAsPlanned(place, change) ? undefined : diagnose("FW621", { file })));
}

function isAsPlanned(place: string, { before }: AnyChange): boolean {
  return hashOf(readBytes(place)) === hashOf(before);
}

/** What the system says against it is told as a diagnostic about the file. */
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
