/** Merges an edited file with a newer one, line by line, against the one that both grew out of. */

import { diffArrays } from "#convention/deps/diff";

export interface Merge {
  /** With the line ends and the byte order mark that the edited file has. */
  readonly text: string;
  /** The line of each `<<<<<<<`, from 1; none where both sides' changes could be made. */
  readonly conflicts: readonly number[];
}

export interface Versions {
  /** The edited file. */
  readonly yours: string;
  /** What it was before it was edited; "" where it never was one of the framework's. */
  readonly base: string;
  readonly theirs: string;
}

/**
 * Changes in different places are both made, the same change on both sides once. Where both sides changed the same lines, the
 * result has all three texts between the marks that git and editors know.
 *
 * @param version what the newer text is called in the marks.
 * @example mergeTexts({ yours: "a\nB\nc\n", base: "a\nb\nc\n", theirs: "a\nb\nc\nd\n" }, "0.2.0") // text "a\nB\nc\nd\n"
 */
export function mergeTexts({ yours, base, theirs }: Versions, version: string): Merge {
  const { bom, eol } = layoutOf(yours);
  const lines: string[] = [];
  const conflicts: number[] = [];
  // One at a time: a call takes only so many arguments.
  const add = (more: readonly string[]): void => {
    for (const line of more) lines.push(line);
  };
  const texts = { yours: linesOf(yours), base: linesOf(base), theirs: linesOf(theirs) };
  for (const region of findRegions(texts)) {
    const merged = mergeRegion(region);
    if (merged) {
      add(merged);
      continue;
    }
    conflicts.push(lines.length + 1);
    lines.push("<<<<<<< yours");
    add(region.yours);
    lines.push("||||||| base");
    add(region.base);
    lines.push("=======");
    add(region.theirs);
    lines.push(`>>>>>>> ${version}`);
  }
  return { text: bom + lines.join(eol), conflicts };
}

type Lines = readonly string[];

/** The same place of the three texts. */
type Region = { readonly [Version in keyof Versions]: Lines };

/**
 * In turn what lies between two lines that all three have, which may be nothing, and such a line.
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

/** @returns undefined where both sides changed it, each in another way. */
function mergeRegion({ yours, base, theirs }: Region): Lines | undefined {
  if (isSame(yours, theirs) || isSame(theirs, base)) return yours;
  return isSame(yours, base) ? theirs : undefined;
}

function isSame(one: Lines, other: Lines): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

/** With more, comparing takes seconds, and what is between the changes is hardly the same text any more. */
const MOST_CHANGED_LINES = 10_000;

/** @returns where each line of a text is in another one; undefined for those that it does not have. */
function findLines(text: Lines, other: Lines): readonly (number | undefined)[] {
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end++;
  const places: (number | undefined)[] = text.slice(0, start).map((_, index) => index);
  const [inside, otherInside] = [
    text.slice(start, text.length - end),
    other.slice(start, other.length - end),
  ];
  const parts = diffArrays(inside, otherInside, { maxEditLength: MOST_CHANGED_LINES });
  let at = start;
  for (const { added, removed, count } of parts ?? [{ added: false, removed: true, count: inside.length }]) {
    for (let index = 0; index < count && !added; index++) places.push(removed ? undefined : at + index);
    if (!removed) at += count;
  }
  for (let index = 0; index < end; index++) places.push(other.length - end + index);
  return places;
}

const MARK = /^(?:<{7}(?: |$)|\|{7}(?: |$)|={7}$|>{7}(?: |$))/;

/**
 * The lines, from 1, at which a conflict begins; where a part of its marks was left behind, the first one of those.
 *
 * @param merged what the text was merged from: a line that is in it already is not a mark.
 */
export function findMarks(text: string, merged: readonly string[] = []): readonly number[] {
  const own = new Set(merged.flatMap(toLines));
  const marks = toLines(text).flatMap((line, index) =>
    MARK.test(line) && !own.has(line) ? [{ line: index + 1, isFirst: line.startsWith("<") }] : [],
  );
  const first = marks.filter(({ isFirst }) => isFirst);
  return (first.length > 0 ? first : marks.slice(0, 1)).map(({ line }) => line);
}

function toLines(text: string): readonly string[] {
  return (text.startsWith(BOM) ? text.slice(BOM.length) : text).split(/\r?\n/);
}

/** A newer text with the line ends and the byte order mark of the one that it replaces. */
export function withLayoutOf(yours: string, theirs: string): string {
  const { bom, eol } = layoutOf(yours);
  return bom + toPlain(theirs).replaceAll("\n", eol);
}

/** Only what is so in the whole file is layout: of mixed line ends each one is the text of its line. */
function layoutOf(text: string): { readonly bom: string; readonly eol: string } {
  const isWindows = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  return { bom: text.startsWith(BOM) ? BOM : "", eol: isWindows ? "\r\n" : "\n" };
}

const BOM = "\uFEFF";

function linesOf(text: string): Lines {
  return toPlain(text).split("\n");
}

function toPlain(text: string): string {
  const { bom, eol } = layoutOf(text);
  return text.slice(bom.length).replaceAll(eol, "\n");
}
