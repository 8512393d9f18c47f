/** An error that the user has to fix, in the project or its environment. It is printed without a stack. */

export class Problem extends Error {
  override readonly name: string = "Problem";
  /** How to fix it. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** True also for a `Problem` of another copy of this module: a built server has its own. */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem || (error instanceof Error && error.name === "Problem" && "hint" in error);
}
