/** The provider that a generator writes, with its test: it refuses every token until somebody writes the look-up. */

import type { FunctionBlueprint } from "../functions.ts";
import { TEST_RUN } from "../source/blueprints.ts";

/** Names that the code of a provider needs for itself. */
export const NAMES_IN_USE: readonly string[] = ["Bearer", "HttpError", "Map", "undefined"];

export function providerBlueprint(name: string): FunctionBlueprint {
  return {
    name,
    types: ["Bearer", "HttpError"],
    write: (call) => `// A handler gets what this returns by From<typeof ${name}>.
export function ${name}(token: ${call("Bearer")}) {
  // Look the token up here: in a database, or by its signature. The map is
  // empty, so every token is refused until you replace it.
  const known = new Map<string, { id: number }>();
  const found = known.get(token);
  if (found === undefined) throw new ${call("HttpError")}(401, "The token is not valid");
  return found;
}
`,
  };
}

/** @param source where the test imports the provider from. */
export function providerTestBlueprint(name: string, source: string): string {
  return `import { HttpError } from "framework";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ${name} } from "${source}";

test("${name} refuses an unknown token", () => {
  assert.throws(
    () => ${name}("unknown"),
    (error: unknown) => error instanceof HttpError && error.status === 401,
  );
});

${TEST_RUN}`;
}
