import { setImmediate } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { LogEvent } from "#runtime/log/log";
import type { End, Worker } from "./worker.ts";
import { pauseAfter, Workers } from "./workers.ts";

/** A process that does what the test says. */
interface Actor extends Worker {
  listen(): Promise<void>;
  end(end: End): Promise<void>;
  /** What the pool did to it. */
  readonly done: string[];
  note(text: string): void;
}

const KILLED: End = { status: null, signal: "SIGKILL" };
const FAILED: End = { status: 3, signal: null };
const DRAINED: End = { status: 0, signal: null };

function createStage(count: number): { workers: Workers; actors: Actor[]; said: string[] } {
  const actors: Actor[] = [];
  const said: string[] = [];
  const say = ({ message }: LogEvent): void => void said.push(message);
  const fork = (note: (text: string) => void): Worker => {
    const actor = createActor(actors.length + 1, note);
    actors.push(actor);
    return actor;
  };
  return { workers: new Workers(count, fork, { info: say, error: say }), actors, said };
}

function createActor(pid: number, note: (text: string) => void): Actor {
  const done: string[] = [];
  const [ready, setReady] = createPromise<{ url: string } | undefined>();
  const [ended, setEnd] = createPromise<End>();
  const end = (how: End): Promise<void> => {
    setReady(undefined);
    setEnd(how);
    return setImmediate();
  };
  return {
    pid,
    ready,
    ended,
    done,
    note,
    end,
    listen() {
      setReady({ url: "http://localhost:8000" });
      return setImmediate();
    },
    drain: () => void done.push("drain"),
    kill() {
      done.push("kill");
      void end(KILLED);
    },
  };
}

function createPromise<T>(): [Promise<T>, (value: T) => void] {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
}

/** What was done to each. */
function doneTo(actors: readonly Actor[]): readonly (readonly string[])[] {
  return actors.map(({ done }) => done);
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
  unref(): Timer;
}

/** Those of Node's `mock` take it for their own if another test's timer is cleared meanwhile, and forget one of ours. */
let timers = new Set<Timer>();
let now = 0;
const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

function stopTime(): void {
  timers = new Set();
  now = 0;
  const setTimeout = (run: () => void, after = 0): Timer => {
    const timer: Timer = { at: now + after, run, unref: () => timer };
    timers.add(timer);
    return timer;
  };
  const clearTimeout = (timer: Timer): void => {
    if (!timers.delete(timer)) real.clearTimeout(timer as never);
  };
  Object.assign(globalThis, { setTimeout, clearTimeout });
}

async function pass(milliseconds: number): Promise<void> {
  now += milliseconds;
  const findDue = () => [...timers].sort((one, other) => one.at - other.at).find(({ at }) => at <= now);
  for (let timer = findDue(); timer !== undefined; timer = findDue()) {
    timers.delete(timer);
    timer.run();
  }
  await setImmediate();
}

/** All listen. */
async function startAll(count: number): Promise<ReturnType<typeof createStage>> {
  const stage = createStage(count);
  for (let index = 0; index < count; index++) await stage.actors[index]?.listen();
  return stage;
}

/** One place, whose next worker is started after a pause. */
async function startAndFailTwice(): Promise<ReturnType<typeof createStage>> {
  const stage = await startAll(1);
  await stage.actors[0]?.end(FAILED);
  await pass(0);
  await stage.actors[1]?.end(FAILED);
  return stage;
}

const test = suite("workers");
test.before.each(stopTime);
test.after.each(() => void Object.assign(globalThis, real));

test("the others start when the first one listens, and the address is told once", async () => {
  const { actors, said } = createStage(3);
  assert.is(actors.length, 1);
  await actors[0]?.listen();
  assert.is(actors.length, 3);
  await actors[1]?.listen();
  assert.equal(said, ["Listening on http://localhost:8000 with 3 workers"]);
});

test("the status of a first worker that can't serve is the whole's, and no other is started", async () => {
  const { workers, actors } = createStage(3);
  await actors[0]?.end(FAILED);
  assert.is(await workers.ended, 3);
  assert.is(actors.length, 1);
});

test("a first worker that ends by itself before it listens is a failure, even with status 0", async () => {
  const { workers, actors } = createStage(2);
  await actors[0]?.end(DRAINED);
  assert.is(await workers.ended, 1);
});

test("a dead worker is replaced at once, and it is told how it ended", async () => {
  const { actors, said } = await startAll(2);
  await actors[1]?.end(KILLED);
  await pass(0);
  assert.is(actors.length, 3);
  assert.is(said.at(-1), "Worker 2 was ended by SIGKILL. Starting another one now.");
});

test("a crash loop slows down, up to half a minute", async () => {
  const { actors } = await startAll(1);
  await actors[0]?.end(FAILED);
  await pass(0);
  for (const pause of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const before = actors.length;
    await actors.at(-1)?.listen();
    await actors.at(-1)?.end(FAILED);
    await pass(pause - 1);
    assert.is(actors.length, before, `before ${pause} ms`);
    await pass(1);
    assert.is(actors.length, before + 1, `after ${pause} ms`);
  }
});

test("after ten seconds of service an end is a first one again", async () => {
  const { actors } = await startAll(1);
  await actors[0]?.end(FAILED);
  await pass(0);
  await actors[1]?.listen();
  await pass(10_000);
  await actors[1]?.end(FAILED);
  await pass(0);
  assert.is(actors.length, 3);
});

