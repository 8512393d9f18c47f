import { test } from "uvu";
import * as assert from "uvu/assert";
import { isInStack, locateThrown } from "./stack.ts";

const ROOT = "/home/ada/my shop (new)";
const URL_OF_ROOT = "file:///home/ada/my%20shop%20(new)";

const STACKS: readonly [what: string, lines: readonly string[], place: string | undefined][] = [
  ["of a function", [`    at get (${URL_OF_ROOT}/routes/a.ts:3:7)`], "routes/a.ts:3:7"],
  ["of a module", [`    at ${URL_OF_ROOT}/routes/a.ts:3:7`], "routes/a.ts:3:7"],
  ["of an async function", [`    at async ${URL_OF_ROOT}/routes/a.ts:3:7`], "routes/a.ts:3:7"],
  ["to which a source map led", [`    at get (${ROOT}/routes/a.ts:3:7)`], "routes/a.ts:3:7"],
  ["of a module to which a source map led", [`    at ${ROOT}/routes/a.ts:3:7`], "routes/a.ts:3:7"],
  ["of a syntax error, above its message", [`${URL_OF_ROOT}/routes/a.ts:3`], "routes/a.ts:3:1"],
  ["in a file of an odd name", [`    at ${URL_OF_ROOT}/lib/a%23b%25.ts:3:7`], "lib/a#b%.ts:3:7"],
  [
    "below those of Node, of packages, of the framework and of other projects",
    [
      "    at JSON.parse (<anonymous>)",
      "    at node:internal/modules/run_main:174:35",
      `    at ${URL_OF_ROOT}/node_modules/x/index.js:1:1`,
      `    at ${URL_OF_ROOT}/vendor/framework/runtime/app.js:1:1`,
      "    at file:///home/ada/other/routes/a.ts:1:1",
      `    at get (${URL_OF_ROOT}/routes/a.ts:3:7)`,
    ],
    "routes/a.ts:3:7",
  ],
  ["behind a message that holds no URL", [`file://${ROOT}/%zz.ts:1:1`, "file:///%2f:1:1"], undefined],
  ["that is none", ["    at Promise.all (index 2)"], undefined],
];

for (const [what, lines, place] of STACKS) {
  test(`a place ${what} is ${place === undefined ? "passed over" : "found"}`, () => {
    const error = new Error("no database");
    error.stack = ["Error: no database", ...lines].join("\n");
    const [found] = locateThrown(ROOT, error);
    assert.is(found && `${found.file}:${found.line}:${found.column}`, place);
  });
}

test("what is no error has no place", () => {
  assert.equal(locateThrown(ROOT, `at ${ROOT}/routes/a.ts:3:7`), []);
});

test("all places in the project are found, from the throw outwards", () => {
  const error = new Error("no database");
  error.stack = [
    "Error: no database",
    `    at connect (${URL_OF_ROOT}/lib/database.ts:3:7)`,
    `    at call (${URL_OF_ROOT}/node_modules/pool/index.js:1:1)`,
    `    at ${URL_OF_ROOT}/routes/a.ts:2:1`,
  ].join("\n");
  assert.equal(
    locateThrown(ROOT, error).map(({ file }) => file),
    ["lib/database.ts", "routes/a.ts"],
  );
  assert.ok(isInStack(error, "pool"));
  assert.not(isInStack(error, "poo"));
});

test.run();
