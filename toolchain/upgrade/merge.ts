/** Merges an edited file with a newer one, line by line, against the text that both come from. */

import { diffArrays } from "#convention/deps/diff";

export interface Merge {
  /** With the line ends of the edited file. */
  readonly text: string;
  /** The line of each `<<<<<<<`, from 1; none if all changes could be made. */
  readonly conflicts: readonly number[];
}

export type Versions = Readonly<Record<"yours" | "base" | "theirs", string>>;

/**
 * Changes in different places are both made, the same change on both sides once. Where both sides changed the same lines, the result
 * has all three texts between the marks that git and editors know.
 *
 * @param version the newer text's name in the marks.
 * @example mergeTexts({ yours: "a\nB\nc\n", base: "a\nb\nc\n", theirs: "a\nb\nc\nd\n" }, "0.2.0") // text "a\nB\nc\nd\n"
 */
export function mergeTexts({ yours, base, theirs }: Versions, version: string): Merge {
  const lines: string[] = [];
  const conflicts: number[] = [];
  // One at a time: a call takes only so many arguments.
  const add = (more: Lines): void => {
    for (const line of more) lines.push(line);
  };
  for (const region of findRegions({ yours: toLines(yours), base: toLines(base), theirs: toLines(theirs) })) {
    const merged = mergeRegion(region);
    if (merged !== undefined) {
      add(merged);
      continue;
    }
    conflicts.push(lines.length + 1);
    add(["<<<<<<< yours", ...region.yours, "||||||| base", ...region.base, "======="]);
    add([...region.theirs, `>>>>>>> ${version}`]);
  }
  return { text: lines.join(isWindows(yours) ? "\r\n" : "\n"), conflicts };
}

type Lines = readonly string[];

/** The same place in the three texts. */
type Region = Readonly<Record<keyof Versions, Lines>>;

/**
 * In turn the lines between two lines that all three texts have, possibly none, and such a line.
 *
 * Source: Khanna, Kunal and Pierce, "A Formal Investigation of Diff3" (2007), section 2.
 */
function* findRegions({ yours, base, theirs }: Region): Generator<Region> {
  const inYours = [...findLines(base, yours), yours.length];
  const inTheirs = [...findLines(base, theirs), theirs.length];
  let [mine, at, other] = [0, 0, 0];
  for (let next = 0; next <= base.length; next++) {
    const [nextMine, nextOther] = [inYours[next], inTheirs[next]];
    if (nextMine === undefined || nextOther === undefined) continue;
    yield {
      yours: yours.slice(mine, nextMine),
      base: base.slice(at, next),
      theirs: theirs.slice(other, nextOther),
    };
    const same = base.slice(next, next + 1);
    yield { yours: same, base: same, theirs: same };
    [mine, at, other] = [nextMine + 1, next + 1, nextOther + 1];
  }
}

/** @returns undefined if both sides changed it in different ways. */
function mergeRegion({ yours, base, theirs }: Region): Lines | undefined {
  if (isSame(yours, theirs) || isSame(theirs, base)) return yours;
  return isSame(yours, base) ? theirs : undefined;
}

function isSame(one: Lines, other: Lines): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

/** With more, comparing takes seconds, and the whole file is one conflict instead. */
const MOST_CHANGED_LINES = 4_000;

/** @returns where each line of a text is in another one; undefined for the lines that the other one lacks. */
function findLines(text: Lines, other: Lines): readonly (number | undefined)[] {
  const options = { maxEditLength: MOST_CHANGED_LINES };
  const places: (number | undefined)[] = [];
  let at = 0;
  for (const { added, removed, count } of diffArrays([...text], [...other], options) ?? []) {
    for (let index = 0; index < count && !added; index++) places.push(removed ? undefined : at + index);
    if (!removed) at += count;
  }
  return places.length === text.length ? places : text.map(() => undefined);
}

const MARK = /^(?:<{7}(?: |$)|\|{7}(?: |$)|={7}$|>{7}(?: |$))/;

/**
 * The lines, from 1, at which a conflict begins; without such a line, the first mark that is left.
 *
 * @param yours the user's own text: a line of it is not a mark.
 */
export function findMarks(text: string, yours = ""): readonly number[] {
  const own = new Set(yours.split(/\r?\n/));
  const marks = text
    .split(/\r?\n/)
    .flatMap((line, index) => (MARK.test(line) && !own.has(line) ? [{ line, number: index + 1 }] : []));
  const begins = marks.filter(({ line }) => line.startsWith("<"));
  return (begins.length > 0 ? begins : marks.slice(0, 1)).map(({ number }) => number);
}

/** Of mixed line ends each one belongs to its line. */
function isWindows(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

function toLines(text: string): Lines {
  return text.split(isWindows(text) ? "\r\n" : "\n");
}