test("pauses double and are bounded however often it failed", () => {
  assert.equal([0, 1, 2, 3, 7, 5000].map(pauseAfter), [0, 500, 1000, 2000, 30_000, 30_000]);
});

test("a restart puts a new worker in the place of each, one by one, and none is drained before the next listens", async () => {
  const { workers, actors, said } = await startAll(2);
  workers.restart();
  await setImmediate();
  assert.is(actors.length, 3);
  assert.equal(actors[0]?.done, []);
  await actors[2]?.listen();
  assert.equal(actors[0]?.done, ["drain"]);
  assert.is(actors.length, 3, "the second place waits for the end of the first one's old worker");
  await actors[0]?.end(DRAINED);
  await actors[3]?.listen();
  assert.equal(actors[1]?.done, ["drain"]);
  await actors[1]?.end(DRAINED);
  assert.is(said.at(-1), "All workers were restarted.");
  assert.is(actors.length, 4, "a worker that was drained is not replaced again");
});

test("a restart asked for while one is under way begins when that is done", async () => {
  const { workers, actors } = await startAll(1);
  workers.restart();
  workers.restart();
  await actors[1]?.listen();
  assert.is(actors.length, 2);
  await actors[0]?.end(DRAINED);
  assert.is(actors.length, 3);
});

test("a restart with a worker that can't serve is given up: the old ones serve on", async () => {
  const { workers, actors, said } = await startAll(2);
  workers.restart();
  await actors[2]?.end(FAILED);
  assert.match(said.at(-1) ?? "", /^Gave up the restart/);
  assert.equal(doneTo(actors), [[], [], []]);
  assert.is(actors.length, 3);
});

test("a restart fills a place whose worker is dead, and the pause after its death fills it no second time", async () => {
  const { workers, actors } = await startAndFailTwice();
  workers.restart();
  await actors[2]?.listen();
  await pass(60_000);
  assert.is(actors.length, 3);
});

test("a worker that does not listen is told of after 5 seconds, and ended and replaced after a minute", async () => {
  const { actors, said } = await startAll(2);
  await actors[1]?.end(FAILED);
  await pass(0);
  await pass(5_000);
  assert.match(said.at(-1) ?? "", /^Worker 3 does not listen yet, after 5 seconds\./);
  await pass(55_000);
  assert.equal(actors[2]?.done, ["kill"]);
  await pass(500);
  assert.is(actors.length, 4);
});

test("stopping drains all, and the status is 0 once all have ended", async () => {
  const { workers, actors } = await startAll(2);
  workers.stop();
  assert.equal(doneTo(actors), [["drain"], ["drain"]]);
  for (const actor of actors) await actor.end(DRAINED);
  assert.is(await workers.ended, 0);
  assert.is(actors.length, 2);
});

test("stopping while no worker lives ends at once, and starts none any more", async () => {
  const { workers, actors } = await startAndFailTwice();
  workers.stop();
  assert.is(await workers.ended, 0);
  await pass(60_000);
  assert.is(actors.length, 2);
});

test("stopping before the first worker listens is no failure", async () => {
  const { workers, actors } = createStage(2);
  workers.stop();
  await actors[0]?.end({ status: null, signal: "SIGTERM" });
  assert.is(await workers.ended, 0);
});

test("a stop that is told only after the same signal has ended the first worker is none of its failures", async () => {
  const { workers, actors } = createStage(2);
  const ending = actors[0]?.end({ status: null, signal: "SIGINT" });
  workers.stop();
  await ending;
  assert.is(await workers.ended, 0);
  assert.is(actors.length, 1);
});

test("a first worker that something else ends before it listens has failed", async () => {
  const { workers, actors } = createStage(2);
  await actors[0]?.end({ status: null, signal: "SIGABRT" });
  assert.is(await workers.ended, 1);
  assert.is(actors.length, 1);
});

test("a restart asked for before the first worker listens is made once all are started", async () => {
  const { workers, actors, said } = createStage(2);
  workers.restart();
  assert.equal(said, []);
  await actors[0]?.listen();
  assert.is(actors.length, 3, "two, and one in the place of the first");
  await actors[2]?.listen();
  assert.equal(actors[0]?.done, ["drain"]);
});

test("a restart ends when the workers are stopped while an old one drains: no place gets a new worker any more", async () => {
  const { workers, actors } = await startAll(2);
  workers.restart();
  await actors[2]?.listen();
  assert.equal(doneTo(actors), [["drain"], [], []]);
  workers.stop();
  for (const actor of actors) await actor.end(DRAINED);
  assert.is(actors.length, 3);
  assert.is(await workers.ended, 0);
});

test("stopping in the middle of a restart drains old and new", async () => {
  const { workers, actors } = await startAll(1);
  workers.restart();
  await setImmediate();
  workers.stop();
  assert.equal(doneTo(actors), [["drain"], ["drain"]]);
  for (const actor of actors) await actor.end(DRAINED);
  assert.is(await workers.ended, 0);
});

test("what every worker has to say is told once", async () => {
  const { actors, said } = await startAll(2);
  for (const actor of actors) actor.note("dist/server.js is not current");
  assert.is(said.filter((line) => line.startsWith("dist/")).length, 1);
});

test.run();
