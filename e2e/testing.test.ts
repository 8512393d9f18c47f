/** How a created project's tests are run: which files, in what colours, and what is printed where one can't be loaded. */

import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isolatedEnvironment } from "./harness/environment.ts";
import { linkModules } from "./harness/modules.ts";
import { copyProject, type Project } from "./harness/project.ts";
import { RUNNER, runTests } from "./harness/project-tests.ts";

const THREE_PASS = /^users\.test\.ts\n• • • {3}\(3 \/ 3\)\n\n {2}Total: {5}3\n {2}Passed: {4}3\n/;

const test = suite<{ project: Project }>("tests of a project");

test.before.each(async (context) => {
  context.project = await copyProject();
  linkModules(context.project);
});

test("what begins with `_` under tests/ is a helper, and is not run", async ({ project }) => {
  const before = await runTests(project);
  assert.match(before.stdout, /Passed: +20\n/);
  for (const file of ["tests/_server.ts", "tests/_data/users.ts"])
    project.write(file, 'throw new Error("run");\n');
  project.write(
    "tests/under_score.test.ts",
    'import { test } from "uvu";\ntest("one", () => {});\ntest.run();\n',
  );
  const { status, stdout, stderr } = await runTests(project);
  assert.is(status, 0, stderr);
  assert.match(stdout, /Passed: +21\n/);
});

/** As it is printed: the harness takes colours out. */
const COLOURS: readonly (readonly [
  words: readonly string[],
  environment: Record<string, string>,
  isColoured: boolean,
])[] = [
  [[], {}, false],
  [[], { NO_COLOR: "1" }, false],
  [["--no-color"], {}, false],
  [["--color"], {}, true],
  [[], { FORCE_COLOR: "1" }, true],
];

test("colour goes to a terminal, and elsewhere where it is asked for; Node warns of nothing", async ({
  project,
}) => {
  for (const [words, environment, isColoured] of COLOURS) {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...RUNNER, "users", ...words], {
      cwd: project.folder,
      env: { ...isolatedEnvironment(), ...environment },
    });
    assert.is(stdout.includes("\u001b"), isColoured, JSON.stringify([words, environment]));
    assert.is(stderr, "");
  }
});

test("an option of uvu is taken, and an unknown one refused", async ({ project }) => {
  const ignored = await runTests(project, ["-i", "products", "--ignore", "app|index|items"]);
  assert.match(ignored.stdout, THREE_PASS);
  const refused = await runTests(project, ["--colour"]);
  assert.is(refused.status, 1);
  assert.match(refused.stderr, /^error Unknown option '--colour'/);
});

/** Words after `npm test --`, and the names under which uvu prints the files that run. */
const CHOSEN: readonly (readonly [words: readonly string[], names: readonly string[]])[] = [
  [
    ["users", "items"],
    ["items.test.ts", "users.test.ts"],
  ],
  [["tests/items.test.ts"], ["items.test.ts"]],
  [["./tests/items.test.ts", "-b"], ["items.test.ts"]],
];

test("every word chooses files", async ({ project }) => {
  for (const [words, names] of CHOSEN) {
    const { status, stdout } = await runTests(project, words);
    assert.is(status, 0);
    assert.equal(stdout.match(/^\w+\.test\.ts$/gm), names, words.join(" "));
  }
});

test("a word that chooses no file is refused, and nothing runs", async ({ project }) => {
  for (const words of [["["], ["items", "nosuch"]]) {
    const { status, stdout, stderr } = await runTests(project, words);
    assert.is(status, 1);
    assert.is(stdout, "");
    assert.is(
      stderr,
      `error No test file has \`${words.at(-1)}\` in its path.\n  hint: There are tests/app.test.ts, tests/index.test.ts, ` +
        "tests/items.test.ts, tests/products.test.ts and tests/users.test.ts.\n",
    );
  }
});

test("a project without tests passes", async ({ project }) => {
  rmSync(join(project.folder, "tests"), { recursive: true });
  const { status, stdout } = await runTests(project);
  assert.is(status, 0);
  assert.match(stdout, /Total: +0\n/);
});

test("a failing test ends with 1", async ({ project }) => {
  project.edit("routes/index.ts", "message", "text");
  const { status, stdout } = await runTests(project);
  assert.is(status, 1);
  assert.match(stdout, /FAIL +"GET \/ answers with a message"/);
});

const MISTAKES: readonly (readonly [what: string, files: Readonly<Record<string, string>>, place: string])[] =
  [
    ["three routes import", {}, "lib/db.ts:2:8"],
    ["the main file imports", { "app.ts": 'import "#lib/db.ts";\n' }, "lib/db.ts:2:8"],
    ["a test imports", { "tests/a.test.ts": '\n\nimport "#lib/nope.ts";\n' }, "tests/a.test.ts:3:8"],
  ];
for (const [what, files, place] of MISTAKES) {
  test(`a mistake in what ${what} is reported once, with its line and what to do`, async ({ project }) => {
    const shared = {
      "lib/db.ts": '// of no version\nimport "node:nope";\n',
      ...Object.fromEntries(
        ["a", "b", "c"].map((name) => [
          `routes/${name}.ts`,
          'import "#lib/db.ts";\nexport const get = () => 1;\n',
        ]),
      ),
    };
    for (const [file, text] of Object.entries({ ...shared, ...files })) project.write(file, text);
    const { status, stderr } = await runTests(project);
    assert.is(status, 1);
    assert.match(
      stderr,
      /^error FW503 [^\n]+\n {2}[^\n]+\n {4}\d \| import [^\n]+\n {6}\| +\^+\n {2}hint: [^\n]+\n$/,
    );
    assert.ok(stderr.includes(`\n  ${place}\n`), stderr);
  });
}

test("a syntax error in a test is reported at its place", async ({ project }) => {
  const lines = [
    'import { test } from "uvu";',
    "",
    'test("one", () => {',
    "  const x = 1;",
    "  const y = ;",
    "});",
  ];
  project.write("tests/a.test.ts", `${lines.join("\n")}\n`);
  const { status, stderr } = await runTests(project);
  assert.is(status, 1);
  assert.ok(
    stderr.startsWith(
      "error FW503 tests/a.test.ts could not be loaded: SyntaxError: Unexpected token\n  tests/a.test.ts:5:13\n",
    ),
    stderr,
  );
});

test("what a test throws when it is loaded is shown with its stack", async ({ project }) => {
  project.write("tests/a.test.ts", '\nthrow new TypeError("too early");\n');
  const { status, stderr } = await runTests(project);
  assert.is(status, 1);
  assert.match(stderr, /^error TypeError: too early\n\s+at [^\n]*tests\/a\.test\.ts:2:7/);
});

test("before `npm install` it says what is missing", async () => {
  const { status, stderr } = await runTests(await copyProject());
  assert.is(status, 1);
  assert.is(
    stderr,
    "error The tests need the project's devDependencies.\n  hint: Run `npm install` first.\n",
  );
});

test.run();
