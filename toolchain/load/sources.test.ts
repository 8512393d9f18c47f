import { test } from "uvu";
import * as assert from "uvu/assert";
import { frameworkUrl } from "../framework-folder.ts";
import { isOfProgram } from "./sources.ts";

const FILES: readonly [url: string, isOfProgram: boolean][] = [
  ["file:///home/ada/app/lib/deep/er/word.mjs?again", true],
  ["file:///home/ada/app/lib/words.json", true],
  ["file:///home/ada/packages/words/index.ts", true],
  ["file:///home/ada/app/node_modules/words/index.js", false],
  [frameworkUrl("runtime/app.js").href, false],
  ["node:fs", false],
  ["data:text/javascript,1", false],
];
for (const [url, expected] of FILES) {
  test(`${url} ${expected ? "is a part of the program that may change" : "does not change meanwhile"}`, () => {
    assert.is(isOfProgram(url), expected);
  });
}

test.run();
