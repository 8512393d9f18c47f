/** Adds blocks of lines to a text. */

import type { Edit } from "#convention/source/edits";
import type { Style } from "./style.ts";

/** A part of a text, from an offset up to another. */
export type Region = Pick<Edit, "start" | "end">;

/**
 * Adds `block` (styled, ending with a line end) below the text before `offset`, one blank line apart. The line ends that followed
 * that text follow the block now.
 */
export function insertBlock(text: string, offset: number, block: string, style: Style): Edit {
  const { eol } = style;
  const before = text.slice(0, offset);
  const end = before.trimEnd().length;
  const gap = /\r?\n/.exec(before.slice(end));
  const bare = block.slice(0, -eol.length);
  if (end === 0) {
    const start = before.startsWith("\uFEFF") ? 1 : 0;
    return { start, end: start, text: block };
  }
  const place = gap === null ? offset : end + gap.index;
  return { start: place, end: place, text: eol + eol + bare };
}
