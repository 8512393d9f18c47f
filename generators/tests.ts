/** Plans the tests beside handlers, in a new file or in the one that is there, and their removal. */

import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import type { Project } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import { createFiles } from "#convention/source/files";
import { formatPattern } from "#runtime/routing/pattern";
import type { Route } from "#runtime/routing/route";
import type { Change } from "./changes/changes.ts";
import { findOtherCase } from "./names.ts";
import {
  importGuards,
  openApp,
  PARSES_A_BODY,
  requiredFirst,
  TEST_NAMES,
  TEST_RUN,
  type TestBlueprint,
  testBlueprint,
  testHeadBlueprint,
  testTitle,
} from "./source/blueprints.ts";
import { insertBlock, type Region, removeBlock } from "./source/edits.ts";
import { sampleCode, sampleText } from "./source/fields.ts";
import { isUnreadable, type Outline, readOutline } from "./source/outline.ts";
import { applyStyle, detectStyle, isBlueprint, type Layout, type Style, WIDTHS } from "./source/style.ts";
import { readText } from "./source/text.ts";
import { type CodeRemoval, type Edited, type FileChanges, findDifference, type Taken } from "./withdrawal.ts";

const TESTS_FOLDER = "tests";

/** A value of each param type, for a test's URL. */
const SAMPLES = { int: "7", str: "example" } as const;

/**
 * The tests of a handler: that it answers, and that the framework refuses a body that does not fit. They stay green when the handler
 * gets its real code, because they ask for neither the sample's status nor its text.
 *
 * @param taken what the handler takes off the wire.
 */
export function toTests(
  { method, segments, pattern }: Pick<Route, "method" | "segments" | "pattern">,
  { body, query = [] }: Taken = {},
): readonly TestBlueprint[] {
  const sample = segments.map((segment) => (typeof segment === "string" ? segment : SAMPLES[segment.type]));
  const asked = requiredFirst(query)
    .map(({ name, type }) => `${name}=${toQueryText(sampleText(type))}`)
    .join("&");
  const path = `${formatPattern(sample, pattern.length > 1 && pattern.endsWith("/"))}${asked && `?${asked}`}`;
  const [first] = body?.fields ?? [];
  const isUndeclared = body === undefined && PARSES_A_BODY.includes(method);
  const hasParams = segments.some((segment) => typeof segment !== "string");
  const answers = { method, pattern, path, mayBeRefused: hasParams || isUndeclared };
  if (body === undefined || first === undefined) return [answers];
  const fitting = body.fields.map(({ name, type }) => [name, sampleCode(type)] as const);
  const condition = `if \`${first.name}\` is null`;
  return [
    { ...answers, body: fitting },
    { method, pattern, path, status: 422, condition, body: [[first.name, "null"]] },
  ];
}

/** A colon may stay as it is (RFC 3986 section 3.4). */
function toQueryText(text: string): string {
  return encodeURIComponent(text).replaceAll("%3A", ":");
}

/**
 * @param name of the file, without folder and ending: the app's name, or the route's path.
 * @param guards the `_hooks.ts` whose guards run before what is tested: a new file replaces them.
 * @param fallback the layout of a new file.
 */
