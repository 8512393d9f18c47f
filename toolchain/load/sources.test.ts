import { test } from "uvu";
import * as assert from "uvu/assert";
import { mustBeReported } from "./sources.ts";

const ROOT = "file:///home/ada/my%20app/";

const FILES: readonly [url: string, mustBeReported: boolean][] = [
  [`${ROOT}app.ts`, false],
  [`${ROOT}lib/deep/er/word.mjs?again`, false],
  [`${ROOT}vendor/framework/index.js`, false],
  [`${ROOT}package.json`, false],
  [`${ROOT}lib/words.json`, true],
  [`${ROOT}lib/words.wasm`, true],
  [`${ROOT}lib/word.test.ts`, true],
  [`${ROOT}.generated/word.ts`, true],
  [`${ROOT}dist/word.js`, true],
  ["file:///home/ada/my%20application/word.ts", true],
  ["file:///home/ada/packages/words/index.ts", true],
  [`${ROOT}node_modules/words/index.js`, false],
  ["file:///home/ada/node_modules/words/words.json", false],
  ["node:fs", false],
  ["data:text/javascript,1", false],
];
for (const [url, expected] of FILES) {
  test(`${url} ${expected ? "has to be reported" : "is watched anyway, or does not change"}`, () => {
    assert.is(mustBeReported(url, ROOT), expected);
  });
}

test.run();
