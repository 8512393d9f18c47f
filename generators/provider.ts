/**
 * Plans a provider in a file of its own, or in an app's `providers.ts`, with its test. It refuses every request until somebody writes the
 * look-up.
 */

import { VIEWS_FILE } from "#convention/layout";
import type { Project } from "#convention/project";
import {
  formatParameter,
  type HandlerParam,
  indented,
  list,
  NOTHING_TAKEN,
  unlike,
} from "./code/handlers.ts";
import { TEST_RUN } from "./code/tests.ts";
import { addCode, type Code } from "./edit/code.ts";
import { readOutline } from "./edit/outline.ts";
import { applyStyle } from "./edit/style.ts";
import { readText } from "./edit/text.ts";
import { checkPlan, type Plan } from "./plan.ts";
import { referenceStyle } from "./reference-style.ts";
import { refuse } from "./refused.ts";
import { readExported } from "./signature.ts";
import { toSource } from "./target/names.ts";
import { type ProviderInput, toWantedProvider, type WantedProvider } from "./target/provider.ts";
import { formatParts, formatWanted, hasParams } from "./target/wanted.ts";
import { planOwnTest, testFile } from "./tests.ts";

/**
 * @returns the plan, one without changes where the provider is there already.
 * @throws {Refused}
 * @example planProvider(project, { name: "current_user", app: undefined, params: [] })
 */
export function planProvider(project: Project, input: ProviderInput): Plan {
  const wanted = toWantedProvider(project, input);
  const { name, file } = wanted;
  const before = readText(project.root, file);
  const { exported, bindings } = readOutline(file, before ?? "");
  const usage = describeUse(project, wanted, input.params.length === 0 ? "me" : "found");
  if (exported.has(name)) {
    checkParams(project, wanted, input, bindings.get(name));
    const notes = [`\`${name}\` is there already: ${file}`, ...usage];
    return { changes: [], made: [], present: [], notes };
  }
  const style = referenceStyle(project);
  const after = addCode(file, before, [providerCode(name, input.params)], "provider", style);
  const source = toSource(testFile(project, wanted.testName), file);
  const text = applyStyle(providerTest(name, input.params, source), style);
  const test = planOwnTest(project, wanted.testName, text);
  const changes = [{ file, before, after }, ...test.changes];
  const checked = checkPlan(project, changes, { what: `\`${name}\``, routes: [] });
  const refuses = `Until you write the look-up, it refuses every request with ${refusalOf(input.params).status}.`;
  return { changes, made: [], present: [], notes: [...checked.notes, ...test.notes, refuses, ...usage] };
}

/** Refuses a provider that is there with other params than those that the command names. */
function checkParams(
  project: Project,
  { name, file }: WantedProvider,
  { params }: ProviderInput,
  line = 1,
): void {
  const own = readExported(project, file, name)?.filter((one) => one.kind === "param");
  if (params.length === 0 || own === undefined || hasParams(own, params)) return;
  const what = `\`${name}\` already exists, with another signature: ${formatParts(own)}`;
  const signature = formatWanted({ parameters: params, taken: NOTHING_TAKEN });
  const hint = `Edit it there if it should be ${signature}, or choose another name.`;
  refuse("FW608", { what, hint }, { file, line, column: 1 });
}

/** How a handler asks for the provider, and how a folder does. */
function describeUse(project: Project, { name, file }: WantedProvider, parameter: string): readonly string[] {
  const folder = file.slice(0, file.lastIndexOf("/"));
  const beside = project.apps.find((app) => app.folder === folder);
  const module = beside === undefined ? project.routes[0]?.module : `${folder}/${VIEWS_FILE}`;
  const user = module ?? "routes/index.ts";
  return [
    `A handler asks for it with a parameter: ${parameter}: From<typeof ${name}>`,
    `In ${user}, import it with: import type { ${name} } from "${toSource(user, file)}";`,
    `All routes of a folder ask for it with: npx framework generate hooks <folder> --guard ${name}`,
  ];
}

/** @param params of the path; without any, it takes the token of the request. */
function providerCode(name: string, params: readonly HandlerParam[]): Code {
  const names = params.map((one) => one.name);
  const [known, found] = [unlike(names, ["known", "all"]), unlike(names, ["found", "result"])];
  const { status, message } = refusalOf(params);
  const [only] = params.length === 1 ? params : [];
  return {
    name,
    write(use) {
      const taken =
        params.length === 0 ? [`token: ${use("Bearer")}`] : params.map((one) => formatParameter(one, use));
      return `// A handler gets what this returns by From<typeof ${name}>.
${list(`export function ${name}(`, taken, ") {")}
  // Look it up here, such as in a database. The map is empty, so every request
  // is refused until you do.
  const ${known} = new Map<${only && isNumber(only) ? "number" : "string"}, { id: number }>();
${indented(list(`const ${found} = ${known}.get(`, [lookUpKey(names)], ");"))}
  if (${found} === undefined) throw new ${use("HttpError")}(${status}, "${message}");
  return ${found};
}
`;
    },
  };
}

function isNumber({ type }: HandlerParam): boolean {
  return type === "int" || type === "number";
}

/** @example lookUpKey(["shop", "line"]) // "`${shop}/${line}`" */
function lookUpKey(names: readonly string[]): string {
  const [name = "token", ...others] = names;
  return others.length === 0 ? name : `\`${names.map((one) => `\${${one}}`).join("/")}\``;
}

/** How it refuses a request. */
function refusalOf(params: readonly unknown[]): { readonly status: number; readonly message: string } {
  return params.length === 0
    ? { status: 401, message: "The token is not valid" }
    : { status: 404, message: "Not found" };
}

/** @param source where the test imports the provider from. */
function providerTest(name: string, params: readonly HandlerParam[], source: string): string {
  const values = params.map((one) => (isNumber(one) ? "7" : '"example"'));
  const tested = params.length === 0 ? "an unknown token" : "what it does not find";
  const call = `${name}(${params.length === 0 ? '"unknown"' : values.join(", ")})`;
  const open = `await rejects(async () => ${call}, {`;
  return `import { rejects } from "node:assert/strict";
import { test } from "uvu";
import { ${name} } from "${source}";

test("${name} refuses ${tested}", async () => {
${indented(list(open, [`status: ${refusalOf(params).status}`], "});"))}
});

${TEST_RUN}`;
}
