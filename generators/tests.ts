/** Plans the test beside a handler: a new file, or one more test in the file that stands. */

import { formatPattern } from "#runtime/convention/naming";
import type { Project } from "#runtime/convention/project";
import type { Method, Segment } from "#runtime/core/route";
import {
  TEST_NAMES,
  TEST_RUN,
  type TestBlueprint,
  testBlueprint,
  testHeadBlueprint,
  testTitle,
} from "./blueprints.ts";
import type { Change } from "./changes.ts";
import { applyEdits, insertBlock } from "./edits.ts";
import { isUnreadable, readOutline } from "./outline.ts";
import { isDiagnostic, readText } from "./plan.ts";
import { applyStyle, detectStyle, type Style, toFileText } from "./style.ts";

export interface TestPlan {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

/** What a param of each type may be in a test. */
const SAMPLES = { int: "7", str: "example" } as const;

/** The status is what the blueprint of such a handler answers. */
export function toTest(method: Method, segments: readonly Segment[], pattern: string): TestBlueprint {
  const sample = segments.map((segment) => (typeof segment === "string" ? segment : SAMPLES[segment.type]));
  const path = formatPattern(sample, pattern.length > 1 && pattern.endsWith("/"));
  return { method, pattern, path, status: method === "POST" ? 201 : 200 };
}

/**
 * @param name of the file, without folder and ending: the app's name, or the route's path.
 * @param fallback the layout of a new file.
 */
export function planTests(
  project: Project,
  name: string,
  tests: readonly TestBlueprint[],
  fallback: Style,
): TestPlan {
  const file = `tests/${name}.test.ts`;
  const text = readText(project.root, file);
  if (isDiagnostic(text)) return leave(file, "it can't be read");
  if (text === null)
    return { changes: [{ file, before: null, after: newTestFile(tests, fallback) }], notes: [] };
  const missing = tests.filter((test) => !text.includes(testTitle(test)));
  if (missing.length === 0) return { changes: [], notes: [] };
  const outline = readOutline(text);
  if (isUnreadable(outline)) return leave(file, `it has a syntax error in line ${outline.line}`);
  const unknown = TEST_NAMES.find((needed) => !outline.bindings.has(needed));
  if (unknown !== undefined) return leave(file, `it has no \`${unknown}\` as the other tests have it`);
  if (outline.testRun === undefined) return leave(file, "it does not end with `test.run();`");
  const style = detectStyle(text, fallback);
  const block = applyStyle(missing.map((test) => testBlueprint(test, style.width)).join("\n"), style);
  const after = applyEdits(text, [insertBlock(text, outline.testRun, block, style)]);
  return { changes: [{ file, before: text, after }], notes: [] };
}

function leave(file: string, why: string): TestPlan {
  return { changes: [], notes: [`${file} was left alone, since ${why}: add a test there by hand.`] };
}

function newTestFile(tests: readonly TestBlueprint[], style: Style): string {
  const blocks = [
    testHeadBlueprint("../"),
    ...tests.map((test) => testBlueprint(test, style.width)),
    TEST_RUN,
  ];
  return toFileText(blocks.join("\n"), style);
}
