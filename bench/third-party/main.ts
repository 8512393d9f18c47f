/**
 * Runs the cases that other people collected against our server and our TOML reader: `node --import tsx bench/third-party/main.ts [name …]`.
 * Their data is fetched for the run and not kept here; THIRD_PARTY_DATA names a folder that has it already.
 */

import { jsonCases } from "./json.ts";
import { jsonSchemaCases, jsonSchemaFormatCases } from "./json-schema.ts";
import { naughtyCases } from "./naughty.ts";
import { probeByDeno, probeByPython } from "./probes.ts";
import { startServer } from "./server.ts";
import { tomlCases } from "./toml.ts";
import { urlCases } from "./urls.ts";

export interface Outcome {
  readonly cases: number;
  /** One line for each case that went wrong. */
  readonly failures: readonly string[];
}

const SUITES: Readonly<Record<string, (url: string) => Promise<Outcome>>> = {
  JSONTestSuite: jsonCases,
  "naughty-strings": naughtyCases,
  "whatwg-url": urlCases,
  "h1spec-unetworking": probeByDeno,
  "h1spec-dropseed": probeByPython,
  "toml-test": tomlCases,
  "json-schema": jsonSchemaCases,
  "json-schema-formats": jsonSchemaFormatCases,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(", ")}. There is ${Object.keys(SUITES).join(", ")}.`);
  process.exitCode = 2;
} else {
  await runAll(asked.length === 0 ? Object.keys(SUITES) : asked);
}

async function runAll(names: readonly string[]): Promise<void> {
  const server = await startServer();
  for (const name of names) {
    const { cases, failures } = (await SUITES[name]?.(server.url)) ?? { cases: 0, failures: ["not run"] };
    console.log(`${name}: ${cases - failures.length} of ${cases}`);
    for (const failure of failures) console.log(`  ${failure}`);
    if (failures.length > 0 || cases === 0) process.exitCode = 1;
  }
  if (server.errors().length > 0) {
    console.log(`The server logged:\n${server.errors()}`);
    process.exitCode = 1;
  }
  await server.close();
}
