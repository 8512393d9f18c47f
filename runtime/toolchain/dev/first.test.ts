import { test } from "uvu";
import * as assert from "uvu/assert";
import { createKept, readSources } from "#runtime/convention/project";
import { createFiles } from "#runtime/convention/source/files";
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

const CASES: readonly (readonly [what: string, readings: readonly Files[], first: readonly string[]])[] = [
  [
    "after the first reading, all, each after what it imports",
    [QUIET],
    ["lib/data.ts", "routes/a.ts", "routes/b.ts"],
  ],
  ["none where nothing has changed", [QUIET, QUIET], []],
  [
    "the file that has changed",
    [QUIET, { ...QUIET, "lib/data.ts": "export const data = 2;\n" }],
    ["lib/data.ts"],
  ],
  [
    "a file that is new",
    [QUIET, { ...QUIET, "routes/c.ts": "export const get = () => 3;\n" }],
    ["routes/c.ts"],
  ],
  [
    "a file that does more than declare, although it has not changed",
    [
      { ...QUIET, "routes/b.ts": ACTS },
      { ...QUIET, "routes/b.ts": ACTS },
    ],
    ["routes/b.ts"],
  ],
  [
    "what acts and is imported, before what has changed and imports it",
    [
      { ...QUIET, "lib/data.ts": "export const data = read();\n" },
      {
        ...QUIET,
        "lib/data.ts": "export const data = read();\n",
        "routes/a.ts": `${QUIET["routes/a.ts"]}// changed\n`,
      },
    ],
    ["lib/data.ts", "routes/a.ts"],
  ],
  [
    "the first file of a circle of imports",
    Array(2).fill({
      ...QUIET,
      "lib/data.ts": 'import { get } from "../routes/a.ts";\nexport const data = () => get;\n',
    }),
    ["routes/a.ts"],
  ],
];

for (const [what, readings, first] of CASES) {
  test(`what is loaded first: ${what}`, () => {
    const [find, read] = [createFirstFiles(), createReader()];
    assert.equal(readings.map((files) => find(read(files), [])).at(-1), first);
  });
}

test("what is loaded first: a file that no worker has loaded well, in its place", () => {
  const [find, read] = [createFirstFiles(), createReader()];
  find(read(QUIET), []);
  assert.equal(find(read({ ...QUIET, "routes/b.ts": ACTS }), ["routes/a.ts", "routes/gone.ts"]), [
    "routes/a.ts",
    "routes/b.ts",
  ]);
});

function createReader(): (files: Files) => ReturnType<typeof readSources> {
  const kept = createKept();
  return (files) =>
    readSources("/nowhere", createFiles("/nowhere", new Map(Object.entries(files))), undefined, kept);
}

test.run();
