/** Compares a conversation with our server to the same one with a plain server. */

import type { Seen } from "./lane.fixture.ts";
import type { Observed, Reply } from "./observed.fixture.ts";
import type { Call } from "./plan.fixture.ts";
import {
  type Explained,
  explain,
  isLastError,
  isMalformed,
  isUpgrade,
  LOSES,
  mustBeRefused,
  NO_HOST,
  NO_TUNNEL,
  refusalOf,
  TORN,
  UNEXPECTED,
  type Verdict,
} from "./rules.fixture.ts";

export interface Comparison {
  /** The names of the rules that explain the differences. */
  readonly rules: readonly string[];
  /** What none explains. */
  readonly difference: string | undefined;
}

const SAME: Explained = { rules: [], verdict: "both go on" };

export function compare(ours: Observed, raw: Observed, halfCloses: boolean): Comparison {
  const rules: string[] = [];
  const fail = (difference: string): Comparison => ({ rules, difference });
  if (raw.hangs && raw.seen.some(isUpgrade))
    return { rules: ["an upgrade that is cut off"], difference: undefined };
  if (ours.hangs) return fail("our server hangs");
  if (raw.hangs) return fail("the plain server hangs");
  if (ours.answers.some(({ isTorn }) => isTorn)) return fail("an invitation is within an answer");
  if (raw.answers.some(({ isTorn }) => isTorn)) rules.push(TORN);
  let verdict: Verdict = "both go on";
  let at = 0;
  for (; verdict === "both go on"; at++) {
    const [our, their] = [ours.answers[at], raw.answers[at]];
    if (our === undefined && their === undefined) break;
    const next = { nextOur: ours.answers[at + 1], nextTheir: raw.answers[at + 1] };
    const explained = isSame(our, their) ? SAME : explain({ ours, raw, our, their, at, halfCloses, ...next });
    if (explained === undefined) return fail(`answer ${at} differs`);
    rules.push(...explained.rules);
    verdict = explained.verdict;
    if (their?.seen && mustBeRefused(their.seen) && verdict === "both go on")
      return fail(`answer ${at} is to what must be refused`);
  }
  if (verdict === "ours goes on") return { rules, difference: undefined };
  const difference =
    (verdict === "theirs ends" ? compareDue(ours, raw, at - 1) : undefined) ??
    compareEnds(ours, raw, verdict) ??
    compareCalls(ours, raw, verdict, rules.some((name) => LOSES.includes(name)) ? undefined : at);
  return { rules, difference };
}

/** Each of our answers has to belong to what node:http saw, in the order in which it did. */
function compareDue(ours: Observed, raw: Observed, at: number): string | undefined {
  const due = raw.seen.slice(raw.answers.slice(0, at).filter(({ seen }) => seen !== undefined).length);
  for (const our of ours.answers.slice(at)) {
    const seen = due.shift();
    if (!isDue(our, seen, ours))
      return `an answer is to nothing that was sent: ${our.status} ${our.body.slice(0, 80)}`;
  }
  return undefined;
}

function isDue(our: Reply, seen: Seen | undefined, ours: Observed): boolean {
  const isByNode =
    isMalformed(our, ours) ||
    isLastError(our, ours, 501, NO_TUNNEL) ||
    isLastError(our, ours, 417, UNEXPECTED) ||
    isLastError(our, ours, 400, NO_HOST);
  if (seen === undefined || isByNode) return isByNode;
  if (mustBeRefused(seen)) return refusalOf(seen, our, ours) !== undefined;
  if (our.call === undefined)
    return [204, 400, 404, 405, 413].includes(our.status) || seen.method === "HEAD" || our.status === 422;
  return (
    our.call.method === seen.method && our.call.url.endsWith(seen.target.replace(/^https?:\/\/[^/?]*/i, ""))
  );
}

function compareEnds(ours: Observed, raw: Observed, verdict: Verdict): string | undefined {
  if (verdict === "both go on" && ours.isOpen !== raw.isOpen) return "only one leaves the connection open";
  if (verdict === "ours ends" && ours.isOpen && !isLateEnd(ours.answers.at(-1)))
    return "ours leaves the connection open";
  return undefined;
}

/** @param answers how many of them were compared; undefined if ours may have taken up more requests. */
function compareCalls(
  ours: Observed,
  raw: Observed,
  verdict: Verdict,
  answers: number | undefined,
): string | undefined {
  const compared = raw.answers.slice(0, answers);
  const answered = compared.filter(({ seen }) => seen !== undefined).length;
  const isCut = verdict === "ours ends" && answers !== undefined && compared.at(-1)?.seen !== undefined;
  const expected = raw.seen
    .slice(0, isCut ? answered : undefined)
    .filter((seen) => seen.call !== undefined && !mustBeRefused(seen))
    .map(({ call = 0 }) => raw.calls[call]);
  // What came behind the last answer in its packet is taken up by either, or not.
  const isEnded = compared.at(-1)?.headers.includes("connection: close") === true;
  if (verdict === "both go on" && !isEnded && ours.calls.length < expected.length)
    return "a handler was not called";
  const wrong = ours.calls.findIndex((call, index) => !isSameCall(call, expected[index]));
  return wrong === -1 ? undefined : `call ${wrong} differs`;
}

function isSame(our: Reply | undefined, their: Reply | undefined): boolean {
  return our !== undefined && their !== undefined && describe(our) === describe(their);
}

function describe({ interim, status, headers, framing, body, isCut, isLate }: Reply): string {
  return JSON.stringify([interim, status, headers, framing, body, isCut, isLate]);
}

/** What was read of a body counts only where both read it whole. */
function isSameCall(our: Call, their: Call | undefined): boolean {
  if (their === undefined) return false;
  const isRead = our.read === "whole" && their.read === "whole";
  return (
    our.method === their.method &&
    withoutPort(our.url) === withoutPort(their.url) &&
    our.headers.join("\n") === their.headers.join("\n") &&
    (!isRead || our.body === their.body)
  );
}

/** A request that names no host is to the address of its server. */
function withoutPort(url: string): string {
  return url.replace(/^http:\/\/127\.0\.0\.1:\d+/, "http://127.0.0.1");
}

/** True for an end that came with the end of the client's side. */
function isLateEnd(our: Reply | undefined): boolean {
  return our !== undefined && (our.isLate || our.isCut);
}
