import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Project, readProject } from "#convention/project";
import { fc } from "#runtime/fast-check.fixture";
import { DEFAULT_STYLE } from "./source/style.ts";
import { planTestRemoval, planTests, toTests } from "./tests.ts";

const test = suite<{ project: Project; file: string }>("tests beside handlers");

test.before((context) => {
  const root = mkdtempSync(join(tmpdir(), "tests-"));
  mkdirSync(join(root, "tests"));
  Object.assign(context, { project: readProject(root), file: join(root, "tests/orders.test.ts") });
});

test.after(({ project }) => rmSync(project.root, { recursive: true }));

const TESTS = [
  ...toTests({ method: "GET", segments: ["orders"], pattern: "/orders/" }),
  ...toTests({
    method: "PUT",
    segments: ["orders", "x".repeat(40), { name: "id", type: "int" }],
    pattern: "/orders/x/<id>",
  }),
];

/** A test file in any layout, into which tests can be put. */
const anyTestFile = fc
  .record({
    eol: fc.constantFrom("\n", "\r\n"),
    indent: fc.constantFrom("  ", "    ", "\t"),
    quote: fc.constantFrom('"', "'"),
    semicolon: fc.constantFrom(";", ""),
    mark: fc.constantFrom("", "\uFEFF"),
    own: fc.constantFrom("", '\n\ntest("own", async () => {\n  assert.ok(url);\n});', "\n// own"),
    gap: fc.constantFrom("\n", "\n\n", "\n\n\n\n", "\n\n// the end\n", "\n \n"),
    end: fc.constantFrom("", "\n", "\n\n", " // run\n"),
  })
  .map(({ eol, indent, quote, semicolon, mark, own, gap, end }) => {
    const head = `import { request } from "undici";
import { test } from "uvu";
import * as assert from "uvu/assert";

const url = "http://localhost";`;
    return `${mark}${head}${own}${gap}test.run();${end}`
      .replace(/^ {2}/gm, indent)
      .replaceAll('"', quote)
      .replace(/;$/gm, semicolon)
      .replaceAll("\n", eol);
  });

test("tests that were put into a file in any layout are taken out without a trace", ({ project, file }) => {
  fc.assert(
    fc.property(anyTestFile, (text) => {
      writeFileSync(file, text);
      const [change] = planTests(project, "orders", TESTS, [], DEFAULT_STYLE).changes;
      if (change?.after == null) throw new Error("No test was planned.");
      writeFileSync(file, change.after);
      const removal = planTestRemoval(project, "orders", TESTS, DEFAULT_STYLE);
      assert.equal(removal.edited, []);
      assert.equal(removal.changes, [{ file: "tests/orders.test.ts", before: change.after, after: text }]);
    }),
    { numRuns: 200 },
  );
});

test("a file that was made for the tests goes with the last of them", ({ project, file }) => {
  rmSync(file, { force: true });
  const [change] = planTests(project, "orders", TESTS, [], DEFAULT_STYLE).changes;
  writeFileSync(file, change?.after ?? "");
  const [first, second] = TESTS;
  if (first === undefined || second === undefined) throw new Error("There are two.");
  const [left] = planTestRemoval(project, "orders", [first], DEFAULT_STYLE).changes;
  writeFileSync(file, left?.after ?? "");
  assert.match(readFileSync(file, "utf8"), "PUT");
  assert.is(planTestRemoval(project, "orders", [second], DEFAULT_STYLE).changes[0]?.after, null);
});

test("tests that ask for the status of the sample, as generators used to write them, go with their handlers", ({
  project,
  file,
}) => {
  rmSync(file, { force: true });
  const older = TESTS.map((one) => ({ ...one, status: 200 }));
  const [change] = planTests(project, "orders", older, [], DEFAULT_STYLE).changes;
  writeFileSync(file, change?.after ?? "");
  assert.match(readFileSync(file, "utf8"), "assert.is(response.statusCode, 200);");
  assert.equal(planTests(project, "orders", TESTS, [], DEFAULT_STYLE).changes, []);
  assert.is(planTestRemoval(project, "orders", TESTS, DEFAULT_STYLE).changes[0]?.after, null);
});

test("a run that does not begin a line has no test put before it", ({ project, file }) => {
  writeFileSync(file, 'import { request, test, assert, url } from "./all.ts"; test.run();\n');
  const { changes, notes } = planTests(project, "orders", TESTS, [], DEFAULT_STYLE);
  assert.equal(changes, []);
  assert.match(notes.join(), "test.run();");
});

test("a test file that can't be read is left alone, and that is told", ({ project, file }) => {
  writeFileSync(file, "test(\n");
  const { changes, notes } = planTestRemoval(project, "orders", TESTS, DEFAULT_STYLE);
  assert.equal(changes, []);
  assert.match(notes.join(), "take the test out there by hand");
});

test.run();
