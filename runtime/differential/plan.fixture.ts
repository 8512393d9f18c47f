/** What the handlers of both servers do, by the path: `/turn/whole/text` waits a turn, reads the whole body and gives a text. */

/** When a handler goes on: at once, in a microtask, in the next turn of the event loop, or some turns later. */
export const WHEN = ["once", "microtask", "turn", "later"] as const;
/** Whether it reads the body: never, whole, or in pieces. */
export const READS = ["nothing", "whole", "pieces"] as const;

export interface Plan {
  readonly when: (typeof WHEN)[number];
  readonly reads: (typeof READS)[number];
  readonly gives: string;
}

/** A request as its handler saw it. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly string[];
  /** Byte by byte; missing if it was not read. */
  body?: string;
}

/** An array is sent in pieces. */
export interface Given {
  readonly status: number;
  readonly body?: object | string | readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

const PIECES = ["first ", "second ", "third"];

/** The largest are more than the buffer of a socket or a stream holds. */
const GIVEN: Readonly<Record<string, (call: Call) => Given>> = {
  object: ({ body = null }) => ({ status: 200, body: { body } }),
  created: ({ body = null }) => ({ status: 201, body: { body } }),
  text: ({ body = "plain text" }) => ({ status: 200, body }),
  unicode: () => ({ status: 200, body: "Grüße, 世界" }),
  empty: () => ({ status: 204 }),
  unchanged: () => ({ status: 304 }),
  reset: () => ({ status: 205 }),
  fails: () => ({ status: 422, body: { error: "as planned" } }),
  stream: () => ({ status: 200, body: PIECES }),
  sized: () => ({ status: 200, body: PIECES, headers: { "content-length": "18" } }),
  large: () => ({ status: 200, body: "0123456789abcdef".repeat(6000) }),
  flood: () => ({ status: 200, body: Array.from({ length: 6 }, (_, at) => `${at}`.repeat(16_384)) }),
};

export const GIVES: readonly string[] = Object.keys(GIVEN);

/** @returns undefined for a path that no handler serves. */
export function parsePlan(path: string): Plan | undefined {
  const [, when, reads, gives = "", ...rest] = path.split("/");
  const plan = { when: WHEN.find((one) => one === when), reads: READS.find((one) => one === reads), gives };
  return plan.when && plan.reads && Object.hasOwn(GIVEN, gives) && rest.length === 0
    ? (plan as Plan)
    : undefined;
}

export function give({ gives }: Plan, call: Call): Given {
  return (GIVEN[gives] as (call: Call) => Given)(call);
}

export async function pause(when: Plan["when"]): Promise<void> {
  if (when === "turn") await nextTurn();
  if (when === "later") for (let turns = 0; turns < 5; turns++) await nextTurn();
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
