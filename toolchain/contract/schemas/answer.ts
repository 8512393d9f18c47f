/** The process that loads the files of a project which export schemas, and asks each for its JSON Schema. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonSchema } from "#convention/wire/json-schema";
import type { SchemaShape } from "#runtime/wire/shape";
import { registerModules } from "../../load/modules.ts";

export interface Asked {
  readonly root: string;
  readonly shapes: readonly SchemaShape[];
}

/** One for each shape, in their order. A text says why there is none. */
export interface Answered {
  readonly input: JsonSchema | string;
  readonly output: JsonSchema | string;
}

const TARGET = { target: "draft-2020-12" };

process.once("message", (asked: Asked) => void answer(asked));

async function answer({ root, shapes }: Asked): Promise<void> {
  await registerModules();
  const answers: Answered[] = [];
  for (const shape of shapes) answers.push(await answerOne(root, shape));
  // What the files have opened would keep the process alive.
  process.send?.(answers, () => process.exit());
}

async function answerOne(root: string, { file, exported }: SchemaShape): Promise<Answered> {
  try {
    const exports: Readonly<Record<string, unknown>> = await import(pathToFileURL(join(root, file)).href);
    return { input: tryToAsk(exports[exported], "input"), output: tryToAsk(exports[exported], "output") };
  } catch (error) {
    const why = explain(error);
    return { input: why, output: why };
  }
}

type Way = "input" | "output";

function tryToAsk(value: unknown, way: Way): JsonSchema | string {
  try {
    const schema = askSchema(value, way);
    // It goes through JSON: a date or a regular expression in it would not be one any more.
    return schema === undefined ? "it has no `~standard.jsonSchema`" : JSON.parse(JSON.stringify(schema));
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n")[0] ?? "").replace(/\.$/, "");
}

/** As https://standardschema.dev/json-schema has it, or as libraries had it before. */
function askSchema(value: unknown, way: Way): JsonSchema | undefined {
  const standard = memberOf(memberOf(value, "~standard"), "jsonSchema");
  const ways = [
    () => call(standard, way, TARGET),
    () => call(value, "toJSONSchema", { ...TARGET, io: way }),
    () => call(value, "toJsonSchema"),
  ];
  for (const way of ways) {
    const schema = way();
    if (typeof schema === "object" && schema !== null) return schema as JsonSchema;
  }
  return undefined;
}

function call(value: unknown, name: string, ...values: readonly unknown[]): unknown {
  const found = memberOf(value, name);
  return typeof found === "function" ? found.apply(value, values) : undefined;
}

/** Some libraries make their schemas functions. */
function memberOf(value: unknown, name: string): unknown {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
