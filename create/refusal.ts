/** What is given back instead of a result when a project can't be made as asked: said to the user, then the exit status. */

export interface Refusal extends Advice {
  /** 1: could not be done; 2: the command was written wrongly. */
  readonly status: 1 | 2;
}

export interface Advice {
  /** What happened and why, as one sentence without its full stop. */
  readonly problem: string;
  /** What to do about it. */
  readonly hint: string;
}

export function refuse(status: 1 | 2, problem: string, hint: string): Refusal {
  return { status, problem, hint };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "problem" in value && "hint" in value;
}

/**
 * Text of the user's, made safe to print: a name may hold escape sequences that would drive the terminal (Rails
 * CVE-2025-55193).
 *
 * @example escapeControl("a\u001b[2J") // "a\\u001b[2J"
 */
export function escapeControl(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
