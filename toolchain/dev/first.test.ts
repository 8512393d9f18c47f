import { test } from "uvu";
import * as assert from "uvu/assert";
import { readSources, type Sources } from "#convention/project";
import { createFiles } from "#convention/source/files";
import { createFirstFiles } from "./first.ts";

type Files = Readonly<Record<string, string>>;

/** Each module only declares. */
const QUIET: Files = {
  "framework.toml": "",
  "routes/a.ts": 'import { data } from "../lib/data.ts";\nexport const get = () => data;\n',
  "routes/b.ts": "export const get = () => 1;\n",
  "lib/data.ts": "export const data = 1;\n",
};

const ACTS = "console.log(1);\nexport const get = () => 1;\n";
const READS = 'import { data } from "../lib/data.ts";\nexport const get = () => data;\n';

const CASES: readonly (readonly [what: string, readings: readonly Files[], first: readonly string[]])[] = [
  ["after the first reading, all", [QUIET], ["routes/a.ts", "routes/b.ts"]],
  ["none where nothing has changed", [QUIET, QUIET], []],
  [
    "a file that has changed",
    [QUIET, { ...QUIET, "routes/b.ts": "export const get = () => 2;\n" }],
    ["routes/b.ts"],
  ],
  [
    "the first file by which production loads one that has changed",
    [
      { ...QUIET, "routes/b.ts": READS },
      { ...QUIET, "routes/b.ts": READS, "lib/data.ts": "export const data = 2;\n" },
    ],
    ["routes/a.ts"],
  ],
  [
    "a file that is new",
    [QUIET, { ...QUIET, "routes/c.ts": "export const get = () => 3;\n" }],
    ["routes/c.ts"],
  ],
  [
    "a file that does more than declare, although it has not changed",
    Array(2).fill({ ...QUIET, "routes/b.ts": ACTS }),
    ["routes/b.ts"],
  ],
  [
    "the file by which production loads one that acts, before what has changed",
    [
      { ...QUIET, "lib/data.ts": "export const data = read();\n" },
      {
        ...QUIET,
        "lib/data.ts": "export const data = read();\n",
        "routes/b.ts": `${QUIET["routes/b.ts"]}// changed\n`,
      },
    ],
    ["routes/a.ts", "routes/b.ts"],
  ],
  [
    "hooks that act, before all others",
    Array(2).fill({
      ...QUIET,
      "routes/a.ts": ACTS,
      "routes/_hooks.ts": `start();\nexport function guard() {}\n`,
    }),
    ["routes/_hooks.ts", "routes/a.ts"],
  ],
  [
    "the file by which production enters a circle of imports",
    Array(2).fill({
      ...QUIET,
      "lib/data.ts": 'import { more } from "./more.ts";\nexport const data = () => more;\n',
      "lib/more.ts": 'import { data } from "./data.ts";\nexport const more = () => data;\n',
      "routes/b.ts": 'import { more } from "../lib/more.ts";\nexport const get = () => more;\n',
    }),
    ["routes/a.ts"],
  ],
  [
    "a file in a circle with what it imports",
    Array(2).fill({
      ...QUIET,
      "lib/data.ts": 'import { get } from "../routes/a.ts";\nexport const data = () => get;\n',
    }),
    ["routes/a.ts"],
  ],
  [
    "nothing for types that refer to each other",
    Array(2).fill({
      ...QUIET,
      "lib/data.ts": 'import type { Got } from "../routes/a.ts";\nexport const data: Got = 1;\n',
      "routes/a.ts": `${READS}export type Got = number;\n`,
    }),
    [],
  ],
  [
    "what imports a file of the project that can't be read",
    Array(2).fill({ ...QUIET, "routes/b.ts": `import set from "../set.cjs";\n${QUIET["routes/b.ts"]}` }),
    ["routes/b.ts"],
  ],
];

for (const [what, readings, first] of CASES) {
  test(`what is loaded first: ${what}`, () => {
    const find = createFirstFiles();
    assert.equal(readings.map((files) => find(read(files), []).first).at(-1), first);
  });
}

test("a file that no worker has loaded well is loaded first, in its place, and stays unproven", () => {
  const find = createFirstFiles();
  find(read(QUIET), []);
  assert.equal(find(read({ ...QUIET, "routes/b.ts": ACTS }), ["lib/data.ts", "routes/gone.ts"]), {
    first: ["routes/a.ts", "routes/b.ts"],
    unproven: ["lib/data.ts", "routes/b.ts"],
  });
});

function read(files: Files): Sources {
  return readSources("/nowhere", createFiles("/nowhere", new Map(Object.entries(files))));
}

test.run();
