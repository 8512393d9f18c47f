/** What the analysis of a pattern meets and can't go on with; thrown from deep inside, and caught where the check begins. */

export class Unproven extends Error {
  /** As in "a backreference". */
  readonly what: string;
  /** Where in the pattern's source. */
  readonly at: { readonly start: number; readonly end: number };

  constructor(what: string, at: { readonly start: number; readonly end: number }) {
    super(what);
    this.what = what;
    this.at = at;
  }
}
