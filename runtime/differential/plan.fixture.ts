/** What the handlers of both servers do, by the path: `/turn/whole/text` waits a turn, reads the whole body and gives a text. */

/** When a handler goes on: at once, in a microtask, in the next turn of the event loop, or some turns later. */
export const WHEN = ["once", "microtask", "turn", "later"] as const;
/** Whether it reads the body: never, whole, in pieces, or only the first of these. */
export const READS = ["nothing", "whole", "pieces", "peek"] as const;
export const GIVES = [
  "object",
  "created",
  "text",
  "unicode",
  "empty",
  "unchanged",
  "reset",
  "fails",
  "stream",
  "sized",
  "large",
  "flood",
  "echo",
] as const;

export interface Plan {
  readonly when: (typeof WHEN)[number];
  readonly reads: (typeof READS)[number];
  readonly gives: (typeof GIVES)[number];
}

/** A request as its handler saw it. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly string[];
  /** Byte by byte; undefined if it was not read whole. */
  body: string | undefined;
  /** How the reading ended. */
  read: "not" | "begun" | "whole" | "too large" | "broken";
  /** True once the handler has done all that it does. */
  isDone: boolean;
}

/** @returns a call whose handler has not read anything yet. */
export function newCall(method: string, url: string, headers: readonly string[]): Call {
  return { method, url, headers, body: undefined, read: "not", isDone: false };
}

/** The most that our server reads of a body. */
export const BODY_LIMIT = 4096;
export const TEXT = "plain text";
export const UNICODE = "Grüße, 世界";
export const PIECES: readonly string[] = ["first ", "second ", "third"];
/** More than a socket takes at once is too slow for thousands of connections; this is more than the buffer of a stream. */
export const LARGE: string = "0123456789abcdef".repeat(6000);
export const FLOOD: readonly string[] = Array.from({ length: 6 }, (_, index) => `${index}`.repeat(16_384));
export const FAILURE = "as planned";

/** @returns undefined for a path that no handler serves. */
export function parsePlan(path: string): Plan | undefined {
  const [, when, reads, gives, ...rest] = path.split("/");
  const plan = { when: WHEN.find(is(when)), reads: READS.find(is(reads)), gives: GIVES.find(is(gives)) };
  const isWhole = plan.when !== undefined && plan.reads !== undefined && plan.gives !== undefined;
  return isWhole && rest.length === 0 ? (plan as Plan) : undefined;
}

function is(word: string | undefined): (known: string) => boolean {
  return (known) => known === word;
}

export async function pause(when: Plan["when"]): Promise<void> {
  if (when === "turn") await nextTurn();
  if (when === "later") for (let turns = 0; turns < 5; turns++) await nextTurn();
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** In a stable order, because a `Headers` sorts its names and node:http does not. */
export function listHeaders(headers: Headers): string[] {
  return [...headers].map(([name, value]) => `${name}: ${value}`);
}
