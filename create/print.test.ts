import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatOutcome, type Outcome } from "./print.ts";

const DIRECTORIES: readonly [typed: string, shown: string | undefined][] = [
  ["shop", "shop"],
  ["shop/", "shop"],
  ["./shop", "shop"],
  ["two/../three", "three"],
  ["two//three", "two/three"],
  ["./-x/shop", "./-x/shop"],
  ["my folder/../my shops/shop", "'my shops/shop'"],
  [".", undefined],
  ["./", undefined],
  ["two/..", undefined],
];

for (const [typed, shown] of DIRECTORIES) {
  test(`after ${typed}: ${shown === undefined ? "no cd, since the project is here" : `cd ${shown}`}`, () => {
    if (process.platform === "win32") return;
    const text = stripVTControlCharacters(print(typed));
    assert.is(/^ {2}cd (.*)$/m.exec(text)?.[1], shown);
    assert.match(text, `npm create convention-app@latest ${shown ?? "."} -- --yes`);
  });
}

function print(directory: string): string {
  return formatOutcome(toOutcome(directory));
}

function toOutcome(directory: string): Outcome {
  return {
    name: "shop",
    directory: "/srv/shop",
    met: { kept: [], merged: [] },
    files: 1,
    choices: {
      directory,
      apps: ["products", "users"],
      bare: false,
      database: undefined,
      pm: "npm",
      install: false,
      git: true,
      description: undefined,
      author: undefined,
      license: undefined,
    },
    runner: "npm",
    committed: true,
    failure: undefined,
  };
}

test.run();
