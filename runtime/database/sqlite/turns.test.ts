import { test } from "uvu";
import * as assert from "uvu/assert";
import { Turns } from "./turns.ts";

const LONG = 60_000;

test("it is the turn of one at a time, in the order in which they asked", async () => {
  const turns = new Turns();
  const order: number[] = [];
  let holders = 0;
  const work = async (number: number): Promise<void> => {
    assert.ok(await turns.take(LONG));
    holders += 1;
    assert.is(holders, 1);
    await Promise.resolve();
    order.push(number);
    holders -= 1;
    turns.end();
  };
  await Promise.all([0, 1, 2, 3, 4].map(work));
  assert.equal(order, [0, 1, 2, 3, 4]);
  assert.not(turns.areTaken);
});

test("whoever waits for too long does not get it, and does not keep it from others", async () => {
  const turns = new Turns();
  assert.ok(await turns.take(LONG));
  assert.not(await turns.take(1));
  const next = turns.take(LONG);
  turns.end();
  assert.ok(await next);
  turns.end();
  assert.not(turns.areTaken);
});

test("between two turns nobody comes in", async () => {
  const turns = new Turns();
  await turns.take(LONG);
  const next = turns.take(LONG);
  turns.end();
  assert.ok(turns.areTaken);
  assert.ok(await next);
});

test.run();
