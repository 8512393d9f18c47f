import { availableParallelism } from "node:os";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "./command.ts";
import { parseWorkers } from "./options.ts";

const cores = availableParallelism();

for (const [typed, count] of [
  [undefined, undefined],
  ["1", 1],
  ["007", 7],
  ["auto", cores],
  [String(8 * cores), 8 * cores],
] as const) {
  test(`--workers ${typed} is ${count}`, () =>
    assert.is(parseWorkers({ values: { workers: typed } }), count));
}

for (const typed of ["0", "abc", "", "1e1", String(8 * cores + 1), "99999999999999999999"]) {
  test(`--workers ${JSON.stringify(typed)} is wrong usage, and it is said what is right`, () => {
    assert.throws(
      () => parseWorkers({ values: { workers: typed } }),
      (error: unknown) =>
        error instanceof UsageError && /a whole number from 1 to \d+, or auto\.$/.test(error.message),
    );
  });
}

test.run();
