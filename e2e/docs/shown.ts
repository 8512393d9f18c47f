/** What a page shows beside what was printed. `…` stands for any text in a line, and for any lines where it stands alone. */

import { diffArrays } from "diff";

const ANY = "…";

/** Lines that belong together: the same ones, or what stands in the one text only. */
interface Part {
  readonly isSame: boolean;
  readonly shown: readonly string[];
  readonly printed: readonly string[];
}

export function isShown(shown: readonly string[], printed: string): boolean {
  return new RegExp(`^${patternOf(shown)}$`).test(toText(toLines(printed)));
}

/** For what goes on printing: the lines that are shown come one after another in it. */
export function toPattern(shown: readonly string[]): RegExp {
  return new RegExp(`^${patternOf(shown)}$`, "m");
}

function patternOf(shown: readonly string[]): string {
  const lines = toLines(toText(shown));
  const last = lines.length - 1;
  const patterns = lines.map((line, index) => {
    if (line.trim() === ANY) return index === last ? "[\\s\\S]*" : "(?:.*\\n)*?";
    return `${patternOfLine(line)}[^\\S\\n]*${index === last ? "" : "(?:\\n|$)"}`;
  });
  return patterns.join("");
}

function patternOfLine(line: string): string {
  return line
    .split(ANY)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join(".*");
}

/** The differences line by line: `-` is only shown, `+` was only printed. */
export function formatDifference(shown: readonly string[], printed: string): string {
  const lines = align(shown, printed).flatMap((part) =>
    part.isSame
      ? part.shown.map((line) => `  ${line}`)
      : [...part.shown.map((line) => `- ${line}`), ...part.printed.map((line) => `+ ${line}`)],
  );
  return lines.join("\n");
}

/** What the page should show: what was printed, and the `…` of the lines that are right. */
export function renewShown(shown: readonly string[], printed: string): string[] {
  return align(shown, printed).flatMap((part) => (part.isSame ? part.shown : part.printed));
}

function align(shown: readonly string[], printed: string): Part[] {
  const before = toLines(toText(shown));
  const after = toLines(printed);
  const isSameLine = (left: string, right: string): boolean =>
    new RegExp(`^${patternOfLine(left)}$`).test(right);
  const parts: Part[] = [];
  let at = 0;
  for (const { added, removed, count, value } of diffArrays(before, after, { comparator: isSameLine })) {
    const old = added ? [] : before.slice(at, at + count);
    at += old.length;
    const last = parts.at(-1);
    if (!added && !removed) parts.push({ isSame: true, shown: old, printed: value });
    else if (last && !last.isSame) parts[parts.length - 1] = merge(last, old, added ? value : []);
    else parts.push(toDifference(old, added ? value : []));
  }
  return parts;
}

function merge(part: Part, shown: readonly string[], printed: readonly string[]): Part {
  return toDifference([...part.shown, ...shown], [...part.printed, ...printed]);
}

/** A `…` of its own is the same as whatever stands in its place. */
function toDifference(shown: readonly string[], printed: readonly string[]): Part {
  return { isSame: shown.length === 1 && shown[0]?.trim() === ANY, shown, printed };
}

/** Without the blank lines around it and the spaces at the ends of lines, neither of which a page shows. */
function toLines(text: string): string[] {
  return text
    .replace(/[^\S\n]+$/gm, "")
    .replace(/^\n+|\n+$/g, "")
    .split("\n");
}

function toText(lines: readonly string[]): string {
  return lines.join("\n");
}
