/** Reads the code blocks of a Markdown page. */

export interface Block {
  /** The word after the fence; empty where there is none, and for code that is set off by its indentation alone. */
  readonly language: string;
  readonly lines: readonly string[];
  /** Of its first line in the page, counted from 1. */
  readonly line: number;
  /** What its lines have before them in the page, where it stands in a list. */
  readonly indent: string;
  /** What the comment above it says about why nothing runs it. */
  readonly notRun: string | undefined;
}

interface Found {
  readonly block: Block;
  /** The index of the line after it. */
  readonly next: number;
}

const FENCE = /^( *)(`{3,}|~{3,})\s*(\S*)/;
const NOT_RUN = /^\s*<!-- not run: (.+) -->\s*$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;
const INDENTED = /^(?: {4}|\t)\s*\S/;

export function readBlocks(text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let at = 0;
  let notRun: string | undefined;
  let isList = false;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const found = readFenced(lines, at, notRun) ?? (isList ? undefined : readIndented(lines, at));
    if (found) blocks.push(found.block);
    if (line.trim() !== "") {
      notRun = NOT_RUN.exec(line)?.[1];
      if (!/^\s/.test(line) || LIST_ITEM.test(line)) isList = LIST_ITEM.test(line);
    }
    at = found?.next ?? at + 1;
  }
  return blocks;
}

function readFenced(lines: readonly string[], at: number, notRun: string | undefined): Found | undefined {
  const [, indent, fence, language] = FENCE.exec(lines[at] ?? "") ?? [];
  if (indent === undefined || fence === undefined || language === undefined) return undefined;
  const end = lines.findIndex((line, index) => index > at && line.trim() === fence);
  if (end === -1) throw new Error(`The fence in line ${at + 1} is never closed.`);
  const inner = lines.slice(at + 1, end).map((line) => line.replace(indent, ""));
  return { block: { language, lines: inner, line: at + 2, indent, notRun }, next: end + 1 };
}

function readIndented(lines: readonly string[], at: number): Found | undefined {
  if (!INDENTED.test(lines[at] ?? "") || (lines[at - 1] ?? "").trim() !== "") return undefined;
  const next = lines.findIndex((line, index) => index > at && !INDENTED.test(line));
  const inner = lines.slice(at, next);
  return { block: { language: "", lines: inner, line: at + 1, indent: "", notRun: undefined }, next };
}
