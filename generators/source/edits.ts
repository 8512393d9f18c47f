/** Blocks of lines that are added to a text and taken out of it. */

import type { Edit } from "#convention/source/edits";
import type { Style } from "./style.ts";

/** A part of a text, from an offset up to another. */
export type Region = Pick<Edit, "start" | "end">;

/**
 * Adds `block` (styled, ending with a line end) below the text before `offset`, one blank line apart. The line ends that followed
 * that text follow the block now, so that {@link removeBlock} restores them.
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

/** Takes out the lines from `start` to `end` with the blank line above them, or below them where they are the first. */
export function removeBlock(text: string, { start, end }: Region): Edit {
  if (text.slice(0, start).trim() === "") {
    const rest = text.slice(end);
    // White space that was there before the block stays.
    const below = rest.trim() === "" ? /^(?:\r?\n)?/ : /^(?:\r?\n){0,2}/;
    return { start, end: end + (below.exec(rest)?.[0].length ?? 0), text: "" };
  }
  const above = /(?:\r?\n){0,2}$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { start: start - above, end, text: "" };
}
