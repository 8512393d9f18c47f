/** Plans the test beside a handler, and its removal: a new file, or one more test in the file that stands. */

import { isDiagnostic } from "#runtime/convention/diagnostics/diagnostic";
import type { Project } from "#runtime/convention/project";
import { formatPattern } from "#runtime/core/routing/pattern";
import type { Method, Segment } from "#runtime/core/routing/route";
import type { Change } from "./changes/changes.ts";
import { findOtherCase } from "./other-case.ts";
import {
  TEST_NAMES,
  TEST_RUN,
  type TestBlueprint,
  testBlueprint,
  testHeadBlueprint,
  testTitle,
} from "./source/blueprints.ts";
import { applyEdits, insertBlock, removeBlock } from "./source/edits.ts";
import { isUnreadable, readOutline } from "./source/outline.ts";
import { applyStyle, detectStyle, type Style, toFileText } from "./source/style.ts";
import { inLineFeeds, readText } from "./source/text.ts";
import { type Edited, findDifference } from "./withdrawal.ts";

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
  const file = testFile(project, name);
  const text = readText(project.root, file);
  if (isDiagnostic(text)) return leave(file, "it can't be read");
  if (text === null)
    return { changes: [{ file, before: null, after: newTestFile(tests, fallback) }], notes: [] };
  const missing = tests.filter((test) => !text.includes(testTitle(test)));
  if (missing.length === 0) return { changes: [], notes: [] };
  return inLineFeeds(text, (lines, restore) => {
    const after = addTests(lines, missing, fallback);
    return typeof after === "string"
      ? { changes: [{ file, before: text, after: restore(after) }], notes: [] }
      : leave(file, after.why);
  });
}

/** @returns the text with the tests in it, or why they can't be added. */
function addTests(
  text: string,
  missing: readonly TestBlueprint[],
  fallback: Style,
): string | { readonly why: string } {
  const outline = readOutline(text);
  if (isUnreadable(outline)) return { why: `it has a syntax error in line ${outline.line}` };
  const unknown = TEST_NAMES.find((needed) => !outline.bindings.has(needed));
  if (unknown !== undefined) return { why: `it has no \`${unknown}\` as the other tests have it` };
  if (outline.testRun === undefined) return { why: "it does not end with `test.run();`" };
  const style = detectStyle(text, fallback);
  const block = applyStyle(missing.map((test) => testBlueprint(test, style)).join("\n"), style);
  return applyEdits(text, [insertBlock(text, outline.testRun, block, style)]);
}

/** Without changes where a test is not as a generator writes it. */
export interface TestRemoval extends TestPlan {
  readonly edited: readonly Edited[];
}

/**
 * Plans to take the tests out again: the inverse of {@link planTests}. One that is not there is no hindrance; the file goes
 * with the last.
 */
export function planTestRemoval(
  project: Project,
  name: string,
  tests: readonly TestBlueprint[],
  fallback: Style,
): TestRemoval {
  const file = testFile(project, name);
  const text = readText(project.root, file);
  if (text === null) return { changes: [], notes: [], edited: [] };
  if (isDiagnostic(text)) return { ...leave(file, "it can't be read", BY_HAND), edited: [] };
  return inLineFeeds(text, (lines, restore) => {
    const removal = removeTests(file, lines, tests, fallback);
    const changes = removal.changes.map(({ after }) => ({
      file,
      before: text,
      after: after === null ? null : restore(after),
    }));
    return { ...removal, changes };
  });
}

const BY_HAND = "take the test out there by hand";

function removeTests(
  file: string,
  text: string,
  tests: readonly TestBlueprint[],
  fallback: Style,
): TestRemoval {
  const outline = readOutline(text);
  if (isUnreadable(outline)) {
    return { ...leave(file, `it has a syntax error in line ${outline.line}`, BY_HAND), edited: [] };
  }
  const style = detectStyle(text, fallback);
  const found = tests.flatMap((test) => {
    const region = outline.tests.get(testTitle(test));
    return region === undefined ? [] : [{ test, region }];
  });
  const edited = found.flatMap(({ test, region }): Edited[] => {
    const difference = findDifference(file, text, region, style, (layout) => testBlueprint(test, layout));
    const location = { file, line: text.slice(0, region.start).split("\n").length, column: 1 };
    const what = `The test \`${testTitle(test)}\``;
    return difference === undefined ? [] : [{ what, location, difference }];
  });
  if (found.length === 0 || edited.length > 0) return { changes: [], notes: [], edited };
  const edits = found.map(({ region }) => removeBlock(text, region));
  const rest = applyEdits(text, edits);
  const after = rest === newTestFile([], style) ? null : rest;
  return { changes: [{ file, before: text, after }], notes: [], edited };
}

/** Of two names that differ only by case the one that is there has both tests, as it would where case is not told apart. */
export function testFile({ root }: Project, name: string): string {
  const file = `tests/${name}.test.ts`;
  return findOtherCase(root, file) ?? file;
}

function leave(file: string, why: string, byHand = "add a test there by hand"): TestPlan {
  return { changes: [], notes: [`${file} was left alone, since ${why}: ${byHand}.`] };
}

function newTestFile(tests: readonly TestBlueprint[], style: Style): string {
  const blocks = [testHeadBlueprint("../"), ...tests.map((test) => testBlueprint(test, style)), TEST_RUN];
  return toFileText(blocks.join("\n"), style);
}
