/** Why a text can't be what it should be, and what to write instead. */
export interface Refusal {
  /** The end of a sentence, without its full stop. */
  readonly why: string;
  readonly hint: string;
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "why" in value;
}
