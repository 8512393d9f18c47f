/** `framework generate resource`: the table, the app and all that belongs to one kind of rows. */

import { planResource } from "#generators/resource/plan";
import { escapeControl } from "#runtime/escape";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { defineGenerator } from "./run.ts";
import { PREFIX_OPTION, textOf } from "./words.ts";

export const generateResource: Command = defineGenerator({
  usage: "framework generate resource <name> <field:type …> [options]",
  summary: "Add a table with an app that lists, creates, reads, changes and deletes its rows.",
  details:
    "It writes a migration, the table's types, the handlers with their test, and a row for `npm run seed`.\n" +
    "Write the fields as title:string pages:int subtitle:string?, where ? is for optional ones.\n" +
    'Their types are string, int, number, boolean and Date, and lists of texts such as "new"|"used".\n' +
    "A field such as isbn:string:unique has another value in each row.\n" +
    "A field author:references is the id of a row of `authors`, and author:references:writers of `writers`.",
  options: { prefix: PREFIX_OPTION },
  examples: [
    "framework generate resource authors name:string:unique",
    "framework generate resource books title:string pages:int subtitle:string? author:references",
    "framework generate resource books title:string --prefix /api/books --dry-run",
    'framework generate resource copies \'state:"new"|"used"\' bought_on:Date? book:references',
  ],
  read({ words: [name = "", ...fields], options }: CommandInput) {
    const example = "As in: framework generate resource books title:string pages:int";
    if (name.includes(":")) throw new UsageError("The resource's name comes before its fields.", example);
    if (fields.every((one) => one.trim() === ""))
      throw new UsageError(`Which fields should \`${escapeControl(name)}\` have?`, example);
    return { name, fields, prefix: textOf(options.prefix) };
  },
  plan: planResource,
});
