import { test } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG, sample } from "./random.fixture.ts";

test("what a sample takes depends on all of its name, however long that is", () => {
  if (IS_LONG) return;
  const taken = Array.from(
    { length: 20 },
    (_, at) => sample(`${"long ".repeat(10)}${at}`, ["a", "b", "c"], 1)[0],
  );
  assert.equal(new Set(taken).size, 3);
});

test.run();
