/** Prints how a run went: words for a person, or one JSON object on stdout for a program. */

import { formatOutcomeJson, formatRefusalJson } from "./json.ts";
import { formatNotice, formatOutcome, formatRefusal } from "./messages.ts";
import { CANCELLED, type Outcome } from "./outcome.ts";
import type { Advice } from "./refusal.ts";

export interface Teller {
  /** For what to know before the project is created. */
  notice(advice: Advice): void;
  refused(refusal: Advice): void;
  cancelled(): void;
  made(outcome: Outcome): void;
}

type Streams = Pick<NodeJS.Process, "stdout" | "stderr">;

export function createTextTeller({ stdout, stderr }: Streams): Teller {
  return {
    notice: (advice) => void stdout.write(`${formatNotice(advice)}\n`),
    refused: (refusal) =>
      void stderr.write(
        `${formatRefusal(refusal, { color: stderr.isTTY === true, columns: toColumns(stderr) })}\n`,
      ),
    cancelled: () => void stderr.write(`\n${CANCELLED.problem}. ${CANCELLED.hint}\n`),
    made: (outcome) => void stdout.write(`${formatOutcome(outcome, toColumns(stdout))}\n`),
  };
}

function toColumns(stream: NodeJS.WriteStream): number {
  return stream.isTTY === true ? stream.columns || 80 : Number.POSITIVE_INFINITY;
}

export function createJsonTeller({ stdout }: Streams): Teller {
  const notices: Advice[] = [];
  return {
    notice: (advice) => void notices.push(advice),
    refused: (refusal) => void stdout.write(`${formatRefusalJson(refusal, notices)}\n`),
    cancelled: () => void stdout.write(`${formatRefusalJson(CANCELLED, notices)}\n`),
    made: (outcome) => void stdout.write(`${formatOutcomeJson(outcome, notices)}\n`),
  };
}
