/** A conversation as it is compared: what was heard, read as answers. */

import { type Answer, parseAnswers } from "./answers.fixture.ts";
import type { Heard } from "./conversation.fixture.ts";
import type { Seen } from "./lane.fixture.ts";
import type { Call } from "./plan.fixture.ts";

export interface Observed {
  readonly answers: readonly Reply[];
  readonly calls: readonly Call[];
  readonly seen: readonly Seen[];
  /** The server waited for more when the client had sent everything. */
  readonly isOpen: boolean;
  readonly hangs: boolean;
}

export interface Reply extends Answer {
  /** It came only when the client had ended its side. */
  readonly isLate: boolean;
  /** What the handler saw that gave it. */
  readonly call: Call | undefined;
  /** What node:http saw; only of the plain server. */
  readonly seen: Seen | undefined;
}

export function observe({ bytes, openAt, end, calls, seen }: Heard): Observed {
  const answers = parseAnswers(bytes).map((answer) => toReply(answer, openAt, calls, seen));
  return { answers, calls, seen, isOpen: openAt !== undefined, hangs: end === "hangs" };
}

function toReply(
  answer: Answer,
  openAt: number | undefined,
  calls: readonly Call[],
  seen: readonly Seen[],
): Reply {
  const inBody = /^\{"call":(\d+),/.exec(answer.body)?.[1];
  const its = seen[Number(headerOf(answer, "x-seen") ?? -1)];
  const call = calls[Number(headerOf(answer, "x-call") ?? inBody ?? its?.call ?? -1)];
  return {
    ...answer,
    headers: answer.headers.filter((line) => !line.startsWith("x-seen: ")),
    isLate: openAt !== undefined && answer.at >= openAt,
    call,
    seen: its,
  };
}

export function headerOf({ headers }: Pick<Answer, "headers">, name: string): string | undefined {
  return headers.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
}

export function closes(answer: Answer): boolean {
  return answer.headers.includes("connection: close");
}
