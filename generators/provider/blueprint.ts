/** The provider that a generator writes, with its test: it refuses every request until somebody writes the look-up. */

import type { FunctionBlueprint } from "../functions.ts";
import {
  formatParameter,
  type HandlerParameter,
  indented,
  list,
  TEST_RUN,
  unlike,
} from "../source/blueprints.ts";

/** Names that the code of a provider needs for itself. */
export const NAMES_IN_CODE: readonly string[] = ["Bearer", "HttpError", "Map", "undefined"];
/** Its test needs some, too. */
export const NAMES_IN_USE: readonly string[] = [...NAMES_IN_CODE, "rejects", "test"];

export type ProviderParam = Exclude<HandlerParameter, "request">;

/** @param params of the path; without any, it takes the token of the request. */
export function providerBlueprint(name: string, params: readonly ProviderParam[]): FunctionBlueprint {
  const names = params.map((one) => one.name);
  const types = params.map(({ type }) => type).filter((type) => type === "int" || type === "str");
  const [known, found] = [unlike(names, ["known", "all"]), unlike(names, ["found", "result"])];
  const { status, message } = refusalOf(params);
  return {
    name,
    types: ["HttpError", ...(params.length === 0 ? (["Bearer"] as const) : types)],
    write(call) {
      const local = new Map((["int", "str"] as const).map((type) => [type, call(type)]));
      const signature = params.map((one) => formatParameter(one, local));
      const taken = params.length === 0 ? [`token: ${call("Bearer")}`] : signature;
      return `// A handler gets what this returns by From<typeof ${name}>.
${list(`export function ${name}(`, taken, ") {")}
  // Look it up here, such as in a database. The map is empty, so every request
  // is refused until you do.
  const ${known} = new Map<${params.length === 1 && isNumber(params[0]) ? "number" : "string"}, { id: number }>();
${indented(list(`const ${found} = ${known}.get(`, [lookUpKey(names)], ");"))}
  if (${found} === undefined) throw new ${call("HttpError")}(${status}, "${message}");
  return ${found};
}
`;
    },
  };
}

function isNumber(param: ProviderParam | undefined): boolean {
  return param?.type === "int" || param?.type === "number";
}

/** @example lookUpKey(["shop", "line"]) // "`${shop}/${line}`" */
function lookUpKey(names: readonly string[]): string {
  const [name = "token", ...others] = names;
  return others.length === 0 ? name : `\`${names.map((one) => `\${${one}}`).join("/")}\``;
}

/** How it refuses a request. */
export function refusalOf(params: readonly unknown[]): { readonly status: number; readonly message: string } {
  return params.length === 0
    ? { status: 401, message: "The token is not valid" }
    : { status: 404, message: "Not found" };
}

/** @param source where the test imports the provider from. */
export function providerTestBlueprint(
  name: string,
  params: readonly ProviderParam[],
  source: string,
): string {
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
