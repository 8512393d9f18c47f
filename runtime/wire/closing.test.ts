/** That each generator which a request has opened is closed exactly once, the last first, whatever fails. */

import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { App, Handler } from "../app.ts";
import { chainHooks, type HookChain, type Next } from "../hooks/hooks.ts";
import { HttpError } from "../message/errors.ts";
import { events } from "../message/events.ts";
import { createRandom, pick, type Random, runs, SEED } from "../random.fixture.ts";
import { type CalledProvider, createServed } from "../served.fixture.ts";
import type { FunctionInputs } from "./inputs.ts";

const random = createRandom(SEED);
const PROVIDERS = 4;
const REQUESTS = runs(400, 8_000);

/** How the app ends a generator. */
type How = "next" | "throw" | "return";

/** One generator, as its request sees it. */
interface Open {
  readonly how: How[];
  isClosed: boolean;
}

/** One request: what it has opened, in order, and what has been wrong. */
class Trial {
  readonly random: Random;
  readonly opened: Open[] = [];
  readonly wrong: string[] = [];
  /** The only way in which its last generator may be ended; undefined if nothing is known. */
  expected: How | undefined;
  isGivenUp = false;

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  chance(percent: number): boolean {
    return this.random(100) < percent;
  }

  async wait(): Promise<void> {
    if (this.chance(50)) await sleep(this.random(3));
  }

  open(): Open {
    const one: Open = { how: [], isClosed: false };
    this.opened.push(one);
    return one;
  }

  beginClosing(one: Open, how: How): void {
    one.how.push(how);
    const later = this.opened.slice(this.opened.indexOf(one) + 1);
    if (later.some(({ isClosed }) => !isClosed) && !this.isGivenUp)
      this.wrong.push("an outer one before an inner");
  }
}

/** Not the language's own, so that every call of it can be counted. It waits and fails at random. */
function createGenerator(trial: Trial, isAsync: boolean): object {
  let mine: Open | undefined;
  const end = (how: How, thrown?: unknown): unknown => {
    const one = mine;
    if (one === undefined) throw new Error("It is not open.");
    trial.beginClosing(one, how);
    const goesOn = how !== "return" && one.how.length === 1 && trial.chance(3);
    const fails = trial.chance(10);
    const finish = (): object => {
      if (!goesOn) one.isClosed = true;
      if (fails && !goesOn) throw trial.chance(50) ? new Error("closing") : new HttpError(409, "closing");
      if (how === "throw" && !goesOn && trial.chance(80)) throw thrown;
      return { done: !goesOn, value: undefined };
    };
    return isAsync ? trial.wait().then(finish) : finish();
  };
  const begin = (): object => {
    if (trial.chance(3)) throw new HttpError(503, "opening");
    if (trial.chance(1)) return { done: true, value: undefined };
    mine = trial.open();
    return { done: false, value: 1 };
  };
  return {
    next: () => {
      if (mine !== undefined) return end("next");
      return isAsync ? trial.wait().then(begin) : begin();
    },
    throw: (thrown: unknown) => end("throw", thrown),
    return: () => end("return"),
  };
}

function toProvider(index: number, trialOf: (made: unknown) => Trial): CalledProvider {
  const isGuard = index === 1;
  return {
    name: `provider${index}`,
    kind: isGuard ? "guard" : "provider",
    isEarly: index < 2,
    read: (reader) => [reader.request],
    run: (request) => {
      const trial = trialOf(request);
      const kind = trial.random(6);
      if (kind < 4) return createGenerator(trial, kind > 0);
      if (trial.chance(5)) throw new HttpError(403, "no");
      return kind === 4 ? trial.wait().then(() => 1) : 1;
    },
  };
}

async function* pieces(trial: Trial, end: "ends" | "fails" | "goes on"): AsyncGenerator<string> {
  for (let index = 0; index < 4 || end === "goes on"; index++) {
    yield "piece ".repeat(20);
    await sleep(1);
  }
  if (end === "fails") throw new Error(`the stream of ${trial.opened.length}`);
}

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const text of texts) yield new TextEncoder().encode(text);
}

/** What a handler does, and how a generator ends if nothing else happens. */
const HANDLERS: readonly (readonly [expected: How | undefined, handle: (trial: Trial) => unknown])[] = [
  ["next", () => ({ ok: true })],
  ["next", async (trial) => trial.wait()],
  ["next", () => new Response("text")],
  ["next", (trial) => pieces(trial, "ends")],
  ["next", (trial) => new Response(ReadableStream.from(encode(pieces(trial, "ends"))))],
  ["throw", (trial) => pieces(trial, "fails")],
  ["return", (trial) => pieces(trial, "goes on")],
  ["return", (trial) => events(pieces(trial, "goes on"))],
  [
    "throw",
    () => {
      throw new HttpError(404, "no");
    },
  ],
  ["throw", async (trial) => trial.wait().then(() => Promise.reject(new Error("broken")))],
  [
    "throw",
    () => {
      throw new Response("thrown", { status: 410 });
    },
  ],
  ["throw", () => new Map()],
];

