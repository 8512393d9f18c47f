/** Small edits to a text: every byte outside them stays as it is. */

import type { Style } from "./style.ts";

export interface Edit {
  readonly start: number;
  /** Equal to `start` where text is only added. */
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap; those at the same place keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let position = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
    if (edit.start < position) throw new Error("Two edits overlap.");
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}

/** Adds `block` (styled, ending with a line end) as the last thing in the file, one blank line below what is there. */
export function appendBlock(text: string, block: string, style: Style): Edit {
  const code = text.replace(/^\uFEFF/, "");
  const gap = code.trim() === "" ? "" : style.eol.repeat(Math.max(0, 2 - trailingLineEnds(code)));
  const added = style.finalNewline ? block : block.slice(0, -style.eol.length);
  return { start: text.length, end: text.length, text: gap + added };
}

/** Adds `block` at `offset` (the start of a statement), with a blank line above and below it. */
export function insertBlock(text: string, offset: number, block: string, style: Style): Edit {
  const before = text.slice(0, offset);
  const gap = before.trim() === "" ? "" : style.eol.repeat(Math.max(0, 2 - trailingLineEnds(before)));
  return { start: offset, end: offset, text: gap + block + style.eol };
}

function trailingLineEnds(text: string): number {
  return (/[\s]*$/.exec(text)?.[0].match(/\n/g) ?? []).length;
}