export function planTests(
  project: Project,
  name: string,
  tests: readonly TestBlueprint[],
  guards: readonly string[],
  fallback: Style,
): FileChanges {
  const file = testFile(project, name);
  const text = readText(project.root, file);
  if (isDiagnostic(text)) return leave(file, "it can't be read");
  if (text === null)
    return {
      changes: [{ file, before: null, after: applyStyle(newTestFile(tests, guards, fallback), fallback) }],
      notes: [],
    };
  const missing = tests.filter((test) => !text.includes(testTitle(test)));
  if (missing.length === 0) return { changes: [], notes: [] };
  const after = addTests(text, missing, fallback);
  return typeof after === "string"
    ? { changes: [{ file, before: text, after }], notes: [] }
    : leave(file, after.why);
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

/**
 * Plans to take the tests out again: the inverse of {@link planTests}. It ignores tests that are not there, and takes none out where
 * one is not as a generator writes it. The file goes with the last one.
 */
export function planTestRemoval(
  project: Project,
  name: string,
  tests: readonly TestBlueprint[],
  fallback: Style,
): CodeRemoval {
  const file = testFile(project, name);
  const text = readText(project.root, file);
  if (text === null) return { changes: [], notes: [], edited: [] };
  if (isDiagnostic(text)) return { ...leave(file, "it can't be read", BY_HAND), edited: [] };
  const outline = readOutline(text);
  if (isUnreadable(outline)) {
    return { ...leave(file, `it has a syntax error in line ${outline.line}`, BY_HAND), edited: [] };
  }
  const style = detectStyle(text, fallback);
  const found = tests.flatMap(withOlder).flatMap((test) => {
    const region = outline.tests.get(testTitle(test));
    return region === undefined ? [] : [{ test, region }];
  });
  const edited = found.flatMap(({ test, region }) => findEdited(file, text, region, style, test) ?? []);
  if (found.length === 0 || edited.length > 0) return { changes: [], notes: [], edited };
  const rest = applyEdits(
    text,
    found.map(({ region }) => removeBlock(text, region)),
  );
  const after = isBlueprint(rest, newTestFile([], readGuards(outline), style), style) ? null : rest;
  return { changes: [{ file, before: text, after }], notes: [], edited };
}

/** Generators used to ask for the status that the blueprint of the handler answers. */
function withOlder(test: TestBlueprint): readonly TestBlueprint[] {
  return test.status === undefined ? [test, { ...test, status: test.method === "POST" ? 201 : 200 }] : [test];
}

function findEdited(
  file: string,
  text: string,
  region: Region,
  style: Style,
  test: TestBlueprint,
): Edited | undefined {
  const difference = findDifference(file, text, region, style, (layout) => testBlueprint(test, layout));
  if (difference === undefined) return undefined;
  const location = { file, line: text.slice(0, region.start).split("\n").length, column: 1 };
  return { what: `The test \`${testTitle(test)}\``, location, difference };
}

const BY_HAND = "take the test out there by hand";

/** Two names that differ only by case share the file that is there, as they do on systems that ignore case. */
export function testFile({ root }: Project, name: string): string {
  const file = `${TESTS_FOLDER}/${name}.test.ts`;
  return findOtherCase(root, file) ?? file;
}

function leave(file: string, why: string, byHand = "add a test there by hand"): FileChanges {
  return { changes: [], notes: [`${file} was left alone because ${why}: ${byHand}.`] };
}

/** @param layout of the file it is for. */
function newTestFile(tests: readonly TestBlueprint[], guards: readonly string[], layout: Layout): string {
  const blocks = tests.map((test) => testBlueprint(test, layout));
  return [testHeadBlueprint("../", guards, layout), ...blocks, TEST_RUN].join("\n");
}

/** The `_hooks.ts` whose guards a test file replaces. */
function readGuards({ imports }: Outline): readonly string[] {
  const lines = imports.filter(({ names }) => names.some(({ imported }) => imported === "guard"));
  return lines.map(({ source }) => source.replace(/^\.\.\//, ""));
}

/** What the heads of test files have because of guards: of a file with the app, and of one with a database of its own. */
function headsOf(guards: readonly string[], style: Style): readonly (readonly string[])[] {
  const ofDatabase = databaseTestHead(guards, style);
  return [[testHeadBlueprint("../", guards, style)], Object.values(ofDatabase)].map((parts) =>
    parts.map((part) => applyStyle(part, style)),
  );
}

/** The parts of a head that guards change, each with what comes before or after it where it is "". */
export function databaseTestHead(
  guards: readonly string[],
  layout: Layout,
): { readonly framework: string; readonly guards: string; readonly app: string } {
  const isOpen = guards.length === 0;
  return {
    framework: `${isOpen ? "" : 'import { replace } from "framework";\n'}import { request } from "undici";\n`,
    guards: `import * as assert from "uvu/assert";\n${importGuards("../", guards)}`,
    app: `${openApp("const { app, db } = await createTestApp(", guards, layout)}\n`,
  };
}

/** Plans that generated test files no longer replace the guard of a file, because it goes. A head that was edited stays. */
export function planGuardRemoval({ root }: Project, hooks: string): readonly Change[] {
  const names = createFiles(root)
    .list(TESTS_FOLDER)
    .map((entry) => entry.name);
  return names.flatMap((name) => {
    const file = `${TESTS_FOLDER}/${name}`;
    const before = name.endsWith(".test.ts") ? readText(root, file) : null;
    if (typeof before !== "string" || !before.includes(hooks)) return [];
    const outline = readOutline(before);
    if (isUnreadable(outline)) return [];
    const after = withoutGuard(before, readGuards(outline), hooks);
    return after === before ? [] : [{ file, before, after }];
  });
}

function withoutGuard(text: string, guards: readonly string[], hooks: string): string {
  const rest = guards.filter((guard) => guard !== hooks);
  const own = detectStyle(text);
  // A line below the head may be longer than what the head was written for.
  for (const style of WIDTHS.map((width) => ({ ...own, width }))) {
    const lefts = headsOf(rest, style);
    for (const [index, parts] of headsOf(guards, style).entries())
      if (parts.every((part) => text.includes(part)))
        return parts.reduce((left, part, at) => left.replace(part, () => lefts[index]?.[at] ?? ""), text);
  }
  return text;
}
