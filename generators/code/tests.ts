/** The text of the tests beside handlers. */

import { formatPattern } from "#convention/pattern";
import { METHODS, type RouteMethod } from "#runtime/routing/route";
import { WIDTH } from "../edit/style.ts";
import { sampleCode, sampleText } from "./fields.ts";
import { type Handler, indented, list, PARSES_A_BODY, requiredFirst } from "./handlers.ts";

export interface RequestTest {
  readonly title: string;
  readonly method: RouteMethod;
  /** As a client asks for it: `/users/by/id/7`. */
  readonly path: string;
  /** Without it, any answer is right that its handler may have meant: a first edit changes the status as a rule. */
  readonly status?: number;
  /** The handler may refuse what the request has: a param's sample value, or a body that nothing declares. */
  readonly mayBeRefused?: boolean;
  /** The JSON that is sent: keys with the code of their values. */
  readonly body?: readonly string[];
}

/** A value of each param type, for a test's URL. */
const SAMPLES = { int: "7", str: "example", "str[]": "example" } as const;

/**
 * The tests of a handler: that it answers, and that the framework refuses a body that does not fit. They stay green when the handler
 * gets its real code, because they ask for neither the sample's status nor its text.
 *
 * @param others the methods that the path's other handlers serve: a handler for every method is asked with another.
 */
export function testsOf(
  { method: own, segments, pattern, body, query }: Omit<Handler, "name" | "parameters">,
  others: readonly RouteMethod[] = [],
): readonly RequestTest[] {
  const method = own === "ALL" ? (METHODS.find((one) => !others.includes(one)) ?? own) : own;
  const sample = segments.map((segment) => (typeof segment === "string" ? segment : SAMPLES[segment.type]));
  const asked = requiredFirst(query)
    .map(({ name, type }) => `${name}=${toQueryText(sampleText(type))}`)
    .join("&");
  const path = `${formatPattern(sample, pattern.length > 1 && pattern.endsWith("/"))}${asked && `?${asked}`}`;
  const [first] = body;
  const hasParams = segments.some((segment) => typeof segment !== "string");
  const mayBeRefused = hasParams || (first === undefined && PARSES_A_BODY.includes(method));
  const answers = { title: `${own} ${pattern} answers`, method, path, mayBeRefused };
  if (first === undefined) return [answers];
  const title = `${answers.title} 422 if \`${first.name}\` is null`;
  return [
    { ...answers, body: body.map(({ name, type }) => `${name}: ${sampleCode(type)}`) },
    { title, method, path, status: 422, body: [`${first.name}: null`] },
  ];
}

/** A colon may stay as it is (RFC 3986 section 3.4). */
function toQueryText(text: string): string {
  return encodeURIComponent(text).replaceAll("%3A", ":");
}

/**
 * Everything a test file needs before its first test.
 *
 * @param guards the `_hooks.ts` whose guards would refuse the requests, because they have no credentials.
 */
function testHead(guards: readonly string[]): string {
  const names = guards.map((_, index) => (index === 0 ? "guard" : `guard${index + 1}`));
  const isOpen = guards.length === 0;
  const imports = [
    ...(isOpen ? [] : ['import { createApp, replace } from "framework";']),
    'import { request } from "undici";',
    'import { test } from "uvu";',
    'import * as assert from "uvu/assert";',
    ...(isOpen ? ['import { app } from "../app.ts";'] : []),
    ...guards.map((file, index) => {
      return `import { guard${index === 0 ? "" : ` as ${names[index]}`} } from "../${file}";`;
    }),
  ];
  const replaced = names.map((name) => `replace(${name}).with(() => {})`);
  const open = isOpen
    ? ""
    : `// The guards are replaced, so that these requests need no credentials.
${list("const app = await createApp({", [list("providers: [", replaced, "]")], "});")}
`;
  return `${imports.join("\n")}\n\n${open}const { url } = await app.listen();\n`;
}

export const TEST_RUN = "test.run();\n";

/** @param guards that run before what is tested: the file replaces them. */
export function testFileCode(tests: readonly RequestTest[], guards: readonly string[]): string {
  return [testHead(guards), ...tests.map(testCode), TEST_RUN].join("\n");
}

/** The names that {@link testCode} uses: a file that lacks one can't take the test. */
export const TEST_NAMES: readonly string[] = ["request", "test", "assert", "url"];

export function testCode(test: RequestTest): string {
  return `test(${JSON.stringify(test.title)}, async () => {
${indented([requestCall(test), ...expectation(test)].join("\n"))}
});
`;
}

/** What the answer says is in the message, because a status alone does not say why. */
function expectation({ status, mayBeRefused }: RequestTest): readonly string[] {
  if (status !== undefined) return [`assert.is(response.statusCode, ${status});`];
  if (!mayBeRefused) return ["assert.ok(response.statusCode < 400, await response.body.text());"];
  return [
    "// 4xx is right, too: the values in the request are only samples.",
    "assert.ok(response.statusCode < 500, await response.body.text());",
  ];
}

function requestCall({ method, path, body }: RequestTest): string {
  const sent = body ?? (PARSES_A_BODY.includes(method) ? ['name: "example"'] : undefined);
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(body === undefined ? [] : ['headers: { "content-type": "application/json" }']),
    ...(sent === undefined ? [] : [list("body: JSON.stringify({", sent, "})")]),
  ];
  const [open, url] = ["const response = await request(", `\`\${url}${path}\``];
  const isLong = `  ${open}${url}, {`.length > WIDTH;
  if (!isLong && options.length > 0) return list(`${open}${url}, {`, options, "});");
  return list(open, [url, ...(options.length === 0 ? [] : [list("{", options, "}")])], ");");
}
