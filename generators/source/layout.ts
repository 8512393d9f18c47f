/** Lays out generated code as formatters do: a group is on one line if it fits, and broken at each of its lines if not. */

import { WIDTH } from "./style.ts";

/** Text without line ends, or a part that {@link print} lays out. */
export type Doc = string | readonly Doc[] | Group | Indented | Line;

interface Group {
  readonly group: Doc;
  readonly isBroken: boolean;
}

interface Indented {
  readonly indented: Doc;
}

/** Where a group may be broken. */
interface Line {
  /** What is there if it is not. */
  readonly whole: string;
  /** What is there before the line end if it is. */
  readonly broken: string;
  /** What begins the next line then. */
  readonly lead?: string;
}

/** A space, or a line end. */
export const LINE: Line = { whole: " ", broken: "" };
/** Nothing, or a line end. */
export const SOFT_LINE: Line = { whole: "", broken: "" };
/** As {@link LINE} and {@link SOFT_LINE}, with a comma before the line end. */
export const COMMA_LINE: Line = { whole: " ", broken: "," };
export const COMMA_SOFT_LINE: Line = { whole: "", broken: "," };

const FIRST_OF_UNION: Line = { whole: " ", broken: "", lead: "| " };
const NEXT_OF_UNION: Line = { whole: " | ", broken: "", lead: "| " };

/** @param isBroken even if it fits. */
export function group(doc: Doc, isBroken = false): Doc {
  return { group: doc, isBroken };
}

export function indent(...docs: readonly Doc[]): Doc {
  return { indented: docs };
}

export function separate(docs: readonly Doc[], separator: Doc): readonly Doc[] {
  return docs.flatMap((doc, index) => (index === 0 ? [doc] : [separator, doc]));
}

const HARD_LINE: Doc = group(LINE, true);

/** Parts that are each on lines of their own. "" is an empty line. */
export function lines(...docs: readonly Doc[]): Doc {
  return separate(docs, HARD_LINE);
}

/** Lines between braces. @example block("function f() {", ["return 7;"], "}") */
export function block(open: Doc, docs: readonly Doc[], close: string): Doc {
  return [open, indent(HARD_LINE, lines(...docs)), HARD_LINE, close];
}

/** The types of a union, each on a line of its own if they don't fit on one. @param open up to the colon. */
export function union(open: string, types: readonly string[], close: string): Doc {
  return types.length === 1
    ? `${open} ${types[0]}${close}`
    : group([open, indent(FIRST_OF_UNION, ...separate(types, NEXT_OF_UNION)), close]);
}

/** Items between brackets or parentheses. @example commaList("f(", ["a", "b"], ")") */
export function commaList(open: string, items: readonly Doc[], close: string): Doc {
  return enclosed(open, SOFT_LINE, items, COMMA_SOFT_LINE, close);
}

/** Items between braces, with a space at each end. */
export function braceList(open: string, items: readonly Doc[], close: string): Doc {
  return enclosed(open, LINE, items, COMMA_LINE, close);
}

function enclosed(open: string, first: Doc, items: readonly Doc[], last: Doc, close: string): Doc {
  return items.length === 0
    ? open + close
    : group([open, indent(first, ...separate(items, [",", LINE])), last, close]);
}

/** A call whose last argument is a function without a block. @example arrowCall(".where((one) =>", body, ")") */
export function arrowCall(open: string, body: Doc, close: string): Doc {
  return group([open, indent(LINE, body), COMMA_SOFT_LINE, close]);
}

/** A statement after its condition. @example guarded("if (row === undefined)", "return;") */
export function guarded(condition: string, statement: Doc): Doc {
  return group([condition, indent(LINE, statement)]);
}

/** Calls of methods, each on a line of its own if they don't fit on one. @param isBroken if one of them has a function. */
export function chain(head: string, calls: readonly Doc[], isBroken = false): Doc {
  return group([head, indent(...calls.map((call) => [SOFT_LINE, call]))], isBroken);
}

/** A part that waits to be printed. */
interface Part {
  readonly doc: Doc;
  readonly depth: number;
  readonly isFlat: boolean;
}

/** @returns the text with two spaces for each level, and without a line end at its end. */
export function print(doc: Doc, width: number = WIDTH): string {
  const waiting: Part[] = [{ doc, depth: 0, isFlat: false }];
  let text = "";
  let left = width;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { doc: one, depth, isFlat } = part;
    if (typeof one === "string") {
      text += one;
      left -= one.length;
    } else if (isLine(one)) {
      text += isFlat ? one.whole : `${one.broken}\n${"  ".repeat(depth)}${one.lead ?? ""}`;
      left = isFlat ? left - one.whole.length : width - 2 * depth - (one.lead?.length ?? 0);
    } else if (isGroup(one)) {
      const flat = { doc: one.group, depth, isFlat: true };
      const isWhole = isFlat || (!one.isBroken && fits([...waiting, flat], left));
      waiting.push({ ...flat, isFlat: isWhole });
    } else waiting.push(...partsOf(part).toReversed());
  }
  // An empty line has no indentation.
  return text.replace(/^ +$/gm, "");
}

/** Whether what is waiting fits up to the first line that is broken. */
function fits(waiting: Part[], width: number): boolean {
  let left = width;
  for (let part = waiting.pop(); part !== undefined && left >= 0; part = waiting.pop()) {
    const { doc, isFlat } = part;
    if (typeof doc === "string") left -= doc.length;
    else if (isLine(doc)) {
      if (!isFlat) return left >= doc.broken.length;
      left -= doc.whole.length;
    } else if (isGroup(doc)) {
      if (isFlat && doc.isBroken) return false;
      waiting.push({ ...part, doc: doc.group });
    } else waiting.push(...partsOf(part).toReversed());
  }
  return left >= 0;
}

function isLine(doc: Exclude<Doc, string>): doc is Line {
  return "whole" in doc;
}

function isGroup(doc: Exclude<Doc, string>): doc is Group {
  return "group" in doc;
}

/** What a list has in it, and what is indented. */
function partsOf({ doc, depth, isFlat }: Part): readonly Part[] {
  if (typeof doc === "object" && "indented" in doc) return [{ doc: doc.indented, depth: depth + 1, isFlat }];
  return Array.isArray(doc) ? doc.map((one) => ({ doc: one, depth, isFlat })) : [];
}
