/** Applies edits to a text, without changing any other byte. */

export interface Edit {
  readonly start: number;
  /** Equal to `start` for an insertion. */
  readonly end: number;
  readonly text: string;
}

/** Edits at the same offset keep their order. @throws for edits that overlap. */
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
