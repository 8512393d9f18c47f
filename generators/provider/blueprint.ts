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
import type { FrameworkType } from "../source/imports.ts";
import { innerWidth, type Layout } from "../source/style.ts";

/** Names that the code of a provider or its test needs for itself. */
export const NAMES_IN_USE: readonly string[] = [
  "Bearer",
  "HttpError",
  "Request",
  "rejects",
  "test",
  "undefined",
];

/** @param parameters without any, it takes the token of the request. */
export function providerBlueprint(name: string, parameters: readonly HandlerParameter[]): FunctionBlueprint {
  const { status, message } = refusalOf(parameters);
  const params = parameters.filter((one) => one !== "request");
  const names = params.map((one) => one.name);
  const found = unlike(names, ["found", "result", "value"]);
  const fields = params.map(
    (one) => `${one.name}: ${/^(?:int|number)$/.test(one.type) ? "number" : "string"}`,
  );
  return {
    name,
    types: ["HttpError", ...typesOfParameters(parameters)],
    write(call, { width }) {
      const types = new Map((["Request", "int", "str"] as const).map((type) => [type, call(type)]));
      const taken = parameters.map((one) => formatParameter(one, types));
      const signature = taken.length === 0 ? [`token: ${call("Bearer")}`] : taken;
      return `// A handler gets what this returns by From<typeof ${name}>.
${list(`export async function ${name}(`, signature, ") {", width)}
  // Look it up here, as in a database. Until you do, nobody gets through.
  const ${found} = undefined as { ${fields.length === 0 ? "id: number" : fields.join("; ")} } | undefined;
  if (${found} === undefined) throw new ${call("HttpError")}(${status}, "${message}");
  return ${found};
}
`;
    },
  };
}

function typesOfParameters(parameters: readonly HandlerParameter[]): readonly FrameworkType[] {
  if (parameters.length === 0) return ["Bearer"];
  return parameters.flatMap((one): FrameworkType[] => {
    if (one === "request") return ["Request"];
    return one.type === "int" || one.type === "str" ? [one.type] : [];
  });
}

interface Refusal {
  readonly status: 401 | 404;
  readonly message: string;
  /** What the test says of the value that it passes. */
  readonly tested: string;
}

export function refusalOf(parameters: readonly HandlerParameter[]): Refusal {
  if (parameters.some((one) => one !== "request"))
    return { status: 404, message: "There is no such thing here", tested: "what it does not find" };
  return parameters.length > 0
    ? { status: 401, message: "Log in first", tested: "a request without a credential" }
    : { status: 401, message: "The token is not valid", tested: "an unknown token" };
}

/** @param source where the test imports the provider from. */
export function providerTestBlueprint(
  name: string,
  parameters: readonly HandlerParameter[],
  source: string,
  layout: Layout,
): string {
  const { status, tested } = refusalOf(parameters);
  const values = parameters.length === 0 ? ['"unknown"'] : parameters.map(sampleOf);
  const head = [
    'import { rejects } from "node:assert/strict";',
    ...(parameters.includes("request") ? ['import { Request } from "framework";'] : []),
    'import { test } from "uvu";',
    `import { ${name} } from "${source}";`,
  ];
  const open = `await rejects(async () => ${name}(${values.join(", ")}), {`;
  return `${head.join("\n")}

test("${name} refuses ${tested}", async () => {
${indented(list(open, [`status: ${status}`], "});", innerWidth(layout)))}
});

${TEST_RUN}`;
}

function sampleOf(parameter: HandlerParameter): string {
  if (parameter === "request") return 'new Request("http://localhost/")';
  return parameter.type === "int" || parameter.type === "number" ? "7" : '"example"';
}
