/** Plans the tests beside handlers, in a new file or in the one that is there. */

import type { Project } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import { type RequestTest, TEST_NAMES, testCode, testFileCode } from "./code/tests.ts";
import { insertBlock } from "./edit/insert.ts";
import { type Outline, tryOutline } from "./edit/outline.ts";
import { applyStyle, detectStyle, type Style } from "./edit/style.ts";
import { tryText } from "./edit/text.ts";
import type { FileChanges } from "./plan.ts";
import { findOtherCase } from "./target/names.ts";

/**
 * @param name of the file, without folder and ending: the app's name, or the route's path.
 * @param guards the `_hooks.ts` whose guards run before what is tested: a new file replaces them.
 * @param fallback the layout of a new file.
 */
export function planTests(
  project: Project,
  name: string,
  tests: readonly RequestTest[],
  guards: readonly string[],
  fallback: Style,
): FileChanges {
  const file = testFile(project, name);
  const before = tryText(project.root, file);
  if (before === null) return newFile(file, applyStyle(testFileCode(tests, guards), fallback));
  if (before === undefined) return leave(file, "it can't be read");
  const missing = tests.filter(({ title }) => !before.includes(title));
  if (missing.length === 0) return { changes: [], notes: [] };
  const outline = tryOutline(file, before);
  const why = explainClosed(outline);
  if (typeof outline === "string" || why !== undefined) return leave(file, String(why));
  const style = detectStyle(before, fallback);
  const block = applyStyle(missing.map(testCode).join("\n"), style);
  const after = applyEdits(before, [insertBlock(before, Number(outline.testRun), block, style)]);
  return { changes: [{ file, before, after }], notes: [] };
}

/** Plans a test file of its own; one that is there stays. */
export function planOwnTest(project: Project, name: string, text: string): FileChanges {
  const file = testFile(project, name);
  const before = tryText(project.root, file);
  if (before === null) return newFile(file, text);
  const notes = before === text ? [] : [`${file} was left alone because it is there already.`];
  return { changes: [], notes };
}

function newFile(file: string, after: string): FileChanges {
  return { changes: [{ file, before: null, after }], notes: [] };
}

/** Why a test file can't take another test. */
function explainClosed(outline: Outline | string): string | undefined {
  if (typeof outline === "string") return outline;
  const unknown = TEST_NAMES.find((needed) => !outline.bindings.has(needed));
  if (unknown !== undefined) return `it has no \`${unknown}\` as the other tests have it`;
  return outline.testRun === undefined ? "it does not end with `test.run();`" : undefined;
}

function leave(file: string, why: string): FileChanges {
  return { changes: [], notes: [`${file} was left alone because ${why}: add a test there by hand.`] };
}

/** Two names that differ only by case share the file that is there, as they do on systems that ignore case. */
export function testFile({ root }: Project, name: string): string {
  const file = `tests/${name}.test.ts`;
  return findOtherCase(root, file) ?? file;
}
