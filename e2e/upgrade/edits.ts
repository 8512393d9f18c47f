/** What a user may do to the framework's files, at random, and whether an upgrade lost any of it. */

import { diffArrays } from "diff";
import fc from "fast-check";

/** One place where a text is edited, as a share of its length. */
interface Deed {
  readonly at: number;
  readonly kind: "insert" | "remove" | "replace";
}

/** An edited file: which one, as a share of the list of them, and where. */
export interface Edit {
  readonly file: number;
  readonly deeds: readonly Deed[];
  readonly isWindows: boolean;
}

const STEPS = 2 ** 30;
const share = fc.noBias(fc.nat({ max: STEPS - 1 })).map((step) => step / STEPS);

const kind = fc.constantFrom<Deed["kind"][]>("insert", "remove", "replace");

const edit = fc.record({
  file: share,
  deeds: fc.array(fc.record({ at: share, kind }), { minLength: 1, maxLength: 6 }),
  isWindows: fc.boolean(),
});

/** What one user does: edits of so many files. */
export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(edit, { minLength: 40, maxLength: 80 });

/** @param name makes the lines that are written different from those in other files. */
export function editText(text: string, { deeds, isWindows }: Edit, name: string): string {
  const lines = text.split(/\r?\n/);
  for (const [index, { at, kind: what }] of deeds.entries()) {
    const place = Math.floor(at * (lines.length - 1));
    const written = what === "remove" ? [] : [`// mine, ${name} ${index}`];
    lines.splice(place, what === "insert" ? 0 : 1, ...written);
  }
  return lines.join(isWindows ? "\r\n" : "\n");
}

/** The same file: as it came, as the user has it, as it comes now, and what an upgrade made of these. */
export interface Texts {
  readonly base: string;
  readonly yours: string;
  readonly theirs: string;
  readonly merged: string;
}

/** @returns the lines that only the user has and that are missing, and those that only the user took out and that came back. */
export function findLost(texts: Texts): string[] {
  const [base, yours, theirs] = [texts.base, texts.yours, texts.theirs].map(toLines);
  const merged = toLines(texts.merged);
  const agreed = outsideConflicts(merged);
  const { added: written, removed } = compare(base ?? [], yours ?? []);
  const { added: theirOwn } = compare(base ?? [], theirs ?? []);
  const missing = written.filter((line) => !merged.includes(line));
  // A line that stands in the user's file elsewhere is not gone, and one that they added, or moved, is theirs.
  const gone = removed.filter((line) => !yours?.includes(line) && !theirOwn.includes(line));
  return [...missing, ...gone.filter((line) => agreed.includes(line))];
}

function toLines(text: string): string[] {
  return text.split(/\r?\n/);
}

function compare(before: string[], after: string[]): { added: string[]; removed: string[] } {
  const parts = diffArrays(before, after);
  const linesOf = (isWanted: (part: (typeof parts)[number]) => boolean): string[] =>
    parts.filter(isWanted).flatMap(({ value }) => value);
  return { added: linesOf(({ added }) => added), removed: linesOf(({ removed }) => removed) };
}

function outsideConflicts(lines: readonly string[]): readonly string[] {
  let isInside = false;
  return lines.filter((line) => {
    if (line === "<<<<<<< yours") isInside = true;
    const isKept = !isInside;
    if (/^>{7} \S+$/.test(line)) isInside = false;
    return isKept;
  });
}

/** A conflict as somebody resolves it who keeps both sides. */
export function keepBoth(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(/^\|{7} base\n.*?^={7}\n/gms, "")
    .replace(/^(?:<{7} yours|>{7} \S+)\n?/gm, "");
}
