/** What is given back instead of a result when a project can't be made as asked: said to the user, then the exit status. */

export { escapeControl } from "../runtime/core/escape.ts";

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
