/** Adds blocks of lines to a text. */

import type { Edit } from "#convention/source/edits";
import type { Style } from "./style.ts";

/** A part of a text, from an offset up to another. */
export type Region = Pick<Edit, "start" | "end">;

export function insertion(place: number, text: string): Edit {
  return { start: place, end: place, text };
}

/**
 * Adds `block` (styled, ending with a line end) below the text before `offset`, one blank line apart. The line ends that followed
 * that text follow the block now.
 */
export function insertBlock(text: string, offset: number, block: string, { eol }: Style): Edit {
  const before = text.slice(0, offset);
  const end = before.trimEnd().length;
  if (end === 0) return insertion(before.startsWith("\uFEFF") ? 1 : 0, block);
  const gap = /\r?\n/.exec(before.slice(end));
  return insertion(gap === null ? offset : end + gap.index, eol + eol + block.slice(0, -eol.length));
}

/** The end of the line after an offset, behind its comment; the offset itself where other code follows on the line. */
export function behindComment(text: string, offset: number, comment = "//"): number {
  const rest = new RegExp(`^[ \\t]*(?:${comment}[^\\r\\n]*)?(?=\\r?\\n|$)`).exec(text.slice(offset))?.[0];
  return offset + (rest?.length ?? 0);
}

/** The first of `NewProduct`, `NewProduct2`, … that is free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${name}${number}`;
  return free;
}
