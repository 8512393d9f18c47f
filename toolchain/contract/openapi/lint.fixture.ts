/** For tests: what others find wrong with a document. */

import { type Config, createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";

/** An operation that takes nothing refuses nothing. */
const RULES = { "operation-4xx-response": "off" } as const;

let config: Promise<Config> | undefined;

/** @returns what the schema of OpenAPI and redocly's strict rules find, in words; empty for a document without an error. */
export async function lint(text: string): Promise<string[]> {
  config ??= createConfig({ extends: ["recommended-strict"], rules: RULES });
  const { valid, errors } = await new Validator().validate(JSON.parse(text));
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config: await config });
  return [
    ...(valid ? [] : [JSON.stringify(errors)]),
    ...problems.map(
      ({ ruleId, message, location: [place] }) => `${ruleId}: ${message} (${place?.pointer ?? ""})`,
    ),
  ];
}
