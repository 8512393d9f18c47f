/** Plans the tests beside handlers, in a new file or in the one that is there. */

import { isDiagnostic } from "#convention/diagnostics/diagnostic";
import { formatPattern } from "#convention/pattern";
import type { Project } from "#convention/project";
import { applyEdits } from "#convention/source/edits";
import type { Route } from "#runtime/routing/route";
import { findOtherCase } from "./names.ts";
import type { FileChanges } from "./plan.ts";
import {
  PARSES_A_BODY,
  requiredFirst,
  type Taken,
  TEST_NAMES,
  TEST_RUN,
  type TestBlueprint,
  testBlueprint,
  testHeadBlueprint,
  testTitle,
} from "./source/blueprints.ts";
import { insertBlock } from "./source/edits.ts";
import { sampleCode, sampleText } from "./source/fields.ts";
import { isUnreadable, readOutline } from "./source/outline.ts";
import { applyStyle, detectStyle, type Style } from "./source/style.ts";
import { readText } from "./source/text.ts";

const TESTS_FOLDER = "tests";

/** A value of each param type, for a test's URL. */
const SAMPLES = { int: "7", str: "example", "str[]": "example" } as const;

/**
 * The tests of a handler: that it answers, and that the framework refuses a body that does not fit. They stay green when the handler
 * gets its real code, because they ask for neither the sample's status nor its text.
 *
 * @param taken what the handler takes off the wire.
 */
export function toTests(
  { method: own, segments, pattern }: Pick<Route, "method" | "segments" | "pattern">,
  { body, query = [] }: Taken = {},
): readonly TestBlueprint[] {
  const method = own === "ALL" ? "GET" : own;
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
      changes: [{ file, before: null, after: applyStyle(newTestFile(tests, guards), fallback) }],
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
  const block = applyStyle(missing.map(testBlueprint).join("\n"), style);
  return applyEdits(text, [insertBlock(text, outline.testRun, block, style)]);
}

/** Two names that differ only by case share the file that is there, as they do on systems that ignore case. */
export function testFile({ root }: Project, name: string): string {
  const file = `${TESTS_FOLDER}/${name}.test.ts`;
  return findOtherCase(root, file) ?? file;
}

function leave(file: string, why: string): FileChanges {
  return { changes: [], notes: [`${file} was left alone because ${why}: add a test there by hand.`] };
}

function newTestFile(tests: readonly TestBlueprint[], guards: readonly string[]): string {
  const blocks = tests.map(testBlueprint);
  return [testHeadBlueprint("../", guards), ...blocks, TEST_RUN].join("\n");
}
