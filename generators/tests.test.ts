import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Project, readProject } from "#convention/project";
import { fc } from "#runtime/fast-check.fixture";
import { runs } from "#runtime/random.fixture";
import { NOTHING_TAKEN } from "./code/handlers.ts";
import { testsOf } from "./code/tests.ts";
import { DEFAULT_STYLE } from "./edit/style.ts";
import { planTests } from "./tests.ts";

const test = suite<{ project: Project; file: string }>("tests beside handlers");

test.before((context) => {
  const root = mkdtempSync(join(tmpdir(), "tests-"));
  mkdirSync(join(root, "tests"));
  Object.assign(context, { project: readProject(root), file: join(root, "tests/orders.test.ts") });
});

test.after(({ project }) => rmSync(project.root, { recursive: true }));

const TESTS = [
  ...testsOf({ method: "GET", segments: ["orders"], pattern: "/orders/", ...NOTHING_TAKEN }),
  ...testsOf({
    method: "PUT",
    segments: ["orders", "x".repeat(40), { name: "id", type: "int" }],
    pattern: "/orders/x/<id>",
    ...NOTHING_TAKEN,
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

test("tests are put into a file in any layout without a change to the rest, and once", ({
  project,
  file,
}) => {
  fc.assert(
    fc.property(anyTestFile, (text) => {
      writeFileSync(file, text);
      const [change] = planTests(project, "orders", TESTS, [], DEFAULT_STYLE).changes;
      if (change?.after == null) throw new Error("No test was planned.");
      const rest = change.after.replace(/\r?\n\r?\ntest\((?!["']own)[\s\S]*\n\}\);?/, "");
      assert.is(rest, text);
      writeFileSync(file, change.after);
      assert.equal(planTests(project, "orders", TESTS, [], DEFAULT_STYLE).changes, []);
    }),
    { numRuns: runs(40, 2_000) },
  );
});

test("a run that does not begin a line has no test put before it", ({ project, file }) => {
  writeFileSync(file, 'import { request, test, assert, url } from "./all.ts"; test.run();\n');
  const { changes, notes } = planTests(project, "orders", TESTS, [], DEFAULT_STYLE);
  assert.equal(changes, []);
  assert.match(notes.join(), "test.run();");
});

test("a test file that can't be read is left alone, and that is told", ({ project, file }) => {
  writeFileSync(file, "test(\n");
  const { changes, notes } = planTests(project, "orders", TESTS, [], DEFAULT_STYLE);
  assert.equal(changes, []);
  assert.match(notes.join(), "add a test there by hand");
});

test.run();
