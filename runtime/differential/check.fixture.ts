/** Holds one conversation with both servers, and the same requests with ours in other ways. */

import { disagree } from "./agree.fixture.ts";
import { compare } from "./compare.fixture.ts";
import { bytesOf, type Connection, everyByte, toPackets } from "./connection.fixture.ts";
import { converse } from "./conversation.fixture.ts";
import type { Lane } from "./lane.fixture.ts";
import { type Observed, observe } from "./observed.fixture.ts";
import { openOurs } from "./ours.fixture.ts";
import { openRaw } from "./raw.fixture.ts";
import { isUpgrade } from "./rules.fixture.ts";

export interface Lanes {
  readonly ours: Lane;
  readonly raw: Lane;
}

export async function openLanes(): Promise<Lanes> {
  return { ours: await openOurs(), raw: await openRaw() };
}

export async function closeLanes({ ours, raw }: Lanes): Promise<void> {
  await Promise.all([ours.close(), raw.close()]);
}

export interface Checked {
  /** The rules that explain how ours and the plain server differ. */
  readonly rules: readonly string[];
  /** What nothing explains. */
  readonly difference: string | undefined;
  readonly ours: Observed | undefined;
  readonly raw: Observed | undefined;
}

export async function check(lanes: Lanes, connection: Connection): Promise<Checked> {
  const { requests, cuts, halfCloses } = connection;
  const text = bytesOf(requests);
  const packets = toPackets(text, cuts);
  try {
    const ours = observe(await converse(lanes.ours, packets, halfCloses));
    const raw = observe(await converse(lanes.raw, packets, halfCloses));
    const { rules, difference } = compare(ours, raw, halfCloses);
    // What comes behind an upgrade in its packet, node:http drops.
    const isAlike = !(ours.hangs || raw.hangs || raw.seen.some(isUpgrade));
    // A CONNECT cuts off the answers that are due: which, depends on time and packets.
    const isCut = connection.requests.slice(1).some(({ text }) => text.startsWith("CONNECT"));
    if (isCut && isAlike) return { rules, difference: undefined, ours, raw };
    const own = difference ?? (isAlike ? await checkOurs(lanes.ours, connection, ours) : undefined);
    return { rules, difference: own, ours, raw };
  } catch (error) {
    return { rules: [], difference: String(error), ours: undefined, raw: undefined };
  }
}

/** Longer conversations byte by byte take long. */
const LONGEST_SINGLE = 300;

/** @returns how the same requests in other packets have other answers. */
async function checkOurs(lane: Lane, connection: Connection, before: Observed): Promise<string | undefined> {
  const { requests, cuts, halfCloses } = connection;
  const text = bytesOf(requests);
  const others = {
    "in one packet": cuts.length > 0 ? [] : undefined,
    "byte by byte": text.length <= LONGEST_SINGLE ? everyByte(text) : undefined,
  };
  for (const [way, places] of Object.entries(others)) {
    if (places === undefined) continue;
    const after = observe(await converse(lane, toPackets(text, places), halfCloses));
    const difference = disagree(before, after);
    if (difference !== undefined) return `${way}, ${difference}: ${show(after)}`;
  }
  return requests.length > 1 ? checkAlone(lane, connection, before) : undefined;
}

/** Each request on a connection of its own, up to the first that ends its connection or is not what it should be. */
async function checkAlone(
  lane: Lane,
  { requests }: Connection,
  before: Observed,
): Promise<string | undefined> {
  const answers: Observed["answers"][number][] = [];
  const calls: Observed["calls"][number][] = [];
  for (const { text, faults } of requests) {
    const alone = observe(await converse(lane, [text], false));
    const isWhole = alone.isOpen && alone.answers.length === 1 && !alone.answers[0]?.isLate;
    // The next request would have been the rest of its body.
    const isBroken = alone.calls.some(({ read }) => read === "broken");
    if (!isWhole || isBroken || faults.length > 0) break;
    answers.push(...alone.answers);
    calls.push(...alone.calls);
  }
  const together: Observed = { ...before, answers, calls };
  const difference = disagree(before, together, Math.min(answers.length, calls.length));
  return difference && `each alone, ${difference}: ${show(together)}`;
}

export function show({ answers, isOpen, hangs, calls }: Observed): string {
  const lines = answers.map(
    ({ interim, status, headers, framing, body, isCut, isLate }) =>
      `  ${[...interim, status].join(" ")} ${headers.join("; ")} (${framing}) ${JSON.stringify(body.slice(0, 100))}${isCut ? " CUT" : ""}${isLate ? " LATE" : ""}`,
  );
  const seen = calls.map(({ method, url, read }) => `  call ${method} ${url}, body ${read}`);
  return [...lines, ...seen, `  ${isOpen ? "left open" : "closed"}${hangs ? ", hangs" : ""}`].join("\n");
}
