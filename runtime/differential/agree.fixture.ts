/** Compares two conversations with our server in which the same requests came in other packets, or each on a connection of its own. */

import { closes, type Observed, type Reply } from "./observed.fixture.ts";
import type { Call } from "./plan.fixture.ts";
import { isMalformed } from "./rules.fixture.ts";

/** Two answers to one request, of which the second came at another time. */
interface Pair {
  readonly one: Reply | undefined;
  readonly other: Reply | undefined;
  readonly from: Observed;
  readonly otherFrom: Observed;
}

interface Effect {
  readonly reason: string;
  /** Asked in both directions. */
  explains(pair: Pair): boolean;
}

/** What may differ by when the bytes came. Behind the first three, the answers are not compared any more. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  "the body had arrived": {
    reason:
      "A body that nobody reads ends the connection only if it is still under way when its answer goes out.",
    explains: ({ one, other, from }) =>
      isLast(one, from) &&
      closes(one) &&
      other !== undefined &&
      isSameButEnd(one, other) &&
      isInterimOf(one, other),
  },
  "the head was out": {
    reason:
      "What can't be read behind a request is refused by an answer of its own only if the one before it is out.",
    explains: ({ one, other, otherFrom }: Pair): boolean => one === undefined && isRefusal(other, otherFrom),
  },
  "the body broke before its answer": {
    reason: "A body that can't be read is refused only if its answer has not begun.",
    explains: ({ one, other, from }) => isRefusal(one, from) && other !== undefined,
  },
  "the first piece was too large": {
    reason:
      "A handler that takes one piece of a body gets all that has arrived, which can be more than the limit.",
    explains: ({ one, other }) =>
      one?.status === 413 &&
      /^\/\w+\/(?:peek\/|nothing\/echo$)/.test(new URL(other?.call?.url ?? "http://a").pathname),
  },
  "the stream had begun": {
    reason: "A client that ends its side cuts a stream, and what waits behind it.",
    explains: ({ one, other, from, otherFrom }) =>
      (isCutStream(one, other) || (one === undefined && isStream(from.answers.at(-1)))) &&
      !from.isOpen &&
      !otherFrom.isOpen,
  },
  "the stream came in one piece": {
    reason: "What streams has a length if its end came within a turn of the event loop.",
    explains: ({ one, other }: Pair): boolean =>
      isStream(one) && isStream(other) && one?.body === other?.body && one?.status === other?.status,
  },
  "the body was invited": {
    reason: "An invitation goes out only in the turn of its answer, and not behind its head.",
    explains: ({ one, other }) =>
      one !== undefined &&
      other !== undefined &&
      one.interim.length < other.interim.length &&
      isSameButEnd(one, other),
  },
};

const GOES_ON: readonly string[] = ["the stream came in one piece", "the body was invited"];

/** @returns what differs without an effect of time that explains it. */
export function disagree(
  one: Observed,
  other: Observed,
  most: number = Number.POSITIVE_INFINITY,
): string | undefined {
  let isOver = false;
  for (let at = 0; !isOver && at < most; at++) {
    const [our, their] = [one.answers[at], other.answers[at]];
    if (our === undefined && their === undefined) break;
    if (our !== undefined && their !== undefined && isEqual(our, their)) continue;
    const effect = Object.entries(EFFECTS).find(
      ([, { explains }]) =>
        explains({ one: our, other: their, from: one, otherFrom: other }) ||
        explains({ one: their, other: our, from: other, otherFrom: one }),
    );
    if (effect === undefined) return `answer ${at} differs`;
    isOver = !GOES_ON.includes(effect[0]) || (our && closes(our)) !== (their && closes(their));
  }
  if (!isOver && most === Number.POSITIVE_INFINITY && one.isOpen !== other.isOpen)
    return "only one is left open";
  const isCounted = !isOver && most === Number.POSITIVE_INFINITY && !isEnded(one, other);
  if (isCounted && one.calls.length !== other.calls.length) return "the handlers were not called as often";
  const length = Math.min(one.calls.length, other.calls.length, most);
  const wrong = one.calls.slice(0, length).findIndex((call, index) => !isEqualCall(call, other.calls[index]));
  return wrong === -1 ? undefined : `call ${wrong} differs`;
}

/** Where node:http closes behind an answer that was made late, what came in the same packet has been taken up, and is lost. */
function isEnded(...both: readonly Observed[]): boolean {
  return both.every(({ answers: [...answers] }) => answers.some(closes));
}

function isEqual(one: Reply, other: Reply): boolean {
  return (
    isSameButEnd(one, other) && closes(one) === closes(other) && one.interim.join() === other.interim.join()
  );
}

/** The same answer, whatever happens behind it. Which call it was is not compared: each on its own is the first. */
function isSameButEnd(one: Reply, other: Reply): boolean {
  return describe(one) === describe(other);
}

function describe({ status, headers, framing, body, isCut }: Reply): string {
  const kept = headers.filter((line) => !/^(?:connection|keep-alive|x-call): /.test(line));
  return JSON.stringify([status, kept, framing, body.replace(/^\{"call":\d+/, ""), isCut]);
}

function isInterimOf(one: Reply, other: Reply): boolean {
  return one.interim.length <= other.interim.length;
}

function isLast(reply: Reply | undefined, from: Observed): reply is Reply {
  return reply !== undefined && reply === from.answers.at(-1);
}

function isRefusal(reply: Reply | undefined, from: Observed): boolean {
  return isMalformed(reply, from) || (isLast(reply, from) && reply.status === 501);
}

function isStream(reply: Reply | undefined): boolean {
  return /\/(?:stream|sized|flood|echo)(?:\?|$)/.test(reply?.call?.url ?? "");
}

function isCutStream(one: Reply | undefined, other: Reply | undefined): boolean {
  return (
    isStream(one) &&
    (other === undefined || (isStream(other) && (one?.isCut === true || one?.framing === "close")))
  );
}

function isEqualCall(one: Call, other: Call | undefined): boolean {
  const isRead = one.read === "whole" && other?.read === "whole";
  return (
    one.method === other?.method &&
    one.url === other.url &&
    one.headers.join("\n") === other.headers.join("\n") &&
    (!isRead || one.body === other.body)
  );
}
