/** `framework generate database`: adds the files of a database to the project. */

import { ENGINES } from "#generators/database/engine";
import { type DatabaseInput, planDatabase } from "#generators/database/plan";
import { escapeControl } from "#runtime/escape";
import { type Command, type CommandInput, flag, UsageError } from "../command.ts";
import { suggest } from "../suggest.ts";
import { generateResource } from "./resource.ts";
import { carryOut, PLAN_OPTIONS } from "./run.ts";

/** The sample, as one would type it. */
const SAMPLE: readonly (readonly string[])[] = [
  ["categories", "name:string:unique"],
  ["products", "sku:string:unique", "name:string", "price:number", "category:references"],
];

export const generateDatabase: Command = {
  usage: "framework generate database <sqlite|postgres> [options]",
  summary: "Add a database: its connection, tables, migrations, seeds, tests and images.",
  details:
    "The code is the same for both engines, and DATABASE_URL chooses. The word says which one is used without it.\n" +
    "Queries are written with Kysely. It needs Node.js 22.13 or newer.",
  options: {
    sample: flag("Also add the resources categories and products."),
    ...PLAN_OPTIONS,
  },
  examples: ["framework generate database sqlite", "framework generate database postgres --dry-run"],
  async run(input) {
    const hasSample = input.flags.sample;
    if (hasSample) refuseSample(input);
    // They are many, and no other command needs them.
    const { DATABASE_FILES: template } = await import("#generators/database/files");
    const status = await carryOut(input, (typed) => read(typed, template), planDatabase);
    if (status !== 0 || !hasSample) return status;
    // One after the other: the second one refers to the table of the first.
    for (const words of SAMPLE) {
      const failed = await generateResource.run({ ...input, words, flags: {}, values: {} });
      if (failed !== 0) return failed;
    }
    return 0;
  },
};

/** A resource is planned when the table that it refers to is written, so there is no one diff and no one report. */
function refuseSample({ flags }: CommandInput): void {
  const other = Object.keys(PLAN_OPTIONS).find((name) => flags[name]);
  if (other !== undefined)
    throw new UsageError(
      `--sample can't be used with --${other}.`,
      "Add the database first, then each resource with: framework generate resource",
    );
}

function read({ words: [word = ""] }: CommandInput, template: DatabaseInput["template"]): DatabaseInput {
  const engine = ENGINES.find((one) => one === word);
  if (engine !== undefined) return { engine, template };
  throw new UsageError(`There is no database \`${escapeControl(word)}\` here.`, suggest(word, ENGINES));
}