const SLOW: typeof HANDLERS = [
  [undefined, async () => sleep(30)],
  [undefined, async () => sleep(30).then(() => Promise.reject(new Error("late")))],
  [undefined, async (trial) => sleep(30).then(() => pieces(trial, "ends"))],
];

const plain = chainHooks([{ folder: "", middleware: (_request: unknown, next: Next) => next() }]);

interface Bench {
  readonly app: App;
  /** By the query that a request has. */
  readonly trials: Map<string, Trial>;
}

function createBench(
  handlers: typeof HANDLERS,
  around: HookChain | undefined,
  handlerTimeout: number,
): Bench {
  const trials = new Map<string, Trial>();
  const trialOf = (request: unknown): Trial => {
    const { query, signal } = request as { query: URLSearchParams; signal: AbortSignal };
    const trial = trials.get(query.get("id") ?? "");
    if (trial === undefined) throw new Error("There is no such trial.");
    // What opens after a time-out is closed after what was open then.
    trial.isGivenUp ||= handlerTimeout > 0 && signal.aborted;
    if (handlerTimeout > 0) signal.addEventListener("abort", () => (trial.isGivenUp = true));
    return trial;
  };
  const handler: Handler = (request: unknown) => {
    const trial = trialOf(request);
    const [expected, handle] = pick(trial.random, handlers);
    trial.expected = handlerTimeout > 0 ? undefined : expected;
    return handle(trial);
  };
  const calls = Array.from({ length: PROVIDERS }, (_, index) => toProvider(index, trialOf));
  const served = { calls, handler, read: toRequest, ...(around && { hooks: around }) };
  return { app: createServed(served, { handlerTimeout }).app, trials };
}

const toRequest: FunctionInputs["read"] = (reader) => [reader.request];

/** Sends so many requests, some at once. */
async function sendAll(
  count: number,
  { trials }: Bench,
  send: (path: string, trial: Trial) => Promise<void>,
): Promise<void> {
  let left = count;
  const sender = async (): Promise<void> => {
    while (left-- > 0) {
      const id = String(trials.size);
      const trial = new Trial(random(2 ** 31));
      trials.set(id, trial);
      await send(`/?id=${id}`, trial);
    }
  };
  await Promise.all(Array.from({ length: 100 }, sender));
}

/** As a client of `fetch` does that reads all, reads some, or nothing. */
async function fetchOne({ app }: Bench, path: string, trial: Trial): Promise<void> {
  const controller = new AbortController();
  const init = { method: trial.chance(5) ? "HEAD" : "GET", signal: controller.signal };
  const answered = app.fetch(path, init);
  const leavesEarly = trial.chance(5);
  if (leavesEarly) controller.abort();
  const response = await answered;
  if (init.method === "HEAD" && trial.expected !== "throw") trial.expected = undefined;
  const reader = response.body?.getReader();
  // A stream that goes on is left at some time.
  for (let left = leavesEarly ? 0 : trial.random(40); left > 0 && reader; left--) {
    const step = await reader.read().catch(() => undefined);
    if (step === undefined || step.done) return;
    if (trial.expected === "return") left = Math.min(left, 5);
  }
  // Whether the end or the client came first is a matter of chance.
  trial.expected = undefined;
  await reader?.cancel().catch(() => undefined);
}

async function checkAll({ trials }: Bench): Promise<Readonly<Record<How, number>>> {
  const all = [...trials.values()];
  const isOpen = (trial: Trial): boolean => trial.opened.some(({ isClosed }) => !isClosed);
  for (let turn = 0; turn < 200 && all.some(isOpen); turn++) await sleep(10);
  const counts = { next: 0, throw: 0, return: 0 };
  for (const trial of all) {
    assert.equal(trial.wrong, []);
    for (const [index, { how, isClosed }] of trial.opened.entries()) {
      const [first, ...more] = how;
      assert.ok(isClosed && first !== undefined, `one is still open: ${how}`);
      // One that yields twice is ended a second time.
      assert.ok(
        more.length === 0 || (more.length === 1 && more[0] === "return" && first !== "return"),
        how.join(),
      );
      if (trial.expected && index === trial.opened.length - 1) assert.is(first, trial.expected);
      counts[first]++;
    }
  }
  return counts;
}

for (const around of [undefined, plain]) {
  const where = around ? " inside of hooks" : "";

  test(`of ${REQUESTS} requests${where} that fail at random, each generator is closed once, the last first`, async () => {
    const bench = createBench(HANDLERS, around, 0);
    await sendAll(REQUESTS, bench, (path, trial) => fetchOne(bench, path, trial));
    const counts = await checkAll(bench);
    assert.ok(Math.min(...Object.values(counts)) > REQUESTS / 40, JSON.stringify(counts));
  });

  test(`so it is of ${REQUESTS / 4} requests${where} of which some take too long`, async () => {
    const bench = createBench([...HANDLERS, ...SLOW, ...SLOW], around, 0.01);
    await sendAll(REQUESTS / 4, bench, (path, trial) => fetchOne(bench, path, trial));
    await checkAll(bench);
  });
}

test.run();
