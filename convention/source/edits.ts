/** Small edits to a text: every byte outside them stays as it is. */

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
