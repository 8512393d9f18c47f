/** Returned instead of a result if we can't do what was asked: a message for the user, and the exit status. */

export { escapeControl } from "../runtime/escape.ts";

export interface Refusal extends Advice {
  /** 1: it failed; 2: the command is wrong. */
  readonly status: 1 | 2;
}

export interface Advice {
  /** What happened and why: one sentence without its full stop, of at most 20 words. */
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
