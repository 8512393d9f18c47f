/** What a person has to fix, in the project or around it. It is shown as a message, without a stack. */

export class Problem extends Error {
  override readonly name: string = "Problem";
  /** What to do. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** True for one of another copy of this file, too: a built server has its own. */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem || (error instanceof Error && error.name === "Problem" && "hint" in error);
}
