/** Changes of a text, by offsets. */

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param edits of which no two share a character. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let [written, at] = ["", 0];
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    written += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return written + text.slice(at);
}
