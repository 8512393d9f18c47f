/** Compares our reading of random types with the compiler's. `SEED` selects other types; `npm run bench -- oracle` tests many. */

import { rmSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { SEED } from "#runtime/random.fixture";
import { createFolder } from "../folder.fixture.ts";
import { compareWithTypeScript } from "../oracle.fixture.ts";

const TYPES = 50;

const folder = createFolder();
const { pairs, taken, unread, disagreements } = await compareWithTypeScript(folder, SEED * TYPES, {
  types: TYPES,
  values: 5,
});
rmSync(folder, { recursive: true });

test("a value is taken exactly when the compiler takes it as the type", () => {
  assert.equal(disagreements, []);
});

test("the handler gets nearly every type, and there are values that fit and values that do not", () => {
  assert.ok(pairs > TYPES * 4, `${pairs}`);
  assert.ok(taken > pairs / 4 && taken < (pairs * 3) / 4, `${taken} of ${pairs}`);
});

test("a type that is not read has a diagnostic", () => {
  assert.equal(
    unread.filter(({ diagnostic }) => diagnostic === undefined),
    [],
  );
});

test.run();
