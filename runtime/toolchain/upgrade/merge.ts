/** Merges an edited file with a newer one, line by line, against the one that both grew out of. */

import { diff3MergeRegions } from "#runtime/deps/node-diff3";

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
  const { number, lineOf } = createNumbering();
  const lines: string[] = [];
  const conflicts: number[] = [];
  // One at a time: a call takes only so many arguments.
  const add = (numbers: readonly number[]): void => {
    for (const one of numbers) lines.push(lineOf(one));
  };
  for (const region of diff3MergeRegions<number>(number(yours), number(base), number(theirs))) {
    if (region.stable) {
      add(region.bufferContent);
    } else if (isSame(region.aContent, region.bContent)) {
      add(region.aContent);
    } else {
      conflicts.push(lines.length + 1);
      lines.push("<<<<<<< yours");
      add(region.aContent);
      lines.push("||||||| base");
      add(region.oContent);
      lines.push("=======");
      add(region.bContent);
      lines.push(`>>>>>>> ${version}`);
    }
  }
  return { text: bom + lines.join(eol), conflicts };
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((number, index) => number === other[index]);
}

/** A number for each different line: node-diff3 looks them up in a plain object, where it finds lines such as `constructor`. */
function createNumbering(): { number(text: string): number[]; lineOf(number: number): string } {
  const numbers = new Map<string, number>();
  const lines: string[] = [];
  const numberOf = (line: string): number => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, lines.length);
    return lines.push(line) - 1;
  };
  return {
    number: (text) => toPlain(text).split("\n").map(numberOf),
    lineOf: (number) => lines[number] ?? "",
  };
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

function toPlain(text: string): string {
  const { bom, eol } = layoutOf(text);
  return text.slice(bom.length).replaceAll(eol, "\n");
}
