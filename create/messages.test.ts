import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { formatOutcome, formatRefusal } from "./messages.ts";
import type { Outcome } from "./outcome.ts";

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

for (const columns of [40, 60, 80, 120]) {
  test(`in ${columns} columns only the command to be copied may be wider`, () => {
    const outcome = {
      ...toOutcome("shop"),
      git: "unidentified",
      installation: { failure: "npm ended with status 1" },
    };
    const text = stripVTControlCharacters(formatOutcome(outcome as Outcome, columns));
    const wide = text.split("\n").filter((line) => line.length > columns && !line.startsWith("  npm create"));
    assert.equal(wide, []);
    const refusal = formatRefusal(
      { problem: "my-shop is not empty: it has notes.txt", hint: "Choose another name, or empty it first." },
      { color: false, columns },
    );
    assert.equal(
      refusal.split("\n").filter((line) => line.length > columns),
      [],
    );
  });
}

function print(directory: string): string {
  return formatOutcome(toOutcome(directory), Number.POSITIVE_INFINITY);
}

function toOutcome(directory: string): Outcome {
  return {
    name: "shop",
    directory: "/srv/shop",
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
    git: "committed",
    installation: undefined,
  };
}

test.run();
