import { test } from "uvu";
import * as assert from "uvu/assert";
import { Lock } from "./lock.ts";

const LONG = 60_000;

test("a lock has one holder at a time, in the order in which they asked", async () => {
  const lock = new Lock(false);
  const order: number[] = [];
  let holders = 0;
  const work = async (number: number): Promise<void> => {
    assert.ok(await lock.acquire(LONG));
    holders += 1;
    assert.is(holders, 1);
    await Promise.resolve();
    order.push(number);
    holders -= 1;
    lock.release();
  };
  await Promise.all([0, 1, 2, 3, 4].map(work));
  assert.equal(order, [0, 1, 2, 3, 4]);
  assert.not(lock.isHeld);
});

test("whoever waits for too long does not get it, and does not keep it from others", async () => {
  const lock = new Lock(false);
  assert.ok(await lock.acquire(LONG));
  assert.not(await lock.acquire(1));
  const next = lock.acquire(LONG);
  lock.release();
  assert.ok(await next);
  lock.release();
  assert.not(lock.isHeld);
});

test("between two holders the lock is never free", async () => {
  const lock = new Lock(false);
  await lock.acquire(LONG);
  const next = lock.acquire(LONG);
  lock.release();
  assert.ok(lock.isHeld);
  assert.ok(await next);
});

test.run();
