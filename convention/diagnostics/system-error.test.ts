import { runInNewContext } from "node:vm";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { codeOf, explainSystemError, isMissing } from "./system-error.ts";

test("an error of Node counts in another realm, as tests in Jest have it", () => {
  const error: unknown = runInNewContext('Object.assign(new Error("no such file"), { code: "ENOENT" })');
  assert.not.instance(error, Error);
  assert.is(codeOf(error), "ENOENT");
  assert.ok(isMissing(error));
});

test("what the system did not raise has no code", () => {
  for (const thrown of [new Error("x"), null, undefined, "ENOENT", 7, {}])
    assert.is(codeOf(thrown), undefined);
  assert.is(explainSystemError(new Error("x")), "x");
  assert.is(explainSystemError("x"), "x");
});

test.run();
