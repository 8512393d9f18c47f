/**
 * Random conversations with our server and with a plain one on node:http: every difference has a name (`rules.fixture.ts`).
 * A failure shows its seed and the smallest conversation that fails: as SEED it comes first.
 */

import { test } from "uvu";
import * as assert from "uvu/assert";
import { runs, SEED } from "#runtime/random.fixture";
import { check, closeLanes, type Lanes, openLanes, show } from "./check.fixture.ts";
import { type Connection, makeConnection } from "./connection.fixture.ts";
import { RULES } from "./rules.fixture.ts";
import { shrink } from "./shrink.fixture.ts";

const COUNT = runs(50, 50_000);
const FIRST = SEED;
/** They wait for much of their time. */
const AT_ONCE = 16;
/** So many occur all. */
const MANY = 50_000;

test("our server answers as a plain one does, but for the named differences, in any packets", async () => {
  const counts = new Map<string, number>();
  const failures: string[] = [];
  let next = FIRST;
  const run = async (): Promise<void> => {
    const lanes = await openLanes();
    while (next < FIRST + COUNT && failures.length === 0) {
      const seed = next++;
      const connection = makeConnection(seed);
      const { rules, difference } = await check(lanes, connection);
      for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + 1);
      if (difference !== undefined) failures.push(await describe(lanes, seed, connection));
    }
    await closeLanes(lanes);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  assert.is(failures.join("\n\n"), "");
  const unknown = [...counts.keys()].filter((name) => !Object.hasOwn(RULES, name));
  assert.equal(unknown, []);
  if (COUNT < MANY) return;
  for (const name of Object.keys(RULES)) console.log(`${counts.get(name) ?? 0} ${name}`);
});

/** What was wrong, and in which conversation. */
const ONCE_WRONG: Readonly<Record<string, number>> = {
  "a stream that was cut while it waited for its turn left its connection open, from Node 24 on": 428150,
};

for (const [title, seed] of Object.entries(ONCE_WRONG)) {
  test(`no longer: ${title}`, async () => {
    const lanes = await openLanes();
    const { difference } = await check(lanes, makeConnection(seed));
    await closeLanes(lanes);
    assert.is(difference, undefined);
  });
}

async function describe(lanes: Lanes, seed: number, connection: Connection): Promise<string> {
  const smallest = await shrink(
    connection,
    async (smaller) => (await check(lanes, smaller)).difference !== undefined,
  );
  const { difference, ours, raw } = await check(lanes, smallest);
  const { requests, cuts, halfCloses } = smallest;
  return [
    `seed ${seed}: ${difference ?? "it does not fail each time"}`,
    `cut at ${cuts.join(" ") || "no place"}${halfCloses ? ", and the client ends its side" : ""}`,
    ...requests.map(({ text, faults }) => `${faults.join(", ")}\n  ${JSON.stringify(text.slice(0, 2000))}`),
    `ours:\n${ours ? show(ours) : ""}`,
    `node:http:\n${raw ? show(raw) : ""}`,
  ].join("\n");
}

test.run();
